// Colour and columns of what is printed.
import { styleText } from "node:util";

type Style = "bold" | "dim" | "green" | "red" | "yellow" | "cyan";

/** Puts colour on text, or leaves it plain. */
export type Paint = (style: Style, text: string) => string;

export const createPaint =
  (colored: boolean): Paint =>
  (style, text) =>
    colored ? styleText(style, text, { validateStream: false }) : text;

/** Lines up columns; text is measured by characters as people see them. */
export function columns(rows: readonly (readonly string[])[], gap = 2): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => visibleWidth(row[column] ?? ""))));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === row.length - 1 ? cell : cell + " ".repeat(Math.max(0, widths[column]! - visibleWidth(cell)) + gap),
      )
      .join("")
      .trimEnd(),
  );
}

/** A text as lines of at most so many characters, broken between words. */
export function wrapped(text: string, most: number): readonly string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1)!;
    if (last === "") lines[lines.length - 1] = word;
    else if (visibleWidth(last) + 1 + visibleWidth(word) <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const ESCAPES = /\u001b\[[0-9;]*m/g;
/** How many characters somebody sees. */
export const visibleWidth = (text: string): number => [...text.replace(ESCAPES, "")].length;
