// All lexicons in one tree of letters, with the disguises of every word, so that one walk over a text finds every concept.
import { rot13 } from "./confusables.ts";
import { fold } from "./fold.ts";
import { CONCEPTS, type Concept, type Lexicon } from "./lexicon/concept.ts";
import { lexicons } from "./lexicon/index.ts";

/** A concept as it is kept: its place in the list. */
export function indexOf(concept: Concept): number {
  return CONCEPTS.indexOf(concept);
}

export type How = "plain" | "hidden" | "decoded";

export interface Word {
  /** Indices into CONCEPTS. */
  readonly concepts: Set<number>;
  readonly how: How;
  /** Phrases that begin with this word: by the next word. */
  readonly phrases: Map<Word, Phrase>;
}

export interface Phrase {
  readonly concepts: Set<number>;
  readonly next: Map<Word, Phrase>;
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
  /** Terms of scripts that do not part words, by their first letter. */
  readonly terms: Map<number, readonly Term[]>;
}

export interface Term {
  readonly letters: string;
  readonly concepts: Set<number>;
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

const isUnparted = (code: number): boolean => UNPARTED_RANGES.some(([from, to]) => code >= from && code <= to);

function build(all: readonly Lexicon[]): Vocabulary {
  const words = emptyNode();
  const terms = new Map<number, Term[]>();
  const phrases: (readonly [parts: readonly string[], concept: number | undefined])[] = [];
  for (const [concept, list] of entriesOf(all))
    for (const entry of fold(list).split(",")) {
      const term = entry.trim();
      if (isUnparted(term.charCodeAt(0))) addTerm(terms, term.replaceAll(" ", ""), concept);
      else phrases.push([term.split(/[^\p{L}\p{N}*]+/u).filter(Boolean), concept]);
    }
  for (const [parts, concept] of phrases) link(addWords(words, parts, "plain"), concept);
  inheritStems(words, undefined);
  // Last, so that a word which is also another's disguise stays what it is.
  for (const [parts, concept] of phrases)
    if (concept !== undefined && DISGUISED.has(concept) && canBeDisguised(parts))
      for (const disguise of disguisesOf(parts)) {
        const disguised = addWords(words, disguise, "decoded");
        if (!disguised.some(({ how }) => how === "decoded")) continue;
        link(disguised, concept);
        // Read backwards, the verb comes last.
        if (concept === indexOf("override")) link(disguised, indexOf("setaside"));
      }
  return { words, terms };
}

const entriesOf = (all: readonly Lexicon[]): readonly (readonly [concept: number | undefined, list: string])[] => [
  ...all.flatMap((lexicon) => CONCEPTS.flatMap((concept, index) => (lexicon[concept] ? [[index, lexicon[concept]] as const] : []))),
  [undefined, FILLERS],
];

const canBeDisguised = (parts: readonly string[]): boolean =>
  parts.every((part) => /^[a-z]+$/.test(part)) && parts.some((part) => part.length >= LEAST_DISGUISED);

const disguisesOf = (parts: readonly string[]): readonly (readonly string[])[] => [
  parts.map(rot13),
  parts.map((part) => [...part].reverse().join("")).reverse(),
];

const addWords = (root: LetterNode, parts: readonly string[], how: How): readonly Word[] => parts.map((part) => addWord(root, part, how));

function link(words: readonly Word[], concept: number | undefined): void {
  if (concept === undefined) return;
  if (words.length === 1) {
    words[0]!.concepts.add(concept);
    return;
  }
  let next = words[0]!.phrases;
  words.slice(1).forEach((word, index) => {
    const phrase = next.get(word) ?? { concepts: new Set(), next: new Map() };
    next.set(word, phrase);
    if (index === words.length - 2) phrase.concepts.add(concept);
    next = phrase.next;
  });
}

function addWord(root: LetterNode, letters: string, how: How): Word {
  const isStem = letters.endsWith("*");
  let node = root;
  for (const letter of isStem ? letters.slice(0, -1) : letters) {
    const code = letter.charCodeAt(0);
    node = nextNode(node, code) ?? addNode(node, code);
  }
  const there = isStem ? node.stem : node.word;
  const word: Word = there ?? { concepts: new Set(), how, phrases: new Map() };
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

function addTerm(terms: Map<number, Term[]>, letters: string, concept: number | undefined): void {
  const first = letters.charCodeAt(0);
  const list = terms.get(first) ?? [];
  terms.set(first, list);
  const there = list.find((term) => term.letters === letters);
  if (there && concept !== undefined) there.concepts.add(concept);
  if (!there) list.push({ letters, concepts: new Set(concept === undefined ? [] : [concept]) });
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
