// The names of files as diffs write them: quoted like C strings, followed by times, behind a/ and b/.
import { decodeText } from "../../std/decode-text.ts";

export interface NamePair {
  readonly before: string;
  readonly after: string;
}

const MOST_NAME_CHARS = 4_096;
/** With more blanks than this in a header, only the reading of two equally long names is tried. */
const MOST_SPLITS = 64;
const PREFIX_PAIRS: readonly (readonly [string, string])[] = [
  ["a/", "b/"],
  ["b/", "a/"],
  ["i/", "w/"],
  ["w/", "i/"],
  ["c/", "i/"],
  ["i/", "c/"],
  ["c/", "w/"],
  ["w/", "c/"],
  ["o/", "w/"],
  ["w/", "o/"],
  ["1/", "2/"],
  ["2/", "1/"],
];
const ESCAPES: { readonly [letter: string]: number } = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** The name in a `---` or `+++` line, without the time that may follow a tab. Undefined: it cannot be read. */
export function nameInLine(rest: string): string | undefined {
  if (rest.length > MOST_NAME_CHARS) return undefined;
  if (!rest.startsWith('"')) return rest.split("\t", 1)[0] || undefined;
  const quoted = readQuoted(rest, 0);
  return quoted && /^(\t.*)?$/s.test(rest.slice(quoted.end)) ? quoted.name : undefined;
}

/** A name that fills the rest of a header line, such as that of `rename from`. */
export function wholeName(rest: string): string | undefined {
  if (rest.length > MOST_NAME_CHARS) return undefined;
  if (!rest.startsWith('"')) return rest || undefined;
  const quoted = readQuoted(rest, 0);
  return quoted?.end === rest.length ? quoted.name : undefined;
}

/** Every way to read two names out of `diff --git …`: names with blanks are not quoted, so there may be several. */
export function pairsInHeader(rest: string): readonly NamePair[] {
  if (rest.length > 2 * MOST_NAME_CHARS) return [];
  const pairs: NamePair[] = [];
  if (rest.startsWith('"')) {
    const first = readQuoted(rest, 0);
    const second = first && rest[first.end] === " " ? wholeName(rest.slice(first.end + 1)) : undefined;
    return first && second ? [{ before: first.name, after: second }] : [];
  }
  const blanks = blanksIn(rest);
  const middle = (rest.length - 1) / 2;
  for (const blank of blanks.length > MOST_SPLITS ? blanks.filter((at) => at === middle) : blanks) {
    const after = rest.slice(blank + 1);
    const name = after.startsWith('"') ? wholeName(after) : after;
    if (blank > 0 && name) pairs.push({ before: rest.slice(0, blank), after: name });
  }
  return pairs;
}

function blanksIn(text: string): readonly number[] {
  const found: number[] = [];
  for (let blank = text.indexOf(" "); blank !== -1; blank = text.indexOf(" ", blank + 1)) found.push(blank);
  return found;
}

/** Both names without their prefixes, as far as the two sides agree on them. */
export function stripPrefixes({ before, after }: NamePair): NamePair {
  if (before === after) return { before, after };
  const known = PREFIX_PAIRS.find(([old, now]) => before.startsWith(old) && after.startsWith(now));
  if (known) return { before: before.slice(known[0].length), after: after.slice(known[1].length) };
  const [old, now] = [withoutFirstFolder(before), withoutFirstFolder(after)];
  return old && old === now ? { before: old, after: now } : { before, after };
}

/** A name of which there is but one side: the prefix that git would have put there goes. */
export const stripPrefix = (name: string): string => name.replace(/^[abciow]\//, "");

export function isPlainPath(path: string): boolean {
  return path !== "" && !path.startsWith("/") && !path.includes("\0") && !/^[A-Za-z]:[\\/]/.test(path) && !path.split("/").includes("..");
}

const withoutFirstFolder = (name: string): string | undefined => {
  const slash = name.indexOf("/");
  return slash > 0 ? name.slice(slash + 1) : undefined;
};

function readQuoted(text: string, from: number): { readonly name: string; readonly end: number } | undefined {
  const bytes: number[] = [];
  for (let at = from + 1; at < text.length; ) {
    const char = String.fromCodePoint(text.codePointAt(at)!);
    if (char === '"') return { name: decodeText(Uint8Array.from(bytes)), end: at + 1 };
    if (char !== "\\") {
      bytes.push(...new TextEncoder().encode(char));
      at += char.length;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4))?.[0];
    const plain = ESCAPES[text[at + 1] ?? ""];
    if (octal === undefined && plain === undefined) return undefined;
    bytes.push(octal === undefined ? plain! : Number.parseInt(octal, 8));
    at += octal === undefined ? 2 : 4;
  }
  return undefined;
}
