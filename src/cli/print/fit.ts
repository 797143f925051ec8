// Lays a table into the width of a terminal: columns shrink and wrap inside their cells, and those of least value go, before anything is cut.
import { columns, visibleWidth } from "./paint.ts";

export interface Fitting {
  /** How many characters a line may have. */
  readonly width: number;
  /** Columns that may go where there is no room, the first of them first; counted from 0. */
  readonly drop?: readonly number[];
}

type Rows = readonly (readonly string[])[];

const GAP = 2;
/** Above this a column of sentences can be read well. */
const COMFORT = 24;
/** Below this there is no point in a column. */
const LEAST = 8;

/** The lines of a table that is no wider than the terminal; its rows all have as many cells as the first. */
export function fitted(rows: Rows, { width, drop = [] }: Fitting): readonly string[] {
  const count = rows[0]?.length ?? 0;
  const natural = Array.from({ length: count }, (_, column) => Math.max(0, ...rows.map((row) => visibleWidth(row[column] ?? ""))));
  if (totalOf(natural) <= width) return columns(rows, GAP);
  let kept = natural.map((_, column) => column);
  for (const column of [undefined, ...drop]) {
    kept = kept.filter((one) => one !== column);
    const widths = shrunk(
      kept.map((one) => natural[one]!),
      width,
      COMFORT,
    );
    if (totalOf(widths) <= width) return laid(rows, kept, widths);
  }
  return laid(
    rows,
    kept,
    shrunk(
      kept.map((one) => natural[one]!),
      width,
      LEAST,
    ),
  );
}

const totalOf = (widths: readonly number[]): number => widths.reduce((sum, one) => sum + one, 0) + GAP * Math.max(0, widths.length - 1);

/** The widest gives way first, one character after the other, and none to below the least. */
function shrunk(natural: readonly number[], width: number, least: number): readonly number[] {
  const widths = [...natural];
  for (let over = totalOf(widths) - width; over > 0; over--) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! <= least) break;
    widths[widest]!--;
  }
  return widths;
}

/** Every row as as many lines as its longest cell needs. */
function laid(rows: Rows, kept: readonly number[], widths: readonly number[]): readonly string[] {
  return rows.flatMap((row) => {
    const cells = kept.map((column, at) => broken(row[column] ?? "", widths[at]!));
    const height = Math.max(1, ...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((cell, at) => {
          const text = cell[line] ?? "";
          return at === cells.length - 1 ? text : text + " ".repeat(Math.max(0, widths[at]! - visibleWidth(text)) + GAP);
        })
        .join("")
        .trimEnd(),
    );
  });
}

const COLORED = /^((?:\u001b\[[0-9;]*m)*)([\s\S]*?)((?:\u001b\[[0-9;]*m)*)$/;

/** A cell as lines of at most so many characters, broken between words where that can be; its colour is on every line. */
function broken(cell: string, most: number): readonly string[] {
  if (visibleWidth(cell) <= most) return [cell];
  const [, on = "", text = "", off = ""] = COLORED.exec(cell) ?? [];
  const lines = [""];
  for (const word of text.split(" ").flatMap((one) => pieces(one, most))) {
    const last = lines.at(-1)!;
    if (last === "") lines[lines.length - 1] = word;
    else if (visibleWidth(last) + 1 + visibleWidth(word) <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `${on}${line}${off}`);
}

/** A word that is longer than a line, in pieces that are not; after a hyphen or slash where one is near. */
function pieces(word: string, most: number): readonly string[] {
  const letters = [...word];
  if (letters.length <= most) return [word];
  const head = letters.slice(0, most).join("");
  const at = Math.max(head.lastIndexOf("-"), head.lastIndexOf("/")) + 1;
  const cut = at >= most / 2 ? [...head.slice(0, at)].length : most;
  return [letters.slice(0, cut).join(""), ...pieces(letters.slice(cut).join(""), most)];
}

/** How wide a line may be: as the terminal says; in a pipe as somebody asked by $COLUMNS, else as long as it is. */
export function lineWidth(
  { outIsTerminal, columns: most }: { readonly outIsTerminal: boolean; readonly columns: number },
  asked: string | undefined,
): number {
  if (outIsTerminal) return Math.max(20, most);
  return asked !== undefined && /^\d{2,4}$/.test(asked) ? Math.max(20, Number(asked)) : Number.POSITIVE_INFINITY;
}
