// Marks beside the journal: the numbers and hashes of its newest records, so that an end that was cut off is missed.
// A mark is written after its record was committed, and so is never ahead of the journal unless the journal was damaged.
import { sha256 } from "../std/hash.ts";

export interface Mark {
  readonly seq: number;
  readonly hash: string;
}

/** It carries its own check: a mark torn by a power cut must not pass for a true one. */
export const writeMark = ({ seq, hash }: Mark): string => `${seq} ${hash} ${checkOf(seq, hash)}`;

/** Of a few dozen marks one is new each time: what the others say is known already. */
const known = new Map<string, readonly Mark[]>();
const MOST_KNOWN = 256;

/** Whether one of them may be of a later record. */
export const marksBeyond = (texts: readonly string[], seq: number): boolean => texts.some((text) => Number.parseInt(text, 10) > seq);

/** So many are kept, the newest in the place of the oldest. */
export const MARKS = 32;
/** One append may be on record before its mark is written: whoever died then left a journal without any. */
const MOST_UNMARKED = 16;

/** Whether they do not tell how far the journal went: one is not what was written, or all are gone. A mark is never torn: it lies within one sector. */
export const marksInDoubt = (texts: readonly string[], top: number): boolean => {
  const written = texts.filter((text) => text !== "");
  const expected = top > MARKS + MOST_UNMARKED ? MARKS - MOST_UNMARKED : top > MOST_UNMARKED ? 1 : 0;
  return top > 0 && (written.length < expected || written.some((text) => readKnown(text).length === 0));
};

/** The true ones among them, oldest first. */
export function readMarks(texts: readonly string[]): readonly Mark[] {
  return texts.flatMap(readKnown).toSorted((a, b) => a.seq - b.seq);
}

function readKnown(text: string): readonly Mark[] {
  const before = known.get(text);
  if (before) return before;
  const read = readMark(text);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, read);
  return read;
}

function readMark(text: string): readonly Mark[] {
  const parts = /^(\d{1,15}) ([0-9a-f]{64}) ([0-9a-f]{16})$/.exec(text);
  if (!parts) return [];
  const mark = { seq: Number(parts[1]), hash: parts[2]! };
  return checkOf(mark.seq, mark.hash) === parts[3] ? [mark] : [];
}

const checkOf = (seq: number, hash: string): string => sha256(`${seq} ${hash}`).slice(0, 16);
