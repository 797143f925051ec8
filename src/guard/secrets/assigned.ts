// Secrets that are told by the name beside them: `PASSWORD=…`, `"apiKey": "…"`, `--token …`, `<secret>…</secret>`.
import { type NameStrength, strengthOf } from "./names.ts";
import {
  classesOf,
  hasLetterAndDigit,
  isHex,
  isHollow,
  isMixed,
  isPath,
  isRandom,
  isReference,
  isUnheard,
  isUuid,
  isWordy,
  unrest,
} from "./shape.ts";
import type { Span } from "./span.ts";

export const ASSIGNED = "assigned-secret";

/** One of these is in every name that says secret; they are looked for in small letters. */
const HINTS = [
  "pass",
  "pwd",
  "secret",
  "token",
  "key",
  "cred",
  "auth",
  "sess",
  "cookie",
  "dsn",
  "sig",
  "psk",
  "jwt",
  "pat",
  "sid",
  "otp",
  "seed",
  "senha",
  "contrasena",
  "kennwort",
  "connection",
];

const MOST_NAME = 80;
/** Which characters names are made of, by their codes. */
const IS_OF_NAME = Array.from({ length: 128 }, (_, code) => /[A-Za-z0-9_.$-]/.test(String.fromCharCode(code)));

/** What may stand between a name and its value. `gap` is a mere blank, which only a flag or a sentence has. */
const SEPARATOR =
  /\\{0,16}["'`]?\]?(?:(?<sign>\s{0,8}(?::\s{0,3}(?:string|str|String|&str)\s{0,3}=|=>|:=|\?\?=|\|\|=|={1,3}|:)\s{0,8})|(?<tag>>)|(?<call>\(\s{0,2}(?=\\{0,16}["'`]))|(?<list>["'`],\s{0,3}(?=["'`]))|(?<pair>,?\s{0,40}\\{0,16}["']?value\\{0,16}["']?\s{0,3}:\s{0,3})|(?<gap>[ \t]{1,4}(?:is|was|of|for|are|as)?[ \t:]{0,3}(?:\|[ \t]{0,8})?))/y;
const QUOTED = /(?<open>\\{0,16}["'`])(?<value>[^\n\r"'`\\]{1,512}|(?:[^\n\r"'`]|(?!\k<open>)["'`]){1,512}?)\k<open>/y;
const OPENING = /\\{0,16}["'`]/y;
/** What ends a value without quotes. */
const AFTER_BARE = /[\s\p{Cc}"'`,;<>(){}[\]|\\]/gu;
const MOST_BARE = 1024;

/** Finds values beside names that say secret. */
export function findAssigned(text: string, rank: number): readonly Span[] {
  const spans: Span[] = [];
  const endOfBare = bareEnds(text);
  // A text that is made to take time says the same a hundred thousand times: it is weighed once.
  const strengthNamed = remembering(strengthOf, (name) => name);
  const isSecret = remembering(
    ({ value, beside }: { readonly value: string; readonly beside: Beside }) => isSecretValue(value, beside),
    ({ value, beside }) => `${beside.manner} ${beside.name}\0${value}`,
  );
  for (const { name, end } of namesIn(text)) {
    const strength = strengthNamed(name);
    if (strength === "none") continue;
    const span = valueAfter(text, { name, end, strength }, { endOfBare, isSecret, rank });
    if (span) spans.push(span);
  }
  return spans;
}

/** More different ones are not made to take time. */
const MOST_REMEMBERED = 2_000;

function remembering<Asked, Answer>(ask: (asked: Asked) => Answer, keyOf: (asked: Asked) => string): (asked: Asked) => Answer {
  const known = new Map<string, Answer>();
  return (asked) => {
    const key = keyOf(asked);
    const old = known.get(key);
    if (old !== undefined) return old;
    const answer = ask(asked);
    if (known.size < MOST_REMEMBERED) known.set(key, answer);
    return answer;
  };
}

/** Whether a value under this name, as in a map, is a secret. */
export function isSecretUnder(name: string, value: string): boolean {
  const strength = strengthOf(name);
  return strength !== "none" && isSecretValue(value, { name, strength, manner: isShouted(name) ? "setting" : "quoted" });
}

interface Name {
  readonly name: string;
  readonly end: number;
}

/** Names that hold a hint, each once, in no order. */
function namesIn(text: string): readonly Name[] {
  const lower = text.toLowerCase();
  // One letter of Turkish grows when it is made small; then all places would be off.
  const search = lower.length === text.length ? lower : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const names = new Map<number, Name>();
  for (const hint of HINTS) {
    for (let at = search.indexOf(hint); at !== -1; at = search.indexOf(hint, at + hint.length)) {
      const end = endOfName(text, at + hint.length);
      // What goes on and on is no name.
      if (end - at < MOST_NAME && !names.has(end)) names.set(end, nameEndingAt(text, at, end));
    }
  }
  return [...names.values()];
}

function endOfName(text: string, from: number): number {
  let end = from;
  while (end < text.length && end - from <= MOST_NAME && IS_OF_NAME[text.charCodeAt(end)]) end++;
  while (end > from && /[.$-]/.test(text[end - 1]!)) end--;
  return end;
}

/** In a sentence, a name is written in two or three words. */
const KEY_OF = /(?<![A-Za-z])(?:api|access|secret|private|auth|client|account|admin|encryption|signing|license)(?: access)? $/i;

function nameEndingAt(text: string, at: number, end: number): Name {
  let start = at;
  while (start > 0 && at - start < MOST_NAME && IS_OF_NAME[text.charCodeAt(start - 1)]) start--;
  // What an escaped line break leaves before a name is no part of it.
  if (start > 0 && text[start - 1] === "\\" && /[nrt]/.test(text[start]!) && start < at) start++;
  if (/^keys?$/i.test(text.slice(start, end))) start -= KEY_OF.exec(text.slice(Math.max(0, start - 24), start))?.[0].length ?? 0;
  // `AWS::IAM::AccessKey` is the name of a type.
  const isType = text.startsWith("::", start - 2);
  return { name: isType ? "" : text.slice(start, end), end };
}

/** How a value is written beside its name. `setting`: in capitals with an equals sign, as in `.env`. `said`: in a sentence. */
type Manner = "setting" | "quoted" | "bare" | "flag" | "said";

interface Beside {
  readonly name: string;
  readonly strength: NameStrength;
  readonly manner: Manner;
}

interface Ways {
  readonly endOfBare: (from: number) => number;
  readonly isSecret: (asked: { readonly value: string; readonly beside: Beside }) => boolean;
  readonly rank: number;
}

function valueAfter(
  text: string,
  { name, end, strength }: Name & { readonly strength: NameStrength },
  { endOfBare, isSecret, rank }: Ways,
): Span | undefined {
  const between = matchAt(SEPARATOR, text, end);
  if (!between) return undefined;
  const from = end + between[0].length;
  const { sign } = between.groups!;
  const quoted = matchAt(QUOTED, text, from);
  const found = quoted
    ? { value: quoted.groups!.value!, at: from + quoted.groups!.open!.length }
    : bareAt(text, from + (matchAt(OPENING, text, from)?.[0].length ?? 0), sign, endOfBare);
  if (!found) return undefined;
  if (isVerdict(name, between[0]) && !isRandom(found.value, 12)) return undefined;
  const manner = mannerOf(name, between.groups!, quoted !== null);
  const isSettled =
    sign?.trim() === ":" && quoted === null && isWrittenAlone(text, end - name.length, found) && isMadeUp(name, found.value);
  if (!isSettled && !isSecret({ value: beginningOf(found.value), beside: { name, strength, manner } })) return undefined;
  return { start: found.at, end: found.at + found.value.length, kind: ASSIGNED, secret: found.value, rank };
}

/** `password: hunter2secret` on a line of its own is a setting, and no type or argument. */
function isWrittenAlone(text: string, from: number, { value, at }: { readonly value: string; readonly at: number }): boolean {
  const before = text.slice(Math.max(0, text.lastIndexOf("\n", from - 1) + 1), from);
  const after = text[at + value.length];
  return before.length <= 40 && /^[\s-]*$/.test(before) && (after === undefined || after === "\n" || after === "\r");
}

/** Words with figures among them, as people make up passwords; a figure at the end alone is a version of something. */
const isMadeUp = (name: string, value: string): boolean =>
  SPELT_OUT.test(name) &&
  value.length >= 8 &&
  value.length <= 64 &&
  /^[\w!@#%^&*+~-]*[a-z]\d+[a-z][\w!@#%^&*+~-]*$/i.test(value) &&
  !isHollow(value);

/** `--- PASS: TestFree` and `PASS test/free.js` tell how a test ended; only what chance made is a secret there. */
const isVerdict = (name: string, between: string): boolean => name.replace(/^-+/, "") === "PASS" && !between.includes("=");

function mannerOf(name: string, { gap, list, pair, sign, tag }: { readonly [group: string]: string | undefined }, quoted: boolean): Manner {
  if (gap !== undefined) return /^--?[a-z]/i.test(name) || isShouted(name) ? "flag" : "said";
  // Beside each other in a list, two texts may have nothing to do with each other.
  if (list !== undefined) return isShouted(name) ? "flag" : "said";
  if (isShouted(name) && (pair !== undefined || /^(?:=|:\s)/.test(sign ?? ""))) return "setting";
  return quoted || tag !== undefined ? "quoted" : "bare";
}

/** In an address, a value ends where the next begins. */
function bareAt(
  text: string,
  from: number,
  sign: string | undefined,
  endOfBare: (from: number) => number,
): { readonly value: string; readonly at: number } | undefined {
  const to = endOfBare(from);
  if (to - from < 4 || text[to] === "(") return undefined;
  const next = sign === "=" ? text.slice(from, to).indexOf("&") : -1;
  let end = next === -1 ? to : from + next;
  while (end > from && ".,;:!?*".includes(text[end - 1]!)) end--;
  return end - from < 4 ? undefined : { value: text.slice(from, end), at: from };
}

/** Where what stands at a place without quotes ends. In one long word many names may stand: its end is looked for once. */
function bareEnds(text: string): (from: number) => number {
  let known = { from: 0, to: -1 };
  return (from) => {
    if (from < known.from || from > known.to) {
      AFTER_BARE.lastIndex = from;
      known = { from, to: AFTER_BARE.exec(text)?.index ?? text.length };
    }
    return Math.min(known.to, from + MOST_BARE);
  };
}

const isShouted = (name: string): boolean => /^[A-Z][A-Z0-9_.-]*$/.test(name.replace(/^-+/, ""));

/** The looks of a long value show in its beginning. */
const beginningOf = (value: string): string => value.slice(0, 200).trim();

function isSecretValue(value: string, { name, strength, manner }: Beside): boolean {
  const plain = beginningOf(value);
  if (plain.length < 6 || isHollow(plain) || isReference(plain) || isPath(plain)) return false;
  if (/^[\d.,:_-]+$/.test(plain)) return strength === "strong" && manner === "setting" && plain.length >= 12;
  if (strength === "weak")
    return (
      isRandom(plain, 16) &&
      !/\s/.test(plain) &&
      (manner === "setting" || (manner !== "said" && (SESSION.test(name) ? !isUuid(plain) : !isDigest(plain))))
    );
  if (manner !== "said" && SPELT_OUT.test(name) && isUnheard(plain)) return true;
  if (manner === "said") return isRandom(plain, isMixed(plain) ? 16 : 24) && !/\s/.test(plain) && !isWordy(plain) && !isDigest(plain);
  if (manner === "bare") return isLikelyBare(plain, PASSWORD.test(name) ? 8 : 16);
  if (/\s/.test(plain)) return manner === "setting" && classesOf(plain) >= 3 && hasLetterAndDigit(plain) && plain.length <= 64;
  if (manner === "setting") return hasLetterAndDigit(plain) || classesOf(plain) >= 3 || plain.length >= 12;
  if (PASSWORD.test(name) && (hasLetterAndDigit(plain) || classesOf(plain) >= 3)) return true;
  return plain.length >= 8 && (!isWordy(plain) || isJumbled(plain, PASSWORD.test(name) ? 8 : 16));
}

/** A name that can only mean a password. */
const SPELT_OUT = /passw(?:or)?d|passphrase/i;
const PASSWORD = /passw|passphrase|pwd|pass$/i;
const SESSION = /sess(?:ion)?[_-]?id$|^sid$/i;

/** Long enough, small letters and capitals without the separators of names, and restless: words that chance made. */
const isJumbled = (value: string, least: number): boolean =>
  value.length >= least && /[a-z]/.test(value) && /[A-Z]/.test(value) && /^[A-Za-z0-9]+$/.test(value) && unrest(value) >= 0.2;

/** Without quotes, most of what follows a name in source is another name. */
function isLikelyBare(value: string, least: number): boolean {
  if (isJumbled(value, least) || (classesOf(value) === 4 && value.length >= 10 && !/[.()/[\]]/.test(value))) return true;
  if (value.length < 8 || isWordy(value)) return false;
  if (/^[A-Za-z_$]+$/.test(value)) return value.length >= 10 && !value.includes("_") && !isWordy(value, 0.5);
  if (/[=(){}[\]&|]{2}|::|->|\/\*|\*\/|^[A-Za-z_$][\w$]*\.[A-Za-z_$]/.test(value) && !isRandom(value, 20)) return false;
  return true;
}

/** A hash or an id, of which names such as `key` have many. */
const isDigest = (value: string): boolean => isUuid(value) || (isHex(value) && [32, 40, 56, 64, 96, 128].includes(value.length));

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
