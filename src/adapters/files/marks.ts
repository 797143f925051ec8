// How a line of ours is told from theirs: a comment of the file's own format, with a hash of what we wrote.
import { sha256 } from "../../std/hash.ts";

/** What a comment on a line of its own begins and ends with. */
export interface Marks {
  readonly open: string;
  readonly close: string;
}

export const MARKDOWN: Marks = { open: "<!-- ", close: " -->" };
export const HASHES: Marks = { open: "# ", close: "" };

/** The same after git, or an editor, wrote other line ends. */
export const hashOf = (text: string): string => sha256(text.replaceAll("\r\n", "\n")).slice(0, 16);

/** A line of ours, and what a reader of it needs to know. */
export const markLine = ({ open, close }: Marks, words: string): string => `${open}loopwright:${words}${close}`;

/** The lines of a text with where each stands; `words` are those of a mark, without the line's end. */
export function* markedLines(
  text: string,
  { open, close }: Marks,
): Generator<{ readonly words: string; readonly start: number; readonly end: number }> {
  const first = text.startsWith("\ufeff") ? 1 : 0;
  const prefix = `${open}loopwright:`;
  for (let start = first; start < text.length; ) {
    const at = text.indexOf("\n", start);
    const end = at < 0 ? text.length : at + 1;
    const line = text.slice(start, end).replace(/\r?\n$/, "");
    if (line.startsWith(prefix) && line.endsWith(close) && line.length >= prefix.length + close.length)
      yield { words: line.slice(prefix.length, line.length - close.length), start, end };
    start = end;
  }
}

/** The line ends that a text has; those of Unix where it has none. */
export const newlineOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

export const withNewlines = (text: string, newline: string): string => (newline === "\n" ? text : text.replaceAll("\n", newline));
