// Strangers' words as a part of a Markdown text: nothing in them is read as markup, and nothing in them leaves its place.
import { shownLine, shownText } from "./shown-text.ts";

/** Words, numbers and the punctuation of sentences: nothing that Markdown, or a site that shows it, reads as anything else. */
const PLAIN = /^[\p{L}\p{M}\p{N} .,:;'"()/%+=?-]+$/u;
/** What begins so is a list, a rule, an underline or a quotation when it stands first on its line. */
const BEGINS_BLOCK = /^(?:[^\p{L}\p{N}"'(]|\p{N}+[.)](?: |$))/u;
const LINK = /:\/\/|www\.|mailto:/i;
const MOST_CHARACTERS = 200;

/** A part of one line: as it is when it is plain words, else as code. */
export function inert(text: string): string {
  const line = shownLine(text, MOST_CHARACTERS);
  return PLAIN.test(line) && !BEGINS_BLOCK.test(line) && !LINK.test(line) ? line : inertCode(line);
}

/** A part of one line, as code in any case. */
export function inertCode(text: string): string {
  const line = shownLine(text, MOST_CHARACTERS);
  if (line === "") return "(nothing)";
  const longest = longestRun(line, "`");
  const fence = "`".repeat(longest + 1);
  const room = longest > 0 ? " " : "";
  return `${fence}${room}${line}${room}${fence}`;
}

/** Lines of their own, between fences that nothing in them can close. */
export function inertBlock(text: string): readonly string[] {
  const fence = "`".repeat(Math.max(2, longestRun(text, "`"), longestRun(text, "~")) + 1);
  return [`${fence}text`, ...shownText(text).split("\n"), fence];
}

function longestRun(text: string, char: string): number {
  let longest = 0;
  let run = 0;
  for (const one of text) {
    run = one === char ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
