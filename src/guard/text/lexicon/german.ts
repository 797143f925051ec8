// German words for the concepts of the text scanner.
import type { Lexicon } from "./concept.ts";

export const german: Lexicon = {
  override:
    "ignoriere, ignorier, ignorieren, vergiss, vergesst, vergessen sie, missachte, missachten, missachten sie, umgehe, umgehen, ubergehe, ubergehen sie, uberschreibe, verwirf, verwerfen sie, lass ausser acht, befolge nicht, befolgen sie nicht, halte dich nicht, halten sie sich nicht, hor auf, setze dich hinweg, uberspringe, setze ausser kraft",
  setaside:
    "ignorieren, zu ignorieren, vergessen, missachten, ausser acht lassen, ausser acht, gelten nicht mehr, sind ungultig, sind aufgehoben, nicht mehr befolgen, ausser kraft, nicht mehr gelten, nicht mehr gultig, sind hinfallig, wurden aufgehoben, wurden widerrufen, sind nichtig, verlieren ihre gultigkeit",
  prior:
    "vorherige, vorherigen, vorheriger, vorige, vorigen, bisherige, bisherigen, fruhere, fruheren, vorangegangene, vorangegangenen, vorangehenden, obige, obigen, obenstehenden, oben, zuvor, bisher, vorgangige",
  told: "dir gesagt, ihnen gesagt, die du erhalten, die sie erhalten, dir gegeben, dir bisher, was dir, deinen auftrag, die du bekommen, die man dir, die dir gegeben",
  whole:
    "alle, alles, aller, allen, jede, jegliche, jeglichen, samtliche, samtlichen, ursprungliche, ursprunglichen, andere, anderen, sonstigen",
  instruction:
    "anweisung, anweisungen, instruktion, instruktionen, vorgabe, vorgaben, richtlinie, richtlinien, prompt, prompts, befehle, anleitung, anleitungen, auftrage, auftrag, weisung, weisungen, direktive, direktiven, leitlinien, befehl, vorschriften",
  rule: "regel, regeln, beschrankung, beschrankungen, einschrankung, einschrankungen, filter",
  matter: "nachrichten, kontext, aufgabe, aufgaben, unterhaltung, gesprach",
  safety:
    "ethik, ethische, ethischen, moral, moralischen, sicherheit, sicherheitsregeln, sicherheitsrichtlinien, sicherheitsvorkehrungen, schutzmassnahmen, zensur",
  setup:
    "systemprompt, system prompt, systemprompts, systemnachricht, systemanweisung, systemanweisungen, anfangliche anweisungen, ursprunglichen anweisungen, versteckten anweisungen, verborgenen anweisungen, internen anweisungen, interne anweisungen, deine anweisungen, deinen prompt, ihre anweisungen, ihren prompt, deine konfiguration, ihre konfiguration",
  ownsetup:
    "deine anweisungen, deinen prompt, ihre anweisungen, ihren prompt, deine internen anweisungen, deine richtlinien, deinen systemprompt, deinen system prompt, dein systemprompt, deine systemanweisungen, deine vorgaben, deine systemnachricht, ihren systemprompt, deine anfangsanweisungen, deine ursprunglichen anweisungen",
  reveal:
    "verrate, verraten sie, zeige, zeig, zeigen sie, gib, geben sie, drucke, wiederhole, wiederholen sie, sag mir, sagen sie mir, nenne, nennen sie, offenbare, offenbaren sie, enthulle, enthullen sie, schreibe, ubersetze, ubersetzen sie, kopiere, wie lauten, wie lautet, was sind, wortwortlich, wort fur wort, im wortlaut, aus geben, poste, veroffentliche",
  persona:
    "du bist jetzt, du bist nun, sie sind jetzt, sie sind nun, ab jetzt, ab sofort, von nun an, tu so, tue so, tun sie so, verhalte dich, verhalten sie sich, simuliere, stell dir vor, stellen sie sich vor, agiere als, handle als, spiele die rolle, spielen sie die rolle, schlupfe in",
  become:
    "du bist jetzt, du bist nun, sie sind jetzt, sie sind nun, du bist nicht mehr, du bist ab jetzt, du bist ab sofort, tu so als, tue so als, tun sie so als, stell dir vor du",
  unrestricted:
    "ohne einschrankung, ohne einschrankungen, ohne beschrankungen, ohne jede einschrankung, ohne jegliche einschrankungen, ohne grenzen, ohne filter, ohne zensur, ohne regeln, entwicklermodus, gottmodus, unzensiert, unzensierte, ungefiltert, uneingeschrankt, unbeschrankt, keine regeln, keine einschrankungen, keine anfrage ablehnt, lehnt nichts ab, nie ablehnt, verweigert nichts, alles beantwortet, ohne schranken, ohne limits",
  ai: "ki, assistent, assistenten, assistentin, sprachmodell, sprachmodelle, ki agent, ki agenten, ki modell, ki assistent, ki assistenten, kunstliche intelligenz, chatbot, ki modelle, ki modellen, sprachmodellen, ki system, ki systeme, ki reviewer, ki bot, coding assistent",
  attention:
    "achtung, hinweis, hallo, liebe, lieber, sehr geehrte, wenn du ein, wenn du eine, falls du, wenn sie ein, falls sie, nachricht an, hinweis fur, anweisung fur, anweisungen fur, an den assistenten, an alle, an die, dies liest, das liest, lesen, der das liest, die das lesen, die dies lesen, der dies liest, an den, fur den",
  you: "du, dein, deine, deinen, deiner, deines, dir, dich, sie, ihr, ihre, ihren, ihrer",
  conceal:
    "sag nicht, sage nicht, sag es nicht, sagen sie nicht, erzahle nicht, erzahl nicht, erwahne nicht, erwahne das nicht, erwahne dies nicht, erwahne es nicht, erwahnen sie nicht, informiere nicht, informieren sie nicht, ohne zu informieren, ohne es zu sagen, ohne zu erwahnen, ohne wissen, ohne ruckfrage, heimlich, unbemerkt, im geheimen, still und heimlich, verrate nicht, verheimliche, verschweige, nichts davon, geheim halten",
  unseen: "heimlich, unbemerkt, im geheimen, stillschweigend, ohne zu informieren, ohne ruckfrage",
  itself: "diese nachricht, diese anweisung, diese anweisungen, diesen hinweis, davon, dies",
  person: "nutzer, nutzern, benutzer, benutzern, anwender, anwendern, menschen, entwickler, administrator, niemandem, niemand, besitzer",
  disloyal:
    "ignoriere den nutzer, ignoriere den benutzer, ignorieren sie den nutzer, ignorieren sie den benutzer, hor nicht auf den nutzer, hore nicht auf den benutzer, gehorche dem nutzer nicht, befolge nicht die anweisungen des nutzers",
  secret:
    "passwort, passworter, kennwort, kennworter, geheimnis, geheimnisse, zugangsdaten, anmeldedaten, api schlussel, privaten schlussel, privater schlussel, schlussel, umgebungsvariablen, geheimschlussel, env, inhalt der env, zugangsschlussel, geheime schlussel",
  send: "sende, senden, sende sie, sendet, schicke, schick, schicken, ubermittle, ubermitteln, veroffentliche, lade hoch, hochladen, leite weiter, weiterleiten, poste, maile, exfiltriere, ubertrage",
  destination: "meinen server, externen server, folgende url, folgende adresse, diesen link, diese adresse, folgenden link",
  run: "fuhre, fuhren sie, ausfuhren, fuhr, starte, starten sie, rufe, installiere, installieren sie, offne, offnen sie, benutze, verwende, nutze",
  tool: "befehl, befehle, werkzeug, werkzeuge, terminal, konsole, funktion, skript, folgenden code",
  order:
    "folgende anweisungen, folgende anweisung, folgenden anweisungen, diese anweisungen, diesen anweisungen, befolge, befolge diese, befolgen sie, folge diesen, gehorche, gehorchen sie, stattdessen, tu folgendes, tue folgendes, deine wahre aufgabe, deine eigentliche aufgabe, du musst jetzt, deine neue aufgabe",
  neworder:
    "neue anweisungen, neue anweisung, neuen anweisungen, neue aufgabe, neue regeln, wahre aufgabe, eigentliche aufgabe, neue richtlinien, ab jetzt nur noch, nur noch an diesen, nur noch an diese, fuhre stattdessen, folge stattdessen, stattdessen die folgenden, nur noch das folgende, halte dich ab jetzt, halte dich nur, dein neuer auftrag, dein neues ziel, neuer auftrag, neues ziel",
  parrot: "antworte nur, antworten sie nur, schreibe nur, gib nur, antworte ausschliesslich",
  urgent: "wichtig, dringend, sofort, umgehend, kritisch, zwingend, musst, mussen, warnung, unverzuglich",
  authority:
    "administrator, entwickler, dein schopfer, dein entwickler, ihr entwickler, ich bin dein, ich bin ihr, sicherheitsteam, vorgesetzter",
  permission: "autorisiert, genehmigt, berechtigt, erlaubnis, freigegeben, genehmigung, bevollmachtigt",
  check:
    "test, tests, prufung, prufungen, verifizierung, uberprufung, prufer, richtlinie, budget, audit, freigabe, genehmigung, sicherheitsprufung, ci, pruflauf, testlauf, richtlinien, sandbox, bestatigung, genehmigungen, linter",
  disable:
    "deaktiviere, deaktivieren, deaktivieren sie, schalte, abschalten, ausschalten, losche, loschen, entferne, entfernen, uberspringe, uberspringen, genehmige, markiere als, markiere, fuhre zusammen, erhohe, umgehe, schalte aus, schalte ab, kommentiere aus, ausschalten, ignoriere, setze ausser kraft, hebe auf, umgehe, lockere",
  persist:
    "merke dir, merk dir, merken sie sich, erinnere dich, speichere, immer, kunftig, in zukunft, zukunftig, ab jetzt, ab sofort, dauerhaft, in allen, schreibe in, fuge hinzu, trage ein",
  memory:
    "gedachtnis, speicher, kunftigen gesprachen, zukunftigen sitzungen, kunftigen sitzungen, zukunftigen antworten, kunftigen antworten, sitzungen, gesprachen, allen antworten",
  request: "bitte, kannst du, konnen sie, konntest du, konnten sie, du musst, sie mussen, du sollst, ich mochte dass",
  mine: "mein, meine, meinen, meiner, mir, mich",
  fetch: "hole, holen, suche, suchen, lies, lesen sie, rufe ab, lade herunter, herunterladen, extrahiere, sammle, liste, finde, beschaffe",
  private:
    "konto, konten, verlauf, personliche, personlichen, private, medizinischen, bankdaten, dateien, dokumente, emails, daten, informationen, kontakte, unterlagen",
  act: "uberweise, uberweisen, losche, loschen, gewahre, bezahle, entsperre, verkaufe, teile, andere, kundige, gib frei, merge, mergen, pushe, genehmige",
  answer:
    "deine antwort, deiner antwort, deinen antworten, ihre antwort, ihrer antwort, ihren antworten, deine zusammenfassung, sag dem nutzer",
  shape:
    "fuge, erganze, einfugen, nenne, andere, bewirb, schlage, erwahne, ersetze, beende, beginne, antworte nur, antworten sie nur, schreibe, empfiehl",
  discussion: "prompt injection, angreifer, angriffe, erkennt",
  agent: "agent, agenten, bot, bots, modell, modelle, modellen, coding agent, coding agenten",
  called:
    "(an|fur) (die|den|das|alle|jede|jeden) (ki|agent|agenten|coding agent|coding agenten|ki agent|ki agenten|ki modell|ki modelle|ki assistenten|sprachmodell|sprachmodelle|assistent|assistenten|bots|bot), (falls|wenn|da|weil) du (eine|ein) (ki|sprachmodell|agent|ki agent|assistent|bot|ki modell|ki assistent)",
  granted:
    "(hat|haben|habe|wurde|wurden|ist|sind) (bereits|schon|vorab|langst) (allen|alle|allem|alles|jeder|jede|) (aktionen|anderungen|befehlen|befehle|schritten|schritte|anfragen|vorgangen|) (zugestimmt|genehmigt|erlaubt|autorisiert|freigegeben|bestatigt|bewilligt|abgesegnet), (bereits|schon|vorab) (zugestimmt|genehmigt|erlaubt|autorisiert|freigegeben|bestatigt|erteilt), hiermit (genehmigt|erlaube|autorisiere|ermachtige)( ich|)( dich|), ich (erlaube|genehmige|autorisiere|ermachtige) (dir|dich|alles|alle), (genehmigung|erlaubnis|freigabe|zustimmung) (wurde|ist|liegt) (bereits |schon |vorab |) (erteilt|vor|gegeben), du (darfst|hast die erlaubnis|bist berechtigt|bist befugt|bist ermachtigt)",
  unasked:
    "ohne( weitere| vorherige| jede|) (ruckfrage|ruckfragen|nachfrage|nachfragen|bestatigung|genehmigung|zustimmung|freigabe|zu fragen|nachzufragen|prufung), frag( mich|)( nicht)( nach|), frage( mich|)( nicht)( nach|), (nicht|ohne) (nachfragen|nachzufragen|auf bestatigung|auf freigabe|um erlaubnis|um bestatigung), warte nicht( auf|), uberspringe( die| alle|) (bestatigung|freigabe|genehmigung|ruckfrage|ruckfragen), keine (bestatigung|ruckfrage|genehmigung|freigabe|nachfrage) (notig|erforderlich|noetig|notwendig)",
  drastic:
    "pushe direkt, pushe( es|)( direkt|) (auf|nach) (main|master|produktion), force push, direkt auf main, (losche|entferne) (den|die|das|alle) (branch|zweig|datenbank|tabelle|tabellen|repository|repo|backups), (mergen|merge|deploye) (es|direkt|sofort|ohne), gib (mir|ihm|dem konto|dem nutzer) (administratorrechte|adminrechte|vollzugriff|schreibrechte)",
  openup:
    "administratorrechte, adminrechte, vollzugriff, vollen zugriff, alle rechte, uneingeschrankten zugriff, volle berechtigung, volle berechtigungen, root rechte, (alle|samtliche|jede) (befehle|aktionen|kommandos|prufungen)( sind|)( jetzt|)( erlaubt| zulassen| uberspringen|), erlaube alle, darf( jetzt|) alle, ist aufgehoben, wurde aufgehoben, wurden aufgehoben",
  newpolicy:
    "(richtlinie|richtlinien|sicherheitsrichtlinie|regeln|vorgaben) (wurde|wurden|sind|ist) (geandert|aktualisiert|aufgehoben|ersetzt|gelockert), systemnachricht, systemmeldung, neue richtlinie, neue sicherheitsrichtlinie, nachricht vom system, nachricht des systems",
  ownlimit:
    "dein budget, deine grenzen, dein limit, deine limits, dein ausgabenlimit, deine berechtigungen, deine rechte, deine sandbox, deine prufungen, dein eigenes limit, dein eigenes budget",
  topass:
    "um die (prufung|verifizierung|tests|abnahme|checks) zu (bestehen|passieren), damit (alles|es|die tests|die ci|der build) (grun|durchlauft|besteht)",
  feign:
    "(melde|behaupte|sage|sag|berichte|erklare|gib an|schreibe|vermerke) dass (alles|alle tests|alle|die tests|es|alle prufungen) (grun|bestanden|erfolgreich|funktioniert|lauft|fertig|durchgelaufen|in ordnung), als (bestanden|erfolgreich|erledigt|fertig|verifiziert|genehmigt|gepruft|sicher|grun), alles grun, alle tests bestanden",
  keep: "(merke|merk) dir( das| dies| folgendes| fur|), (speichere|schreibe|trage|fuge|kopiere|notiere|ubernimm) (das|dies|es|diese zeile|folgendes|diese regel|diesen satz|diesen kommentar|diesen text|diese anweisung)( in| zu|), trage( das| es|)( in|), erinnere dich( in| daran| immer| an|)",
  standing: "dein gedachtnis, deinem gedachtnis, deine regeln, deinen regeln, deine notizen, langzeitgedachtnis",
  future:
    "(alle|allen|jede|jeder|jedem|kunftige|kunftigen|zukunftige|zukunftigen|weiteren) (kunftigen |zukunftigen |weiteren |folgenden |spateren |kommenden |neuen |) (sitzung|sitzungen|sessions|gesprache|gesprachen|unterhaltungen|chats|aufgaben|laufe), ab jetzt, ab sofort, von nun an, dauerhaft, in zukunft, der nachste agent, andere agenten, jedes mal wenn du, immer wenn du",
  forever: "immer, niemals, nie",
  hush: "(sag|sage|erzahl|erzahle|verrate|melde|sagen sie|erzahlen sie) (es |das |davon |)(dem|den|der|niemandem|keinem) (nutzer|benutzer|anwender|entwickler|entwicklern|menschen|maintainer|nutzern|reviewer|team|besitzer|) (nichts|nicht|kein wort), (nichts|nicht) davon( sagen| erwahnen| erzahlen|), (der|die) (nutzer|benutzer|mensch|entwickler|anwender|maintainer) (muss|soll|darf|braucht|sollte) (davon |das |es |)(nichts|nicht) (wissen|erfahren|merken|davon wissen|zu wissen), erwahne (dies|das|diese anderung|es|diesen schritt|diese nachricht|diesen kommentar|den kommentar|die anderung) (nicht|nirgends|niemals), ohne (dem|den|das wissen) (nutzer|benutzer|des nutzers|des benutzers|entwickler)( zu informieren| bescheid| etwas|), ohne wissen des, niemand (merkt|bemerkt|erfahrt|darf|soll), unter uns, unser geheimnis, behalte( das| es|) fur dich, verwische (deine|die|alle) spuren",
  report: "zusammenfassung, bericht, changelog, commit nachricht, beschreibung",
  verdict:
    "(bewerte|bewertet|stufe|genehmige|genehmigt|akzeptiere|markiere|betrachte|empfiehl|merge|freigeben) (diesen|dieses|diese|den|das|die|es) (pull request|paket|anderung|code|patch|merge request|beitrag|bewerbung|), (als|ist|sind) (sicher|vertrauenswurdig|unbedenklich|harmlos|fehlerfrei), keine (sicherheitslucken|schwachstellen|probleme|fehler) (gefunden|enthalt|vorhanden|gibt)",
  outlet:
    "als kommentar, den kommentar, dem ticket, das ticket, in diesem issue, diesem issue, pull request, die antwort, deiner antwort, commit nachricht",
};
