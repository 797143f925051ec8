// Finds files by name under a folder of any shape: bounded, in order, and without following links.
import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Found, Search } from "../../contract/files.ts";

/** Links are counted and not followed, so that no folder is met twice. */
export async function findFiles(folder: string, { isWanted, skip, mostDepth, mostNames }: Search): Promise<Found> {
  const paths: string[] = [];
  const unseen: string[] = [];
  const waiting: { readonly path: string; readonly name: string; readonly depth: number }[] = [{ path: folder, name: "", depth: 0 }];
  let names = 0;
  let links = 0;
  for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
    const { path, name, depth } = here;
    if (depth > mostDepth) {
      unseen.push(`${path}: it lies deeper than ${mostDepth} folders`);
      continue;
    }
    const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      unseen.push(`${path}: it cannot be read (${error.code ?? error.message})`);
      return [];
    });
    const inner: typeof waiting = [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      names += 1;
      if (names > mostNames) return { paths, links, unseen: [...unseen, `${path} and what comes after it: more than ${mostNames} names`] };
      if (entry.isSymbolicLink()) links += 1;
      else if (entry.isDirectory() && !skip.has(entry.name))
        inner.push({ path: join(path, entry.name), name: entry.name, depth: depth + 1 });
      else if (entry.isFile() && isWanted(entry.name, name)) paths.push(join(path, entry.name));
    }
    waiting.push(...inner.reverse());
  }
  return { paths, unseen, links };
}

/** What is at a path that somebody named: here a link is followed, since they meant what is behind it. */
export async function kindAt(path: string): Promise<"file" | "folder" | "other" | "missing"> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return "missing";
  if (found.isDirectory()) return "folder";
  return found.isFile() ? "file" : "other";
}

/** Whether anything has that name: also a link, even one to nothing. */
export const isTaken = async (path: string): Promise<boolean> =>
  (await lstat(path).catch((error: NodeJS.ErrnoException) =>
    error.code === "ENOENT" || error.code === "ENOTDIR" ? undefined : Promise.reject(error),
  )) !== undefined;

/** By whatever names: whether both are one file. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => stat(path).catch(() => undefined)));
  return first !== undefined && second !== undefined && first.dev === second.dev && first.ino === second.ino;
}
