// A unified diff, read strictly: what cannot be understood is said, with its line, and never taken for "no change".
import type { Blind, ChangedFile, ChangeSet, Content, Line, Side } from "../../contract/change-set.ts";
import type { FileHeader } from "./diff-header.ts";
import { readFileHeader } from "./diff-header.ts";
import { isHunkHeader, MOST_LINE_CHARS, type ReadHunk, readHunks } from "./diff-hunks.ts";
import { roleOf } from "./roles.ts";

const MOST_CHARS = 20_000_000;
const MOST_LINES = 1_000_000;
const MOST_FILES = 5_000;
const MOST_BLIND = 200;

export type ParsedDiff = Pick<ChangeSet, "files" | "blind">;

export function parseDiff(text: string): ParsedDiff {
  const { lines, cut } = linesWithin(text);
  const files: ChangedFile[] = [];
  const blind: Blind[] = [];
  let between: Between = "before";
  let at = 0;
  while (at < lines.length) {
    if (files.length >= MOST_FILES) {
      blind.push(blindAt(at, undefined, `there are more than ${MOST_FILES} files: from here on nothing was looked at`));
      break;
    }
    const header = readFileHeader(lines, at);
    if (header.kind === "none") {
      const heard = hear(lines[at]!, between);
      if (heard.kind === "fine") {
        between = heard.between;
        at += 1;
        continue;
      }
      blind.push(blindAt(at, undefined, heard.why));
      at = nextStart(lines, at + 1);
      between = "after";
      continue;
    }
    if (header.kind === "unclear") {
      blind.push(blindAt(header.at, undefined, header.why));
      at = nextStart(lines, header.next);
      between = "after";
      continue;
    }
    const read = readFile(lines, header);
    files.push(read.file);
    blind.push(...read.blind);
    at = read.isBroken ? nextStart(lines, read.next) : read.next;
    between = "after";
  }
  if (files.length === 0 && blind.length === 0 && text.trim() !== "") blind.push(blindAt(0, undefined, "there is no diff in this text"));
  return { files, blind: boundBlind([...blind, ...cut]) };
}

function linesWithin(text: string): { readonly lines: readonly string[]; readonly cut: readonly Blind[] } {
  const kept = text.length > MOST_CHARS ? text.slice(0, text.lastIndexOf("\n", MOST_CHARS) + 1) : text;
  const lines = kept.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const isCut = kept.length < text.length || lines.length > MOST_LINES;
  if (lines.length > MOST_LINES) lines.length = MOST_LINES;
  return { lines, cut: isCut ? [blindAt(lines.length, undefined, "the diff is too large: from here on nothing was looked at")] : [] };
}

const blindAt = (at: number, file: string | undefined, why: string): Blind => ({
  file,
  line: at + 1,
  why: `${why} (line ${at + 1} of the diff)`,
});

function boundBlind(blind: readonly Blind[]): readonly Blind[] {
  if (blind.length <= MOST_BLIND) return blind;
  const more = blind.length - MOST_BLIND;
  return [...blind.slice(0, MOST_BLIND), { file: undefined, line: undefined, why: `${more} more places could not be understood` }];
}

/**
 * Where a line that belongs to no file stands: `before` the first one of a commit, in a mailed `message`, right `after` a file,
 * or below the `signature` that ends a mailed patch.
 */
type Between = "before" | "message" | "after" | "signature";

const LOG_START = /^commit [0-9a-f]{7,64}\b/;
const MAIL_START = /^From [0-9a-f]{40,64} /;
const MAIL_HEADER = /^(From|Subject|Message-Id|To|Cc|MIME-Version|Content-[\w-]+|X-[\w-]+): /i;
const CHATTER = /^(Index: |={20,}|diff [^-]|diff -[^-]|Property changes on: |# )/;

type Heard = { readonly kind: "fine"; readonly between: Between } | { readonly kind: "garbage"; readonly why: string };

/** What a line outside of every file may be. */
function hear(raw: string, between: Between): Heard {
  const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
  if (/^diff --(cc|combined) |^@@@/.test(line))
    return garbage("a merge is shown against several parents at once, which cannot be told apart");
  if (line.startsWith("@@")) return garbage("a hunk belongs to no file");
  if (line.includes("\0")) return garbage("there is a NUL outside of every file");
  // A log indents what the committer wrote, a mail does not.
  if (LOG_START.test(line)) return { kind: "fine", between: "before" };
  if (MAIL_START.test(line) || (between === "before" && MAIL_HEADER.test(line))) return { kind: "fine", between: "message" };
  if (between === "message") return { kind: "fine", between };
  if (line.trim() === "") return { kind: "fine", between };
  if (between === "after" && (line === "-- " || line === "--")) return { kind: "fine", between: "signature" };
  if (/^Only in .+: /.test(line)) return garbage("a file is named that is on one side only, without its lines");
  if (/^(Files .+ and .+ differ|Submodule .+)$/.test(line)) return garbage("something differs whose lines are not shown");
  if (CHATTER.test(line)) return { kind: "fine", between };
  if (/^[-+\\]/.test(line) && line !== "---") return garbage("changed lines stand outside of every hunk");
  if (between === "after") return garbage("there is text between files that is no part of a diff");
  return { kind: "fine", between };
}

const garbage = (why: string): Heard => ({ kind: "garbage", why });

/** Where reading can go on after something that was not understood. */
function nextStart(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && !isStart(lines, at)) at += 1;
  return at;
}

function isStart(lines: readonly string[], at: number): boolean {
  const line = lines[at]!;
  if (line.startsWith("diff --git ")) return true;
  if (line.startsWith("--- ")) return lines[at + 1]?.startsWith("+++ ") === true && isHunkHeader(lines[at + 2] ?? "");
  return /^From [0-9a-f]{40,64} |^commit [0-9a-f]{40,64}\b/.test(line);
}

interface FileRead {
  readonly file: ChangedFile;
  readonly blind: readonly Blind[];
  readonly next: number;
  /** What follows cannot be trusted to be the next file. */
  readonly isBroken: boolean;
}

function readFile(lines: readonly string[], header: FileHeader): FileRead {
  const { path, next: from } = header;
  const read = header.body === "hunks" ? readHunks(lines, from) : { hunks: [], next: from, trouble: undefined };
  const blind: Blind[] = header.doubts.map(({ at, why }) => blindAt(at, path, why));
  if (read.trouble) blind.push(blindAt(read.trouble.at, path, read.trouble.why));
  const extra = read.trouble ? undefined : extraLines(lines, read.next, header);
  if (extra) blind.push(blindAt(read.next, path, extra));
  blind.push(...wrongLines(header, read.hunks), ...unreadableLines(lines, header, read.next));
  return { file: fileOf(header, read.hunks), blind, next: read.next, isBroken: read.trouble !== undefined || extra !== undefined };
}

/** Lines of change right after the last hunk: its header counted fewer than there are. */
function extraLines(lines: readonly string[], at: number, { body }: FileHeader): string | undefined {
  const line = lines[at];
  if (line === undefined || !/^[-+ \\]/.test(line) || isStart(lines, at)) return undefined;
  if (/^-- ?\r?$/.test(line)) return undefined;
  return body === "hunks" ? "a hunk has more lines than its header counts" : "changed lines stand outside of every hunk";
}

/** A file of which there is but one side has lines of that side only. */
function wrongLines({ path, body, at, before, after, isCopy }: FileHeader, hunks: readonly ReadHunk[]): readonly Blind[] {
  if (body !== "hunks" || isCopy) return [];
  const has = (kind: Line["kind"]): boolean => hunks.some((hunk) => hunk.lines.some((line) => line.kind === kind));
  if (!before && (has("same") || has("removed"))) return [blindAt(at, path, "the file is said to be new and yet has old lines")];
  if (!after && (has("same") || has("added"))) return [blindAt(at, path, "the file is said to be deleted and yet has lines left")];
  if ((!before || !after) && hunks.length > 1) return [blindAt(at, path, "a new or deleted file comes in several hunks")];
  return [];
}

const LONG_LINES_MATTER = new Set(["test", "harness", "settings", "ci", "source"]);

function unreadableLines(lines: readonly string[], { path, next: from }: FileHeader, to: number): readonly Blind[] {
  const found: Blind[] = [];
  const matters = LONG_LINES_MATTER.has(roleOf(path));
  let isLong = false;
  let hasNul = false;
  for (let at = from; at < to; at += 1) {
    const line = lines[at]!;
    if (!isLong && matters && line.length > MOST_LINE_CHARS + 2) {
      isLong = true;
      found.push(blindAt(at, path, `a line is longer than ${MOST_LINE_CHARS} characters and was not looked at to its end`));
    }
    if (!hasNul && line.includes("\0")) {
      hasNul = true;
      found.push(blindAt(at, path, "there is a NUL in what should be text"));
    }
  }
  return found;
}

function fileOf(header: FileHeader, hunks: readonly ReadHunk[]): ChangedFile {
  const { path, oldPath, before, after } = header;
  const isWhole = header.body === "hunks" && hunks.length > 0 ? !before || !after : false;
  const isNothing = hunks.length === 0 && (!before || !after) && header.body === "none";
  const shown = header.isCopy ? hunks.map(asNew) : hunks;
  return {
    path,
    oldPath,
    before: before && { mode: before.mode, content: contentOf(header, before, shown, "before") },
    after: after && { mode: after.mode, content: contentOf(header, after, shown, "after") },
    hunks: shown.map(({ lines }) => ({ lines })),
    scope: (isWhole || isNothing) && !header.isCopy ? "whole" : "hunks",
  };
}

/** A copy is a new file: nothing was taken from the one it was copied from. */
const asNew = (hunk: ReadHunk): ReadHunk => ({
  ...hunk,
  lines: hunk.lines.filter(({ kind }) => kind !== "removed").map((line) => ({ ...line, kind: "added" as const })),
});

function contentOf({ body }: FileHeader, { mode }: Pick<Side, "mode">, hunks: readonly ReadHunk[], side: "before" | "after"): Content {
  if (body === "binary") return { kind: "binary" };
  const other = side === "before" ? "added" : "removed";
  const pieces = hunks.map(({ lines, oldStart, newStart }) => {
    const own = lines.filter(({ kind }) => kind !== other);
    const start = side === "before" ? oldStart : newStart;
    return { line: own.length === 0 ? start + 1 : start, text: own.map(({ text }) => text).join("\n") };
  });
  const text = pieces[0]?.text ?? "";
  if (mode === "120000" && pieces.length === 1) return { kind: "link", target: text };
  const commit = mode === "160000" ? /^Subproject commit ([0-9a-f]{7,64})/.exec(text)?.[1] : undefined;
  return commit ? { kind: "submodule", commit } : { kind: "text", pieces };
}
