// Keeps the work of one scan within bounds: what decides about checks is looked at first, the rest as far as there is room.
import type { ChangedFile, ChangeSet, Hunk, Side } from "../../contract/change-set.ts";
import { languageOf } from "./languages.ts";
import { type Role, roleOf } from "./roles.ts";

/** Characters that grammars read in one scan: some seconds of work. */
const MOST_CHARS = 6_000_000;
/** A piece out of the middle of a file is tried in several ways until it parses. */
const TRIES_A_PIECE = 2;

const FIRST: readonly Role[] = ["harness", "test", "ci", "settings", "source"];

/** The same change; of files past the bound only what is near their changed lines, and then nothing, which is said. */
export function boundWork(set: ChangeSet, mostChars = MOST_CHARS): ChangeSet {
  const costs = new Map(set.files.map((file) => [file, costOf(file)]));
  if ([...costs.values()].reduce((sum, cost) => sum + cost, 0) <= mostChars) return set;

  const bounded = new Map<ChangedFile, ChangedFile>();
  let room = mostChars;
  for (const file of set.files.toSorted((one, other) => rankOf(one) - rankOf(other) || costs.get(one)! - costs.get(other)!)) {
    const fitting = [file, onlyHunks(file)].find((version) => costOf(version) <= room) ?? unread(file);
    room -= costOf(fitting);
    bounded.set(file, fitting);
  }
  return { ...set, files: set.files.map((file) => bounded.get(file)!) };
}

function rankOf({ path }: ChangedFile): number {
  const rank = FIRST.indexOf(roleOf(path));
  return rank === -1 ? FIRST.length : rank;
}

function costOf({ path, oldPath, before, after, scope }: ChangedFile): number {
  if (!languageOf(path) && !languageOf(oldPath ?? path)) return 0;
  return (charsOf(before) + charsOf(after)) * (scope === "whole" ? 1 : TRIES_A_PIECE);
}

const charsOf = (side: Side | undefined): number =>
  side?.content.kind === "text" ? side.content.pieces.reduce((sum, { text }) => sum + text.length, 0) : 0;

/** As a diff would show it. */
function onlyHunks(file: ChangedFile): ChangedFile {
  // Of a new or deleted file everything is changed.
  if (file.scope === "hunks" || !file.before || !file.after) return file;
  return {
    ...file,
    before: pieceTogether(file.before, file.hunks, "before"),
    after: pieceTogether(file.after, file.hunks, "after"),
    scope: "hunks",
  };
}

function pieceTogether(side: Side, hunks: readonly Hunk[], which: "before" | "after"): Side {
  if (side.content.kind !== "text") return side;
  const other = which === "before" ? "added" : "removed";
  const pieces = hunks.map(({ lines }) => {
    const own = lines.filter(({ kind }) => kind !== other);
    return { line: (own[0] ?? lines[0])?.[which] ?? 1, text: own.map(({ text }) => text).join("\n") };
  });
  return { ...side, content: { kind: "text", pieces } };
}

function unread(file: ChangedFile): ChangedFile {
  const unseen = (side: Side | undefined): Side | undefined =>
    side?.content.kind === "text" ? { ...side, content: { kind: "unread", why: "the change is too large to look at all of it" } } : side;
  return { ...file, before: unseen(file.before), after: unseen(file.after) };
}
