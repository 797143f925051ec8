// What a twin of a test file is: the same tests, told apart by a drawn word, that must end as the known ones do, or must fail.
import { sha256 } from "../hash.ts";

/** A node of a syntax tree, as far as twins are written by it. */
export interface Span {
  readonly type: string;
  readonly field: string | undefined;
  readonly isNamed: boolean;
  readonly start: number;
  readonly end: number;
  readonly children: readonly Span[];
}

/**
 * `same`: nothing but blank lines, comments and names differ; each test ends as the known one. `tail`: each test ends with
 * assertions that two drawn values are equal, and must fail. `neg`: each assertion is asked in the language's own operators,
 * and the test must fail if all of them hold.
 */
export const TWIN_KINDS = ["same", "tail", "neg"] as const;
export type TwinKind = (typeof TWIN_KINDS)[number];

export interface TwinOrder {
  readonly text: string;
  readonly root: Span;
  readonly kind: TwinKind;
  /** Lower-case letters that stand nowhere in the text: names of the twin are told by it. */
  readonly word: string;
  /** The same twin for the same seed. */
  readonly seed: string;
}

export interface TwinTest {
  /** As the known file writes it. */
  readonly name: string;
  /** Nothing in the text lets the test end before it is turned, or needs more than plain operators. */
  readonly isSure: boolean;
}

/** One place of the known text, and what stands there in the twin. */
export interface Turn {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Twin {
  readonly text: string;
  /** Those that are turned; the others are in it as they were. */
  readonly tests: readonly TwinTest[];
  /** Where the twin differs from the known text, in order. */
  readonly turns: readonly Turn[];
}

export const textOf = (text: string, { start, end }: Span): string => text.slice(start, end);

/** What turns one test, and whether nothing lets it end before; undefined leaves it as it was. */
export type TurnTest<T> = (test: T) => { readonly turns: readonly Turn[]; readonly isSure: boolean } | undefined;

/** The twin of a file whose tests are told by its name alone, and need no name of their own. */
export function writeTwin<T extends { readonly name: string }>(
  order: TwinOrder,
  comment: string,
  found: readonly T[],
  turnTest: TurnTest<T>,
): Twin {
  const turns: Turn[] = [...shiftLines(order, comment)];
  const tests: TwinTest[] = [];
  for (const test of found) {
    const turn = turnTest(test);
    if (turn === undefined) continue;
    turns.push(...turn.turns);
    tests.push({ name: test.name, isSure: turn.isSure });
  }
  return tests.length === 0 ? NO_TWIN : { ...turned(order.text, turns), tests };
}

/** A twin that could not be written: the file is left out. */
export const NO_TWIN: Twin = { text: "", tests: [], turns: [] };

/** Puts the turns into the text. Two at one place stay in the order in which they are given; one inside another is a bug. */
export function turned(text: string, turns: readonly Turn[]): Pick<Twin, "text" | "turns"> {
  const ordered = turns.map((turn, index) => ({ turn, index })).sort((a, b) => a.turn.start - b.turn.start || a.index - b.index);
  const pieces: string[] = [];
  let at = 0;
  for (const { turn } of ordered) {
    if (turn.start < at) throw new RangeError(`two turns of a twin overlap at ${turn.start}`);
    pieces.push(text.slice(at, turn.start), turn.text);
    at = turn.end;
  }
  return { text: [...pieces, text.slice(at)].join(""), turns: ordered.map(({ turn }) => turn) };
}

const LETTERS = "bcdfghjklmnpqrstvwxz";

/** A word of eight letters that nobody can foresee who does not know the seed. */
export const drawWord = (seed: string, ...about: readonly (string | number)[]): string =>
  [...Buffer.from(sha256(JSON.stringify([seed, ...about])), "hex").subarray(0, 8)].map((byte) => LETTERS[byte % LETTERS.length]).join("");

/** A number below the bound, of the same kind. */
export const drawBelow = (bound: number, seed: string, ...about: readonly (string | number)[]): number =>
  Number.parseInt(sha256(JSON.stringify([seed, ...about])).slice(0, 8), 16) % bound;

/** Every node from the top, in the order of the text; a visit that returns false is not followed by its children. */
export function visit(node: Span, see: (node: Span, parents: readonly Span[]) => false | undefined, parents: readonly Span[] = []): void {
  if (see(node, parents) === false) return;
  const below = [...parents, node];
  for (const child of node.children) visit(child, see, below);
}

export const fieldOf = (node: Span, name: string): Span | undefined => node.children.find(({ field }) => field === name);

export const namedOf = ({ children }: Span): readonly Span[] =>
  children.filter(({ isNamed, type }) => isNamed && !type.endsWith("comment"));

/** Comments and blank lines before some of the statements at the left margin, but never before the first: heads of files may be read by tools. */
export function shiftLines({ root, text, word, seed }: TwinOrder, comment: string): readonly Turn[] {
  const statements = root.children.filter(({ start, isNamed }) => isNamed && text[start - 1] === "\n" && start > 0).slice(1);
  return statements.flatMap(({ start }, index) =>
    index === 0 || drawBelow(3, seed, word, "shift", index) === 0
      ? [{ start, end: start, text: `${"\n".repeat(drawBelow(3, seed, word, "lines", index))}${comment} ${drawWord(seed, word, index)}\n` }]
      : [],
  );
}
