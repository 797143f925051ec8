// Whole-file reading and writing, and the files of a maker's copy with no way out of it.
import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { chmod, lstat, mkdir, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { Files, HandedFiles, RoomFiles, TextFound, WorkspaceFiles } from "../../contract/files.ts";
import { syncFolder } from "../store/store.ts";
import { makeFolderIn } from "./make-folder.ts";
import { removeTree } from "./remove-tree.ts";

/** Nothing that we read whole is larger than this. */
const MOST_TEXT_BYTES = 4 * 1024 * 1024;
const MOST_ROOM_FILE_BYTES = 32 * 1024 * 1024;
/** What stands for "no plain file there that we may read". */
const NO_FILE = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "ENXIO", "EACCES"]);

export const createFiles = (): Files => filesWith(withFolders);

/** Files that somebody keeps by hand: a link is followed to the file that it stands for, and what may be done with that stays. */
export const createKeptFiles = (): Files => filesWith(withFolders, realPlace);

/** The files of a home that is there: what is written after it was moved away is not written, and begins no other in its place. */
export const createHomeFiles = (home: string): Files => filesWith(async (folder) => makeFolderIn(home, folder));

const withFolders = async (folder: string): Promise<void> => void (await mkdir(folder, { recursive: true }));

interface Place {
  readonly path: string;
  /** What may be done with the file that is there. */
  readonly mode?: number;
}

async function realPlace(asked: string): Promise<Place> {
  const path = await realpath(asked).catch(() => asked); // nothing is there, or a link to nothing
  const found = await stat(path).catch(ifAbsent);
  return found === undefined ? { path } : { path, mode: found.mode & 0o7777 };
}

function filesWith(makeFolder: (folder: string) => Promise<void>, placeOf: (path: string) => Promise<Place> = asAsked): Files {
  return {
    readText,
    async writeText(asked, text, lasts = "for-good") {
      const { path, mode } = await placeOf(asked);
      const draft = join(dirname(path), `.${randomBytes(6).toString("hex")}.draft`);
      try {
        await makeFolder(dirname(path));
        await writeWhole(draft, text, lasts, mode);
        await rename(draft, path);
        if (lasts === "for-good") syncFolder(dirname(path));
      } catch (cause) {
        await rm(draft, { force: true }).catch(() => {}); // what kept us from writing may keep us from removing; the first cause is told
        throw notWritten(path, cause);
      }
    },
  };
}

const asAsked = async (path: string): Promise<Place> => ({ path });

/** A maker may leave anything in a file's place. Only a plain file of a sane size is read: a pipe or a device would never end. */
const readText = (path: string): Promise<string | undefined> => readPlain(path, 0, MOST_TEXT_BYTES);

const readPlain = async (path: string, flags: number, mostBytes: number): Promise<string | undefined> =>
  (await readPlainBytes(path, flags, mostBytes))?.toString("utf8");

async function readPlainBytes(path: string, flags: number, mostBytes: number): Promise<Buffer | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags).catch((error: NodeJS.ErrnoException) =>
    NO_FILE.has(error.code ?? "") ? undefined : Promise.reject(error),
  );
  if (!file) return undefined;
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= mostBytes ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}

async function writeWhole(path: string, text: string, lasts: "for-good" | "for-now", mode: number | undefined): Promise<void> {
  // Nobody may read it for a moment who may not read it later.
  const file = await open(path, "wx", mode === undefined ? undefined : 0o600);
  try {
    if (mode !== undefined) await file.chmod(mode);
    await file.writeFile(text);
    if (lasts === "for-good") await file.sync();
  } finally {
    await file.close();
  }
}

export function createWorkspaceFiles(work: string): WorkspaceFiles & RoomFiles & HandedFiles {
  return {
    read: (path) =>
      orRefuse(path, async () => readPlain(await inside(work, path, "as-they-are"), constants.O_NOFOLLOW, MOST_ROOM_FILE_BYTES)),
    readText: (path) => orRefuse(path, async () => readTextAt(await inside(work, path, "as-they-are"), path)),
    write: (path, text) => orRefuse(path, async () => replaceFile(await inside(work, path, "make-folders"), text)),
    remove: (path) => orRefuse(path, async () => removeTree(await inside(work, path, "as-they-are"))),
  };
}

/** A plain file that is UTF-8, or what is there instead of one. */
async function readTextAt(place: string, path: string): Promise<TextFound> {
  const found = await lstat(place).catch((error: NodeJS.ErrnoException) =>
    NO_FILE.has(error.code ?? "") ? undefined : Promise.reject(error),
  );
  if (!found) return { kind: "none", why: `there is no ${path}` };
  if (found.isFile() && found.size > MOST_ROOM_FILE_BYTES) return { kind: "too-large", bytes: found.size };
  const what = found.isSymbolicLink() ? "a link" : found.isDirectory() ? "a folder" : found.isFile() ? undefined : "a pipe or a device";
  if (what !== undefined) return { kind: "none", why: `${path} is ${what}, and no plain file` };
  const bytes = await readPlainBytes(place, constants.O_NOFOLLOW, MOST_ROOM_FILE_BYTES);
  if (!bytes) return { kind: "none", why: `${path} cannot be read` };
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: "none", why: `${path} is no UTF-8 text` };
  }
}

/** Whatever is in the place is replaced and never written through: a link, a second name of a file elsewhere, a pipe. */
async function replaceFile(place: string, text: string): Promise<void> {
  const before = await lstat(place).catch(ifAbsent);
  await rm(place, { force: true });
  await writeFile(place, text, { flag: "wx" });
  if (before?.isFile()) await chmod(place, before.mode & 0o777);
}

/** The real place of a path, or a refusal when any part of it leads out of the copy. */
async function inside(work: string, path: string, folders: "make-folders" | "as-they-are"): Promise<string> {
  const parts = path.split("/");
  if (isAbsolute(path) || path.includes("\0") || parts.some((part) => part === ".." || part === "." || part === "" || isGitFolder(part))) {
    throw refused(path, undefined);
  }
  const root = await realpath(work);
  let folder = root;
  for (const part of parts.slice(0, -1)) {
    const next = join(folder, part);
    const found = await lstat(next).catch(ifAbsent);
    if (!found && folders === "make-folders") await mkdir(next);
    if (!found && folders === "as-they-are") return next;
    folder = await realpath(next);
    const way = relative(root, folder).split(sep);
    if (way[0] === ".." || way.some(isGitFolder)) throw refused(path, undefined);
  }
  return join(folder, parts.at(-1)!);
}

const isGitFolder = (name: string): boolean => name.toLowerCase() === ".git";

const ifAbsent = (error: NodeJS.ErrnoException): Stats | undefined | Promise<never> =>
  error.code === "ENOENT" ? undefined : Promise.reject(error);

async function orRefuse<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof LoopError ? error : refused(path, error);
  }
}

const refused = (path: string, cause: unknown): LoopError =>
  new LoopError(
    "maker-failed",
    cause instanceof Error
      ? `the path ${JSON.stringify(path)} cannot be used in the copy: ${cause.message}`
      : `the path ${JSON.stringify(path)} leads out of the copy or into its .git`,
    { retry: "never", hint: "Write paths relative to the repository, without `..` and links.", cause },
  );

const notWritten = (path: string, cause: unknown): LoopError =>
  new LoopError("store-unusable", `${path} could not be written: ${cause instanceof Error ? cause.message : String(cause)}`, {
    retry: "later",
    hint: "Make room or mend the permissions there, then try again.",
    cause,
  });
