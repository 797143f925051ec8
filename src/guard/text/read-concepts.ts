// One walk over a folded text: which concepts stand where. Distances are in words; the end of a sentence counts as some words more.
import { asLatin, withoutLeet } from "./confusables.ts";
import { CONCEPTS } from "./lexicon/concept.ts";
import { type Step, stepsBehind } from "./phrase-steps.ts";
import { type How, indexOf, type LetterNode, nextNode, UNPARTED_RANGES, vocabulary, type Word } from "./vocabulary.ts";

export interface Sighting {
  /** Where it stands, in words from the start. */
  readonly place: number;
  readonly start: number;
  readonly end: number;
  readonly how: How;
}

/** By concept, in the order of the text. */
export type Sightings = readonly (readonly Sighting[])[];

export interface Reading {
  readonly sightings: Sightings;
  /** About how many words stand before this letter. */
  readonly placeOf: (offset: number) => number;
}

/** Every so many letters the place is noted down. */
const STRIDE = 64;

const SENTENCE_ENDS = 3;
const PARAGRAPH_ENDS = 4;
const MOST_JOINED = 40;
const LEAST_GLUED = 16;
const MOST_GLUED = 160;
/** Names in code fall apart into short pieces by chance. */
const LEAST_MEAN = 5.5;
/** Orders that mean the opposite when they are denied. */
const DENIABLE = new Set(
  (["override", "send", "mail", "reveal", "shape", "fetch", "act", "disable", "drastic", "feign", "keep", "unasked"] as const).map(indexOf),
);
const MAIL = indexOf("mail");
const INSTRUCTION = indexOf("instruction");
const SECRET = indexOf("secret");
const MAILBOX = indexOf("mailbox");
const DESTINATION = indexOf("destination");
const TOP_LEVEL = /^(?:com|org|net|io|xyz|ru|cn|dev|site|info|biz|online|top|app|cloud|club|link|click|example)$/;

export function readConcepts(text: string): Reading {
  const found: Sighting[][] = CONCEPTS.map(() => []);
  const known: Known[] = [];
  const places: number[] = [];
  let place = 0;
  let index = 0;
  while (index < text.length) {
    while (places.length <= index / STRIDE) places.push(place);
    const code = text.charCodeAt(index);
    const kind = kindOf(code);
    if (kind === LETTER || kind === DIGIT) {
      place++;
      const end = endOfWord(text, index);
      const reading = readWord(text, index, end);
      for (const { word, start, end } of reading.parts) known.push({ word, place, start, end, how: worse(word.how, reading.how) });
      if (reading.parts.length === 0 && known.at(-1)?.word !== GAP) known.push(gapAt(index));
      const spot: Sighting = { place, start: index, end: reading.end, how: "plain" };
      if (isDestination(text, index, reading.end)) found[DESTINATION]!.push(spot);
      if (isMailbox(text, reading.end)) found[MAILBOX]!.push(spot);
      index = Math.max(reading.end, index + 1);
      continue;
    }
    if (kind === UNPARTED_LETTER) {
      place += 0.5;
      addTerms(text, index, place, found);
    } else if (kind === STOP && kindOf(text.charCodeAt(index + 1)) === BLANK) place += SENTENCE_ENDS;
    else if (kind === WIDE_STOP) place += SENTENCE_ENDS;
    else if (code === 10 && isBlankLine(text, index + 1)) place += PARAGRAPH_ENDS;
    else if (code === 60) {
      const end = endOfTag(text, index);
      if (end > 0) index = end - 1;
    }
    index++;
  }
  addWords(text, known, found);
  return {
    sightings: found.map((sightings) => sightings.sort((a, b) => a.start - b.start)),
    placeOf: (offset) => places[Math.floor(offset / STRIDE)] ?? place,
  };
}

interface Known extends Sighting {
  readonly word: Word;
}

/** Stands for words that nobody knows, so that phrases do not reach across them. */
const GAP: Word = { concepts: new Set(), how: "plain", phrases: [], isArticle: false };
const gapAt = (start: number): Known => ({ word: GAP, place: 0, start, end: start, how: "plain" });

function addWords(text: string, known: readonly Known[], found: Sighting[][]): void {
  known.forEach(({ word, place, start, end, how }, index) => {
    for (const concept of word.concepts) if (isMeant(concept, text, start, end)) found[concept]!.push({ place, start, end, how });
    let steps: readonly Step<Word>[] = word.phrases;
    let howAll = how;
    for (let at = index + 1; steps.length > 0 && at < known.length; at++) {
      const follower = known[at]!;
      const next = stepsBehind(steps, follower.word);
      if (!next && follower.word.isArticle && !known[at - 1]!.word.isArticle) continue;
      if (!next) return;
      howAll = worse(howAll, follower.how);
      for (const step of next)
        if (step.kind === "end" && isMeant(step.concept, text, start, follower.end))
          found[step.concept]!.push({ place, start, end: follower.end, how: howAll });
      steps = next;
    }
  });
}

function isMeant(concept: number, text: string, start: number, end: number): boolean {
  if (concept === MAIL && !isVerb(text, end)) return false;
  if (concept === INSTRUCTION && isOfMachine(text, start, end)) return false;
  if (concept === SECRET && text.startsWith("env", start) && end - start === 3 && !isFileName(text, start)) return false;
  const before = text[start - 2]; // not, never, n't, to: most words are not behind one of these
  if (before !== "t" && before !== "r" && before !== "o") return true;
  return !DENIABLE.has(concept) || !DENIED.test(text.slice(Math.max(0, start - 12), start));
}

/** The instructions of a processor: "instruction cache", "bytecode instructions". */
const isOfMachine = (text: string, start: number, end: number): boolean =>
  MACHINE_PART.test(text.slice(end, end + 16)) || MACHINE.test(text.slice(Math.max(0, start - 12), start));
const MACHINE_PART =
  /^[ -](?:cache|set\b|sets\b|decod|pipeline|pointer|prefetch|counter|count\b|stream|select|schedul|buffer|fetch|level|memory|encod|format|operand|opcode|trace|tun|window|queue|emulat|simulat|mnemonic|template)/;
const MACHINE = /(?:cpu|machine|asm|assembly|bytecode|simd|llvm|jump|branch|load|store|vector|wasm|opcode) $/;

/** `.env` is a file; the variables of a process are not. */
const isFileName = (text: string, start: number): boolean => text[start - 1] === "." && !/[\p{L}\p{N})\]]/u.test(text[start - 2] ?? " ");

/** "Do not ignore" asks for the opposite. */
const DENIED = /(?:\bnot|\bnever|n't|\bcannot)(?: to)?\s$/;

/** `"email":` and `email address` are things; `email them` is an order. */
const isVerb = (text: string, end: number): boolean => !/["'=:`_\]-]/.test(text[end] ?? "") && !text.startsWith(" address", end);

interface Part {
  readonly word: Word;
  readonly start: number;
  readonly end: number;
}

interface WordReading {
  readonly parts: readonly Part[];
  readonly end: number;
  readonly how: How;
}

function readWord(text: string, start: number, end: number): WordReading {
  const spelt = end - start === 1 ? readJoined(text, start, end) : undefined;
  if (spelt) return spelt;
  const plain = lookUp(text, start, end);
  if (plain) return { parts: [{ word: plain, start, end }], end, how: "plain" };
  const joined = readJoined(text, start, end);
  if (joined) return joined;
  const disguised = readDisguised(text, start, end);
  if (disguised) return disguised;
  return { parts: end - start >= LEAST_GLUED && end - start <= MOST_GLUED ? readGlued(text, start, end) : [], end, how: "hidden" };
}

function lookUp(text: string, start: number, end: number): Word | undefined {
  let node: LetterNode = vocabulary().words;
  let stem: Word | undefined;
  for (let index = start; index < end; index++) {
    const next = nextNode(node, text.charCodeAt(index));
    if (!next) return stem;
    node = next;
    stem = node.stem ?? stem;
  }
  return node.word ?? stem;
}

/** A word with something inside: `ig-nore`, `ig**nore**`, `i g n o r e`. */
function readJoined(text: string, start: number, end: number): WordReading | undefined {
  let node: LetterNode | undefined = vocabulary().words;
  let best: WordReading | undefined;
  let index = start;
  let partEnd = end;
  const isSpelt = end - start === 1;
  while (index - start < MOST_JOINED) {
    for (; index < partEnd; index++) {
      node = nextNode(node, text.charCodeAt(index));
      if (!node) return best;
    }
    if (node.word && node.word.concepts.size > 0 && partEnd > end)
      best = { parts: [{ word: node.word, start, end: partEnd }], end: partEnd, how: "hidden" };
    const after = afterJoint(text, partEnd, isSpelt);
    if (after === undefined) return best;
    index = after;
    partEnd = endOfWord(text, index);
    if (isSpelt && partEnd - index !== 1) return best;
  }
  return best;
}

/** Where the word goes on behind a hyphen, a mark, a tag or, for words spelt letter by letter, a blank. */
function afterJoint(text: string, at: number, isSpelt: boolean): number | undefined {
  let index = at;
  const most = at + 12;
  while (index < most && index < text.length) {
    const code = text.charCodeAt(index);
    const kind = kindOf(code);
    if (kind === LETTER || kind === DIGIT) return index > at ? index : undefined;
    if (code === 60) {
      const end = endOfTag(text, index);
      if (end === 0) return undefined;
      index = end;
      continue;
    }
    const isMark = code === 42 || code === 95 || code === 126 || code === 96 || code === 45 || code === 183;
    const isBreak = code === 10 && text.charCodeAt(index - 1) === 45;
    if (!isMark && !isBreak && !(isSpelt && index === at && (code === 32 || code === 46 || code === 44 || code === 47))) return undefined;
    index++;
  }
  return undefined;
}

/** A word with signs or strange letters in the place of its own. */
function readDisguised(text: string, start: number, end: number): WordReading | undefined {
  const reach = endOfSigns(text, end);
  const letters = text.slice(start, reach);
  if (letters.length < 3 || letters.length > MOST_JOINED) return undefined;
  const readings = NOT_ASCII.test(letters)
    ? [asLatin(letters)]
    : /[^a-z]/.test(letters) && /[a-z]/.test(letters)
      ? withoutLeet(letters)
      : [];
  for (const reading of readings) {
    const word = reading === undefined ? undefined : lookUp(reading, 0, reading.length);
    if (word && word.concepts.size > 0) return { parts: [{ word, start, end: reach }], end: reach, how: "hidden" };
  }
  return undefined;
}
const NOT_ASCII = /[^\0-\x7f]/;

function endOfSigns(text: string, end: number): number {
  let reach = end;
  while (/[@$!|+€]/.test(text[reach] ?? "") && kindOf(text.charCodeAt(reach + 1)) === LETTER) reach = endOfWord(text, reach + 1);
  return reach;
}

/** Words without blanks between them: all of it must be words that we know, and as few of them as can be. */
function readGlued(text: string, start: number, end: number): readonly Part[] {
  if (!beginsWithWord(text, start, end)) return [];
  const fewest: (readonly Part[] | undefined)[] = [];
  fewest[end - start] = [];
  for (let from = end - 1; from >= start; from--) {
    let node: LetterNode | undefined = vocabulary().words;
    for (let index = from; index < end; index++) {
      node = nextNode(node, text.charCodeAt(index));
      if (!node) break;
      const rest = fewest[index + 1 - start];
      if (!node.word || !rest || rest.length + 1 >= (fewest[from - start]?.length ?? Infinity)) continue;
      fewest[from - start] = [{ word: node.word, start: from, end: index + 1 }, ...rest];
    }
  }
  const parts = fewest[0] ?? [];
  return parts.length >= 3 && (end - start) / parts.length >= LEAST_MEAN ? parts : [];
}

/** Most long words begin with none of ours. */
function beginsWithWord(text: string, start: number, end: number): boolean {
  let node: LetterNode | undefined = vocabulary().words;
  for (let index = start; index < end; index++) {
    node = nextNode(node, text.charCodeAt(index));
    if (!node) return false;
    if (node.word) return true;
  }
  return false;
}

/** Every term that begins at this letter. One blank or break may stand between any two letters. */
function addTerms(text: string, start: number, place: number, found: Sighting[][]): void {
  let steps = vocabulary().terms.get(text.charCodeAt(start));
  let index = start + 1;
  // One syllable of Korean inside a word means nothing.
  let isPart = isHangul(text.charCodeAt(start)) && isHangul(text.charCodeAt(start - 1));
  while (steps) {
    if (!isPart) for (const step of steps) if (step.kind === "end") found[step.concept]!.push({ place, start, end: index, how: "plain" });
    isPart = false;
    const code = text.charCodeAt(index);
    const isBlank = code === 32 || code === 10;
    steps = stepsBehind(steps, isBlank ? text.charCodeAt(index + 1) : code);
    index += isBlank ? 2 : 1;
  }
}
const isHangul = (code: number): boolean => code >= 0xac00 && code <= 0xd7af;

/** A link, an address or the name of a host. */
function isDestination(text: string, start: number, end: number): boolean {
  const next = text[end];
  if (text[start - 1] === "(" && text[start - 2] === "]") return false; // where a link of Markdown goes
  if (next === ":" && text.startsWith("://", end)) return text.startsWith("http", start) || text.startsWith("ftp", start);
  if (isMailbox(text, end)) return true;
  if (next !== "." || kindOf(text.charCodeAt(end + 1)) !== LETTER) return false;
  return TOP_LEVEL.test(text.slice(end + 1, endOfWord(text, end + 1)));
}

const isMailbox = (text: string, end: number): boolean =>
  text[end] === "@" && kindOf(text.charCodeAt(end + 1)) === LETTER && text.slice(end + 1, end + 60).includes(".");

/** The end of a tag without anything in it but its name; 0 where there is none. */
function endOfTag(text: string, start: number): number {
  let index = start + 1;
  if (text[index] === "/") index++;
  if (kindOf(text.charCodeAt(index)) !== LETTER) return 0;
  const most = index + 12;
  while (index < most && /[a-z0-9]/.test(text[index] ?? "")) index++;
  while (text[index] === " " && index < most) index++;
  if (text[index] === "/") index++;
  return text[index] === ">" ? index + 1 : 0;
}

function isBlankLine(text: string, start: number): boolean {
  let index = start;
  while (text[index] === " " || text[index] === "\t" || text[index] === "\r") {
    if (index - start > 40) return false;
    index++;
  }
  return text[index] === "\n";
}

function endOfWord(text: string, start: number): number {
  let index = start;
  while (index < text.length) {
    const kind = kindOf(text.charCodeAt(index));
    if (kind !== LETTER && kind !== DIGIT) break;
    index++;
  }
  return index;
}

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
const UNPARTED_LETTER = 3;
const STOP = 4;
const WIDE_STOP = 5;
const BLANK = 6;
const KINDS = kindsOfCodes();

const kindOf = (code: number): number => KINDS[code] ?? BLANK;

function kindsOfCodes(): Uint8Array {
  const kinds = new Uint8Array(0x10000);
  const set = (from: number, to: number, kind: number) => kinds.fill(kind, from, to + 1);
  set(0x61, 0x7a, LETTER);
  set(0x41, 0x5a, LETTER);
  set(0x30, 0x39, DIGIT);
  set(0xc0, 0x2af, LETTER);
  set(0x370, 0x1fff, LETTER);
  set(0x2c00, 0x2dff, LETTER);
  set(0xa640, 0xabff, LETTER);
  for (const [from, to] of UNPARTED_RANGES) set(from, to, UNPARTED_LETTER);
  for (const code of [0xd7, 0xf7, 0x37e, 0x387, 0x589, 0x5be, 0x60c, 0x61b, 0x61f, 0x6d4]) kinds[code] = OTHER;
  for (const stop of ".!?;") kinds[stop.charCodeAt(0)] = STOP;
  for (const stop of "。！？") kinds[stop.charCodeAt(0)] = WIDE_STOP;
  for (const blank of " \n\r\t\"'") kinds[blank.charCodeAt(0)] = BLANK;
  return kinds;
}

const RANK: { readonly [how in How]: number } = { plain: 0, hidden: 1, decoded: 2 };
export const worse = (one: How, other: How): How => (RANK[one] >= RANK[other] ? one : other);
