// A tree against what lies on disk, file by file: the index, ignore lists and marks such as skip-worktree have no say.
import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { constants, lstat, open, readdir, readlink } from "node:fs/promises";
import type { Blind, Comparison, Content, Side } from "../../contract/change-set.ts";
import type { FileVersion } from "../../contract/proposal.ts";
import { decodeText } from "../../std/decode-text.ts";
import { bounded, sideOf } from "./compare-trees.ts";
import type { Repository } from "./open-repository.ts";
import { type IdentifiedPair, pairRenames } from "./pair-renames.ts";
import { contentOf, MOST_FILE_BYTES, readBlobs, tooLarge } from "./read-blobs.ts";

/** Folders that tools fill by themselves. They are looked into only where base has files in them. */
const LEFT_OUT = new Set(["node_modules", ".venv", "venv", "target", "dist", "build", "__pycache__", ".tox", ".gradle"]);
const MOST_STRANGERS = 20_000;

export interface OnDisk {
  readonly root: string;
  readonly hash: "sha1" | "sha256";
  /** The commit that a submodule's folder is at; undefined where there is none. */
  readonly submoduleAt: (folder: string) => Promise<string | undefined>;
}

/** Names are kept one character a byte while they are looked up: a name need not be text. */
type ByteName = string;

export async function compareWorkTree(
  { read, objects }: Pick<Repository, "read" | "objects">,
  base: string,
  disk: OnDisk,
): Promise<Comparison> {
  const known = parseTree(await read(["ls-tree", "-r", "-z", "--full-tree", base]));
  const strangers = await findStrangers(disk.root, known);
  const changed: Changed[] = [];
  for (const [name, before] of known) {
    const after = await readDisk(disk, name, before);
    if (after?.id !== before.blob || after.side.mode !== before.mode) changed.push({ name, before, after });
  }
  for (const name of strangers.names) {
    const after = await readDisk(disk, name, undefined);
    if (after) changed.push({ name, before: undefined, after });
  }
  const { kept, blind } = bounded(
    changed.map((file) => ({ ...file, path: decodeName(file.name) })).sort((one, other) => (one.path < other.path ? -1 : 1)),
  );
  const contents = await readBlobs(
    objects,
    kept.flatMap(({ before }) => (before && before.mode !== "160000" ? [before.blob] : [])),
  );
  const files = kept.map(
    ({ path, before, after }): IdentifiedPair => ({
      id: after?.id ?? before?.blob ?? "",
      path,
      oldPath: undefined,
      before: before && sideOf(before, contents),
      after: after?.side,
    }),
  );
  return { files: pairRenames(files), blind: [...blind, ...strangers.blind] };
}

interface DiskSide {
  readonly id: string;
  readonly side: Side;
}

interface Changed {
  readonly name: ByteName;
  readonly before: FileVersion | undefined;
  readonly after: DiskSide | undefined;
}

const decodeName = (name: ByteName): string => decodeText(Buffer.from(name, "latin1"));
const placeOf = (root: string, name: ByteName): Buffer => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, "latin1")]);

/** `<mode> <type> <id>\t<name>\0`, over and over. */
function parseTree(answer: Buffer): ReadonlyMap<ByteName, FileVersion> {
  const entries = answer.toString("latin1").split("\0").filter(Boolean);
  return new Map(
    entries.map((entry) => {
      const [, mode, blob, name] = /^(\d{6}) \w+ ([0-9a-f]+)\t(.+)$/s.exec(entry) ?? [];
      if (!mode || !blob || !name) throw new Error(`git ls-tree answered in a way we do not know: ${JSON.stringify(entry.slice(0, 80))}`);
      return [name, { mode, blob }];
    }),
  );
}

/** What lies on disk under a name, with its id as git would give it; undefined where there is nothing, or only a folder. */
async function readDisk(disk: OnDisk, name: ByteName, before: FileVersion | undefined): Promise<DiskSide | undefined> {
  const place = placeOf(disk.root, name);
  const found = await lstat(place).catch(noSuchFile);
  if (!found) return undefined;
  if (found.isDirectory()) return before?.mode === "160000" ? readSubmodule(disk, place, before) : undefined;
  if (found.isSymbolicLink()) {
    const target = await readlink(place, { encoding: "buffer" });
    return { id: idOf(target, disk), side: { mode: "120000", content: { kind: "link", target: decodeText(target) } } };
  }
  const mode = (found.mode & 0o100) === 0 ? "100644" : "100755";
  if (!found.isFile()) return { id: "", side: { mode, content: { kind: "unread", why: "it is neither a file, a folder nor a link" } } };
  return readFile(disk, place, found, mode);
}

/** A submodule that was never fetched is an empty folder, and as base has it. */
async function readSubmodule(disk: OnDisk, place: Buffer, { mode, blob }: FileVersion): Promise<DiskSide> {
  const commit = (await disk.submoduleAt(place.toString("utf8"))) ?? blob;
  return { id: commit, side: { mode, content: { kind: "submodule", commit } } };
}

async function readFile(disk: OnDisk, place: Buffer, { size }: Stats, mode: string): Promise<DiskSide> {
  // What stands there may have been swapped since: a link is not followed, and a pipe does not hold us up.
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(unreadable);
  if (!file) return { id: "", side: { mode, content: { kind: "unread", why: "it may not be read" } } };
  try {
    const hash = createHash(disk.hash).update(`blob ${size}\0`);
    const kept: Buffer[] = [];
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      hash.update(chunk as Buffer); // no encoding is set, so chunks are buffers
      if (size <= MOST_FILE_BYTES) kept.push(chunk as Buffer);
    }
    const content: Content = size > MOST_FILE_BYTES ? tooLarge(size) : contentOf(Buffer.concat(kept));
    return { id: hash.digest("hex"), side: { mode, content } };
  } finally {
    await file.close();
  }
}

const idOf = (bytes: Buffer, { hash }: OnDisk): string => createHash(hash).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");

/** Files on disk that base does not have. */
async function findStrangers(
  root: string,
  known: ReadonlyMap<ByteName, FileVersion>,
): Promise<{ readonly names: readonly ByteName[]; readonly blind: readonly Blind[] }> {
  const folders = new Set([...known.keys()].flatMap(foldersOf));
  const names: ByteName[] = [];
  const open: ByteName[] = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = await readdir(placeOf(root, folder), { withFileTypes: true, encoding: "buffer" }).catch(unreadable);
    for (const entry of entries ?? []) {
      const last = entry.name.toString("latin1");
      const name = `${folder}${last}`;
      const isOurs = last !== ".git" && known.get(name)?.mode !== "160000";
      if (entry.isDirectory()) {
        if (isOurs && (!LEFT_OUT.has(last) || folders.has(name))) open.push(`${name}/`);
      } else if (isOurs && !known.has(name)) names.push(name);
    }
    if (names.length > MOST_STRANGERS) {
      const why = `more than ${MOST_STRANGERS} files lie there that base does not have: the others were not looked at`;
      return { names: names.slice(0, MOST_STRANGERS), blind: [{ file: undefined, line: undefined, why }] };
    }
  }
  return { names, blind: [] };
}

function foldersOf(name: ByteName): readonly ByteName[] {
  const parts = name.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

function noSuchFile(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
  throw error;
}

function unreadable(error: NodeJS.ErrnoException): undefined {
  if (["EACCES", "EPERM", "ELOOP", "ENOENT", "ENOTDIR", "ENXIO"].includes(error.code ?? "")) return undefined;
  throw error;
}
