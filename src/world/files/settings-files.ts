// The settings files of other programs, which may hold secrets, be links into somebody's dotfiles, or not be text at all.
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { chmod, lstat, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SettingsFile, SettingsFiles } from "../../contract/adapters.ts";
import { LoopError } from "../../contract/errors.ts";

const MOST_BYTES = 4 * 1024 * 1024;

export function createSettingsFiles(): SettingsFiles {
  return {
    read,
    async write(path, text) {
      const draft = `.${randomBytes(6).toString("hex")}.draft`;
      await orExplain(path, "written", async () => {
        await mkdir(dirname(path), { recursive: true });
        const place = await realpath(path).catch(ifAbsent);
        await replace(place ?? path, join(dirname(place ?? path), draft), text);
      });
    },
    remove: (path) => orExplain(path, "removed", () => rm(path)),
  };
}

async function read(path: string): Promise<SettingsFile> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (!found.isFile()) return { kind: "unusable", why: "it is not a plain file" };
      if (found.size > MOST_BYTES) return { kind: "unusable", why: `it is larger than ${MOST_BYTES} bytes` };
      return textOf(await file.readFile());
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!isAbsent(error)) return { kind: "unusable", why: messageOf(error) };
    const link = await lstat(path).catch(() => undefined);
    return link ? { kind: "unusable", why: "it is a link to a file that is not there" } : { kind: "absent" };
  }
}

/** What is not UTF-8 would come back changed. */
function textOf(bytes: Buffer): SettingsFile {
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: "unusable", why: "it is not UTF-8 text" };
  }
}

async function replace(path: string, draft: string, text: string): Promise<void> {
  const before = await stat(path).catch(ifAbsent);
  try {
    const file = await open(draft, "wx", before ? before.mode & 0o777 : 0o666);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    if (before) await chmod(draft, before.mode & 0o777); // what the umask took from the mode
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function orExplain(path: string, done: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    throw new LoopError("store-unusable", `${path} could not be ${done}: ${messageOf(cause)}`, {
      retry: "later",
      hint: "Make room or mend the permissions there, then try again.",
      cause,
    });
  }
}

/** Below what is no folder lies nothing either. */
const isAbsent = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
const ifAbsent = (error: unknown): undefined | Promise<never> => (isAbsent(error) ? undefined : Promise.reject(error));
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
