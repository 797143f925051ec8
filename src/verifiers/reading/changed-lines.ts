// Which lines two versions of a text do not share.

export interface LineChanges {
  /** Numbers, from 1, of lines that only the new version has. */
  readonly added: readonly number[];
  readonly removed: number;
}

/** Where an exact answer would take too long, everything between the first and the last difference counts as changed. */
export function changedLines(before: string, after: string): LineChanges {
  const old = linesOf(before);
  const now = linesOf(after);
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const kept = sharedLines(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  const middle = Array.from({ length: now.length - tail - head }, (_, index) => index);
  return {
    added: middle.filter((index) => !kept.has(index)).map((index) => head + index + 1),
    removed: old.length - tail - head - kept.size,
  };
}

/** A last line without a line break is another line than one with it. */
export const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const MOST_PAIRS = 4_000_000;

/** Indices of the lines of `now` in a longest sequence that both have. */
function sharedLines(old: readonly string[], now: readonly string[]): ReadonlySet<number> {
  if (old.length * now.length > MOST_PAIRS) return new Set();
  const width = now.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      longest[i * width + j] =
        old[i] === now[j] ? longest[(i + 1) * width + j + 1]! + 1 : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);

  const shared = new Set<number>();
  for (let i = 0, j = 0; i < old.length && j < now.length; ) {
    if (old[i] === now[j]) {
      shared.add(j);
      i += 1;
      j += 1;
    } else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return shared;
}
