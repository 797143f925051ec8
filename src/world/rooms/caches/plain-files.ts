// Looks at and takes out of a cache, which hostile code may have filled.
import { closeSync, constants, lstatSync, openSync, readdirSync, readSync, type Stats } from "node:fs";
import { join } from "node:path";
import { removeTree } from "../../files/remove-tree.ts";

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined; // not there, or something on the way is no folder
  }
}

export const isFolder = (path: string): boolean => look(path)?.isDirectory() ?? false;

/** Whether every step of the way there is a folder, and no link. */
export function isFolderIn(root: string, path: string): boolean {
  const steps = path.split("/");
  return steps.every((_, at) => isFolder(join(root, ...steps.slice(0, at + 1))));
}

export const namesIn = (folder: string): readonly string[] => (isFolder(folder) ? readdirSync(folder) : []);

/** The first bytes of a plain file; undefined of anything else. */
export function headOf(path: string, most: number): Buffer | undefined {
  const found = look(path);
  if (!found?.isFile()) return undefined;
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const head = Buffer.alloc(Math.min(most, found.size));
    return head.subarray(0, readSync(file, head, 0, head.length, 0));
  } finally {
    closeSync(file);
  }
}

/** Everything in a folder but what is wanted; gives back how much was wanted. */
export async function keepOnly(folder: string, isWanted: (name: string) => boolean): Promise<number> {
  let kept = 0;
  for (const name of namesIn(folder)) {
    if (isWanted(name)) kept++;
    else await removeTree(join(folder, name));
  }
  return kept;
}
