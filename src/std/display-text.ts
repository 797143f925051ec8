// Makes a stranger's words fit to be shown: what cannot be seen, or acts on a terminal, is gone.

const ESCAPES = /\u001b(\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(\u0007|\u001b\\)|[@-_])/g;
/** Control characters, formatting and bidirectional marks, fillers and private characters: they only serve to hide something. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}]|[\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/gu;

/** The text as a person sees it; lines stay lines. */
export const visibleText = (text: string): string =>
  text.replaceAll("\r\n", "\n").replace(ESCAPES, "").replace(INVISIBLE, "").toWellFormed();

/** All of it on one line, cut to so many characters. */
export const displayLine = (text: string, most: number): string =>
  cut(
    visibleText(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, spaced))
      .replace(/\s+/g, " ")
      .trim(),
    most,
  );

/** Its first line, cut to so many characters. */
export const firstLine = (text: string, most: number): string => cut(visibleText(text).trim().split("\n")[0]!, most);

/** Separators part words; an escape must stay one to be known as one. */
const spaced = (char: string): string => (char === "\u001b" || char === "\u0007" ? char : " ");

function cut(line: string, most: number): string {
  const characters = [...line];
  return characters.length > most
    ? `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`
    : line;
}
