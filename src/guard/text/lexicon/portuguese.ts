// Portuguese words for the concepts of the text scanner.
import type { Lexicon } from "./concept.ts";

export const portuguese: Lexicon = {
  override:
    "ignore, ignora, ignorar, ignorem, ignorando, esqueca, esquecam, esquece, esquecer, desconsidere, desconsiderar, desconsidera, descarte, anule, pule, contorne, deixe de seguir, pare de seguir, nao siga, burle, desobedeca, deixe de lado, abandone, jogue fora, rejeite, nao obedeca, nao cumpra, descarta, ponha de lado",
  setaside: "nao se aplicam mais, estao anuladas, ja nao valem",
  prior: "anterior, anteriores, anteriormente, previa, previas, previos, precedentes, acima, ate agora, antes",
  told: "que voce recebeu, que lhe foram dadas, te deram, lhe disseram, que recebeu, que voce tem, que lhe deram, que te deram",
  whole: "todo, todas, todos, toda, tudo, qualquer, quaisquer, original, originais, outras, demais",
  instruction: "instrucao, instrucoes, diretriz, diretrizes, orientacoes, prompt, ordens, comandos anteriores",
  rule: "regra, regras, politica, politicas, restricao, restricoes, limitacoes, filtro, filtros",
  matter: "mensagens, contexto, tarefa, tarefas, conversa, comandos",
  safety: "etica, etico, moral, seguranca, salvaguardas, censura, regras de seguranca",
  setup:
    "prompt do sistema, prompt de sistema, instrucoes do sistema, mensagem do sistema, instrucoes iniciais, prompt inicial, instrucoes ocultas, instrucoes internas, contexto oculto, suas instrucoes, seu prompt, sua configuracao, regras do sistema, seu prompt de sistema, seu prompt do sistema",
  ownsetup:
    "suas instrucoes, seu prompt, suas diretrizes, suas regras, seu prompt de sistema, seu prompt do sistema, seu prompt inicial, suas instrucoes iniciais, suas instrucoes internas, suas orientacoes, suas instrucoes do sistema, sua mensagem de sistema, o seu prompt, as suas instrucoes",
  reveal:
    "revele, revela, revelar, mostre, mostra, mostrar, imprima, repita, diga me, me diga, vaze, exponha, divulgue, escreva, traduza, copie, quais sao, qual e, palavra por palavra, literalmente, na integra, cole, reproduza, transcreva, publique, exiba, escreva aqui",
  persona:
    "aja como, atue como, voce agora e, agora voce e, a partir de agora, de agora em diante, finja, finja ser, comporte se como, simule, imagine que voce, assuma o papel, faca o papel",
  become:
    "agora voce e, voce agora e, finja que, finja ser, imagine que voce e, voce nao e mais, aja como se, a partir de agora voce e, de agora em diante voce e",
  unrestricted:
    "sem restricoes, sem nenhuma restricao, sem limites, sem filtros, sem filtro, sem censura, sem regras, modo desenvolvedor, modo deus, ilimitado, livre de restricoes, nunca recusa, nunca se recusa, nao recusa nada, sem nenhum limite, sem nenhuma limitacao, responde a tudo",
  ai: "ia, assistente, assistentes, modelo de linguagem, agente de ia, inteligencia artificial, chatbot, modelos de linguagem, agentes de ia, assistente de codigo, assistente de ia, modelo de ia, modelos de ia",
  attention:
    "atencao, aviso, ola, caro, prezado, prezada, se voce e, nota para, mensagem para, instrucoes para, ao assistente, lendo isto, que ler isto, para o agente, para a ia, que estiver lendo, que esta lendo, ao agente, para qualquer ia, a qualquer ia",
  you: "voce, voces, seu, sua, seus, suas, te, teu, tuas",
  conceal:
    "nao diga, nao conte, nao mencione, nao informe, nao avise, sem avisar, sem informar, sem contar, sem dizer, sem mencionar, em segredo, secretamente, silenciosamente, nao revele, oculte, esconda, sem que o usuario",
  unseen: "em segredo, secretamente, silenciosamente, sem avisar, sem informar",
  itself: "esta mensagem, estas instrucoes, esta instrucao, esta nota, isto, isso",
  person: "usuario, usuarios, usuaria, utilizador, humano, desenvolvedor, administrador, ninguem, dono",
  disloyal: "ignore o usuario, ignora o usuario, nao obedeca ao usuario, nao siga as instrucoes do usuario",
  secret:
    "senha, senhas, segredo, segredos, credencial, credenciais, chave de api, chaves de api, chave privada, chaves privadas, chaves, variaveis de ambiente, chave secreta, env, ficheiro de credenciais, arquivo de credenciais, chave ssh, chaves ssh, cookies de sessao, palavra passe, palavras passe",
  send: "envie, enviar, envia, mande, mandar, publique, encaminhe, transmita, exfiltre, carregue, suba, remeta, poste",
  destination: "meu servidor, servidor externo, a seguinte url, o seguinte endereco, este link, este endereco",
  run: "execute, executar, executa, rode, rodar, invoque, chame, instale, abra, use, utilize",
  tool: "comando, ferramenta, ferramentas, terminal, funcao, script, codigo abaixo",
  order:
    "seguintes instrucoes, seguinte instrucao, estas instrucoes, siga estas, siga as, obedeca, em vez disso, faca o seguinte, voce deve agora, cumpra",
  neworder:
    "novas instrucoes, nova instrucao, nova tarefa, novas regras, sua verdadeira tarefa, sua nova tarefa, obedeca somente, obedeca apenas, siga apenas, siga somente, faca o que diz, faca o que este, nova diretiva, novo objetivo, nova missao, seu novo objetivo, sua unica tarefa, apenas o seguinte, somente a este, apenas a este",
  parrot: "responda apenas, responda somente, diga apenas, escreva apenas",
  urgent: "importante, urgente, imediatamente, critico, obrigatorio, deve, aviso, agora mesmo",
  authority: "administrador, desenvolvedor, seu criador, seu dono, sou seu, equipe de seguranca, supervisor",
  permission: "autorizado, autorizada, autorizacao, permissao, aprovado, autoriza voce",
  check:
    "teste, testes, verificacao, verificador, revisao, politica, orcamento, auditoria, aprovacao, seguranca, ci, validacao, sandbox, permissoes, confirmacao, linter, verificacoes",
  disable:
    "desative, desativar, desativa, desabilite, desligue, elimine, remova, apague, pule, aprove, marque como, mescle, aumente, aprove este, salte, anule, desconecte, comente, retire, modifique, edite, contorne, burle, desactive",
  persist:
    "lembre, lembre se, memorize, guarde, salve, sempre, no futuro, a partir de agora, permanentemente, em todas, adicione a, adicione ao, escreva em, escreva no",
  memory: "memoria, futuras conversas, sessoes futuras, futuras sessoes, respostas futuras, sessoes, conversas, todas as respostas",
  request: "por favor, voce pode, voce poderia, pode, poderia, voce deve, preciso que, quero que",
  mine: "meu, minha, meus, minhas, me",
  fetch: "obtenha, recupere, busque, leia, acesse, baixe, extraia, colete, liste, pegue",
  private:
    "conta, contas, historico, pessoais, privados, medicos, bancarios, arquivos, documentos, emails, dados, informacoes, contatos, registros, ficheiro, ficheiros, conteudo",
  act: "transfira, exclua, apague, conceda, pague, retire, desbloqueie, deposite, venda, compartilhe, altere",
  answer: "sua resposta, suas respostas, tua resposta, seu resumo, diga ao usuario",
  shape:
    "adicione, inclua, insira, modifique, promova, sugira, mencione, substitua, termine, comece, responda apenas, responda somente, escreva, recomende",
  discussion: "injecao de prompt, injecao de prompts, atacante, atacantes, ataques, detecta",
  agent: "agente, agentes, bot, bots, robo, modelo, modelos",
  called:
    "(para|ao|aos|a) (qualquer|toda|todos os|) (ia|agente|agentes|modelo|modelos|assistente|agente de ia|modelos de linguagem|modelo de linguagem|assistente de ia) (que (leia|leiam|le|leem|esta|processe|estiver|ler)|), se voce (e|for) (um|uma) (modelo|modelo de linguagem|ia|agente|assistente|bot|agente de ia|assistente de ia), para o agente de ia, para a ia",
  granted:
    "ja (foi |foram |tem |) (aprovou|aprovado|aprovada|aprovadas|autorizou|autorizado|autorizadas|concordou|permitiu|concedeu|concedida|confirmou|aceitou|consentiu|deu), (permissao|autorizacao|aprovacao|consentimento) (foi|ja foi|esta|ja esta) (concedida|concedido|dada|dado|obtida), (eu |) (te autorizo|autorizo voce|lhe autorizo|autorizo|permito que voce), voce (esta|foi) (autorizado|autorizada|liberado|habilitado), (aprovou|autorizou) (tudo|todas|todos)",
  unasked:
    "sem (pedir |solicitar |esperar |mais |nenhuma |perguntar |) (confirmacao|permissao|aprovacao|autorizacao|revisao|perguntar|consultar|confirmar|nada), nao (peca|solicite|espere|precisa|e preciso|e necessario|pergunte|aguarde)( pedir| por| de| nenhuma|)( confirmacao| permissao| aprovacao| autorizacao| confirmar| perguntar| resposta|), pule a (confirmacao|aprovacao|revisao)",
  drastic:
    "(apague|exclua|remova|delete|elimine) (o|a|os|as|toda a) (branch|banco|banco de dados|base|tabela|tabelas|repositorio|ramo|backups), push forcado, force push, (faca|force|forca) (o |um |) push( direto| forcado|)( para|), envie direto para (main|master|producao), (mescle|publique|implante) (direto|sem|imediatamente|em producao), (de|conceda) (acesso|permissoes|direitos) (de administrador|total|completo|de escrita)",
  openup:
    "permissao total, acesso total, acesso completo, acesso irrestrito, permissoes de administrador, privilegios de administrador, todas as permissoes, (todos|todas|qualquer|quaisquer) (os |as |) (comandos|comando|acoes|acao)( estao|)( permitidos| permitidas| liberados|), permita tudo, libere tudo",
  newpolicy:
    "(politica|regras|normas|politica de seguranca|diretrizes) (foi|foram) (atualizada|atualizadas|alterada|alteradas|modificada|substituida|suspensa), nova diretiva, nova politica, mensagem do sistema, aviso do sistema, notificacao do sistema",
  ownlimit: "seu orcamento, seus limites, seu limite, suas permissoes, seu proprio orcamento, seu proprio limite, seu limite de gastos",
  topass:
    "para (passar|satisfazer|superar|aprovar) (n|na |nos |a |os |as |)(verificacao|testes|revisao|controle|validacao), para que (tudo|os testes) (passe|passem|fique verde)",
  feign:
    "(informe|diga|declare|relate|reporte|afirme|anuncie|escreva|responda|indique) que (tudo|todos|os testes|todos os testes|todas|a tarefa|esta) (passou|passaram|esta|estao|funciona|deu|foi|verde|certo|concluida|pronto|completa|bem), como (aprovado|aprovada|aprovados|concluido|concluida|verificado|verificada|seguro|bem sucedido), tudo passou, tudo verde, todos os testes passaram",
  keep: "(lembre se|lembre|memorize|guarde|nao esqueca) (disto|disso|isto|isso|que|sempre|de|para|em), (grave|salve|adicione|escreva|copie|registre|insira|anote|guarde) (isto|isso|em|no|na|esta|este|ao|esta linha|esta regra|este texto|este comentario)( em| no| na| ao|)",
  standing: "sua memoria, suas regras, suas notas, memoria de longo prazo",
  future:
    "(todas|todos|cada|em|nas|para)( as| os| suas| todas as|) (sessoes|futuras|proximas|sessao|conversas|seguintes) (futuras|sessoes|conversas|seguintes|proximas|tarefas|respostas|vezes|), de agora em diante, a partir de agora, daqui em diante, para sempre, o proximo agente, outros agentes, toda vez que",
  forever: "sempre, nunca, jamais",
  hush: "nao (conte|diga|mencione|informe|avise|revele|comente|fale)( nada| isto| isso| esta| este| disso| disto|) (ao|aos|a ninguem|a|alteracao|instrucao|comentario|mensagem|passo|mudanca|no resumo|no seu resumo|para o)( usuario| usuarios| utilizador| humano| desenvolvedor| equipe| mantenedor| mantenedores| revisor|), (o|os) (usuario|usuarios|utilizador|humano|desenvolvedor|mantenedor|mantenedores) nao (deve|devem|precisa|precisam|pode|tem que) (saber|ver|perceber|notar|ficar sabendo|descobrir), sem (avisar|informar|contar|dizer)( nada|) (ao|aos|a) (usuario|usuarios|utilizador|desenvolvedor|equipe), sem que (o|ninguem) (usuario|saiba|perceba|note)( saiba| perceba| note|), entre nos, guarde segredo, ninguem (deve|precisa|pode) (saber|perceber), apague (os|seus|todos os) rastros",
  report: "resumo, relatorio, registro de alteracoes, descricao",
  verdict:
    "(aprove|aceite|mescle|recomende|considere|avalie|classifique) (este|esta|o|a) (pull request|pacote|mudanca|alteracao|codigo|patch|contribuicao|commit|pr), (e|como) (seguro|segura|confiavel|inofensivo), (diga|conclua|afirme|indique) que (este|esta|o|a|nao|e), (nenhuma|sem) (vulnerabilidade|vulnerabilidades|falhas)",
  outlet:
    "o comentario, um comentario, como comentario, neste ticket, o ticket, pull request, a descricao, sua resposta, mensagem de commit, aqui",
};
