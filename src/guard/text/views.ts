// Every way in which a text can be read: as it stands, with its escapes read, and what is encoded in it, to a bounded depth.
import { decoders, unescaped } from "./decode.ts";
import type { How } from "./vocabulary.ts";

export interface View {
  readonly text: string;
  readonly how: How;
  /** The line of the whole text in which this view begins. */
  readonly line: number;
  /** Whether its line breaks are those of the whole text. */
  readonly hasLines: boolean;
}

export interface Views {
  readonly views: readonly View[];
  /** True when there was more to decode than the bounds allow. */
  readonly isCut: boolean;
}

const DEEPEST = 3;
const MOST_PIECES = 2_000;

export function viewsOf(text: string): Views {
  const views: View[] = [{ text, how: "plain", line: 1, hasLines: true }];
  // What is decoded may not grow beyond what it was decoded from, twice over.
  let left = 2 * text.length + 65_536;
  let isCut = false;
  let from = 0;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const until = views.length;
    for (let index = from; index < until; index++)
      for (const inner of innerViews(views[index]!)) {
        if (left < inner.text.length || views.length > MOST_PIECES) {
          isCut = true;
          continue;
        }
        left -= inner.text.length;
        views.push(inner);
      }
    from = until;
  }
  return { views, isCut };
}

function innerViews(outer: View): readonly View[] {
  const lineOf = lineCounter(outer.text);
  const lineAt = (start: number): number => outer.line + (outer.hasLines ? lineOf(start) : 0);
  return [
    ...unescaped(outer.text).map(({ text, start, how }): View => ({ text, how, line: lineAt(start), hasLines: outer.hasLines })),
    ...decoders.flatMap((decode) =>
      decode(outer.text).map(({ text, start, how }): View => ({ text, how, line: lineAt(start), hasLines: false })),
    ),
  ];
}

/** How many lines stand before an offset. */
export function lineCounter(text: string): (offset: number) => number {
  let breaks: number[] | undefined;
  return (offset) => {
    if (!breaks) {
      breaks = [];
      for (let index = text.indexOf("\n"); index >= 0; index = text.indexOf("\n", index + 1)) breaks.push(index);
    }
    let low = 0;
    let high = breaks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (breaks[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
