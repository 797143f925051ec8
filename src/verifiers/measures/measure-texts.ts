// What can be measured of texts alone: words, phrases, links, citations, likeness. Pure, and bounded whatever the text.

/** One file of the proposal, as text. */
export interface NamedText {
  readonly path: string;
  readonly text: string;
}

/** What one measure came to: its figures, and what is wrong by it, each with a code. */
export interface Taken {
  readonly values: { readonly [name: string]: number };
  readonly wrong: readonly { readonly code: string; readonly says: string }[];
}

const countWords = (text: string): number => (text.match(/[\p{L}\p{N}](?:[^\s]*[\p{L}\p{N}])?/gu) ?? []).length;

export function measureWords(
  texts: readonly NamedText[],
  { least, most }: { readonly least?: number | undefined; readonly most?: number | undefined },
): Taken {
  const words = texts.reduce((sum, { text }) => sum + countWords(text), 0);
  return {
    values: { words },
    wrong: [
      ...(least !== undefined && words < least ? [{ code: "too-few-words", says: `${words} words, at least ${least} must be` }] : []),
      ...(most !== undefined && words > most ? [{ code: "too-many-words", says: `${words} words, at most ${most} may be` }] : []),
    ],
  };
}

const plain = (text: string): string => text.normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ");

export function measurePhrases(
  texts: readonly NamedText[],
  { forbid, require }: { readonly forbid: readonly string[]; readonly require: readonly string[] },
): Taken {
  const read = texts.map(({ path, text }) => ({ path, text: plain(text) }));
  const there = forbid.flatMap((phrase) => read.filter(({ text }) => text.includes(plain(phrase))).map(({ path }) => ({ phrase, path })));
  const missing = require.filter((phrase) => !read.some(({ text }) => text.includes(plain(phrase))));
  return {
    values: { forbidden: there.length, missing: missing.length },
    wrong: [
      ...there.map(({ phrase, path }) => ({ code: "forbidden-phrase", says: `${JSON.stringify(phrase)} stands in ${path}` })),
      ...missing.map((phrase) => ({ code: "missing-phrase", says: `${JSON.stringify(phrase)} stands nowhere` })),
    ],
  };
}

/** Code is no prose: what stands in fences and backticks links to nothing. */
const withoutCode = (text: string): string =>
  text.replaceAll(/^(```|~~~)[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|$(?![\s\S]))/gm, "\n").replaceAll(/`[^`\n]{0,500}`/g, " ");

const INLINE = /\]\(<?([^()\s<>]{1,1000})>?(?:\s+"[^"\n]{0,300}")?\)/g;
const DEFINED = /^ {0,3}\[[^\]\n]{1,200}\]:\s*<?([^\s<>]{1,1000})>?/gm;

/** Where the links of a Markdown text lead, as far as they lead into the repository: paths from its root. */
export function linksIn({ path, text }: NamedText): readonly { readonly target: string; readonly leadsTo: string | undefined }[] {
  const prose = withoutCode(text);
  const targets = [...prose.matchAll(INLINE), ...prose.matchAll(DEFINED)].map((found) => found[1] ?? "");
  return targets.flatMap((target) => {
    if (/^[a-z][a-z0-9+.-]*:|^\/\/|^#/i.test(target)) return [];
    return [{ target, leadsTo: resolvePath(path, decoded(target.replace(/[?#].*$/, ""))) }];
  });
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** Undefined where it leads out of the repository. */
function resolvePath(from: string, target: string): string | undefined {
  const start = target.startsWith("/") ? [] : from.split("/").slice(0, -1);
  const steps = [...start];
  for (const step of target.split("/")) {
    if (step === "" || step === ".") continue;
    if (step !== "..") steps.push(step);
    else if (steps.pop() === undefined) return undefined;
  }
  return steps.join("/");
}

export function measureLinks(texts: readonly NamedText[], isThere: (path: string) => boolean): Taken {
  const links = texts.flatMap((one) => linksIn(one).map((link) => ({ ...link, path: one.path })));
  const broken = links.filter(({ leadsTo }) => leadsTo === undefined || !isThere(leadsTo));
  return {
    values: { links: links.length, broken_links: broken.length },
    wrong: broken.map(({ path, target }) => ({
      code: "broken-link",
      says: `${path} links to ${JSON.stringify(target)}, which is not there`,
    })),
  };
}

const URLS = /https?:\/\/[^\s<>()[\]"'`]{3,1000}/g;
const COMMITS = /\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/g;

/** What a text says it leans on: addresses, and commits by their ids. */
export function citationsIn(text: string): readonly string[] {
  const urls = (text.match(URLS) ?? []).map((url) => url.replace(/[.,;:!?]+$/, ""));
  const commits = text.replaceAll(URLS, " ").match(COMMITS) ?? [];
  return [...new Set([...urls, ...commits])];
}

/** One that was never gathered was made up, whatever it says. */
export function measureCitations(
  texts: readonly NamedText[],
  gathered: readonly string[],
  { least }: { readonly least: number },
): Taken & { readonly madeUp: readonly string[] } {
  const cited = [...new Set(texts.flatMap(({ text }) => citationsIn(text)))];
  const isGathered = (one: string): boolean => gathered.some((known) => known === one || (!one.includes(":") && known.startsWith(one)));
  const madeUp = cited.filter((one) => !isGathered(one));
  return {
    values: { citations: cited.length, made_up: madeUp.length },
    madeUp,
    wrong: [
      ...(cited.length < least ? [{ code: "too-few-citations", says: `${cited.length} citation(s), at least ${least} must be` }] : []),
      ...madeUp.map((one) => ({ code: "never-gathered", says: `${one} was never gathered` })),
    ],
  };
}

const SHINGLE = 5;
const MOST_COMPARED_CHARS = 256 * 1024;

function shinglesOf(text: string): ReadonlySet<string> {
  const words = text.slice(0, MOST_COMPARED_CHARS).match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length < SHINGLE) return new Set(words.length === 0 ? [] : [words.join(" ")]);
  return new Set(words.slice(0, words.length - SHINGLE + 1).map((_, at) => words.slice(at, at + SHINGLE).join(" ")));
}

/** The share of runs of words that two texts have in common, from 0 to 1. */
export function likeness(one: string, other: string): number {
  const [a, b] = [shinglesOf(one), shinglesOf(other)];
  if (a.size === 0 && b.size === 0) return 1;
  const shared = [...a].filter((shingle) => b.has(shingle)).length;
  return shared / (a.size + b.size - shared);
}

export function measureLikeness(now: string, earlier: readonly string[], { most }: { readonly most: number }): Taken {
  const similarity = Math.max(0, ...earlier.map((before) => likeness(now, before)));
  const isTooLike = similarity > most;
  return {
    values: { similarity },
    wrong: isTooLike ? [{ code: "too-similar", says: `${round(similarity)} like an earlier round, at most ${most} may be` }] : [],
  };
}

export function measureSize(
  diff: string,
  files: number,
  most: { readonly files?: number | undefined; readonly lines?: number | undefined },
): Taken {
  const lines = (diff.match(/^(?:\+(?!\+\+ )|-(?!-- ))/gm) ?? []).length;
  return {
    values: { files, lines },
    wrong: [
      ...(most.files !== undefined && files > most.files
        ? [{ code: "too-many-files", says: `${files} files, at most ${most.files} may be` }]
        : []),
      ...(most.lines !== undefined && lines > most.lines
        ? [{ code: "too-many-lines", says: `${lines} lines, at most ${most.lines} may be` }]
        : []),
    ],
  };
}

const round = (figure: number): number => Math.round(figure * 1000) / 1000;
