// The hunks of one file in a diff, read by the counts in their headers: what a line looks like decides nothing.
import type { Hunk, Line } from "../../contract/change-set.ts";

export interface ReadHunk extends Hunk {
  readonly oldStart: number;
  readonly newStart: number;
}

/** What stopped the reading, and the line of the diff (from 0) where it did. */
export interface Trouble {
  readonly at: number;
  readonly why: string;
}

export interface HunksRead {
  readonly hunks: readonly ReadHunk[];
  /** The line that follows. */
  readonly next: number;
  readonly trouble: Trouble | undefined;
}

export const MOST_LINE_CHARS = 20_000;
const HEADER = /^@@ -(\d{1,12})(?:,(\d{1,12}))? \+(\d{1,12})(?:,(\d{1,12}))? @@/;

export const isHunkHeader = (line: string): boolean => HEADER.test(line);

export function readHunks(lines: readonly string[], from: number): HunksRead {
  const hunks: ReadHunk[] = [];
  let at = from;
  let oldEnd = 0;
  while (at < lines.length && lines[at]!.startsWith("@@")) {
    const header = HEADER.exec(lines[at]!);
    if (!header) return { hunks, next: at + 1, trouble: { at, why: "a hunk header cannot be read" } };
    const shape = {
      oldStart: Number(header[1]),
      oldCount: Number(header[2] ?? 1),
      newStart: Number(header[3]),
      newCount: Number(header[4] ?? 1),
    };
    const overlaps = shape.oldCount > 0 && shape.oldStart < oldEnd;
    const { lines: read, next, trouble } = readHunk(lines, at + 1, shape);
    hunks.push({ lines: read, oldStart: shape.oldStart, newStart: shape.newStart });
    if (trouble) return { hunks, next, trouble };
    if (overlaps) return { hunks, next, trouble: { at, why: "a hunk begins before the one above it ends" } };
    oldEnd = shape.oldStart + shape.oldCount;
    at = next;
  }
  return { hunks, next: at, trouble: undefined };
}

interface Shape {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

function readHunk(
  lines: readonly string[],
  from: number,
  shape: Shape,
): { readonly lines: readonly Line[]; readonly next: number; readonly trouble: Trouble | undefined } {
  const read: Line[] = [];
  let at = from;
  // A side without lines is placed by the line it follows.
  let old = shape.oldCount === 0 ? shape.oldStart + 1 : shape.oldStart;
  let now = shape.newCount === 0 ? shape.newStart + 1 : shape.newStart;
  let oldLeft = shape.oldCount;
  let newLeft = shape.newCount;
  while (oldLeft > 0 || newLeft > 0) {
    const line = lines[at];
    if (line === undefined) return { lines: read, next: at, trouble: { at: at - 1, why: "the diff ends inside a hunk" } };
    if (line.startsWith("\\")) {
      at += 1;
      continue;
    }
    const kind = kindOf(line);
    const fits = kind && (kind === "added" || oldLeft > 0) && (kind === "removed" || newLeft > 0);
    if (!fits) return { lines: read, next: at, trouble: { at, why: "a hunk has other lines than its header counts" } };
    read.push({ kind, text: contentOf(line), before: old, after: now });
    if (kind !== "added") {
      old += 1;
      oldLeft -= 1;
    }
    if (kind !== "removed") {
      now += 1;
      newLeft -= 1;
    }
    at += 1;
  }
  if (lines[at]?.startsWith("\\")) at += 1;
  return { lines: read, next: at, trouble: undefined };
}

function kindOf(line: string): Line["kind"] | undefined {
  switch (line[0]) {
    case "+":
      return "added";
    case "-":
      return "removed";
    case " ":
      return "same";
    // Mail and editors cut blanks at the end of lines, so an empty line of context may have lost its only character.
    case undefined:
    case "\r":
      return line.length <= 1 ? "same" : undefined;
    default:
      return undefined;
  }
}

function contentOf(line: string): string {
  const end = line.endsWith("\r") ? line.length - 1 : line.length;
  return line.slice(1, Math.min(end, MOST_LINE_CHARS + 1));
}
