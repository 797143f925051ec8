// A block of ours in somebody else's text: put in behind what is there, renewed in its place, and taken out again without a byte of theirs changed.
import type { Edits, TextEdit } from "../../contract/texts-of-others.ts";
import { hashOf, type Marks, markedLines, markLine, newlineOf, withNewlines } from "./marks.ts";

export interface Block {
  /** Letters, digits and hyphens: several blocks may stand in one file. */
  readonly name: string;
  /** Whole lines, the last one with its end. */
  readonly body: string;
  readonly marks: Marks;
}

type Found =
  | { readonly kind: "none" }
  | {
      readonly kind: "found";
      /** From the first mark to behind the second one. */
      readonly start: number;
      readonly end: number;
      readonly body: string;
      readonly hash: string;
      readonly newline: string;
    }
  | { readonly kind: "refused"; readonly why: string };

/**
 * How `takeBlock` knows what stood there before: the block keeps the end of the text as it was, with a line end behind the last line or
 * without, and parts itself from the text by one empty line. A file that holds nothing but the block and a line end is one that we made.
 */
export function putBlock(text: string | undefined, block: Block, edits: Edits = "keep"): TextEdit {
  if (text === undefined) return { kind: "changed", text: `${blockText(block, "\n")}\n` };
  const found = findBlock(text, block);
  if (found.kind === "refused") return found;
  if (found.kind === "none") return { kind: "changed", text: appended(text, block) };
  const wanted = hashOf(block.body);
  const is = hashOf(found.body);
  if (is !== found.hash && is !== wanted && edits === "keep") return edited(block.name);
  if (is === wanted && found.hash === wanted) return { kind: "unchanged" };
  const tail = text.slice(found.start, found.end).endsWith("\n") ? found.newline : "";
  return { kind: "changed", text: `${text.slice(0, found.start)}${blockText(block, found.newline)}${tail}${text.slice(found.end)}` };
}

export function takeBlock(text: string, { name, marks }: Pick<Block, "name" | "marks">, edits: Edits = "keep"): TextEdit {
  const found = findBlock(text, { name, marks });
  if (found.kind === "refused") return found;
  if (found.kind === "none") return { kind: "unchanged" };
  if (hashOf(found.body) !== found.hash && edits === "keep") return edited(name);
  const block = text.slice(found.start, found.end);
  const hasEnd = block.endsWith("\n");
  if (hasEnd && block.length === text.length) return { kind: "removed" };
  const before = withoutGap(text.slice(0, found.start), found.newline, hasEnd ? 1 : 2);
  return { kind: "changed", text: before + text.slice(found.end) };
}

function appended(text: string, block: Block): string {
  const newline = newlineOf(text);
  const own = blockText(block, newline);
  if (text === "" || text === "\ufeff") return text + own;
  return text.endsWith("\n") ? `${text}${newline}${own}${newline}` : `${text}${newline}${newline}${own}`;
}

/** Takes away the line ends that we put there: an empty line, and the end of a last line that had none. */
function withoutGap(text: string, newline: string, ends: 1 | 2): string {
  const gap = newline.repeat(ends);
  // Of two line ends the first is theirs, or the empty line was taken out by somebody.
  if (ends === 1) return text.endsWith(gap) && /\n$/.test(text.slice(0, -gap.length)) ? text.slice(0, -gap.length) : text;
  return text.endsWith(gap) ? text.slice(0, -gap.length) : text;
}

function blockText({ name, body, marks }: Block, newline: string): string {
  if (!body.endsWith("\n") || [...markedLines(body, marks)].length > 0)
    throw new TypeError(`the block ${name} is not made of whole lines of its own`);
  const first = markLine(marks, `begin ${name} ${hashOf(body)} (written by \`lw adapt\`; edit outside of these lines)`);
  return withNewlines(`${first}\n${body}${markLine(marks, `end ${name}`)}`, newline);
}

const BEGIN = /^begin ([a-z0-9-]+)(?: ([0-9a-f]+))?(?: .*)?$/;

function findBlock(text: string, { name, marks }: Pick<Block, "name" | "marks">): Found {
  const lines = [...markedLines(text, marks)];
  const begins = lines.filter(({ words }) => BEGIN.exec(words)?.[1] === name);
  const ends = lines.filter(({ words }) => words === `end ${name}`);
  const [begin] = begins;
  const [end] = ends;
  if (!begin && !end) return { kind: "none" };
  if (!begin || !end || begins.length > 1 || ends.length > 1 || end.start < begin.end)
    return {
      kind: "refused",
      why: `the marks of the block \`${name}\` do not stand in pairs. Take them out, with what is between, then try again`,
    };
  return {
    kind: "found",
    start: begin.start,
    end: end.end,
    body: text.slice(begin.end, end.start),
    hash: BEGIN.exec(begin.words)?.[2] ?? "",
    newline: text.slice(begin.start, begin.end).endsWith("\r\n") ? "\r\n" : "\n",
  };
}

const edited = (name: string): TextEdit => ({
  kind: "edited",
  why: `somebody wrote into the block \`${name}\`, between its marks`,
});
