// Text as somebody sees it or a program reads it: lines put together again, without what does not show, escapes read. Each with the way
// back to the places of the text as it is.

/** A line break with what wrapping puts around it: a backslash before, and after it indentation, a quote or a mark of a diff. */
const BREAK = /\\?\r?\n[ \t]{0,40}(?:[+>|-][ \t]{0,8})?/g;
/** The same where the line goes on with such a mark of its own. */
const BARE_BREAK = /\\?\r?\n[ \t]{0,40}/g;

export interface View {
  readonly text: string;
  /** Where a place of the view is in the text. */
  readonly placeOf: (at: number) => number;
  /** Where the character at a place of the view ends in the text. */
  readonly endOf: (at: number) => number;
  /** How many changes lie between two places of the view. */
  readonly changesWithin: (start: number, end: number) => number;
}

/** Nothing when there is no break in it. */
export const unwrap = (text: string): View | undefined => (text.includes("\n") ? without(BREAK, text) : undefined);
export const unwrapKeepingMarks = (text: string): View | undefined => (text.includes("\n") ? without(BARE_BREAK, text) : undefined);

/** Colours and other orders to a terminal; what was struck over; characters without width or shape, also in bytes; NUL and its like, as in UTF-16. */
const HIDDEN = new RegExp(
  [
    String.raw`\x1b\[[0-?]{0,32}[ -/]{0,4}[@-~]`,
    String.raw`\x1b\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)`,
    String.raw`\x1b[@-Z\\^_]`,
    String.raw`[^\n\x08]\x08`,
    String.raw`\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf|\xef\xb8[\x80-\x8f]|\xc2\xad|\xcd\x8f|\xd8\x9c|\xe1\xa0[\x8b-\x8f]|\xe3\x85\xa4|\xf3\xa0[\x80\x81][\x80-\xbf]`,
    String.raw`\udb40[\udc00-\udc7f]`,
    String.raw`[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]+`,
  ].join("|"),
  "g",
);

/** One character or byte, written as an address, a program or markup writes it. */
const ESCAPE =
  /%([0-9A-Fa-f]{2})|\\{1,4}(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,5})\}|x([0-9A-Fa-f]{2})|([0-3][0-7]{2}))|&#x([0-9A-Fa-f]{1,5});|&#([0-9]{1,5});/g;
const MOST_CODE = 0xffff;

/** What is seen of a text that hides something: without what does not show, and with escapes read. Nothing when that is the text itself. */
export function seen(text: string): View | undefined {
  const shown = without(HIDDEN, text);
  const read = readingEscapes(shown?.text ?? text);
  return shown && read ? viewOfView(shown, read) : (shown ?? read);
}

const viewOfView = (first: View, second: View): View => ({
  text: second.text,
  placeOf: (at) => first.placeOf(second.placeOf(at)),
  endOf: (at) => first.endOf(second.endOf(at) - 1),
  changesWithin: (start, end) =>
    second.changesWithin(start, end) + first.changesWithin(second.placeOf(start), second.endOf(Math.max(start, end - 1))),
});

/** The text without these; nothing when none is there. */
function without(pattern: RegExp, text: string): View | undefined {
  const cuts: Cut[] = [];
  let shift = 0;
  const joined = text.replace(pattern, (found, ...more) => {
    const at = placeIn(more);
    cuts.push({ at: at - shift, shift: shift + found.length });
    shift += found.length;
    return "";
  });
  if (cuts.length === 0) return undefined;
  const placeOf = (at: number): number => at + shiftAt(cuts, at);
  return { text: joined, placeOf, endOf: (at) => placeOf(at) + 1, changesWithin: (start, end) => countWithin(cuts, start, end) };
}

function readingEscapes(text: string): View | undefined {
  if (!/[%\\&]/.test(text)) return undefined;
  const cuts: Cut[] = [];
  let shift = 0;
  const read = text.replace(ESCAPE, (found, ...more) => {
    const [percent, u, braced, x, octal, markup, decimal] = more;
    const hex = percent ?? u ?? braced ?? x ?? markup;
    const code = hex === undefined ? Number.parseInt(octal ?? decimal, octal === undefined ? 10 : 8) : Number.parseInt(hex, 16);
    if (code > MOST_CODE) return found;
    const at = placeIn(more) - shift;
    shift += found.length - 1;
    cuts.push({ at: at + 1, shift });
    return String.fromCharCode(code);
  });
  if (cuts.length === 0) return undefined;
  const placeOf = (at: number): number => at + shiftAt(cuts, at);
  return { text: read, placeOf, endOf: (at) => placeOf(at + 1), changesWithin: (start, end) => countWithin(cuts, start, end + 1) };
}

/** What `replace` hands over behind the groups: the place, and the whole text. */
const placeIn = (more: readonly unknown[]): number => Number(more.at(-2));

interface Cut {
  readonly at: number;
  readonly shift: number;
}

/** What was taken out before this place, a change right at it included. */
function shiftAt(cuts: readonly Cut[], at: number): number {
  const index = upTo(cuts, at);
  return index === 0 ? 0 : cuts[index - 1]!.shift;
}

const countWithin = (cuts: readonly Cut[], start: number, end: number): number => upTo(cuts, end - 1) - upTo(cuts, start);

/** How many cuts lie at or before a place. */
function upTo(cuts: readonly Cut[], at: number): number {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cuts[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
