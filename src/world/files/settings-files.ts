// The settings files of other programs, which may hold secrets, be links into somebody's dotfiles, or not be text at all.
import { constants } from "node:fs";
import { lstat, mkdir, open, realpath, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { SettingsFile, SettingsFiles } from "../../contract/adapters.ts";
import { orExplain, replaceFile } from "./replace-file.ts";

const MOST_BYTES = 4 * 1024 * 1024;

export function createSettingsFiles(): SettingsFiles {
  return {
    read,
    async write(path, text) {
      await orExplain(path, "written", async () => {
        await mkdir(dirname(path), { recursive: true });
        const place = (await realpath(path).catch(ifAbsent)) ?? path;
        await replaceFile(place, text, (await stat(place).catch(ifAbsent))?.mode);
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

/** Below what is no folder lies nothing either. */
const isAbsent = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
const ifAbsent = (error: unknown): undefined | Promise<never> => (isAbsent(error) ? undefined : Promise.reject(error));
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
