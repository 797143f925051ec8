// The files of a maker's copy for a model's tools. Every name of a path is opened by itself, from the descriptor of the folder before it,
// and no link is followed: what a command changes on the way meanwhile makes no difference.
import { constants, existsSync, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { CopyFiles, FileChanged, LinesRead, MayChange, ReadLine, Refused } from "../../contract/files.ts";
import { isGitName, readNames } from "../../std/path-names.ts";
import { eachLine, pieceOf } from "./file-lines.ts";

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** What is shown of one line, and what is looked through for the count of lines and in one search. */
const MOST_LINE_BYTES = 2_000;
const MOST_COUNTED_BYTES = 64 * 1024 * 1024;
const MOST_SEARCHED_BYTES = 64 * 1024 * 1024;
const MOST_SEARCHED_LINE_BYTES = 64 * 1024;
const MOST_LISTED = 20_000;
/** What installers and interpreters fill by the thousand is looked at only where it is asked for by name. */
const INSTALLED = new Set(["node_modules", ".venv", "__pycache__"]);
/** Each folder on the way is held open while it is looked through. */
const MOST_DEPTH = 60;
/** What is changed as a text is read whole. */
const MOST_REPLACED_BYTES = 16 * 1024 * 1024;

/** On Linux a descriptor is a path by which what it stands for is meant, whatever its name leads to by now. */
const DESCRIPTORS = "/proc/self/fd";
const HAS_DESCRIPTORS = existsSync(DESCRIPTORS);

export function createCopyFiles(work: string, mayChange: MayChange): CopyFiles {
  /** Files that were not there before: whatever is said of files that were does not hold for them. */
  const made = new Set<string>();
  const mayChangeFile = (names: readonly string[], isThere: boolean): void => {
    const path = names.join("/");
    const why = mayChange(path, isThere && !made.has(path) ? "there" : "absent");
    if (why !== undefined) throw new Refusal(why);
  };

  return {
    list: (folder, most) =>
      orRefused(folder, async () => {
        const paths: string[] = [];
        const isWhole = await inFolder(work, folder, (root, within) =>
          walk(root, within, async (path) => {
            paths.push(path);
            return paths.length <= most;
          }),
        );
        return { kind: "list", paths: paths.slice(0, most).sort(), isWhole };
      }),
    readLines: (path, from, most) => orRefused(path, () => withFile(work, path, (file, { size }) => readLines(file, size, from, most))),
    readBytes: (path, from, most) =>
      orRefused(path, () =>
        withFile(work, path, async (file, { size }) => {
          const piece = await pieceOf(file, from, most);
          if (!piece) throw noText();
          return { kind: "bytes", ...piece, bytes: size };
        }),
      ),
    search: (text, folder, most) =>
      orRefused(folder, async () => {
        const seeker = createSeeker(text.toLowerCase(), most);
        const isWhole = await inFolder(work, folder, (root, within) => walk(root, within, seeker.look));
        return { kind: "hits", hits: seeker.hits.slice(0, most), isWhole: isWhole && !seeker.isCut() };
      }),
    write: (path, text) =>
      orRefused(path, () =>
        atPlace(
          work,
          path,
          "make-folders",
          async (place, names) => {
            const before = await plainOrAbsent(place);
            mayChangeFile(names, before !== undefined);
            await writeFileAt(place, text, before !== undefined);
            if (!before) made.add(names.join("/"));
            return changed(text);
          },
          mayChangeFile,
        ),
      ),
    replace: (path, before, after) =>
      orRefused(path, () =>
        atPlace(work, path, "as-they-are", async (place, names) => {
          const file = await openPlain(place, O_RDONLY);
          const text = await readWhole(file).finally(() => file.close());
          const next = replacedOnce(text, before, after);
          mayChangeFile(names, true);
          await writeFileAt(place, next, true);
          return changed(next);
        }),
      ),
    remove: (path) =>
      orRefused(path, () =>
        atPlace(work, path, "as-they-are", async (place, names) => {
          const found = await lstat(place);
          if (found.isDirectory()) throw new Refusal("it is a folder: delete its files one by one");
          mayChangeFile(names, true);
          await unlink(place); // of a link, only the link goes
          return GONE;
        }),
      ),
    move: (from, to) =>
      orRefused(`${from} to ${to}`, () =>
        atPlace(work, from, "as-they-are", async (place, names) => {
          const file = await openPlain(place, O_RDONLY);
          const { size } = await file.stat().finally(() => file.close());
          mayChangeFile(names, true);
          return atPlace(
            work,
            to,
            "make-folders",
            async (target, newNames) => {
              if (await lstat(target).catch(ifAbsent)) throw new Refusal(`there is something at ${JSON.stringify(to)} already`);
              mayChangeFile(newNames, false);
              await rename(place, target);
              made.add(newNames.join("/"));
              return { kind: "changed", bytes: size };
            },
            mayChangeFile,
          );
        }),
      ),
  };
}

const changed = (text: string): FileChanged => ({ kind: "changed", bytes: Buffer.byteLength(text) });
const GONE: FileChanged = { kind: "changed", bytes: 0 };

/** A judgement on its way out of the depth of a path; nobody else sees it thrown. */
class Refusal extends Error {
  override readonly name = "Refusal";
}

const noText = (): Refusal => new Refusal("it is no text");

/** What the file system says of a path that cannot be used. Others, such as a full disk, are failures of the outside. */
const UNUSABLE: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  ENOTDIR: "a part of it is no folder, or a link, and links are not followed",
  ELOOP: "it is a link, and links are not followed: name the file itself",
  EISDIR: "it is a folder",
  ENXIO: "it is no plain file",
  ENODEV: "it is no plain file",
  EACCES: "it may not be opened",
  EPERM: "it may not be changed",
  EROFS: "it may not be changed",
  ENAMETOOLONG: "its name is too long",
  EINVAL: "it is no path",
  EEXIST: "there is something else in its place",
};

async function orRefused<T extends { readonly kind: string }>(path: string, work: () => Promise<T>): Promise<T | Refused> {
  try {
    return await work();
  } catch (error) {
    const why = whyUnusable(error);
    if (why === undefined) throw error instanceof Error && "code" in error ? unusable(path, error) : error;
    return { kind: "refused", why: `${JSON.stringify(path.slice(0, 300))} is refused: ${why}` };
  }
}

/** A full disk, too many open files: nothing that another path would mend. */
const unusable = (path: string, cause: Error): LoopError =>
  new LoopError("store-unusable", `${JSON.stringify(path.slice(0, 300))} in the maker's copy could not be used: ${cause.message}`, {
    retry: "later",
    hint: "Make room on the disk, then go on with `lw resume`.",
    cause,
  });

function whyUnusable(error: unknown): string | undefined {
  if (error instanceof Refusal) return error.message;
  return error instanceof Error && "code" in error ? UNUSABLE[String(error.code)] : undefined;
}

/** For looking around: what cannot be used is not there. */
const unlessUnusable = (error: unknown): undefined | Promise<never> =>
  whyUnusable(error) === undefined ? Promise.reject(error) : undefined;

function namesOf(path: string): readonly string[] {
  const reading = readNames(path);
  if (reading.kind === "refused") throw new Refusal(reading.why);
  return reading.names;
}

/** A folder that is held open, and the path by which it is reached from here on. */
interface Held {
  readonly handle: FileHandle;
  readonly place: string;
}

async function hold(place: string): Promise<Held> {
  const handle = await open(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
  return { handle, place: HAS_DESCRIPTORS ? `${DESCRIPTORS}/${handle.fd}` : place };
}

/** Goes down by one name after the other, and lets go of each folder once the next is held. */
async function holdFolder(
  work: string,
  names: readonly string[],
  folders: "make-folders" | "as-they-are",
  mayMake: () => void = () => {},
): Promise<Held> {
  let held = await hold(await realpath(work));
  for (const name of names) {
    const before = held;
    try {
      const place = join(before.place, name);
      if (folders === "make-folders" && !(await lstat(place).catch(ifAbsent))) {
        mayMake();
        await mkdir(place);
      }
      held = await hold(place);
    } finally {
      await before.handle.close();
    }
  }
  return held;
}

/** The place of a file, in a folder that is held open meanwhile. */
async function atPlace<T>(
  work: string,
  path: string,
  folders: "make-folders" | "as-they-are",
  use: (place: string, names: readonly string[]) => Promise<T>,
  mayMake: (names: readonly string[], isThere: boolean) => void = () => {},
): Promise<T> {
  const names = namesOf(path);
  const held = await holdFolder(work, names.slice(0, -1), folders, () => mayMake(names, false));
  try {
    return await use(join(held.place, names.at(-1)!), names);
  } finally {
    await held.handle.close();
  }
}

async function withFile<T>(work: string, path: string, use: (file: FileHandle, found: Stats) => Promise<T>): Promise<T> {
  return atPlace(work, path, "as-they-are", async (place) => {
    const file = await openPlain(place, O_RDONLY);
    try {
      return await use(file, await file.stat());
    } finally {
      await file.close();
    }
  });
}

async function inFolder<T>(work: string, folder: string, use: (root: string, within: string) => Promise<T>): Promise<T> {
  const within = folder.replace(/\/+$/, "");
  const names = within === "" || within === "." ? [] : namesOf(within);
  const held = await holdFolder(work, names, "as-they-are");
  try {
    return await use(held.place, names.join("/"));
  } finally {
    await held.handle.close();
  }
}

/** A file that has a second name may be one of somewhere else; a pipe or a device would never end. */
async function openPlain(place: string, flags: number): Promise<FileHandle> {
  const file = await open(place, flags | O_NOFOLLOW | O_NONBLOCK);
  try {
    mustBePlain(await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function mustBePlain(found: Stats): void {
  if (found.isSymbolicLink()) throw new Refusal("it is a link, and links are not followed: name the file itself");
  if (found.isDirectory()) throw new Refusal("it is a folder");
  if (!found.isFile()) throw new Refusal("it is no plain file");
  if (found.nlink > 1) throw new Refusal("the file has another name somewhere (a hard link)");
}

async function plainOrAbsent(place: string): Promise<Stats | undefined> {
  const found = await lstat(place).catch(ifAbsent);
  if (found) mustBePlain(found);
  return found;
}

/** Into the very file that was looked at, or into one that was not there. */
async function writeFileAt(place: string, text: string, isThere: boolean): Promise<void> {
  const file = isThere ? await openPlain(place, O_WRONLY) : await open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    await file.truncate(0);
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

async function readWhole(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  if (size > MOST_REPLACED_BYTES) throw new Refusal(`it is larger than ${MOST_REPLACED_BYTES} bytes`);
  const bytes = await file.readFile();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal("it is no UTF-8 text, and would not be the same any more");
  }
}

/** What a model sees of a file has plain line ends: where the file has others, they are meant. */
function replacedOnce(text: string, before: string, after: string): string {
  if (before === "") throw new Refusal("the text to replace is empty");
  const crlf = (piece: string): string => piece.replace(/\r?\n/g, "\r\n");
  const isOther = !text.includes(before) && text.includes("\r\n");
  const [wanted, instead] = isOther ? [crlf(before), crlf(after)] : [before, after];
  const first = text.indexOf(wanted);
  if (first === -1)
    throw new Refusal("the text to replace is not in it: read the lines again, and send the text exactly as it stands there");
  if (text.indexOf(wanted, first + 1) !== -1)
    throw new Refusal(`the text to replace is in it ${text.split(wanted).length - 1} times: send more of what stands around it`);
  return text.slice(0, first) + instead + text.slice(first + wanted.length);
}

async function readLines(file: FileHandle, bytes: number, from: number, most: number): Promise<LinesRead> {
  const lines: ReadLine[] = [];
  const { isText, isWhole, count } = await eachLine(file, MOST_LINE_BYTES, ({ number, text, restAt, at }) => {
    if (number >= from && lines.length < most) lines.push({ text, ...(restAt === undefined ? {} : { restAt }) });
    return lines.length < most || at < MOST_COUNTED_BYTES;
  });
  if (!isText) throw noText();
  return { kind: "lines", from, lines, total: isWhole ? count : undefined, bytes };
}

/** Looks through files until there is enough to show, or too much was looked through. */
function createSeeker(wanted: string, most: number) {
  const hits: { readonly path: string; readonly line: number; readonly text: string }[] = [];
  let searched = 0;
  let isCut = false;
  return {
    hits,
    isCut: () => isCut,
    async look(path: string, place: string): Promise<boolean> {
      const file = await openPlain(place, O_RDONLY).catch(unlessUnusable);
      if (!file) return true;
      try {
        searched += (await file.stat()).size;
        if (searched > MOST_SEARCHED_BYTES) isCut = true;
        await eachLine(file, MOST_SEARCHED_LINE_BYTES, ({ number, text }) => {
          if (text.toLowerCase().includes(wanted)) hits.push({ path, line: number, text });
          return hits.length <= most;
        });
      } finally {
        await file.close();
      }
      isCut ||= hits.length > most;
      return !isCut;
    },
  };
}

/** Plain files below a folder, in order, without links and without `.git`. False when the visitor had enough. */
async function walk(root: string, within: string, visit: (path: string, place: string) => Promise<boolean>): Promise<boolean> {
  let count = 0;
  const inside = async (place: string, path: string, depth: number): Promise<boolean> => {
    const entries = (await readdir(place, { withFileTypes: true }).catch(unlessUnusable)) ?? [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (isGitName(entry.name)) continue;
      const inner = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile()) {
        if (++count > MOST_LISTED || !(await visit(inner, join(place, entry.name)))) return false;
      } else if (entry.isDirectory() && !INSTALLED.has(entry.name)) {
        const held = depth < MOST_DEPTH ? await hold(join(place, entry.name)).catch(unlessUnusable) : undefined;
        if (!held) continue;
        try {
          if (!(await inside(held.place, inner, depth + 1))) return false;
        } finally {
          await held.handle.close();
        }
      }
    }
    return true;
  };
  return inside(root, within, 0);
}

const ifAbsent = (error: NodeJS.ErrnoException): undefined | Promise<never> =>
  error.code === "ENOENT" ? undefined : Promise.reject(error);
