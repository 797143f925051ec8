// A file that is all ours, and says so in its last line, since many formats want something else in the first.
import type { Edits, TextEdit } from "../../contract/texts-of-others.ts";
import { hashOf, type Marks, markedLines, markLine } from "./marks.ts";

/** The body is made of whole lines, the last one with its end. */
export function putFile(text: string | undefined, body: string, marks: Marks, edits: Edits = "keep"): TextEdit {
  const wanted = `${body}${lastLine(body, marks)}`;
  if (text === undefined) return { kind: "changed", text: wanted };
  const state = stateOf(text, marks);
  if (state === "theirs") return { kind: "refused", why: "somebody else wrote it. Move it away, then try again" };
  if (state === "edited" && edits === "keep") return EDITED;
  return hashOf(text) === hashOf(wanted) ? { kind: "unchanged" } : { kind: "changed", text: wanted };
}

export function takeFile(text: string, marks: Marks, edits: Edits = "keep"): TextEdit {
  const state = stateOf(text, marks);
  if (state === "theirs") return { kind: "unchanged" };
  return state === "edited" && edits === "keep" ? EDITED : { kind: "removed" };
}

const lastLine = (body: string, marks: Marks): string =>
  `${markLine(marks, `file ${hashOf(body)} (written by \`lw adapt\`; edit it, and it is left alone)`)}\n`;

function stateOf(text: string, marks: Marks): "ours" | "edited" | "theirs" {
  const last = [...markedLines(text, marks)].findLast(({ words }) => words.startsWith("file "));
  if (!last) return "theirs";
  const hash = /^file ([0-9a-f]{16})\b/.exec(last.words)?.[1];
  return hash === hashOf(text.slice(0, last.start)) && text.slice(last.end).trim() === "" ? "ours" : "edited";
}

const EDITED: TextEdit = { kind: "edited", why: "somebody edited it since it was written" };
