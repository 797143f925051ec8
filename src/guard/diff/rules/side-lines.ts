// The lines of one side of a file that were looked at, each marked as changed or not.

import type { ChangedFile } from "../../../contract/change-set.ts";
import { piecesOf } from "../view.ts";

/** Beyond this a line is cut before any pattern reads it; `not-understood` says so where it matters. */
export const LONGEST_LINE = 2_000;

export interface SideLine {
  readonly text: string;
  readonly line: number;
  /** Whether the other side has no such line. */
  readonly isChanged: boolean;
}

/** One list for each piece of the side: lines of different pieces are not neighbours. */
export function sideLines(file: ChangedFile, side: "before" | "after"): readonly (readonly SideLine[])[] {
  const known = split[side].get(file) ?? splitSide(file, side);
  split[side].set(file, known);
  return known;
}

/** Several rules ask for the same lines: they are split once. */
const split = {
  before: new WeakMap<ChangedFile, readonly (readonly SideLine[])[]>(),
  after: new WeakMap<ChangedFile, readonly (readonly SideLine[])[]>(),
};

function splitSide(file: ChangedFile, side: "before" | "after"): readonly (readonly SideLine[])[] {
  const kind = side === "before" ? "removed" : "added";
  const changed = new Set(file.hunks.flatMap(({ lines }) => lines.filter((line) => line.kind === kind).map((line) => line[side])));
  return piecesOf(file, side).map((piece) =>
    piece.text.split(/\r\n|\n|\r/).map((text, index) => ({
      text: text.slice(0, LONGEST_LINE),
      line: piece.line + index,
      isChanged: changed.has(piece.line + index),
    })),
  );
}

/** How far a line is set in, tabs counting as one. */
export const indentOf = (text: string): number => text.length - text.trimStart().length;

/** Lines that go on with a backslash made one, changed where any of them is. */
export function joined(lines: readonly SideLine[]): readonly SideLine[] {
  const whole: SideLine[] = [];
  let isOpen = false;
  for (const next of lines) {
    const last = isOpen ? whole.pop() : undefined;
    whole.push(
      last
        ? {
            text: `${last.text.replace(/\\\s*$/, "")} ${next.text.trim()}`.slice(0, LONGEST_LINE),
            line: last.line,
            isChanged: last.isChanged || next.isChanged,
          }
        : next,
    );
    isOpen = /\\\s*$/.test(next.text);
  }
  return whole;
}
