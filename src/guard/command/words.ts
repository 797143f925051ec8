// What the words of a command say: programs, options, and what cannot be known.
import type { Value } from "./value.ts";

/** The program a word names: without its folder, and without the .exe of Windows. Empty when it cannot be known. */
export function programOf(head: Value): string {
  if (!head.known) return "";
  const name = head.text.replace(/^.*[/\\]/, "");
  return /\.exe$/i.test(name) ? name.slice(0, -4).toLowerCase() : name;
}

export const showWords = (words: readonly Value[]): string =>
  words.map(({ text, known }) => (known ? text : text.replace(/[\u{f8fe}\u{f8ff}]/gu, "…"))).join(" ");
