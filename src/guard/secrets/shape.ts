// What a text is by its looks alone: chance-made or written by a person, a placeholder, a path, a piece of code.

const CLASSES: readonly RegExp[] = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/];

/** How many of small letters, capitals, digits and others it has. */
export const classesOf = (text: string): number => CLASSES.filter((one) => one.test(text)).length;

export const isMixed = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text) && /[0-9]/.test(text);
export const hasLetterAndDigit = (text: string): boolean => /[A-Za-z]/.test(text) && /[0-9]/.test(text);

/**
 * How often, of all places between two characters, the class of character changes in a way that words do not: letters and
 * digits in turn, capitals inside a word. Chance gives about a half of all places, names in source about a tenth.
 */
export function unrest(text: string): number {
  const places = text.length - 1;
  if (places < 1) return 0;
  let changes = 0;
  let [before, last] = [OTHER, classOf(text.charCodeAt(0))];
  for (let at = 1; at <= places; at++) {
    const next = classOf(text.charCodeAt(at));
    // One capital that begins a word is how names are written.
    const beginsWord = last === UPPER && next === LOWER && before !== UPPER;
    if (last !== next && last !== OTHER && next !== OTHER && !beginsWord) changes++;
    [before, last] = [last, next];
  }
  return changes / places;
}

const LOWER = 0;
const UPPER = 1;
const DIGIT = 2;
const OTHER = 3;

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
}

/** A run of letters as a word is written: small, with one capital before, or all capitals. */
const RUN = /[A-Z]?[a-z]{2,}|[A-Z]{3,}/g;
const SPEAKABLE = /[aeiouy]/i;
const UNSPEAKABLE = /[bcdfghjklmnpqrstvwxz]{5}|[qj][bcdfghjklmnpqrstvwxz]|v[bcdfghjkmnpqtvwxz]|z[bcdfgjkmnpqrtvwx]|x[djkmqrvxz]/i;
/** Where one way of writing ends and the next begins. */
const PIECE = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+/g;

/** Mostly made of what can be spoken, in pieces as long as words: a name, a label, a sentence, and not what chance makes. */
export function isWordy(text: string, share = 0.8): boolean {
  const pieces = text.match(PIECE) ?? [];
  const length = pieces.join("").length;
  if (length < 2.9 * pieces.length) return false;
  const spoken = (text.match(RUN) ?? []).filter((run) => run.length >= 3 && SPEAKABLE.test(run) && !UNSPEAKABLE.test(run)).join("").length;
  return spoken >= share * length;
}

/** Beginnings and ends of words that names and labels in source are made of: four letters or more, so that chance hardly hits on one. */
const HEARD = new RegExp(
  [
    "pass word user name conf option input value data text string form field hash admin root secret token test login auth",
    "account encrypt crypt salt valid requi check match prompt read write file path load save store param argum prop state",
    "event handle error invalid missing wrong incorrect forgot reset change current confirm repeat verif creat updat delete",
    "remove default plain clear hidden show generat random length strong weak strength minimum maximum object number",
    "boolean null undefined self this config setting server client connect database host port proxy mail person people",
    "model view module import export require process environ result return response request body header query session",
    "cookie code type kind label title placeholder message descr enter your must should please with from that when only",
    "same into mode manager service provider vault azure google amazon lambda class func method decode encode base trim",
    "split slice join replace empty blank dummy sample example demo mock fake stub hunter letmein qwerty access grant",
    "policy rule level limit expir attempt lock unlock open close send output stdin stdout line char byte buffer stream",
    "json yaml redact mask args argv like binary postgres mysql",
  ]
    .flatMap((line) => line.split(" "))
    .flatMap((word) => [word, word[0]!.toUpperCase() + word.slice(1), word.toUpperCase()])
    .join("|"),
);

/** One word of letters, digits and the marks of passwords, in which no word is known: not a name and not a label. */
export const isUnheard = (text: string): boolean => /^[A-Za-z0-9!@#$%^&*+~?-]{8,64}$/.test(text) && !HEARD.test(text);

const HOLLOW =
  /^(?:true|false|null|nil|none|undefined|nan|empty|default|required|optional|string|number|boolean|object|unknown|any|void|secret|token|password|passwd|changeme|change[-_ ]?it|change[-_]this.*|placeholder|redacted|removed|hidden|masked|deprecated|disabled|enabled)$|^\*+$|\*{5}|\.{3}$|…|<[^>]*>|^\[|placeholder|redacted|0{8}|1234567890?$|abcdef(?:gh|123)|^(.)\1+$/i;
/** Short enough to come about by chance, so that they say something only in a text that is calm otherwise. */
const HOLLOW_IF_CALM =
  /example|your[-_ ]|[-_ ]here\b|(?:^|[-_=/:. ])x{3,}(?![A-Za-z0-9])|x{6}|dummy|(?:^|[-_])fake(?:[-_ ]|$)|(?:^|[^A-Za-z0-9])(?:REPLACE|INSERT|TODO|FIXME)(?![A-Za-z0-9])/i;
const CALM = 0.3;

/** What stands where a secret will be, or says that there is none. */
export const isHollow = (text: string): boolean => HOLLOW.test(text) || (HOLLOW_IF_CALM.test(text) && unrest(text) < CALM);

/** A reference to where the secret really is: a variable, a template, a call, a piece of a program. */
const REFERENCE =
  /^[A-Z]{2,}(?:_[A-Z]{2,})+$|^\$[A-Za-z_{(]|^%[A-Za-z_]+%$|\$\{|\$\(|\{\{|%\(|#\{|process\.env|os\.environ|getenv|secrets?\.[A-Za-z]|\benv[.[(]|^(?:self|this|req|request|config|options|props|ctx|args|params|settings|process|data|user|new|await|function|async|typeof|return|lambda)\b|=>|\(\)|^\/\^|^!{1,2}[A-Za-z/]+(?:\s|$)|^\w+\(|^\{\w+\}|^0x[0-9a-fA-F]{1,8}$/;
export const isReference = (text: string): boolean => REFERENCE.test(text);

/** A place in files or on the network, which is no secret itself. */
export const isPath = (text: string): boolean =>
  /^(?:\.{1,2}\/|~\/|[A-Za-z]:[\\/]|file:|\/(?:tmp|var|usr|home|etc|opt|run|Users|private|mnt|root|srv|dev|proc|bin|lib)\/)/.test(text) ||
  /^[a-z][a-z0-9+.-]*:\/\/[^@\s]*$/i.test(text) ||
  /^[\w-]+\.[a-z]{1,4}$/.test(text) ||
  (text.startsWith("/") && isWordy(text));

export const isHex = (text: string): boolean => /^[0-9a-fA-F]+$/.test(text);
export const isUuid = (text: string): boolean => /^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/.test(text);

/** Made by chance, as far as looks tell. */
export function isRandom(text: string, least: number): boolean {
  if (text.length < least) return false;
  const body = text.replace(/=+$/, "");
  if (!hasLetterAndDigit(body)) return false;
  return unrest(body) >= 0.24;
}
