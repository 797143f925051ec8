// The step, job or mapping that a line of a YAML pipeline belongs to, and what that is for.
import { commandIn } from "./ci-commands.ts";
import { type Purpose, purposeOf } from "./commands.ts";
import { indentOf, type SideLine } from "./side-lines.ts";

/** Longest block that is looked at. */
const MOST_LINES = 400;

/** All lines of the innermost list item or mapping around a line, as far as they are visible. */
export function blockAround(lines: readonly SideLine[], index: number): readonly SideLine[] {
  const own = keyColumn(lines[index]!.text);
  const start = isItem(lines[index]!.text) ? index : startAbove(lines, index, own);
  const edge = start === undefined ? own - 1 : indentOf(lines[start]!.text);
  const from = start ?? Math.max(0, index - MOST_LINES);
  const length = lines
    .slice(index + 1, index + MOST_LINES)
    .findIndex(({ text }) => text.trim() !== "" && indentOf(text) <= edge && !isBareItem(text, edge, start, lines));
  return lines.slice(from, length < 0 ? Math.min(lines.length, index + MOST_LINES) : index + 1 + length);
}

const isItem = (text: string): boolean => /^\s*-(\s|$)/.test(text);

/** A list may stand at the same column as the key that holds it. */
const isBareItem = (text: string, edge: number, start: number | undefined, lines: readonly SideLine[]): boolean =>
  isItem(text) && indentOf(text) === edge && start !== undefined && !isItem(lines[start]!.text);

const keyColumn = (text: string): number => indentOf(text) + (/^\s*(-\s+)/.exec(text)?.[1]?.length ?? 0);

function startAbove(lines: readonly SideLine[], index: number, own: number): number | undefined {
  for (let at = index - 1; at >= 0 && at > index - MOST_LINES; at -= 1) {
    const { text } = lines[at]!;
    if (text.trim() === "" || text.trimStart().startsWith("#")) continue;
    if (indentOf(text) < own) return at;
  }
  return undefined;
}

/** `new`: everything in it came with this change, so nothing that was there is weakened. */
export function purposeOfBlock(
  block: readonly SideLine[],
  removed: ReadonlySet<string>,
  scope: "whole" | "hunks",
): Purpose | "new" | "unseen" {
  const commands = block.flatMap((line) => commandIn(line.text).map((command) => ({ line, purpose: purposeOf(command) })));
  const uses = block.filter(({ text }) => /^[\s-]*uses\s*:/.test(text));
  const held = [...commands.map(({ line }) => line), ...uses];
  const first = block[0];
  if (held.length > 0 ? held.every((line) => isNew(line, removed)) : first && isNew(first, removed)) return "new";
  const old = commands.filter(({ line }) => !isNew(line, removed)).map(({ purpose }) => purpose);
  if (old.includes("tests")) return "tests";
  if (old.includes("checks")) return "checks";
  if (held.length === 0) return BESIDE_CHECKS.test(first?.text ?? "") ? "other" : "unseen";
  // Of a job that a diff shows in part, the steps that matter may be out of sight.
  const isCut = scope === "hunks" && first !== undefined && !isItem(first.text) && !old.includes("other");
  return isCut && !BESIDE_CHECKS.test(first.text) ? "unseen" : "other";
}

const BESIDE_CHECKS = /deploy|release|publish|docs?\b|notify|upload|cache|cleanup|report|comment|preview|pages|stale|label/i;

/** Without the space around it and the mark of a list. */
export const bareLine = (text: string): string => text.trim().replace(/^-\s+/, "");

const isNew = ({ isChanged, text }: SideLine, removed: ReadonlySet<string>): boolean => isChanged && !removed.has(bareLine(text));
