// Takes secrets out of text, and leaves a placeholder that is the same for the same secret.
import { hmacSha256 } from "../../std/hash.ts";
import { ASSIGNED, isSecretUnder } from "./assigned.ts";
import { findSecrets } from "./find-secrets.ts";
import { type KnownFinder, type KnownSecret, knownFinder } from "./known.ts";

/** What is known to be secret, and how placeholders are made. */
export interface Redactor {
  readonly known: KnownFinder;
  readonly placeholder: (kind: string, secret: string) => string;
}

/** One redaction: what it was, where, and what stands there now. */
export interface Redaction {
  readonly kind: string;
  readonly placeholder: string;
  /** The line of the text as it was, from 1. */
  readonly line: number;
}

export interface Redacted {
  readonly text: string;
  readonly found: readonly Redaction[];
}

/**
 * The key makes placeholders that cannot be guessed back: who has only the text cannot try passwords against them.
 * The same key gives the same placeholders, so that two mentions of one secret can be told to be the same.
 */
export function createRedactor(key: string | Uint8Array, known: readonly KnownSecret[] = []): Redactor {
  const made = new Map<string, string>();
  return {
    known: knownFinder(known),
    placeholder(kind, secret) {
      const name = `${kind}\0${secret}`;
      const old = made.get(name);
      if (old) return old;
      const text = `[redacted:${kind}:${hmacSha256(key, secret).slice(0, 8)}]`;
      if (made.size < 1000) made.set(name, text);
      return text;
    },
  };
}

/** Whether a text holds what stands in the place of a secret. */
export const holdsPlaceholder = (text: string): boolean => /\[redacted:[\w.-]+:[0-9a-f]{8}\]/.test(text);

/** So much is looked at in one go; what begins in it is followed this far beyond, and this much before it is seen as well. */
const SEGMENT = 256 * 1024;
const AHEAD = 32 * 1024;
const BEHIND = 512;
/** What comes of a redaction may make a neighbour plain to see. */
const MOST_PASSES = 4;

export interface Sizes {
  readonly segment: number;
  readonly ahead: number;
  readonly behind: number;
}
const SIZES: Sizes = { segment: SEGMENT, ahead: AHEAD, behind: BEHIND };

export function redactText(redactor: Redactor, text: string): Redacted {
  const { text: clean, found } = redactPart(redactor, NOTHING_YET, text, "last");
  return { text: clean, found };
}

export const redacted = (redactor: Redactor, text: string): string => redactText(redactor, text).text;

/** What a redaction in parts has to remember between them. */
export interface Carry {
  /** Text that is done, as far as what follows must see it. */
  readonly behind: string;
  readonly pending: string;
  readonly line: number;
}
export const NOTHING_YET: Carry = { behind: "", pending: "", line: 1 };

/** Redacts a text in parts: however it is cut, the parts of the answer make the same whole. */
export function redactPart(
  redactor: Redactor,
  carry: Carry,
  part: string,
  which: "more" | "last",
  { segment, ahead, behind }: Sizes = SIZES,
): Redacted & { readonly carry: Carry } {
  const text = carry.behind + carry.pending + part;
  const pieces: string[] = [];
  const found: Redaction[] = [];
  let { line } = carry;
  let from = carry.behind.length;
  while (which === "last" ? from < text.length : text.length - from >= segment + ahead) {
    const to = cutAfter(text, from, Math.min(segment, text.length - from));
    const first = Math.max(0, from - behind);
    const window = text.slice(first, to + ahead);
    const done = redactWindow(redactor, window, { from: from - first, to: to - first, line });
    pieces.push(done.text);
    found.push(...done.found);
    const next = first + done.end;
    line += countLines(text, from, next);
    from = next;
  }
  return {
    text: pieces.join(""),
    found,
    carry: { behind: text.slice(Math.max(0, from - behind), from), pending: text.slice(from), line },
  };
}

/** Best at the end of a line, else between words. */
function cutAfter(text: string, from: number, length: number): number {
  const most = from + length;
  if (most >= text.length) return text.length;
  const least = most - Math.floor(length / 16);
  const line = text.lastIndexOf("\n", most - 1) + 1;
  if (line > least) return line;
  const word = text.lastIndexOf(" ", most - 1) + 1;
  return word > least ? word : most;
}

interface Cut {
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

/** Redacts what begins between two places; `end` is how far it came, which is further when a secret lies over the second. */
function redactWindow(redactor: Redactor, window: string, { from, to, line }: Cut): Redacted & { readonly end: number } {
  const spans = findSecrets(window, redactor.known).filter(({ start, end }) => end > from && start < to);
  if (spans.length === 0) return { text: window.slice(from, to), found: [], end: to };
  const pieces: string[] = [];
  const found: Redaction[] = [];
  let [at, told] = [from, line];
  for (const { start, end, kind, secret } of spans) {
    const placeholder = redactor.placeholder(kind, secret);
    pieces.push(window.slice(at, Math.max(at, start)), placeholder);
    told += countLines(window, at, start);
    found.push({ kind, placeholder, line: told });
    told += countLines(window, Math.max(at, start), end);
    at = end;
  }
  const end = Math.max(at, to);
  pieces.push(window.slice(at, end));
  const settled = settle(redactor, { text: pieces.join(""), found }, line, MOST_PASSES);
  return { ...settled, end };
}

/** Looks again until nothing more is found. */
function settle(redactor: Redactor, done: Redacted, line: number, passes: number): Redacted {
  const spans = passes === 0 ? [] : findSecrets(done.text, redactor.known);
  if (spans.length === 0) return done;
  let [text, at, told] = ["", 0, line];
  const found = [...done.found];
  for (const { start, end, kind, secret } of spans) {
    const placeholder = redactor.placeholder(kind, secret);
    told += countLines(done.text, at, start);
    found.push({ kind, placeholder, line: told });
    text += done.text.slice(at, start) + placeholder;
    told += countLines(done.text, start, end);
    at = end;
  }
  return settle(redactor, { text: text + done.text.slice(at), found }, line, passes - 1);
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** Places and names by which the house finds its things again: never changed. */
const STRUCTURAL = new Set(["repo", "folder", "specPath", "keptAs"]);

/** Redacts every text inside a JSON-shaped value; a text under a name that says secret goes as a whole. Names stay. */
export function redactValue(redactor: Redactor, value: unknown, name = ""): unknown {
  if (typeof value === "string") return STRUCTURAL.has(name) ? value : redactNamed(redactor, value, name);
  if (Array.isArray(value)) return value.map((inner) => redactValue(redactor, inner, name));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactValue(redactor, inner, key)]));
}

/** The kinds of secrets in a text that stands under a name. */
export function secretsUnder(name: string, text: string): readonly string[] {
  const kinds = redactText(KEYLESS, text).found.map(({ kind }) => kind);
  return kinds.length === 0 && isSecretUnder(name, text) ? [ASSIGNED] : kinds;
}

/** For those who only ask whether there are any. */
const KEYLESS = createRedactor("");

function redactNamed(redactor: Redactor, text: string, name: string): string {
  const { text: clean, found } = redactText(redactor, text);
  return found.length === 0 && isSecretUnder(name, text) ? redactor.placeholder(ASSIGNED, text) : clean;
}

/** What is no plain map is left for whoever writes it down to refuse. */
const isPlainObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));
