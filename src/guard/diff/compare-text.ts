// Two whole texts to the lines that differ: Myers' way, bounded, with common ends cut off first.
import type { ChangedFile, Hunk, Line, Side } from "../../contract/change-set.ts";

const CONTEXT = 3;
/** Beyond so many differing lines the rest is taken as wholly replaced: slower would not be wiser. */
const MOST_EDITS = 2_000;

export interface TextPair {
  readonly path: string;
  readonly oldPath?: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly modes?: { readonly before?: string; readonly after?: string };
}

/** A changed file of which both sides are at hand. */
export function compareTexts({ path, oldPath, before, after, modes }: TextPair): ChangedFile {
  return {
    path,
    oldPath,
    before: sideOf(before, modes?.before),
    after: sideOf(after, modes?.after),
    hunks: hunksOf(linesOf(before ?? ""), linesOf(after ?? "")),
    scope: "whole",
  };
}

const sideOf = (text: string | undefined, mode = "100644"): Side | undefined =>
  text === undefined ? undefined : { mode, content: { kind: "text", pieces: [{ line: 1, text }] } };

/** Without line ends: a carriage return more or less is no difference. */
export function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function hunksOf(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  const lines = alignLines(before, after);
  const near = new Uint8Array(lines.length);
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== "same") near.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  }
  const hunks: Line[][] = [];
  for (const [index, line] of lines.entries()) {
    if (near[index] === 0) continue;
    if (index === 0 || near[index - 1] === 0) hunks.push([]);
    hunks.at(-1)!.push(line);
  }
  return hunks.map((of) => ({ lines: of }));
}

/** Every line of both sides in order, each once where it is on both. */
export function alignLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const number = numberer();
  const middle = editScript(before.slice(head, before.length - tail).map(number), after.slice(head, after.length - tail).map(number));
  const kinds = [...Array<Line["kind"]>(head).fill("same"), ...middle, ...Array<Line["kind"]>(tail).fill("same")];
  const lines: Line[] = [];
  let old = 0;
  let now = 0;
  for (const kind of kinds) {
    lines.push({ kind, text: kind === "added" ? after[now]! : before[old]!, before: old + 1, after: now + 1 });
    if (kind !== "added") old += 1;
    if (kind !== "removed") now += 1;
  }
  return lines;
}

/** The same number for the same line, so that lines are compared in one step each. */
function numberer(): (line: string) => number {
  const numbers = new Map<string, number>();
  return (line) => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
}

function editScript(before: readonly number[], after: readonly number[]): readonly Line["kind"][] {
  const replaced = (): readonly Line["kind"][] => [
    ...Array<Line["kind"]>(before.length).fill("removed"),
    ...Array<Line["kind"]>(after.length).fill("added"),
  ];
  if (before.length === 0 || after.length === 0) return replaced();
  const most = Math.min(before.length + after.length, MOST_EDITS);
  // reach[k + most]: how far along `before` the best path on diagonal k has come.
  const reach = new Int32Array(2 * most + 2);
  const trail: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    trail.push(reach.slice(most - edits, most + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const isDown = k === -edits || (k !== edits && reach[most + k - 1]! < reach[most + k + 1]!);
      let x = isDown ? reach[most + k + 1]! : reach[most + k - 1]! + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x += 1;
      reach[most + k] = x;
      if (x >= before.length && x - k >= after.length) return walkBack(trail, before.length, after.length);
    }
  }
  return replaced();
}

/** The kept states, from the last back to the first, tell which step was taken at each edit. */
function walkBack(trail: readonly Int32Array[], beforeCount: number, afterCount: number): readonly Line["kind"][] {
  const kinds: Line["kind"][] = [];
  let x = beforeCount;
  let y = afterCount;
  for (let edits = trail.length - 1; edits > 0; edits -= 1) {
    const reach = trail[edits]!;
    const at = (k: number): number => reach[k + edits]!;
    const k = x - y;
    const isDown = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
    const fromK = isDown ? k + 1 : k - 1;
    const fromX = at(fromK);
    const fromY = fromX - fromK;
    while (x > fromX && y > fromY && (isDown ? x > fromX : x > fromX + 1)) {
      kinds.push("same");
      x -= 1;
      y -= 1;
    }
    kinds.push(isDown ? "added" : "removed");
    x = fromX;
    y = fromY;
  }
  while (x > 0 && y > 0) {
    kinds.push("same");
    x -= 1;
    y -= 1;
  }
  return kinds.reverse();
}
