// Files of a repository that people keep by hand: read and replaced whole, below one folder and nowhere else.
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, realpath, rmdir, stat, unlink } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { KeptFile, KeptTree } from "../../contract/texts-of-others.ts";
import { isGitName, readNames } from "../../std/path-names.ts";
import { orExplain, replaceFile } from "./replace-file.ts";

const MOST_BYTES = 4 * 1024 * 1024;

export function createKeptTree(root: string): KeptTree {
  const read = async (path: string): Promise<KeptFile> => {
    const place = await placeOf(root, path);
    return place.kind === "at" ? readAt(place) : place;
  };
  return {
    read,
    list: async (folder) => {
      const place = await placeOf(root, folder);
      // A folder that leads out of the repository holds nothing of ours.
      return place.kind === "at" ? readdir(place.path).catch(() => []) : [];
    },
    async write(path, text, before) {
      const place = await asItWas(root, path, before);
      await orExplain(path, "written", () => replace(root, place, text));
    },
    async remove(path, before) {
      const place = await asItWas(root, path, before);
      await orExplain(path, "removed", async () => {
        await unlink(place.path);
        await withoutEmptyFolders(await realpath(root), dirname(place.path));
      });
    },
  };
}

interface Place {
  readonly kind: "at";
  /** Behind all links, and from the root. */
  readonly path: string;
  readonly real: string;
  readonly mode: number | undefined;
}

type Unusable = Extract<KeptFile, { kind: "unusable" }>;

/** Where a path really leads. A link is followed as long as it stays below the root. */
async function placeOf(root: string, path: string): Promise<Place | Unusable> {
  const names = readNames(path);
  if (names.kind === "refused") return unusable(names.why);
  const top = await realpath(root);
  try {
    let here = top;
    for (const [index, name] of names.names.entries()) {
      const next = join(here, name);
      const found = await lstat(next).catch(ifAbsent);
      if (!found)
        return {
          kind: "at",
          path: join(next, ...names.names.slice(index + 1)),
          real: realName(top, join(next, ...names.names.slice(index + 1))),
          mode: undefined,
        };
      const real = found.isSymbolicLink() ? await realpath(next).catch(ifAbsent) : next;
      if (real === undefined) return unusable("it is a link to a file that is not there");
      if (!isBelow(top, real)) return unusable("it is a link that leads out of the repository, or into its .git");
      here = real;
    }
    const found = await stat(here);
    return { kind: "at", path: here, real: realName(top, here), mode: found.mode };
  } catch (error) {
    return unusable(messageOf(error));
  }
}

const realName = (top: string, path: string): string => relative(top, path).split(sep).join("/");

function isBelow(top: string, path: string): boolean {
  const way = relative(top, path).split(sep);
  return way[0] !== ".." && !way.some(isGitName);
}

async function readAt(place: Place): Promise<KeptFile> {
  if (place.mode === undefined) return { kind: "absent" };
  try {
    const file = await open(place.path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const found = await file.stat();
      if (!found.isFile()) return unusable("it is not a plain file");
      if (found.size > MOST_BYTES) return unusable(`it is larger than ${MOST_BYTES} bytes`);
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await file.readFile());
      // Who owns the machine may write it all the same; who took the permission away did not want that.
      return { kind: "text", text, real: place.real, isReadOnly: (found.mode & 0o222) === 0 };
    } finally {
      await file.close();
    }
  } catch (error) {
    return unusable(error instanceof TypeError ? "it is not UTF-8 text" : messageOf(error));
  }
}

/** Nobody wrote there since it was read. */
async function asItWas(root: string, path: string, before: string | undefined): Promise<Place> {
  const place = await placeOf(root, path);
  const now = place.kind === "at" ? await readAt(place) : place;
  const isSame = now.kind === "text" ? now.text === before && !now.isReadOnly : now.kind === "absent" && before === undefined;
  if (place.kind === "at" && isSame) return place;
  const why = now.kind === "unusable" ? now.why : now.kind === "text" && now.isReadOnly ? "it is read-only" : "somebody wrote it meanwhile";
  throw new LoopError("bad-input", `${path} was left as it is: ${why}`, {
    retry: "never",
    hint: "Look at it, then try again.",
  });
}

async function replace(root: string, { path, mode }: Place, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // A folder on the way may have become a link since.
  if (!isBelow(await realpath(root), await realpath(dirname(path)))) throw new Error("a folder on the way leads out of the repository");
  await replaceFile(path, text, mode);
}

async function withoutEmptyFolders(top: string, folder: string): Promise<void> {
  for (let here = folder; here !== top && isBelow(top, here); here = dirname(here)) {
    const isGone = await rmdir(here).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

const unusable = (why: string): Unusable => ({ kind: "unusable", why });
const ifAbsent = (error: unknown): undefined | Promise<never> =>
  error instanceof Error && "code" in error && error.code === "ENOENT" ? undefined : Promise.reject(error);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
