// Likeness of two pieces of code by the words they share, and the names a change takes away.
import type { ChangeView, FileView } from "../view.ts";

/** How often each word occurs. Words of one letter say little. */
export function wordsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.slice(0, 20_000).matchAll(/[\p{L}_$][\p{L}\p{N}_$]+|\d+(?:\.\d+)?/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** 0: nothing in common; 1: the same words as often. */
export function likeness(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let shared = 0;
  let all = 0;
  for (const [word, count] of one) {
    shared += Math.min(count, other.get(word) ?? 0);
    all += count;
  }
  for (const count of other.values()) all += count;
  return all === 0 ? 0 : (2 * shared) / all;
}

const DEFINITION =
  /\b(?:function\*?|class|def|fn|func(?:\s*\([^)]{0,80}\))?|interface|type|enum|struct|trait|union|record|module|macro_rules!|const|let|var|static|val|import|namespace)\s+\*?\s*([\p{L}_$][\p{L}\p{N}_$]*)/gu;
const ASSIGNED = /(?:^|[.\s])([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:=(?![=>])|:\s*(?:async\s*)?function\b)/gu;
const METHOD =
  /^\s*(?:(?:public|private|protected|internal|static|final|async|override|virtual|abstract|pub(?:\([^)]*\))?|export|default|unsafe|const|get|set)\s+)*(?:[\w<>[\],.?&*]+\s+)?([\p{L}_$][\p{L}\p{N}_$]*)\s*\([^;]{0,200}[{:]\s*$/u;
const KEYWORDS = new Set([
  "if",
  "for",
  "while",
  "switch",
  "catch",
  "return",
  "function",
  "match",
  "elif",
  "else",
  "with",
  "self",
  "this",
  "true",
  "false",
  "null",
  "None",
  "name",
  "value",
  "values",
  "type",
  "args",
  "data",
  "index",
  "test",
  "result",
  "string",
  "config",
  "options",
  "default",
  "error",
]);

function definedIn(line: string): readonly string[] {
  const names = [...line.matchAll(DEFINITION), ...line.matchAll(ASSIGNED)].map(([, name]) => name!);
  const method = METHOD.exec(line)?.[1];
  return (method ? [...names, method] : names).filter((name) => name.length > 2 && !KEYWORDS.has(name));
}

/** Several rules ask the same of one change. */
function onceFor<Answer>(ask: (view: ChangeView) => Answer): (view: ChangeView) => Answer {
  const known = new WeakMap<ChangeView, { readonly answer: Answer }>();
  return (view) => {
    const found = known.get(view) ?? { answer: ask(view) };
    known.set(view, found);
    return found.answer;
  };
}

/** Names that product code defined and, as far as this change shows, defines no more. */
const vanishedNames = onceFor((view): ReadonlySet<string> => {
  const gone = new Set<string>();
  const stays = new Set<string>();
  for (const file of view.files) {
    if (file.role === "test" || file.role === "harness" || file.role === "snapshot" || file.role === "docs" || file.role === "lock")
      continue;
    for (const { text } of file.removed) for (const name of definedIn(text.slice(0, 500))) gone.add(name);
    for (const hunk of file.hunks)
      for (const { kind, text } of hunk.lines) if (kind !== "removed") for (const name of definedIn(text.slice(0, 500))) stays.add(name);
    if (!file.after) gone.add(stemOf(file.path));
  }
  return new Set([...gone].filter((name) => !stays.has(name)));
});

const stemOf = (path: string): string => path.split("/").at(-1)!.replace(/\..*$/, "");

/** Words too common to tie a test to a piece of code. */
const COMMON = new Set(
  "return const self None null true false this that with from import export default class function static public private protected final void string number boolean integer value values param params args name type types self async await else elif continue break while switch case throw raise except catch finally assert assert_eq expect should test tests describe match some none object array list dict item items index data error errors result results config option options context message call used using when then what which will must have been were they their there into only also more than other note todo docs https http".split(
    " ",
  ),
);

/** Words that product code says less often than before: what it is about was taken away. */
const fadedWords = onceFor((view): ReadonlySet<string> => {
  const balance = new Map<string, number>();
  for (const { role, removed, added } of view.files) {
    if (role !== "source") continue;
    for (const { text } of removed)
      for (const word of distinctWords(text)) balance.set(word, isTelling(word) ? Number.POSITIVE_INFINITY : (balance.get(word) ?? 0) + 1);
    for (const { text } of added) for (const word of distinctWords(text)) balance.set(word, (balance.get(word) ?? 0) - 1);
  }
  return new Set([...balance].filter(([, left]) => left > 0).map(([word]) => word));
});

/** A name of several parts is about one thing: that its lines were touched is enough. */
const isTelling = (word: string): boolean => word.length > 11 && (/[a-z][A-Z]/.test(word) || word.slice(1, -1).includes("_"));

const distinctWords = (text: string): ReadonlySet<string> =>
  new Set([...wordsOf(text.slice(0, 1_000)).keys()].filter((word) => word.length > 3 && !COMMON.has(word)));

/** Whether a test went with what it speaks of: names that product code no longer defines, or words that it says less often. */
export function explanationsOf(view: ChangeView): (test: string) => boolean {
  const vanished = vanishedNames(view);
  const faded = fadedWords(view);
  return (test) => [...wordsOf(test).keys()].some((word) => vanished.has(word) || faded.has(word));
}

/** The same for a single assertion: one common word is not enough to tie it to what went. */
export function assertionExplanationsOf(view: ChangeView): (assertion: string) => boolean {
  const vanished = vanishedNames(view);
  const faded = fadedWords(view);
  return (assertion) => {
    const words = [...wordsOf(assertion).keys()];
    return (
      words.some((word) => vanished.has(word) || (faded.has(word) && isTelling(word))) || words.filter((word) => faded.has(word)).length > 1
    );
  };
}

/** The stricter question: does it name something that is no longer defined? */
export function namesVanished(view: ChangeView): (test: string) => boolean {
  const vanished = vanishedNames(view);
  return (test) => [...wordsOf(test).keys()].some((word) => vanished.has(word));
}

/** How much product code this change touches. */
export const sourceLines = (view: ChangeView): number =>
  view.files.filter(({ role }) => role === "source").reduce((sum, { added, removed }: FileView) => sum + added.length + removed.length, 0);
