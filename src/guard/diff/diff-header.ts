// The head of one file in a diff: its names, modes and what kind of body follows.
import { isHunkHeader, type Trouble } from "./diff-hunks.ts";
import { isPlainPath, type NamePair, nameInLine, pairsInHeader, stripPrefix, stripPrefixes, wholeName } from "./diff-names.ts";

export interface FileHeader {
  readonly kind: "file";
  readonly path: string;
  readonly oldPath: string | undefined;
  readonly before: { readonly mode: string | undefined } | undefined;
  readonly after: { readonly mode: string | undefined } | undefined;
  readonly isCopy: boolean;
  readonly body: "hunks" | "binary" | "none";
  /** Its first line in the diff, from 0. */
  readonly at: number;
  /** Where the hunks begin, or where the next file may. */
  readonly next: number;
  /** Read, but not to be trusted. */
  readonly doubts: readonly Trouble[];
}

type HeaderRead = FileHeader | { readonly kind: "none" } | ({ readonly kind: "unclear"; readonly next: number } & Trouble);

export function readFileHeader(lines: readonly string[], at: number): HeaderRead {
  const line = lines[at]!;
  if (line.startsWith("diff --git ")) return readGitHeader(lines, at);
  if (line.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ") && isHunkHeader(lines[at + 2] ?? "")) return readPlainHeader(lines, at);
  if (/^Binary files .* differ\r?$/.test(line)) return readPlainBinary(chomp(line), at);
  return { kind: "none" };
}

const chomp = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
const unclear = (at: number, next: number, why: string): HeaderRead => ({ kind: "unclear", at, next, why });
const NOWHERE = "/dev/null";
const DISAGREE = "the names in the head of a file do not agree";

/** Everything that stands between `diff --git` and the first hunk. */
interface Extended {
  readonly oldMode?: string;
  readonly newMode?: string;
  readonly addedMode?: string;
  readonly deletedMode?: string;
  readonly bothMode?: string;
  readonly blobs?: readonly [string, string];
  readonly similarity?: string;
  readonly renameFrom?: string;
  readonly renameTo?: string;
  readonly copyFrom?: string;
  readonly copyTo?: string;
}

const FIELDS: readonly (readonly [RegExp, (found: RegExpExecArray) => Extended | undefined])[] = [
  [/^old mode (\d{6})$/, ([, mode]) => ({ oldMode: mode! })],
  [/^new mode (\d{6})$/, ([, mode]) => ({ newMode: mode! })],
  [/^new file mode (\d{6})$/, ([, mode]) => ({ addedMode: mode! })],
  [/^deleted file mode (\d{6})$/, ([, mode]) => ({ deletedMode: mode! })],
  [/^similarity index (\d{1,3})%$/, ([, percent]) => ({ similarity: percent! })],
  [/^dissimilarity index (\d{1,3})%$/, () => ({})],
  [/^rename from (.+)$/s, ([, name]) => named("renameFrom", name!)],
  [/^rename to (.+)$/s, ([, name]) => named("renameTo", name!)],
  [/^copy from (.+)$/s, ([, name]) => named("copyFrom", name!)],
  [/^copy to (.+)$/s, ([, name]) => named("copyTo", name!)],
  [
    /^index ([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: (\d{6}))?$/,
    ([, old, now, mode]) => ({ blobs: [old!, now!], ...(mode ? { bothMode: mode } : {}) }),
  ],
];

function named(field: "renameFrom" | "renameTo" | "copyFrom" | "copyTo", rest: string): Extended | undefined {
  const name = wholeName(rest);
  return name === undefined ? undefined : { [field]: name };
}

function readGitHeader(lines: readonly string[], at: number): HeaderRead {
  const pairs = pairsInHeader(chomp(lines[at]!).slice("diff --git ".length));
  let extended: Extended = {};
  let next = at + 1;
  for (; next < lines.length; next += 1) {
    const line = chomp(lines[next]!);
    const field = FIELDS.find(([pattern]) => pattern.test(line));
    if (!field) break;
    const said = field[1](field[0].exec(line)!);
    if (!said) return unclear(next, next + 1, "a name in the head of a file cannot be read");
    if (Object.keys(said).some((name) => name in extended)) return unclear(next, next + 1, "the head of a file says the same thing twice");
    extended = { ...extended, ...said };
  }
  const body = readBodyStart(lines, next);
  if (body.kind === "unclear") return body;
  const names = settleNames(pairs, extended, body.names);
  if (!names) return unclear(at, body.next, DISAGREE);
  const contradiction = contradictionIn(extended, body);
  return {
    kind: "file",
    ...sidesOf(names, extended),
    body: body.kind,
    at,
    next: body.next,
    doubts: [
      ...(contradiction ? [{ at, why: contradiction }] : []),
      ...(isPlainPath(names.before) && isPlainPath(names.after) ? [] : [{ at, why: LEADS_OUT }]),
    ],
  };
}

const LEADS_OUT = "a name leads out of the repository";

type BodyStart =
  | { readonly kind: "hunks" | "binary" | "none"; readonly names: NamePair | undefined; readonly next: number }
  | ({ readonly kind: "unclear"; readonly next: number } & Trouble);

function readBodyStart(lines: readonly string[], at: number): BodyStart {
  const line = chomp(lines[at] ?? "");
  if (/^Binary files .* differ$/s.test(line)) return { kind: "binary", names: undefined, next: at + 1 };
  if (line === "GIT binary patch") return skipBinaryPatch(lines, at + 1);
  if (!line.startsWith("--- ")) return { kind: "none", names: undefined, next: at };
  const before = nameInLine(line.slice(4));
  const second = chomp(lines[at + 1] ?? "");
  const after = second.startsWith("+++ ") ? nameInLine(second.slice(4)) : undefined;
  if (before === undefined || after === undefined)
    return { kind: "unclear", at, next: at + 1, why: "a name in the head of a file cannot be read" };
  if (!isHunkHeader(lines[at + 2] ?? "")) return { kind: "unclear", at, next: at + 2, why: "the head of a file is followed by no hunk" };
  return { kind: "hunks", names: { before, after }, next: at + 2 };
}

const BASE85_LINE = /^[A-Za-z](?:[0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{5}){1,13}$/;

/** One or two blocks, each with a head and ended by an empty line. */
function skipBinaryPatch(lines: readonly string[], from: number): BodyStart {
  let at = from;
  while (/^(literal|delta) \d+\r?$/.test(lines[at] ?? "")) {
    at += 1;
    while (BASE85_LINE.test(chomp(lines[at] ?? ""))) at += 1;
    if (chomp(lines[at] ?? "") !== "") return { kind: "unclear", at, next: at, why: "a binary patch cannot be read" };
    at += 1;
  }
  if (at === from) return { kind: "unclear", at, next: at, why: "a binary patch cannot be read" };
  return { kind: "binary", names: undefined, next: Math.min(at, lines.length) };
}

/** The names without prefixes, if all places that name the file name the same. */
function settleNames(pairs: readonly NamePair[], extended: Extended, inBody: NamePair | undefined): NamePair | undefined {
  const from = extended.renameFrom ?? extended.copyFrom;
  const to = extended.renameTo ?? extended.copyTo;
  if ((from === undefined) !== (to === undefined)) return undefined;
  const fitting = pairs.filter((pair) => fitsBody(pair, inBody));
  const settled = fitting.map(stripPrefixes);
  if (from !== undefined && to !== undefined)
    return fitting.some((pair) => isPrefixed(pair, from, to)) ? { before: from, after: to } : undefined;
  const same = settled.find(({ before, after }) => before === after);
  // Two files compared with each other (`--no-index`) have two names; then the body must have told them apart.
  return same ?? (inBody && settled.length === 1 && inBody.before !== NOWHERE && inBody.after !== NOWHERE ? settled[0] : undefined);
}

const fitsBody = (pair: NamePair, inBody: NamePair | undefined): boolean =>
  !inBody ||
  ((inBody.before === NOWHERE || inBody.before === pair.before) &&
    (inBody.after === NOWHERE || inBody.after === pair.after) &&
    (inBody.before !== NOWHERE || inBody.after !== NOWHERE));

/** `rename from` and its like name files without a prefix. */
const isPrefixed = ({ before, after }: NamePair, from: string, to: string): boolean =>
  (before === from && after === to) ||
  (before.endsWith(`/${from}`) && after.endsWith(`/${to}`) && before.length - from.length === after.length - to.length);

const EMPTY_BLOB = ["e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"];
const isEmptyBlob = (id: string): boolean => EMPTY_BLOB.some((empty) => empty.startsWith(id));

function contradictionIn(extended: Extended, body: Exclude<BodyStart, { readonly kind: "unclear" }>): string | undefined {
  const { addedMode, deletedMode, oldMode, newMode, blobs, similarity, renameTo, copyTo } = extended;
  if (addedMode !== undefined && deletedMode !== undefined) return "the file is said to be both new and deleted";
  if ((addedMode ?? deletedMode) !== undefined && (renameTo ?? copyTo ?? oldMode ?? newMode) !== undefined)
    return "the head of the file contradicts itself";
  if ((oldMode === undefined) !== (newMode === undefined)) return "only one of two modes is told";
  if (body.kind === "hunks" && body.names) {
    if ((body.names.before === NOWHERE) !== (addedMode !== undefined)) return "it is not clear whether the file is new";
    if ((body.names.after === NOWHERE) !== (deletedMode !== undefined)) return "it is not clear whether the file is deleted";
  }
  if (body.kind !== "none") return undefined;
  if (addedMode !== undefined) return !blobs || isEmptyBlob(blobs[1]) ? undefined : NOT_SHOWN;
  if (deletedMode !== undefined) return !blobs || isEmptyBlob(blobs[0]) ? undefined : NOT_SHOWN;
  if (blobs && blobs[0] !== blobs[1]) return NOT_SHOWN;
  if (similarity !== undefined && similarity !== "100") return NOT_SHOWN;
  return (newMode ?? renameTo ?? copyTo) === undefined ? NOT_SHOWN : undefined;
}

const NOT_SHOWN = "the file is said to have changed, but its lines are not shown";

function sidesOf({ before, after }: NamePair, extended: Extended): Pick<FileHeader, "path" | "oldPath" | "before" | "after" | "isCopy"> {
  const { addedMode, deletedMode, oldMode, newMode, bothMode, copyTo } = extended;
  const isCopy = copyTo !== undefined;
  const isNew = isCopy || addedMode !== undefined;
  return {
    path: deletedMode === undefined ? after : before,
    oldPath: isNew || deletedMode !== undefined || before === after ? undefined : before,
    before: isNew ? undefined : { mode: deletedMode ?? oldMode ?? bothMode },
    after: deletedMode === undefined ? { mode: addedMode ?? newMode ?? bothMode } : undefined,
    isCopy,
  };
}

/** `---` and `+++` without git's line above them. */
function readPlainHeader(lines: readonly string[], at: number): HeaderRead {
  const before = nameInLine(chomp(lines[at]!).slice(4));
  const after = nameInLine(chomp(lines[at + 1]!).slice(4));
  if (before === undefined || after === undefined || (before === NOWHERE && after === NOWHERE)) {
    return unclear(at, at + 2, "a name in the head of a file cannot be read");
  }
  return plainFile({ before, after }, at, at + 2, "hunks");
}

function readPlainBinary(line: string, at: number): HeaderRead {
  const rest = line.slice("Binary files ".length, -" differ".length);
  for (let from = rest.indexOf(" and "); from !== -1; from = rest.indexOf(" and ", from + 1)) {
    const [before, after] = [rest.slice(0, from), rest.slice(from + 5)];
    const names = stripPrefixes({ before, after });
    if (names.before === names.after || before === NOWHERE || after === NOWHERE) return plainFile({ before, after }, at, at + 1, "binary");
  }
  return unclear(at, at + 1, "a name in the head of a file cannot be read");
}

function plainFile(raw: NamePair, at: number, next: number, body: "hunks" | "binary"): FileHeader {
  const isNew = raw.before === NOWHERE;
  const isGone = raw.after === NOWHERE;
  const stripped = isNew || isGone ? undefined : stripPrefixes(raw);
  const path = stripped?.after ?? stripPrefix(isNew ? raw.after : raw.before);
  const oldPath = stripped && stripped.before !== stripped.after && !isBackupOf(stripped) ? stripped.before : undefined;
  return {
    kind: "file",
    path,
    oldPath,
    before: isNew ? undefined : { mode: undefined },
    after: isGone ? undefined : { mode: undefined },
    isCopy: false,
    body,
    at,
    next,
    doubts: isPlainPath(path) && isPlainPath(oldPath ?? path) ? [] : [{ at, why: LEADS_OUT }],
  };
}

/** `x.orig` beside `x` is how people keep what was there, and no file of the project. */
const isBackupOf = ({ before, after }: NamePair): boolean =>
  [".orig", ".old", ".bak", "~"].some((ending) => before === `${after}${ending}`);
