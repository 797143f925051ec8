// Words of people in files that agents act upon: always data, in whatever format they stand.
import { shownLine } from "../../std/shown-text.ts";

const MOST_CHARACTERS = 200;

/**
 * Agents read more than Markdown: `@path` brings in a file, a `!` before code runs it, `$1` and `{{args}}` are filled in, `<tag>` is an order.
 * Such a sign becomes its full-width twin, which people read as the same and no program does.
 */
export const plainWords = (text: string): string =>
  shownLine(text.replaceAll(/\s*[\r\n]+\s*/g, " "), MOST_CHARACTERS).replace(ACTED_UPON, twinOf);

/** What is no plain sign, and what makes an address a link that somebody may follow. */
const ACTED_UPON = /[^\p{L}\p{M}\p{N} .,:;'"()/%+=?_-]|:(?=\/\/)|(?<=www)\./giu;

const twinOf = (char: string): string => {
  const code = char.codePointAt(0)!;
  return code > 0x20 && code < 0x7f ? String.fromCodePoint(code + 0xfee0) : char;
};

/** As code where it is a plain command or path, else as words: who wants every character reads the spec. */
export const plainCode = (text: string): string => (/^[\w ./:=+,%-]{1,200}$/.test(text) ? `\`${text}\`` : plainWords(text));

/** A basic string of TOML, of one line or several. */
export const tomlText = (text: string): string => JSON.stringify(text.toWellFormed()).replaceAll("\u007f", "\\u007f");

/** A file with front matter. Keys are ours, and so is what is no text. */
export const withFrontMatter = (fields: { readonly [key: string]: string | boolean }, body: string): string =>
  `---\n${Object.entries(fields)
    .map(([key, value]) => `${key}: ${typeof value === "string" ? JSON.stringify(value) : value}\n`)
    .join("")}---\n\n${body}`;
