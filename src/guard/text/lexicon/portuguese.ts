import type { Lexicon } from "./concept.ts";

export const portuguese: Lexicon = {
  override:
    "ignore, ignora, ignorar, ignorem, ignorando, esqueca, esquecam, esquece, esquecer, desconsidere, desconsiderar, desconsidera, descarte, anule, pule, contorne, deixe de seguir, pare de seguir, nao siga, burle, desobedeca",
  setaside: "nao se aplicam mais, estao anuladas, ja nao valem",
  prior: "anterior, anteriores, anteriormente, previa, previas, previos, precedentes, acima, ate agora, antes",
  told: "que voce recebeu, que lhe foram dadas, te deram, lhe disseram",
  whole: "todo, todas, todos, toda, tudo, qualquer, quaisquer, original, originais, outras, demais",
  instruction: "instrucao, instrucoes, diretriz, diretrizes, orientacoes, prompt, ordens, comandos anteriores",
  rule: "regra, regras, politica, politicas, restricao, restricoes, limitacoes, filtro, filtros",
  matter: "mensagens, contexto, tarefa, tarefas, conversa, comandos",
  safety: "etica, etico, moral, seguranca, salvaguardas, censura, regras de seguranca",
  setup:
    "prompt do sistema, prompt de sistema, instrucoes do sistema, mensagem do sistema, instrucoes iniciais, prompt inicial, instrucoes ocultas, instrucoes internas, contexto oculto, suas instrucoes, seu prompt, sua configuracao, regras do sistema",
  ownsetup: "suas instrucoes, seu prompt, suas diretrizes, suas regras",
  reveal:
    "revele, revela, revelar, mostre, mostra, mostrar, imprima, repita, diga me, me diga, vaze, exponha, divulgue, escreva, traduza, copie, quais sao, qual e",
  persona:
    "aja como, atue como, voce agora e, agora voce e, a partir de agora, de agora em diante, finja, finja ser, comporte se como, simule, imagine que voce, assuma o papel, faca o papel",
  become: "agora voce e, voce agora e, finja que, finja ser, imagine que voce e, voce nao e mais, aja como se",
  unrestricted:
    "sem restricoes, sem nenhuma restricao, sem limites, sem filtros, sem filtro, sem censura, sem regras, modo desenvolvedor, modo deus, ilimitado, livre de restricoes",
  ai: "ia, assistente, assistentes, modelo de linguagem, agente de ia, inteligencia artificial, chatbot",
  attention:
    "atencao, aviso, ola, caro, prezado, prezada, se voce e, nota para, mensagem para, instrucoes para, ao assistente, lendo isto, que ler isto",
  you: "voce, voces, seu, sua, seus, suas, te, teu, tuas",
  conceal:
    "nao diga, nao conte, nao mencione, nao informe, nao avise, sem avisar, sem informar, sem contar, sem dizer, sem mencionar, em segredo, secretamente, silenciosamente, nao revele, oculte, esconda, sem que o usuario",
  unseen: "em segredo, secretamente, silenciosamente, sem avisar, sem informar",
  itself: "esta mensagem, estas instrucoes, esta instrucao, esta nota, isto, isso",
  person: "usuario, usuarios, usuaria, utilizador, humano, desenvolvedor, administrador, ninguem, dono",
  disloyal: "ignore o usuario, ignora o usuario, nao obedeca ao usuario, nao siga as instrucoes do usuario",
  secret:
    "senha, senhas, segredo, segredos, credencial, credenciais, chave de api, chaves de api, chave privada, chaves privadas, chaves, variaveis de ambiente, chave secreta",
  send: "envie, enviar, envia, mande, mandar, publique, encaminhe, transmita, exfiltre, carregue, suba, remeta, poste",
  destination: "meu servidor, servidor externo, a seguinte url, o seguinte endereco, este link, este endereco",
  run: "execute, executar, executa, rode, rodar, invoque, chame, instale, abra, use, utilize",
  tool: "comando, ferramenta, ferramentas, terminal, funcao, script, codigo abaixo",
  order:
    "seguintes instrucoes, seguinte instrucao, estas instrucoes, siga estas, siga as, obedeca, em vez disso, faca o seguinte, voce deve agora, cumpra",
  neworder: "novas instrucoes, nova instrucao, nova tarefa, novas regras, sua verdadeira tarefa, sua nova tarefa",
  parrot: "responda apenas, responda somente, diga apenas, escreva apenas",
  urgent: "importante, urgente, imediatamente, critico, obrigatorio, deve, aviso, agora mesmo",
  authority: "administrador, desenvolvedor, seu criador, seu dono, sou seu, equipe de seguranca, supervisor",
  permission: "autorizado, autorizada, autorizacao, permissao, aprovado, autoriza voce",
  check: "teste, testes, verificacao, verificador, revisao, politica, orcamento, auditoria, aprovacao, seguranca",
  disable:
    "desative, desativar, desativa, desabilite, desligue, elimine, remova, apague, pule, aprove, marque como, mescle, aumente, aprove este",
  persist:
    "lembre, lembre se, memorize, guarde, salve, sempre, no futuro, a partir de agora, permanentemente, em todas, adicione a, adicione ao, escreva em, escreva no",
  memory: "memoria, futuras conversas, sessoes futuras, futuras sessoes, respostas futuras, sessoes, conversas, todas as respostas",
  request: "por favor, voce pode, voce poderia, pode, poderia, voce deve, preciso que, quero que",
  mine: "meu, minha, meus, minhas, me",
  fetch: "obtenha, recupere, busque, leia, acesse, baixe, extraia, colete, liste, pegue",
  private:
    "conta, contas, historico, pessoais, privados, medicos, bancarios, arquivos, documentos, emails, dados, informacoes, contatos, registros",
  act: "transfira, exclua, apague, conceda, pague, retire, desbloqueie, deposite, venda, compartilhe, altere",
  answer: "sua resposta, suas respostas, tua resposta, seu resumo, diga ao usuario",
  shape:
    "adicione, inclua, insira, modifique, promova, sugira, mencione, substitua, termine, comece, responda apenas, responda somente, escreva, recomende",
  discussion: "injecao de prompt, injecao de prompts, atacante, atacantes, ataques, detecta",
};
