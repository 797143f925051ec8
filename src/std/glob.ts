// Globs over paths, in bounded time for any path: those that deny err towards yes, those that allow err towards no.
import picomatch from "picomatch";

/**
 * One predicate for all patterns. It is used to deny, so where it must err it says yes: letters match in either case,
 * a pattern that names a folder names everything in it, and a path that no file system could hold is matched.
 * Throws on a pattern that `globProblem` refuses.
 */
export const compileGlobs = (patterns: readonly string[]): ((path: string) => boolean) => compile(patterns, DENYING);

/** The same for globs that allow: letters match only in their own case, and a path that no file system could hold is not matched. */
export const compileAllowing = (patterns: readonly string[]): ((path: string) => boolean) => compile(patterns, ALLOWING);

interface Leaning {
  readonly flags: string;
  readonly whereTooLong: boolean;
}
const DENYING: Leaning = { flags: "is", whereTooLong: true };
const ALLOWING: Leaning = { flags: "s", whereTooLong: false };

function compile(patterns: readonly string[], { flags, whereTooLong }: Leaning): (path: string) => boolean {
  const unsound = patterns.find((pattern) => globProblem(pattern) !== undefined);
  if (unsound !== undefined) throw new TypeError(`the glob ${JSON.stringify(unsound)} ${globProblem(unsound)}`);
  const globs = patterns.flatMap(alternatives).map((pattern) => segmentsOf(pattern).map((segment) => compileSegment(segment, flags)));
  return (path) => {
    const names = path.normalize("NFC").split("/");
    if (path.length > LONGEST_PATH || names.some((name) => name.length > LONGEST_NAME)) return whereTooLong && globs.length > 0;
    return globs.some((glob) => matches(glob, names));
  };
}

/** What is wrong with a glob, in words that follow "this glob"; undefined when it is sound. */
export function globProblem(pattern: string): string | undefined {
  if (pattern.trim() === "") return "is empty";
  if (pattern.length > LONGEST_PATTERN) return `is longer than ${LONGEST_PATTERN} characters`;
  if (/[\0-\x1f\x7f]/.test(pattern)) return "contains control characters";
  if (/^(?:~?\/|[a-z]:[\\/])/i.test(pattern)) return "is absolute: it must start inside the repository";
  if (pattern.startsWith("!")) return "begins with !, and there are no exceptions";
  if (/[@!+*?]\(/.test(pattern)) return "uses an extended form such as @(a|b): write {a,b}";
  return (
    bracesProblem(pattern) ??
    alternatives(pattern)
      .map(plainProblem)
      .find((problem) => problem !== undefined)
  );
}

const LONGEST_PATTERN = 500;
const LONGEST_PATH = 4096;
const LONGEST_NAME = 255;
const MOST_ALTERNATIVES = 100;
/** A name of 255 letters is tried in at most 255³/6 ways. */
const MOST_STARS = 3;

type Segment = "any-depth" | RegExp;

/** Whether the segments match the names; each pair of them is looked at once. */
function matches(glob: readonly Segment[], names: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const segment of glob) {
    reached = new Set([...reached].flatMap((from) => after(segment, from, names)));
    if (segment === "any-depth") reached = new Set(range(Math.min(...reached), names.length));
  }
  return reached.has(names.length);
}

const after = (segment: Segment, from: number, names: readonly string[]): readonly number[] => {
  if (segment === "any-depth") return [from];
  const name = names[from];
  return name !== undefined && segment.test(name) ? [from + 1] : [];
};

const range = (from: number, to: number): readonly number[] => (from > to ? [] : Array.from({ length: to - from + 1 }, (_, i) => from + i));

/** The pattern once for each choice of its braces. */
function alternatives(pattern: string): readonly string[] {
  const braces = BRACES.exec(pattern);
  if (braces === null) return [pattern];
  const [head, tail] = [pattern.slice(0, braces.index), pattern.slice(braces.index + braces[0].length)];
  const rest = alternatives(tail);
  return (braces[1] ?? "").split(",").flatMap((choice) => rest.map((end) => head + choice + end));
}

const BRACES = /(?<!\\)\{([^{}]*)\}/;

function bracesProblem(pattern: string): string | undefined {
  const groups = [...pattern.matchAll(new RegExp(BRACES, "g"))].map(([, inside]) => inside ?? "");
  const rest = pattern.replaceAll(new RegExp(BRACES, "g"), "");
  if (/(?<!\\)[{}]/.test(rest)) return "has braces that are nested or not closed: write one glob for each case";
  if (groups.some((inside) => !inside.includes(",") || inside.includes("\\"))) return "has braces that are not of the form {a,b}";
  const choices = groups.reduce((product, inside) => product * inside.split(",").length, 1);
  return choices > MOST_ALTERNATIVES ? `stands for more than ${MOST_ALTERNATIVES} globs: write fewer braces` : undefined;
}

function plainProblem(pattern: string): string | undefined {
  const segments = segmentsOf(pattern);
  if (segments.length === 0) return "names nothing";
  if (segments.includes("..")) return "leads out of the repository with its two dots";
  if (pattern.startsWith("/")) return "is absolute: it must start inside the repository";
  if (segments.some((segment) => segment !== "**" && segment.includes("**"))) return "has ** beside other letters: write **/ before them";
  if (segments.some((segment) => segment !== "**" && (segment.match(/\*/g)?.length ?? 0) > MOST_STARS)) {
    return `has more than ${MOST_STARS} stars between two slashes`;
  }
  return segments.some((segment) => !compiles(segment)) ? "does not compile: put \\ before brackets that are part of a name" : undefined;
}

/** A pattern that ends in a plain name, or in a slash, may name a folder: then it names everything in it. */
function segmentsOf(pattern: string): readonly string[] {
  const segments = pattern
    .normalize("NFC")
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".");
  const mayBeFolder = segments.length > 0 && (pattern.endsWith("/") || !/[*?[]/.test((segments.at(-1) ?? "").replaceAll(/\\./g, "")));
  return mayBeFolder ? [...segments, "**"] : segments;
}

function compiles(segment: string): boolean {
  const unescaped = segment.replaceAll(/\\./g, "");
  if (unescaped.endsWith("\\") || /[[\]]/.test(unescaped.replaceAll(/\[[!^]?\]?[^\]]*\]/g, ""))) return false;
  try {
    compileSegment(segment, DENYING.flags);
    return true;
  } catch {
    // With `debug` set, picomatch throws where it would otherwise hand back an expression that matches nothing.
    return false;
  }
}

function compileSegment(segment: string, flags: string): Segment {
  if (segment === "**") return "any-depth";
  return picomatch.makeRe(segment.replaceAll(/\\.|\[[!^]|[^\p{L}\p{N}\s*?[\].\-_:/\\]/gu, meantLiterally), {
    dot: true,
    flags,
    debug: true,
    nobrace: true,
    noextglob: true,
    nonegate: true,
  });
}

/** Signs that mean something to the matcher and nothing in a glob of ours. */
function meantLiterally(found: string): string {
  if (found.startsWith("[")) return "[^";
  return found.startsWith("\\") || found > "~" ? found : `\\${found}`;
}
