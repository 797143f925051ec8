// Looks at files below a folder, and reads only those that may have changed since they were looked at before.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { LoopError } from "../../contract/errors.ts";
import type { FileStates, FilesSeen } from "../../contract/lookout.ts";

const MOST_NAMES = 100_000;
/** Larger ones go by their size and time. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Never what somebody watches for, and often more than all else. */
const SKIPPED = new Set([".git", "node_modules"]);
/** A file that changed just now may change again without its time telling. */
const YOUNG_MS = 2_000;

export const fileStates: FileStates = { look };

async function look(folder: string, isWanted: (path: string) => boolean, before: FilesSeen | undefined): Promise<FilesSeen> {
  const { paths, folders } = await list(folder, isWanted);
  const hashes = new Map<string, string>();
  const stamps = new Map<string, string>();
  const changes: number[] = [];
  for (const path of paths) {
    const stamp = await stampOf(join(folder, path));
    if (stamp === undefined) continue;
    changes.push(stamp.changedAt);
    const known = before?.stamps.get(path) === stamp.text ? before.hashes.get(path) : undefined;
    const hash = known ?? (await hashOf(join(folder, path), stamp.bytes, stamp.text));
    if (hash === undefined) continue;
    hashes.set(path, hash);
    if (!stamp.isYoung) stamps.set(path, stamp.text);
  }
  // That a file is gone can only be seen of its folder.
  for (const one of folders) changes.push((await stampOf(one))?.changedAt ?? 0);
  return { hashes, stamps, folders, changedAt: changes.reduce((newest, at) => Math.max(newest, at), 0) };
}

/** In order, so that the same files give the same state. Links are not followed. */
async function list(
  folder: string,
  isWanted: (path: string) => boolean,
): Promise<{ readonly paths: readonly string[]; readonly folders: readonly string[] }> {
  const paths: string[] = [];
  const folders: string[] = [];
  const waiting = [""];
  let names = 0;
  for (let within = waiting.pop(); within !== undefined; within = waiting.pop()) {
    folders.push(join(folder, within));
    // A folder that is not there, or not to be read, has nothing in it.
    const entries = await readdir(join(folder, within), { withFileTypes: true }).catch(() => []);
    names += entries.length;
    if (names > MOST_NAMES) throw tooMany(folder);
    for (const entry of entries) {
      const path = within === "" ? entry.name : `${within}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) waiting.push(path);
      else if (entry.isFile() && isWanted(path)) paths.push(path);
    }
  }
  return { paths: paths.sort(), folders };
}

interface Stamp {
  readonly text: string;
  readonly bytes: number;
  readonly isYoung: boolean;
  readonly changedAt: number;
}

async function stampOf(path: string): Promise<Stamp | undefined> {
  const found = await lstat(path, { bigint: true }).catch(() => undefined);
  if (!found) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  const changedAt = Number(ctimeNs / 1_000_000n);
  const isYoung = Date.now() - changedAt < YOUNG_MS;
  return { text: [dev, ino, size, mtimeNs, ctimeNs].join(":"), bytes: Number(size), isYoung, changedAt };
}

/** Undefined where it went away while it was read. */
async function hashOf(path: string, bytes: number, stamp: string): Promise<string | undefined> {
  if (bytes > MOST_BYTES) return `too large to read: ${stamp}`;
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(path), hash);
    return hash.digest("hex");
  } catch {
    return undefined;
  }
}

const tooMany = (folder: string): LoopError =>
  new LoopError("bad-input", `${folder} has more than ${MOST_NAMES} names in it, which is too much to watch`, {
    retry: "never",
    hint: "Name a smaller folder in the trigger's `in`.",
  });
