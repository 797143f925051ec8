// All lexicons in one tree of letters, with the disguises of every word, so that one walk over a text finds every concept.
import { rot13 } from "./confusables.ts";
import { fold } from "./fold.ts";
import { CONCEPTS, type Concept, type Lexicon } from "./lexicon/concept.ts";
import { lexicons } from "./lexicon/index.ts";
import { phraseSteps, type Step } from "./phrase-steps.ts";

/** A concept as it is kept: its place in the list. */
export function indexOf(concept: Concept): number {
  return CONCEPTS.indexOf(concept);
}

export type How = "plain" | "hidden" | "decoded";

export interface Word {
  /** Indices into CONCEPTS. */
  readonly concepts: Set<number>;
  readonly how: How;
  /** Phrases that begin with this word. */
  readonly phrases: Step<Word>[];
  /** The, a, der, la: a phrase goes on behind it. */
  isArticle: boolean;
}

export interface LetterNode {
  /** Most nodes have one child: its letter's code, and the child. */
  code: number;
  child: LetterNode | undefined;
  /** Further children, by their letters' codes. */
  others: Map<number, LetterNode> | undefined;
  word: Word | undefined;
  /** A word with any ending. */
  stem: Word | undefined;
}

export interface Vocabulary {
  readonly words: LetterNode;
  /** Terms of scripts that do not part words, letter by letter. */
  readonly terms: ReadonlyMap<number, readonly Step<number>[]>;
}

/** Only what an order is made of is looked for backwards and rotated. */
const DISGUISED: ReadonlySet<number> = new Set(
  (
    [
      "override",
      "prior",
      "told",
      "whole",
      "instruction",
      "rule",
      "safety",
      "setup",
      "reveal",
      "send",
      "secret",
      "conceal",
      "person",
      "become",
      "unrestricted",
    ] as const
  ).map(indexOf),
);
/** Shorter words would be found backwards or rotated by chance. */
const LEAST_DISGUISED = 5;
/** Words without meaning of their own that stand between the others when blanks are left out. */
const FILLERS = "the, and, to, of, a, an, in, with, that, this, is, are, be, for, on, it";
/** Scripts written without blanks, or with endings that are glued on. */
export const UNPARTED_RANGES = [
  [0x3040, 0x30ff],
  [0x3400, 0x9fff],
  [0xac00, 0xd7af],
  [0xf900, 0xfaff],
] as const;

/** One letter of such a script is enough: what it stands beside is looked for letter by letter as well. */
const isUnparted = (entry: string): boolean =>
  [...entry].some((letter) => UNPARTED_RANGES.some(([from, to]) => letter.charCodeAt(0) >= from && letter.charCodeAt(0) <= to));
const ARTICLES = "the, a, an, der, die, das, den, dem, le, la, les, l, el, los, las, o, os, as, ao";

function build(all: readonly Lexicon[]): Vocabulary {
  const words = emptyNode();
  const terms = new Map<number, Step<number>[]>();
  const entries: (readonly [entry: string, concept: number])[] = [];
  for (const [concept, list] of entriesOf(all))
    for (const entry of fold(list).split(",")) {
      const term = entry.trim();
      if (isUnparted(term)) addTerm(terms, phraseSteps(term.replaceAll(" ", ""), codesOf, concept));
      else entries.push([term, concept]);
    }
  for (const filler of partsOf(FILLERS)) addWord(words, filler, "plain");
  for (const article of partsOf(ARTICLES)) addWord(words, article, "plain").isArticle = true;
  const toWords = (text: string): readonly Word[] => partsOf(text).map((part) => addWord(words, part, "plain"));
  for (const [entry, concept] of entries) link(phraseSteps(entry, toWords, concept));
  inheritStems(words, undefined);
  // Last, so that a word which is also another's disguise stays what it is.
  for (const [entry, concept] of entries)
    if (DISGUISED.has(concept) && canBeDisguised(entry))
      for (const disguise of disguisesOf(partsOf(entry))) {
        const disguised = disguise.map((part) => addWord(words, part, "decoded"));
        if (!disguised.some(({ how }) => how === "decoded")) continue;
        link(phraseSteps(disguise.join(" "), () => disguised, concept));
        // Read backwards, the verb comes last.
        if (concept === indexOf("override")) link(phraseSteps(disguise.join(" "), () => disguised, indexOf("setaside")));
      }
  return { words, terms };
}

const partsOf = (text: string): readonly string[] => text.split(/[^\p{L}\p{N}*]+/u).filter(Boolean);
const codesOf = (text: string): readonly number[] => Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));

const entriesOf = (all: readonly Lexicon[]): readonly (readonly [concept: number, list: string])[] =>
  all.flatMap((lexicon) => CONCEPTS.flatMap((concept, index) => (lexicon[concept] ? [[index, lexicon[concept]] as const] : [])));

const canBeDisguised = (entry: string): boolean => /^[a-z ]+$/.test(entry) && partsOf(entry).some((part) => part.length >= LEAST_DISGUISED);

const disguisesOf = (parts: readonly string[]): readonly (readonly string[])[] => [
  parts.map(rot13),
  parts.map((part) => [...part].reverse().join("")).reverse(),
];

function link(starts: readonly Step<Word>[]): void {
  for (const start of starts) {
    if (start.kind === "end") continue;
    for (const step of start.then) {
      if (step.kind === "end") start.token.concepts.add(step.concept);
      else start.token.phrases.push(step);
    }
  }
}

function addTerm(terms: Map<number, Step<number>[]>, starts: readonly Step<number>[]): void {
  for (const start of starts) {
    if (start.kind === "end") continue;
    const there = terms.get(start.token) ?? [];
    terms.set(start.token, there);
    there.push(...start.then);
  }
}

function addWord(root: LetterNode, letters: string, how: How): Word {
  const isStem = letters.endsWith("*");
  let node = root;
  for (const letter of isStem ? letters.slice(0, -1) : letters) {
    const code = letter.charCodeAt(0);
    node = nextNode(node, code) ?? addNode(node, code);
  }
  const there = isStem ? node.stem : node.word;
  const word: Word = there ?? { concepts: new Set(), how, phrases: [], isArticle: false };
  if (isStem) node.stem = word;
  else node.word = word;
  return word;
}

/** A word that is spelt out means also what its stem means. */
function inheritStems(node: LetterNode, stem: Word | undefined): void {
  const own = node.stem ?? stem;
  if (node.word?.how === "plain" && own) for (const concept of own.concepts) node.word.concepts.add(concept);
  if (node.child) inheritStems(node.child, own);
  for (const next of node.others?.values() ?? []) inheritStems(next, own);
}

const emptyNode = (): LetterNode => ({ code: -1, child: undefined, others: undefined, word: undefined, stem: undefined });

function addNode(parent: LetterNode, code: number): LetterNode {
  const node = emptyNode();
  if (parent.child) {
    parent.others ??= new Map();
    parent.others.set(code, node);
  } else {
    parent.code = code;
    parent.child = node;
  }
  return node;
}

export const nextNode = (node: LetterNode, code: number): LetterNode | undefined =>
  node.code === code ? node.child : node.others?.get(code);

let built: Vocabulary | undefined;
/** Built when it is first asked for: most commands never read a stranger's text. */
export function vocabulary(): Vocabulary {
  built ??= build(lexicons);
  return built;
}
