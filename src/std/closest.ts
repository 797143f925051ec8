// The known word that a mistyped one most likely meant.

/** Undefined when nothing is near: a wrong guess helps less than none. Upper and lower case count as the same. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: editsWithin(word.toLowerCase(), candidate.toLowerCase(), mostEdits(word, candidate)) }))
    .filter(({ edits }) => edits !== undefined);
  return ranked.sort((a, b) => (a.edits ?? 0) - (b.edits ?? 0))[0]?.candidate;
}

/** One edit for every three letters, and three at most. */
const mostEdits = (a: string, b: string): number => Math.min(3, Math.floor(Math.max(a.length, b.length) / 3));

/** Damerau-Levenshtein distance (neighbours may be swapped, each letter once); undefined when it is above the limit. */
function editsWithin(a: string, b: string, limit: number): number | undefined {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > limit || a.length > LONGEST) return undefined;
  const edits = lastRow(a, b).at(-1) ?? 0;
  return edits <= limit ? edits : undefined;
}

/** Words longer than this are not mistyped, they are something else. */
const LONGEST = 100;

function lastRow(a: string, b: string): readonly number[] {
  let beforeThat: readonly number[] = [];
  let before: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = at(before, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(beforeThat, j - 2) + 1 : changed;
      row.push(Math.min(at(before, j) + 1, at(row, j - 1) + 1, changed, swapped));
    }
    beforeThat = before;
    before = row;
  }
  return before;
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY;
