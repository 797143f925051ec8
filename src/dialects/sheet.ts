// The text of a file and what it says, read once for everybody who wants to know whose it is: as YAML or JSON, or as front matter above a text.
import { readSpecText, type SpecText, type TextLimits } from "../spec/text.ts";

/** A loop of a thousand workers is long; a file that is made to be long ends here. */
export const OF_OTHERS: TextLimits = { kib: 4096, tokens: 800_000, values: 120_000 };

export interface FrontMatter {
  readonly read: SpecText;
  /** What stands below it, without the white space around it, and where that begins. */
  readonly body: string;
  readonly bodyAt: { readonly line: number; readonly col: number };
  readonly isClosed: boolean;
}

export interface Sheet {
  readonly text: string;
  /** The whole text as YAML, which JSON is too. */
  plain(): SpecText;
  /** Undefined where the text does not begin with such. */
  front(): FrontMatter | undefined;
}

export function sheetOf(text: string): Sheet {
  const once = <T>(make: () => T): (() => T) => {
    let made: { readonly it: T } | undefined;
    return () => {
      made ??= { it: make() };
      return made.it;
    };
  };
  return { text, plain: once(() => readSpecText(text, OF_OTHERS)), front: once(() => frontMatterOf(text, OF_OTHERS)) };
}

/** Places are those of the file: the text is cut, and never moved. */
export function frontMatterOf(text: string, limits: TextLimits): FrontMatter | undefined {
  if (!/^\uFEFF?---[ \t]*(\r?\n|$)/.test(text)) return undefined;
  const closing = closingAt(text);
  const above = text.slice(0, closing?.at ?? text.length);
  const isEmpty = above.replace(/^\uFEFF?---/, "").trim() === "";
  const below = closing === undefined ? "" : text.slice(closing.end);
  const lead = below.length - below.trimStart().length;
  return {
    read: readSpecText(isEmpty ? "{}" : above, limits),
    body: below.trim(),
    bodyAt: { line: lineAt(text, text.length - below.length + lead), col: 1 },
    isClosed: closing !== undefined,
  };
}

/** The first line after the first that is three dashes and nothing else. */
function closingAt(text: string): { readonly at: number; readonly end: number } | undefined {
  for (let start = text.indexOf("\n") + 1; start > 0; start = text.indexOf("\n", start) + 1) {
    if (!text.startsWith("---", start)) continue;
    const end = text.indexOf("\n", start);
    if (text.slice(start + 3, end < 0 ? text.length : end).trim() === "") return { at: start, end: end < 0 ? text.length : end + 1 };
  }
  return undefined;
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
