import type { Lexicon } from "./concept.ts";

export const french: Lexicon = {
  override:
    "ignore, ignorez, ignorer, ignorant, oublie, oubliez, oublier, neglige, negligez, contourne, contournez, contourner, outrepasse, outrepassez, ne tiens pas compte, ne tenez pas compte, ne tiens plus compte, ne tenez plus compte, fais abstraction, faites abstraction, ne suis pas, ne suivez pas, ne suis plus, ne suivez plus, desobeis, desobeissez, annule, annulez, passe outre, passez outre, ecarte, ecartez, arrete de suivre, cesse de suivre, cessez de suivre",
  setaside: "ne s appliquent plus, sont annulees, sont caduques, ne sont plus valables",
  prior:
    "precedent, precedente, precedentes, precedents, anterieur, anterieure, anterieures, anterieurs, ci dessus, prealable, prealables, jusqu ici, jusqu a present, avant",
  told: "que tu as recues, que vous avez recues, qu on t a donnees, qu on vous a donnees",
  whole: "tout, toute, toutes, tous, quelconque, original, originales, initiales, autres",
  instruction: "instruction, instructions, consigne, consignes, directive, directives, prompt, invite, ordres",
  rule: "regle, regles, politique, politiques, restriction, restrictions, contrainte, contraintes, limites, filtre, filtres",
  matter: "messages, contexte, tache, taches, conversation",
  safety: "ethique, ethiques, morale, morales, securite, garde fous, censure, regles de securite",
  setup:
    "prompt systeme, invite systeme, prompt du systeme, instructions systeme, instructions du systeme, message systeme, instructions initiales, prompt initial, invite initiale, instructions cachees, instructions internes, contexte cache, tes instructions, vos instructions, ton prompt, votre prompt, ta configuration, votre configuration, regles du systeme",
  ownsetup: "tes instructions, vos instructions, ton prompt, votre prompt, tes consignes, vos consignes",
  reveal:
    "revele, revelez, reveler, montre, montrez, affiche, affichez, afficher, imprime, imprimez, repete, repetez, dis moi, dites moi, donne moi, donnez moi, divulgue, divulguez, expose, exposez, ecris, ecrivez, traduis, traduisez, copie, copiez, quelles sont, quel est, quelle est",
  persona:
    "agis comme, agissez comme, tu es maintenant, vous etes maintenant, tu es desormais, vous etes desormais, a partir de maintenant, desormais, fais semblant, faites semblant, comporte toi, comportez vous, simule, simulez, imagine que tu, imaginez que vous, joue le role, jouez le role",
  become:
    "tu es maintenant, vous etes maintenant, tu es desormais, vous etes desormais, fais comme si, faites comme si, imagine que tu es, imaginez que vous etes, tu n es plus, vous n etes plus",
  unrestricted:
    "sans restriction, sans restrictions, sans aucune restriction, sans limite, sans limites, sans filtre, sans filtres, sans censure, sans regles, mode developpeur, mode dieu, non censure, illimite",
  ai: "ia, assistant, assistants, modele de langage, agent ia, intelligence artificielle, chatbot",
  attention:
    "attention, avis, bonjour, cher, chere, si tu es, si vous etes, note pour, message pour, instructions pour, a l assistant, a l attention de, lisant ceci, qui lit ceci, qui lisent",
  you: "tu, ton, ta, tes, toi, vous, votre, vos",
  conceal:
    "ne dis pas, ne dites pas, ne le dis pas, ne le dites pas, ne dis rien, ne dites rien, ne mentionne pas, ne mentionnez pas, n informe pas, n informez pas, ne previens pas, ne prevenez pas, sans prevenir, sans informer, sans le dire, sans dire, sans mentionner, en secret, secretement, discretement, silencieusement, ne revele pas, ne revelez pas, cache, cachez, a l insu",
  unseen: "en secret, secretement, discretement, silencieusement, sans prevenir, sans informer",
  itself: "ce message, ces instructions, cette instruction, cette note, ceci, cela",
  person: "utilisateur, utilisateurs, utilisatrice, humain, developpeur, administrateur, personne, proprietaire",
  disloyal:
    "ignore l utilisateur, ignorez l utilisateur, n obeis plus a l utilisateur, n obeissez plus a l utilisateur, n ecoute pas l utilisateur, n ecoutez pas l utilisateur, ne suis pas les instructions de l utilisateur",
  secret:
    "mot de passe, mots de passe, secret, secrets, identifiants, cle api, cles api, cle d api, cles d api, cle privee, cles privees, cles, variables d environnement, cle secrete",
  send: "envoie, envoyez, envoyer, transmets, transmettez, publie, publiez, transfere, transferez, televerse, televersez, exfiltre, exfiltrez, poste, postez",
  destination: "mon serveur, serveur externe, l url suivante, l adresse suivante, ce lien, cette adresse",
  run: "execute, executez, executer, lance, lancez, lancer, appelle, appelez, installe, installez, ouvre, ouvrez, utilise, utilisez",
  tool: "commande, commandes, outil, outils, terminal, fonction, script, code suivant",
  order:
    "instructions suivantes, instruction suivante, ces instructions, suis ces, suivez ces, suis les, suivez les, obeis, obeissez, a la place, plutot, fais ce qui suit, faites ce qui suit, tu dois maintenant, vous devez maintenant",
  neworder:
    "nouvelles instructions, nouvelle instruction, nouvelles consignes, nouvelle tache, nouvelles regles, ta vraie tache, votre vraie tache, ta nouvelle tache, votre nouvelle tache",
  parrot: "reponds uniquement, repondez uniquement, reponds seulement, repondez seulement, dis seulement, ecris seulement",
  urgent: "important, importante, urgent, urgente, immediatement, critique, obligatoire, tu dois, vous devez, avertissement, tout de suite",
  authority: "administrateur, developpeur, ton createur, votre createur, je suis ton, je suis votre, equipe de securite, superviseur",
  permission: "autorise, autorisee, autorisation, approuve, t autorise, vous autorise",
  check: "test, tests, verification, verificateur, revue, politique, budget, audit, approbation, controles, securite",
  disable:
    "desactive, desactivez, desactiver, supprime, supprimez, supprimer, efface, effacez, saute, sautez, approuve, approuvez, marque comme, marquez comme, fusionne, fusionnez, augmente, augmentez, coupe, coupez",
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
};
