// Tells repositories apart by where their objects and refs really lie, and not by how somebody spells the way there.
import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { sha256 } from "../../std/hash.ts";

const MOST_BYTES = 4_096;

/**
 * The same for all worktrees of a repository, and for every link that leads to one of them. Read from disk as git does it, since it is
 * asked for every loop that there is; what is no repository goes by its own place.
 */
export async function identityOf(repo: string): Promise<string> {
  const place = await realpath(repo).catch(() => resolve(repo));
  return sha256((await commonFolder(place)) ?? place).slice(0, 40);
}

const commonFolder = async (folder: string): Promise<string | undefined> => (await gitFoldersOf(folder))?.common;

/** Where its HEAD lies, and where the refs lie that all worktrees share; undefined where it is no repository. */
export async function gitFoldersOf(folder: string): Promise<{ readonly own: string; readonly common: string } | undefined> {
  const found = await gitFolderIn(folder);
  if (found === undefined) return dirname(folder) === folder ? undefined : gitFoldersOf(dirname(folder));
  const common = await firstLine(join(found, "commondir"));
  return { own: found, common: await realpath(common === undefined ? found : resolve(found, common)).catch(() => found) };
}

/** A folder, or a file that says where it is, as in worktrees and submodules; or a bare repository itself. */
async function gitFolderIn(folder: string): Promise<string | undefined> {
  const inside = join(folder, ".git");
  const kind = await stat(inside).catch(() => undefined);
  if (kind?.isDirectory()) return inside;
  const pointer = kind?.isFile() ? await firstLine(inside) : undefined;
  if (pointer?.startsWith("gitdir: ")) return resolve(folder, pointer.slice("gitdir: ".length));
  const isBare = (await isThere(join(folder, "HEAD"))) && (await isThere(join(folder, "objects"))) && (await isThere(join(folder, "refs")));
  return isBare ? folder : undefined;
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function firstLine(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined || text.length > MOST_BYTES ? undefined : text.split("\n")[0]?.trim();
}
