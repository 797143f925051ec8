// Which words of a changed line differ from the line that it took the place of.

export interface Range {
  readonly from: number;
  readonly to: number;
}

const WORDS = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;
/** Beyond this many words, comparing all with all takes too long for what it shows. */
const MOST_WORDS = 160;
/** Lines that share less than this are other lines, and emphasis would only be noise. */
const LEAST_ALIKE = 0.35;

/** The ranges of `text` that are not in `other`, joined where only blanks are between them. */
export function emphasisOf(text: string, other: string): readonly Range[] {
  if (text === other) return [];
  const [mine, theirs] = [wordsOf(text), wordsOf(other)];
  if (mine.length > MOST_WORDS || theirs.length > MOST_WORDS) return [];
  const kept = commonWords(mine, theirs);
  const alike = mine.reduce((sum, word, index) => sum + (kept.has(index) ? word.text.trim().length : 0), 0);
  if (alike < LEAST_ALIKE * Math.max(text.trim().length, other.trim().length)) return [];
  const ranges: Range[] = [];
  for (const [index, word] of mine.entries()) {
    if (kept.has(index) || word.text.trim() === "") continue;
    const to = word.from + word.text.length;
    const last = ranges.at(-1);
    if (last && text.slice(last.to, word.from).trim() === "") ranges[ranges.length - 1] = { from: last.from, to };
    else ranges.push({ from: word.from, to });
  }
  return ranges;
}

interface Word {
  readonly text: string;
  readonly from: number;
}

const wordsOf = (text: string): readonly Word[] => [...text.matchAll(WORDS)].map((match) => ({ text: match[0], from: match.index }));

/** The indexes of my words in the longest sequence that both have. */
function commonWords(mine: readonly Word[], theirs: readonly Word[]): ReadonlySet<number> {
  const width = theirs.length + 1;
  const longest = new Uint16Array((mine.length + 1) * width);
  const at = (row: number, column: number): number => longest[row * width + column] ?? 0;
  for (let row = mine.length - 1; row >= 0; row--)
    for (let column = theirs.length - 1; column >= 0; column--)
      longest[row * width + column] =
        mine[row]?.text === theirs[column]?.text ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const kept = new Set<number>();
  let [row, column] = [0, 0];
  while (row < mine.length && column < theirs.length) {
    if (mine[row]?.text === theirs[column]?.text) {
      kept.add(row);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return kept;
}
