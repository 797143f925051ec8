// Files and folders that people keep specs in: looked at and read without waiting, whatever lies there.
import { isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { access, lstat, open, readdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileSeen, PlaceSeen, SpecFiles, SpecText } from "../../contract/files.ts";

/** Two changes within this time may leave the same time behind, where a file system keeps only whole seconds. */
const FRESH_MS = 2_000;
const AT_ONCE = 64;

export const specFiles: SpecFiles = { look, read };

async function look(path: string, isWanted: (name: string) => boolean): Promise<PlaceSeen> {
  try {
    const found = await stat(path);
    if (!found.isDirectory()) return { kind: "file", file: await seenAt(path) };
    const names = (await readdir(path)).filter(isWanted).toSorted();
    const files: FileSeen[] = [];
    for (let at = 0; at < names.length; at += AT_ONCE)
      files.push(...(await Promise.all(names.slice(at, at + AT_ONCE).map((name) => seenAt(join(path, name))))));
    return { kind: "folder", files };
  } catch (error) {
    if (codeOf(error) !== "ENOENT") return { kind: "unreadable", why: whyOf(error) };
    return nothingAt(path);
  }
}

/** What is missing from a folder that cannot be read either may still be there. */
async function nothingAt(path: string): Promise<PlaceSeen> {
  try {
    if (await lstat(path).catch(() => undefined)) return { kind: "unreadable", why: "it is a link to something that is not there" };
    await access(dirname(path), constants.R_OK);
    return { kind: "gone" };
  } catch (error) {
    return { kind: "unreadable", why: `the folder it was in cannot be read: ${whyOf(error)}` };
  }
}

/** What cannot even be asked for its time is there all the same: reading it will say why. */
async function seenAt(path: string): Promise<FileSeen> {
  const [found, real] = await Promise.all([stat(path).catch(() => undefined), realpath(path).catch(() => path)]);
  if (!found) return { path, real, stamp: undefined };
  const { mtimeMs, ctimeMs, size, ino } = found;
  const isFresh = Math.abs(Date.now() - ctimeMs) < FRESH_MS || Math.abs(Date.now() - mtimeMs) < FRESH_MS;
  return { path, real, stamp: isFresh ? undefined : `${mtimeMs}:${ctimeMs}:${size}:${ino}` };
}

/** Without waiting for who would write into a pipe, and never more than the bound. */
async function read(path: string, mostBytes: number): Promise<SpecText> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (!found.isFile()) return { kind: "unreadable", why: "it is not a plain file" };
      const bytes = Buffer.allocUnsafe(mostBytes + 1);
      let length = 0;
      for (;;) {
        const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
        length += bytesRead;
        if (bytesRead === 0 || length === bytes.length) break;
      }
      if (length > mostBytes) return { kind: "unreadable", why: `it is larger than ${mostBytes} bytes` };
      if (!isUtf8(bytes.subarray(0, length))) return { kind: "unreadable", why: "it is not UTF-8 throughout" };
      return { kind: "text", text: bytes.toString("utf8", 0, length) };
    } finally {
      await file.close();
    }
  } catch (error) {
    return { kind: "unreadable", why: whyOf(error) };
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

function whyOf(error: unknown): string {
  switch (codeOf(error)) {
    case "ENOENT":
      return "it is not there, or is a link to something that is not";
    case "EACCES":
    case "EPERM":
      return "it may not be read";
    case "ELOOP":
      return "its links lead in a circle";
    case "ENXIO":
      return "it is not a plain file";
    case "ENOTDIR":
      return "a part of its path is a file";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
