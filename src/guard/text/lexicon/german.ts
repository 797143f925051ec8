import type { Lexicon } from "./concept.ts";

export const german: Lexicon = {
  override:
    "ignoriere, ignorier, ignorieren, vergiss, vergesst, vergessen sie, missachte, missachten, missachten sie, umgehe, umgehen, ubergehe, ubergehen sie, uberschreibe, verwirf, verwerfen sie, lass ausser acht, befolge nicht, befolgen sie nicht, halte dich nicht, halten sie sich nicht, hor auf, setze dich hinweg, uberspringe, setze ausser kraft",
  setaside:
    "ignorieren, zu ignorieren, vergessen, missachten, ausser acht lassen, ausser acht, gelten nicht mehr, sind ungultig, sind aufgehoben, nicht mehr befolgen, ausser kraft",
  prior:
    "vorherige, vorherigen, vorheriger, vorige, vorigen, bisherige, bisherigen, fruhere, fruheren, vorangegangene, vorangegangenen, vorangehenden, obige, obigen, obenstehenden, oben, zuvor, bisher, vorgangige",
  told: "dir gesagt, ihnen gesagt, die du erhalten, die sie erhalten, dir gegeben, dir bisher, was dir",
  whole:
    "alle, alles, aller, allen, jede, jegliche, jeglichen, samtliche, samtlichen, ursprungliche, ursprunglichen, andere, anderen, sonstigen",
  instruction:
    "anweisung, anweisungen, instruktion, instruktionen, vorgabe, vorgaben, richtlinie, richtlinien, prompt, prompts, befehle, anleitung, anleitungen, auftrage",
  rule: "regel, regeln, beschrankung, beschrankungen, einschrankung, einschrankungen, filter",
  matter: "nachrichten, kontext, aufgabe, aufgaben, unterhaltung, gesprach",
  safety:
    "ethik, ethische, ethischen, moral, moralischen, sicherheit, sicherheitsregeln, sicherheitsrichtlinien, sicherheitsvorkehrungen, schutzmassnahmen, zensur",
  setup:
    "systemprompt, system prompt, systemprompts, systemnachricht, systemanweisung, systemanweisungen, anfangliche anweisungen, ursprunglichen anweisungen, versteckten anweisungen, verborgenen anweisungen, internen anweisungen, interne anweisungen, deine anweisungen, deinen prompt, ihre anweisungen, ihren prompt, deine konfiguration, ihre konfiguration",
  ownsetup: "deine anweisungen, deinen prompt, ihre anweisungen, ihren prompt, deine internen anweisungen, deine richtlinien",
  reveal:
    "verrate, verraten sie, zeige, zeig, zeigen sie, gib, geben sie, drucke, wiederhole, wiederholen sie, sag mir, sagen sie mir, nenne, nennen sie, offenbare, offenbaren sie, enthulle, enthullen sie, schreibe, ubersetze, ubersetzen sie, kopiere, wie lauten, wie lautet, was sind",
  persona:
    "du bist jetzt, du bist nun, sie sind jetzt, sie sind nun, ab jetzt, ab sofort, von nun an, tu so, tue so, tun sie so, verhalte dich, verhalten sie sich, simuliere, stell dir vor, stellen sie sich vor, agiere als, handle als, spiele die rolle, spielen sie die rolle, schlupfe in",
  become:
    "du bist jetzt, du bist nun, sie sind jetzt, sie sind nun, du bist nicht mehr, du bist ab jetzt, du bist ab sofort, tu so als, tue so als, tun sie so als, stell dir vor du",
  unrestricted:
    "ohne einschrankung, ohne einschrankungen, ohne beschrankungen, ohne jede einschrankung, ohne jegliche einschrankungen, ohne grenzen, ohne filter, ohne zensur, ohne regeln, entwicklermodus, gottmodus, unzensiert, unzensierte, ungefiltert, uneingeschrankt, unbeschrankt, keine regeln, keine einschrankungen",
  ai: "ki, assistent, assistenten, assistentin, sprachmodell, sprachmodelle, ki agent, ki agenten, ki modell, ki assistent, ki assistenten, kunstliche intelligenz, chatbot",
  attention:
    "achtung, hinweis, hallo, liebe, lieber, sehr geehrte, wenn du ein, wenn du eine, falls du, wenn sie ein, falls sie, nachricht an, hinweis fur, anweisung fur, anweisungen fur, an den assistenten, an alle, an die, dies liest, das liest, lesen",
  you: "du, dein, deine, deinen, deiner, deines, dir, dich, sie, ihr, ihre, ihren, ihrer",
  conceal:
    "sag nicht, sage nicht, sag es nicht, sagen sie nicht, erzahle nicht, erzahl nicht, erwahne nicht, erwahne das nicht, erwahne dies nicht, erwahne es nicht, erwahnen sie nicht, informiere nicht, informieren sie nicht, ohne zu informieren, ohne es zu sagen, ohne zu erwahnen, ohne wissen, ohne ruckfrage, heimlich, unbemerkt, im geheimen, still und heimlich, verrate nicht, verheimliche, verschweige, nichts davon, geheim halten",
  unseen: "heimlich, unbemerkt, im geheimen, stillschweigend, ohne zu informieren, ohne ruckfrage",
  itself: "diese nachricht, diese anweisung, diese anweisungen, diesen hinweis, davon, dies",
  person: "nutzer, nutzern, benutzer, benutzern, anwender, anwendern, menschen, entwickler, administrator, niemandem, niemand, besitzer",
  disloyal:
    "ignoriere den nutzer, ignoriere den benutzer, ignorieren sie den nutzer, ignorieren sie den benutzer, hor nicht auf den nutzer, hore nicht auf den benutzer, gehorche dem nutzer nicht, befolge nicht die anweisungen des nutzers",
  secret:
    "passwort, passworter, kennwort, kennworter, geheimnis, geheimnisse, zugangsdaten, anmeldedaten, api schlussel, privaten schlussel, privater schlussel, schlussel, umgebungsvariablen, geheimschlussel",
  send: "sende, senden, sende sie, sendet, schicke, schick, schicken, ubermittle, ubermitteln, veroffentliche, lade hoch, hochladen, leite weiter, weiterleiten, poste, maile, exfiltriere, ubertrage",
  destination: "meinen server, externen server, folgende url, folgende adresse, diesen link, diese adresse, folgenden link",
  run: "fuhre, fuhren sie, ausfuhren, fuhr, starte, starten sie, rufe, installiere, installieren sie, offne, offnen sie, benutze, verwende, nutze",
  tool: "befehl, befehle, werkzeug, werkzeuge, terminal, konsole, funktion, skript, folgenden code",
  order:
    "folgende anweisungen, folgende anweisung, folgenden anweisungen, diese anweisungen, diesen anweisungen, befolge, befolge diese, befolgen sie, folge diesen, gehorche, gehorchen sie, stattdessen, tu folgendes, tue folgendes, deine wahre aufgabe, deine eigentliche aufgabe, du musst jetzt, deine neue aufgabe",
  neworder:
    "neue anweisungen, neue anweisung, neuen anweisungen, neue aufgabe, neue regeln, wahre aufgabe, eigentliche aufgabe, neue richtlinien",
  parrot: "antworte nur, antworten sie nur, schreibe nur, gib nur, antworte ausschliesslich",
  urgent: "wichtig, dringend, sofort, umgehend, kritisch, zwingend, musst, mussen, warnung, unverzuglich",
  authority:
    "administrator, entwickler, dein schopfer, dein entwickler, ihr entwickler, ich bin dein, ich bin ihr, sicherheitsteam, vorgesetzter",
  permission: "autorisiert, genehmigt, berechtigt, erlaubnis, freigegeben, genehmigung, bevollmachtigt",
  check:
    "test, tests, prufung, prufungen, verifizierung, uberprufung, prufer, richtlinie, budget, audit, freigabe, genehmigung, sicherheitsprufung",
  disable:
    "deaktiviere, deaktivieren, deaktivieren sie, schalte, abschalten, ausschalten, losche, loschen, entferne, entfernen, uberspringe, uberspringen, genehmige, markiere als, markiere, fuhre zusammen, erhohe, umgehe",
  persist:
    "merke dir, merk dir, merken sie sich, erinnere dich, speichere, immer, kunftig, in zukunft, zukunftig, ab jetzt, ab sofort, dauerhaft, in allen, schreibe in, fuge hinzu, trage ein",
  memory:
    "gedachtnis, speicher, kunftigen gesprachen, zukunftigen sitzungen, kunftigen sitzungen, zukunftigen antworten, kunftigen antworten, sitzungen, gesprachen, allen antworten",
  request: "bitte, kannst du, konnen sie, konntest du, konnten sie, du musst, sie mussen, du sollst, ich mochte dass",
  mine: "mein, meine, meinen, meiner, mir, mich",
  fetch: "hole, holen, suche, suchen, lies, lesen sie, rufe ab, lade herunter, herunterladen, extrahiere, sammle, liste, finde, beschaffe",
  private:
    "konto, konten, verlauf, personliche, personlichen, private, medizinischen, bankdaten, dateien, dokumente, emails, daten, informationen, kontakte, unterlagen",
  act: "uberweise, uberweisen, losche, loschen, gewahre, bezahle, entsperre, verkaufe, teile, andere, kundige",
  answer:
    "deine antwort, deiner antwort, deinen antworten, ihre antwort, ihrer antwort, ihren antworten, deine zusammenfassung, sag dem nutzer",
  shape:
    "fuge, erganze, einfugen, nenne, andere, bewirb, schlage, erwahne, ersetze, beende, beginne, antworte nur, antworten sie nur, schreibe, empfiehl",
  discussion: "prompt injection, angreifer, angriffe, erkennt",
};
