// A file of signed lines: only ever appended to, and safe on disk before anything goes on.
import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { CheckpointLog } from "../../contract/signing.ts";
import { makeFolder } from "../files/make-folder.ts";

/** No line of ours is longer. */
const MOST_LINE_BYTES = 64 * 1024;
const MOST_LOG_BYTES = 1024 * 1024 * 1024;

export function createCheckpointLog(path: string): CheckpointLog {
  return {
    last: () => withFile(path, (file, size) => lastLine(readPiece(file, Math.max(0, size - MOST_LINE_BYTES), size))),
    text: () => withFile(path, (file, size) => readPiece(file, 0, size).toString("utf8")),
    append(line) {
      makeFolder(dirname(path));
      const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600);
      try {
        dropTornEnd(file);
        writeSync(file, line);
        fsyncSync(file);
      } catch (cause) {
        throw new LoopError("store-unusable", `${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`, {
          retry: "later",
          hint: "Check its rights and the space that is left.",
          cause,
        });
      } finally {
        closeSync(file);
      }
    },
  };
}

function withFile<T>(path: string, read: (file: number, size: number) => T): T | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size > MOST_LOG_BYTES)
      throw new LoopError("store-unusable", `${path} is no file of signed lines`, NO_FILE);
    return read(file, found.size);
  } finally {
    closeSync(file);
  }
}

const NO_FILE = { retry: "never", hint: "Move it away, and look who put it there." } as const;

/** The bytes from one place up to another. */
function readPiece(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  let filled = 0;
  for (let got = 1; got > 0 && filled < bytes.length; filled += got)
    got = readSync(file, bytes, filled, bytes.length - filled, from + filled);
  return bytes.subarray(0, filled);
}

/** Whoever died while writing left half a line. Nobody was told of it, and nothing may be joined to it. */
function dropTornEnd(file: number): void {
  const { size } = fstatSync(file);
  const from = Math.max(0, size - MOST_LINE_BYTES);
  const end = readPiece(file, from, size);
  const keep = end.lastIndexOf(0x0a) + 1;
  if (keep < end.length) ftruncateSync(file, from + keep);
}

/** With its end; one that was torn is none. */
function lastLine(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  const end = text.lastIndexOf("\n");
  return end === -1 ? undefined : text.slice(text.lastIndexOf("\n", end - 1) + 1, end + 1);
}
