// Small texts that people wrote, as they lie on disk.
import { isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { sep } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { TextBelow, Texts } from "../../contract/files.ts";
import { specFiles } from "./spec-places.ts";
import { whyUnread } from "./why-unread.ts";

/** Reads a small text file; one that is missing, too large or not a file is told as the user's mistake. */
async function readWhole(path: string, mostBytes: number): Promise<string> {
  const bytes = await bytesOf(path, mostBytes);
  // A byte that is no text would be read as another sign, and what is run would not be what was written.
  if (!isUtf8(bytes)) throw unreadable(path, "it is not UTF-8 throughout", undefined);
  return bytes.toString("utf8");
}

async function bytesOf(path: string, mostBytes: number): Promise<Buffer> {
  try {
    // A pipe that nobody writes to would keep us waiting.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (!found.isFile() && !found.isDirectory()) throw unreadable(path, "it is not a plain file", undefined);
      const { size } = found;
      if (size > mostBytes) throw unreadable(path, `it is larger than ${mostBytes} bytes`, undefined);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof LoopError) throw error;
    throw unreadable(path, whyUnread(error), error);
  }
}

/** A file that may be missing, as far as it is text: much of what lies so is our own, and damage to it is told elsewhere. */
async function readOptional(path: string, mostBytes = 256 * 1024): Promise<string | undefined> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere ? (await bytesOf(path, mostBytes)).toString("utf8") : undefined;
}

/** What leads out of the folder is refused, by its name or by a link on the way. */
async function readBelow(folder: string, path: string, mostBytes: number): Promise<TextBelow> {
  const [root, real] = await Promise.all([realpath(folder).catch(() => undefined), realpath(path).catch(() => undefined)]);
  if (root === undefined || real === undefined) return { kind: "refused", why: "there is no such file" };
  if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return { kind: "refused", why: "it lies outside of the folder" };
  const read = await specFiles.read(real, mostBytes);
  return read.kind === "text" ? { ...read, real } : { kind: "refused", why: read.why };
}

/** Nothing that would keep a reader waiting is a plain file. */
async function real(path: string): ReturnType<Texts["real"]> {
  try {
    const found = await realpath(path);
    const seen = await stat(found);
    return seen.isFile() ? { path: found, kind: "file" } : seen.isDirectory() ? { path: found, kind: "folder" } : undefined;
  } catch {
    // Not there, or not to be reached: for whoever asks that is the same.
    return undefined;
  }
}

export const texts: Texts = { readWhole, readOptional, list: (folder) => readdir(folder).catch(() => []), real, readBelow };

const unreadable = (path: string, why: string, cause: unknown): LoopError =>
  new LoopError("bad-input", `${path} cannot be read: ${why}`, {
    retry: "never",
    hint: "Check the path; `lw validate FILE` reads a spec without running it.",
    cause,
  });
