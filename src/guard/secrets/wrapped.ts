// Text as it was before somebody broke its lines, with the way back to the places in the broken text.

/** A line break with what wrapping puts around it: a backslash before, and after it indentation, a quote or a mark of a diff. */
const BREAK = /\\?\r?\n[ \t]{0,40}(?:[+>|-][ \t]{0,8})?/g;
/** The same where the line goes on with such a mark of its own. */
const BARE_BREAK = /\\?\r?\n[ \t]{0,40}/g;

export interface Unwrapped {
  readonly text: string;
  /** Where a place of the unwrapped text is in the wrapped one. */
  readonly placeOf: (at: number) => number;
  /** How many breaks lie between two places of the unwrapped text. */
  readonly breaksWithin: (start: number, end: number) => number;
}

/** Nothing when there is no break in it. */
export const unwrap = (text: string): Unwrapped | undefined => unwrapBy(BREAK, text);
export const unwrapKeepingMarks = (text: string): Unwrapped | undefined => unwrapBy(BARE_BREAK, text);

function unwrapBy(pattern: RegExp, text: string): Unwrapped | undefined {
  if (!text.includes("\n")) return undefined;
  const cuts: { readonly at: number; readonly shift: number }[] = [];
  let shift = 0;
  const joined = text.replace(pattern, (found, at: number) => {
    cuts.push({ at: at - shift, shift: shift + found.length });
    shift += found.length;
    return "";
  });
  return {
    text: joined,
    placeOf: (at) => at + shiftAt(cuts, at),
    breaksWithin: (start, end) => countWithin(cuts, start, end),
  };
}

type Cuts = readonly { readonly at: number; readonly shift: number }[];

/** What was taken out before this place, a break right at it included. */
function shiftAt(cuts: Cuts, at: number): number {
  const index = upTo(cuts, at);
  return index === 0 ? 0 : cuts[index - 1]!.shift;
}

const countWithin = (cuts: Cuts, start: number, end: number): number => upTo(cuts, end - 1) - upTo(cuts, start);

/** How many cuts lie at or before a place. */
function upTo(cuts: Cuts, at: number): number {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cuts[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
