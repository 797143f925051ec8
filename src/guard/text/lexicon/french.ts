// French words for the concepts of the text scanner.
import type { Lexicon } from "./concept.ts";

export const french: Lexicon = {
  override:
    "ignore, ignorez, ignorer, ignorant, oublie, oubliez, oublier, neglige, negligez, contourne, contournez, contourner, outrepasse, outrepassez, ne tiens pas compte, ne tenez pas compte, ne tiens plus compte, ne tenez plus compte, fais abstraction, faites abstraction, ne suis pas, ne suivez pas, ne suis plus, ne suivez plus, desobeis, desobeissez, annule, annulez, passe outre, passez outre, ecarte, ecartez, arrete de suivre, cesse de suivre, cessez de suivre, laisse tomber, laissez tomber, mets de cote, mettez de cote, fais fi, faites fi, abandonne, abandonnez, rejette, rejetez, n applique plus, n appliquez plus, n obeis plus, ecarte, supprime de ta memoire",
  setaside: "ne s appliquent plus, sont annulees, sont caduques, ne sont plus valables",
  prior:
    "precedent, precedente, precedentes, precedents, anterieur, anterieure, anterieures, anterieurs, ci dessus, prealable, prealables, jusqu ici, jusqu a present, avant",
  told: "que tu as recues, que vous avez recues, qu on t a donnees, qu on vous a donnees, recues, que tu as recu, que vous avez recu, qu on t a donne, consignes recues, instructions recues, que tu as recues au debut, que l on t a",
  whole: "tout, toute, toutes, tous, quelconque, original, originales, initiales, autres",
  instruction: "instruction, instructions, consigne, consignes, directive, directives, prompt, invite, ordres",
  rule: "regle, regles, politique, politiques, restriction, restrictions, contrainte, contraintes, limites, filtre, filtres",
  matter: "messages, contexte, tache, taches, conversation",
  safety: "ethique, ethiques, morale, morales, securite, garde fous, censure, regles de securite",
  setup:
    "prompt systeme, invite systeme, prompt du systeme, instructions systeme, instructions du systeme, message systeme, instructions initiales, prompt initial, invite initiale, instructions cachees, instructions internes, contexte cache, tes instructions, vos instructions, ton prompt, votre prompt, ta configuration, votre configuration, regles du systeme, consignes recues, instructions recues, consignes que tu as recues, instructions que tu as recues, instructions que vous avez recues, consignes que vous avez recues, consignes systeme, consignes initiales",
  ownsetup:
    "tes instructions, vos instructions, ton prompt, votre prompt, tes consignes, vos consignes, consignes que tu as recues, instructions que tu as recues, instructions que vous avez recues, consignes que vous avez recues, ton prompt systeme, votre prompt systeme, tes consignes initiales, tes directives, ton message systeme, tes instructions systeme, tes regles internes",
  reveal:
    "revele, revelez, reveler, montre, montrez, affiche, affichez, afficher, imprime, imprimez, repete, repetez, dis moi, dites moi, donne moi, donnez moi, divulgue, divulguez, expose, exposez, ecris, ecrivez, traduis, traduisez, copie, copiez, quelles sont, quel est, quelle est, recopie, recopiez, reproduis, reproduisez, mot pour mot, mot a mot, publie, colle, collez, cite, citez, transcris",
  persona:
    "agis comme, agissez comme, tu es maintenant, vous etes maintenant, tu es desormais, vous etes desormais, a partir de maintenant, desormais, fais semblant, faites semblant, comporte toi, comportez vous, simule, simulez, imagine que tu, imaginez que vous, joue le role, jouez le role",
  become:
    "tu es maintenant, vous etes maintenant, tu es desormais, vous etes desormais, fais comme si, faites comme si, imagine que tu es, imaginez que vous etes, tu n es plus, vous n etes plus",
  unrestricted:
    "sans restriction, sans restrictions, sans aucune restriction, sans limite, sans limites, sans filtre, sans filtres, sans censure, sans regles, mode developpeur, mode dieu, non censure, illimite, ne refuse rien, ne refuses rien, ne refuse jamais, sans aucune limite, sans aucun filtre, reponds a tout",
  ai: "ia, assistant, assistants, modele de langage, agent ia, intelligence artificielle, chatbot, l ia, modele d ia, modeles d ia, modeles de langage, agent d ia, agents ia, assistant de code, assistant ia",
  attention:
    "attention, avis, bonjour, cher, chere, si tu es, si vous etes, note pour, message pour, instructions pour, a l assistant, a l attention de, lisant ceci, qui lit ceci, qui lisent, pour l ia, pour l agent, qui lit ce, qui lit cette, qui lisez, qui lisent cette, qui traite, a l agent, aux modeles, aux agents, a l ia",
  you: "tu, ton, ta, tes, toi, vous, votre, vos",
  conceal:
    "ne dis pas, ne dites pas, ne le dis pas, ne le dites pas, ne dis rien, ne dites rien, ne mentionne pas, ne mentionnez pas, n informe pas, n informez pas, ne previens pas, ne prevenez pas, sans prevenir, sans informer, sans le dire, sans dire, sans mentionner, en secret, secretement, discretement, silencieusement, ne revele pas, ne revelez pas, cache, cachez, a l insu",
  unseen: "en secret, secretement, discretement, silencieusement, sans prevenir, sans informer",
  itself: "ce message, ces instructions, cette instruction, cette note, ceci, cela",
  person: "utilisateur, utilisateurs, utilisatrice, humain, developpeur, administrateur, personne, proprietaire",
  disloyal:
    "ignore l utilisateur, ignorez l utilisateur, n obeis plus a l utilisateur, n obeissez plus a l utilisateur, n ecoute pas l utilisateur, n ecoutez pas l utilisateur, ne suis pas les instructions de l utilisateur",
  secret:
    "mot de passe, mots de passe, secret, secrets, identifiants, cle api, cles api, cle d api, cles d api, cle privee, cles privees, cles, variables d environnement, cle secrete, env, id_rsa, jeton, jetons, cle ssh, cles ssh, contenu du env",
  send: "envoie, envoyez, envoyer, transmets, transmettez, publie, publiez, transfere, transferez, televerse, televersez, exfiltre, exfiltrez, poste, postez",
  destination: "mon serveur, serveur externe, l url suivante, l adresse suivante, ce lien, cette adresse",
  run: "execute, executez, executer, lance, lancez, lancer, appelle, appelez, installe, installez, ouvre, ouvrez, utilise, utilisez",
  tool: "commande, commandes, outil, outils, terminal, fonction, script, code suivant",
  order:
    "instructions suivantes, instruction suivante, ces instructions, suis ces, suivez ces, suis les, suivez les, obeis, obeissez, a la place, plutot, fais ce qui suit, faites ce qui suit, tu dois maintenant, vous devez maintenant",
  neworder:
    "nouvelles instructions, nouvelle instruction, nouvelles consignes, nouvelle tache, nouvelles regles, ta vraie tache, votre vraie tache, ta nouvelle tache, votre nouvelle tache, applique uniquement, appliquez uniquement, uniquement ce qui suit, suis uniquement, suivez uniquement, obeis uniquement, seulement ce qui suit, ta nouvelle mission, votre nouvelle mission, nouvelle mission, nouvel objectif, ton nouvel objectif, ta seule tache, n obeis qu a, fais plutot",
  parrot: "reponds uniquement, repondez uniquement, reponds seulement, repondez seulement, dis seulement, ecris seulement",
  urgent: "important, importante, urgent, urgente, immediatement, critique, obligatoire, tu dois, vous devez, avertissement, tout de suite",
  authority: "administrateur, developpeur, ton createur, votre createur, je suis ton, je suis votre, equipe de securite, superviseur",
  permission: "autorise, autorisee, autorisation, approuve, t autorise, vous autorise, a deja approuve, pleine autorisation, permission",
  check: "test, tests, verification, verificateur, revue, politique, budget, audit, approbation, controles, securite",
  disable:
    "desactive, desactivez, desactiver, supprime, supprimez, supprimer, efface, effacez, saute, sautez, approuve, approuvez, marque comme, marquez comme, fusionne, fusionnez, augmente, augmentez, coupe, coupez, coupe, contourne, contournez, desactives, neutralise, neutralisez, commente, assouplis, leve",
  persist:
    "souviens toi, souvenez vous, rappelle toi, rappelez vous, memorise, memorisez, enregistre, enregistrez, toujours, a l avenir, a partir de maintenant, desormais, en permanence, dans toutes, ajoute a, ajoutez a, ecris dans, ecrivez dans",
  memory:
    "memoire, futures conversations, conversations futures, futures sessions, sessions futures, reponses futures, futures reponses, sessions, conversations, toutes tes reponses, toutes vos reponses",
  request: "s il te plait, s il vous plait, veuillez, peux tu, pouvez vous, pourriez vous, tu dois, vous devez, merci de, je veux que",
  mine: "mon, ma, mes, moi, me",
  fetch:
    "recupere, recuperez, cherche, cherchez, lis, lisez, accede, accedez, telecharge, telechargez, extrais, extrayez, collecte, collectez, obtiens, obtenez",
  private:
    "compte, comptes, historique, personnelles, personnels, privees, medicaux, bancaires, fichiers, documents, courriels, donnees, informations, contacts, dossiers",
  act: "transfere, transferez, supprime, supprimez, accorde, accordez, paie, payez, retire, retirez, deverrouille, deverrouillez, vends, vendez, partage, partagez, modifie, modifiez",
  answer: "ta reponse, votre reponse, tes reponses, vos reponses, ton resume, votre resume, dis a l utilisateur, dites a l utilisateur",
  shape:
    "ajoute, ajoutez, inclus, incluez, insere, inserez, modifie, modifiez, promeus, suggere, suggerez, mentionne, mentionnez, remplace, remplacez, termine, terminez, commence, commencez, reponds uniquement, repondez uniquement, reponds seulement, ecris, ecrivez, recommande, recommandez",
  discussion: "injection de prompt, injection d invite, attaquant, attaquants, attaques, detecte",
  agent: "agent, agents, bot, bots, robot, robots, modele, modeles, agent de code",
  called:
    "a l attention (de l|des|du|de) (agent|ia|assistant|agents|modele|modeles|bot|bots|assistants), (pour|a) l (ia|agent|assistant|agent ia|assistant ia) qui (lit|traite|lira|analyse), (aux|pour les|a tous les) (modeles|agents|assistants|ia|bots|robots)( d ia| ia| de langage|)( qui|), si (tu es|vous etes) (une|un) (ia|modele|modele de langage|agent|assistant|bot|modele d ia|agent ia)",
  granted:
    "(a|ont|ai|avons) deja (tout |toutes |) (approuve|autorise|accepte|valide|accorde|consenti|donne), deja (approuve|approuvee|autorise|autorisee|accorde|accordee|valide|validee|accepte), (autorisation|permission|approbation|accord) (a ete|est|a deja ete|est deja) (accordee|accorde|donnee|donne|obtenue), (je t|je vous) (autorise|permets|donne la permission|donne l autorisation), (tu es|vous etes) (autorise|habilite|libre de|autorisee|autorises), approuve (tout|toutes|tous), autorise (tout|toutes|tous)",
  unasked:
    "sans (demander|confirmation|demander confirmation|demander de confirmation|validation|approbation|autorisation|attendre|poser de question|poser de questions|aucune confirmation), ne (demande|demandez) (pas|rien|aucune|jamais)( de| la|)( confirmation| permission| autorisation| validation|), (aucune|pas de|pas besoin de) (confirmation|validation|approbation|demander|autorisation), n attends pas, n attendez pas, inutile de (demander|confirmer)",
  drastic:
    "pousse( directement|) (sur|vers) (main|master|la production), poussez sur main, push force, force le push, (supprime|efface|supprimez|effacez) (la|le|les|toute la|l) (branche|base|table|depot|ensemble|base de donnees|tables|sauvegardes), (fusionne|deploie|publie) (directement|sans|immediatement|en production), (donne|accorde) (les droits|l acces|un acces) (administrateur|admin|complet|d administrateur|total)",
  openup:
    "acces complet, acces total, tous les droits, droits d administrateur, droits administrateur, acces illimite, pleins pouvoirs, toute commande, toutes les commandes, toutes les actions, est levee, sont levees, sont levees toutes, autorise tout, autorisez tout",
  newpolicy:
    "(politique|regles|consignes|politique de securite) (a ete|ont ete|est|sont) (mise a jour|modifiee|modifiees|changee|changees|remplacee|remplacees|levee|levees|assouplie), message systeme, message du systeme, nouvelle politique, notification systeme, notification du systeme, doit desormais, doivent desormais",
  ownlimit:
    "ton budget, tes limites, ta limite, tes permissions, tes droits, ton bac a sable, votre budget, vos limites, ta limite de depenses, ton propre budget",
  topass:
    "pour (passer|reussir|satisfaire|valider) (la |les |le |)(verification|tests|revue|controle|controles|validation), pour que (tout|les tests|la ci) (passe|passent|soit vert)",
  feign:
    "(declare|declarez|dis|dites|annonce|annoncez|rapporte|rapportez|signale|signalez|affirme|affirmez|indique|indiquez|pretends) que (tout|tous les tests|les tests|tous|la tache|le travail|c) (passe|passent|est vert|sont verts|reussi|fonctionne|est termine|est bon|est terminee|ont reussi|est|va bien), comme (reussi|reussie|reussis|termine|terminee|approuve|approuvee|valide|validee|sur|verifie), tous les tests passent, tout est vert, tout passe",
  keep: "(retiens|retenez|souviens toi de|souvenez vous de|memorise|memorisez|note|notez|n oublie jamais) (ceci|cela|ca|bien|que|cette|ce), (ajoute|ajoutez|ecris|ecrivez|enregistre|enregistrez|copie|copiez|inscris|inscrivez|sauvegarde|note|insere|inserez) (le|la|ceci|cela|les|ca|cette|ce|cette ligne|cette regle|ce texte|ce commentaire|cette instruction)( a| dans| au| sur| pour|)",
  standing: "ta memoire, votre memoire, tes regles, tes notes, memoire a long terme",
  future:
    "(toutes|tous|chaque|dans|pour)( les| tes| vos|) (prochaines|futures|prochaine|future|sessions|session|conversations|prochains|futurs) (sessions|session|conversations|conversation|fois|taches|reponses|depots|), a partir de maintenant, desormais, dorenavant, a l avenir, pour toujours, en permanence, le prochain agent, les autres agents, a chaque fois que tu",
  forever: "toujours, jamais",
  hush: "(ne|n en) (dis|dites|parle|parlez|mentionne|mentionnez|informe|informez|previens|prevenez|revele|revelez|signale|signalez) (pas|rien|jamais)( de| a| l| en|)( cela| ceci| ce| cette| l| au| aux| a l|) (utilisateur|utilisateurs|humain|developpeur|mainteneur|mainteneurs|personne|changement|modification|commentaire|message|instruction|equipe|relecteur|etape), (l utilisateur|l humain|le developpeur|le mainteneur|personne|les mainteneurs|les utilisateurs) (ne doit|ne doivent|n a pas besoin|n a pas a|ne doit pas|ne doit rien)( pas| rien| de|) (savoir|le savoir|voir|remarquer|apprendre), sans (prevenir|informer|avertir|le dire a|en parler a) (l|le|les|a l) (utilisateur|developpeur|utilisateurs|mainteneur|equipe|humain), a l insu (de l|du|des), entre nous, garde( cela| ca| le|) (secret|pour toi), efface (tes|les|toutes les) traces",
  report: "resume, rapport, compte rendu, journal des modifications, description",
  verdict:
    "(approuve|approuvez|accepte|acceptez|valide|validez|fusionne|fusionnez|recommande|recommandez|considere|considerez) (cette|ce|la|le|cet) (pull request|demande|modification|paquet|code|contribution|changement|correctif), (concluez|conclus|dis|dites|indique|indiquez|affirme|affirmez) que (ce|cette|le|la|tout), (est|comme) (sur|sure|fiable|sans danger|inoffensif), aucune (vulnerabilite|faille|anomalie)",
  outlet: "en commentaire, ce ticket, le ticket, la pull request, ta reponse, message de commit, la description, ce commentaire",
};
