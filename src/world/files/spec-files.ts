// Small texts that people wrote, as they lie on disk.
import { open, readdir, stat } from "node:fs/promises";
import { LoopError } from "../../contract/errors.ts";
import type { Texts } from "../../contract/files.ts";

/** Reads a small text file; one that is missing, too large or not a file is told as the user's mistake. */
async function readWhole(path: string, mostBytes: number): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      if (size > mostBytes) throw unreadable(path, `it is larger than ${mostBytes} bytes`, undefined);
      return await file.readFile("utf8");
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof LoopError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw unreadable(
      path,
      code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : String(code ?? error),
      error,
    );
  }
}

/** The same, where the file may be missing. */
async function readOptional(path: string, mostBytes = 256 * 1024): Promise<string | undefined> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere ? readWhole(path, mostBytes) : undefined;
}

export const texts: Texts = { readWhole, readOptional, list: (folder) => readdir(folder).catch(() => []) };

const unreadable = (path: string, why: string, cause: unknown): LoopError =>
  new LoopError("bad-input", `${path} cannot be read: ${why}`, {
    retry: "never",
    hint: "Check the path; `lw validate FILE` reads a spec without running it.",
    cause,
  });
