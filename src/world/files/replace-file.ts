// Replaces a file of somebody's as one step: whoever looks, also after a death, sees the old one or the new one.
import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import { syncFolder } from "../store/store.ts";

/** Written beside it, safe on disk, and then in its place. `mode`: of the file that is there; a new one is as the umask has it. */
export async function replaceFile(path: string, text: string, mode: number | undefined): Promise<void> {
  const draft = join(dirname(path), `.${randomBytes(6).toString("hex")}.draft`);
  try {
    const file = await open(draft, "wx", mode === undefined ? 0o666 : 0o600);
    try {
      if (mode !== undefined) await file.chmod(mode & 0o7777);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Says of a file that could not be changed which it is, and what to do. */
export async function orExplain(path: string, done: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    throw new LoopError("store-unusable", `${path} could not be ${done}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      retry: "later",
      hint: "Make room or mend the permissions there, then try again.",
      cause,
    });
  }
}
