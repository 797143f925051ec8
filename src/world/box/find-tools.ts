// Which toolchains lie where a box shows nothing by itself: found by what PATH, version managers and package managers point to.
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import type { Environment } from "../../contract/clock.ts";
import { CACHES, TOOL_HOMES } from "./tool-places.ts";

/** More in one folder of programs are not looked through. */
const MOST_LINKS = 5_000;
const PROGRAM_FOLDERS = new Set(["bin", "sbin", "shims", "Scripts"]);

export interface ToolSearch {
  readonly env: Environment;
  readonly userHomes: readonly string[];
  /** What a box shows anyway. */
  readonly shown: readonly string[];
  /** Programs that must be found whatever PATH says, such as our own. */
  readonly programs: readonly string[];
}

/** Folders and files, as they are named and as they truly lie. */
export async function findTools({ env, userHomes, shown, programs }: ToolSearch): Promise<readonly string[]> {
  const realHomes = await Promise.all(userHomes.map((home) => realOf(home)));
  const homes = [...userHomes, ...realHomes];
  const isShown = (path: string): boolean => shown.some((place) => isIn(path, place));
  // A home, or what homes lie in, is never let in as a whole; neither is what all kinds of programs keep together.
  const isTooWide = (path: string): boolean =>
    path === sep || homes.some((home) => isIn(home, path) || isIn(join(home, ".local"), path)) || dirname(path) === sep;
  const folders = (env.get("PATH") ?? "").split(":").filter(isAbsolute);
  const homesOfTools = [...TOOL_HOMES, ...CACHES].flatMap(({ variable, usually }) => placesOf(env, userHomes, variable, usually));

  const behindPath = (await Promise.all([...new Set(folders)].map((folder) => toolsIn(folder, { isShown, isTooWide })))).flat();
  const behindPrograms = await Promise.all(programs.map(async (program) => folderOf(await realOf(program), isTooWide)));
  const there = await Promise.all([...new Set(homesOfTools)].map(async (path) => ((await isThere(path)) ? [path] : [])));
  return [...new Set([...behindPath, ...behindPrograms, ...there.flat()])].filter((path) => !isTooWide(path) && !isShown(path));
}

const placesOf = (env: Environment, userHomes: readonly string[], variable: string | undefined, usually: string): readonly string[] => {
  const said = variable === undefined ? undefined : env.get(variable);
  return said !== undefined && isAbsolute(said) ? [said] : userHomes.map((home) => join(home, usually));
};

interface Known {
  readonly isShown: (path: string) => boolean;
  readonly isTooWide: (path: string) => boolean;
}

/** The folder of a toolchain that a folder of programs belongs to, and the packages that the programs in it are links to. */
async function toolsIn(folder: string, { isShown, isTooWide }: Known): Promise<readonly string[]> {
  const real = await realOf(folder);
  if (!(await isThere(real))) return [];
  const own = isShown(real) ? [] : [folder, folderOf(join(real, "x"), isTooWide)];
  if (isShown(real) && !real.startsWith("/usr/local") && !real.startsWith("/opt")) return own;
  const names = (await readdir(real).catch(() => [])).slice(0, MOST_LINKS);
  const behind = await Promise.all(
    names.map(async (name) => {
      const path = join(real, name);
      const isLink = await lstat(path).then(
        (found) => found.isSymbolicLink(),
        () => false,
      );
      if (!isLink) return [];
      const target = await realOf(path);
      if (isShown(target) || own.some((place) => isIn(target, place))) return [];
      return [packageOf(target) ?? folderOf(target, isTooWide)];
    }),
  );
  return [...own, ...behind.flat()];
}

/** The package of a module system: all of it is needed, and what lies beside it too, because packages share what they need. */
function packageOf(path: string): string | undefined {
  const at = path.indexOf(`${sep}node_modules${sep}`);
  return at < 0 ? undefined : path.slice(0, at + `${sep}node_modules`.length);
}

/** Around `…/bin/program` it is the folder that bin is in; else the program's own. Where that is too wide, the program alone. */
export function folderOf(program: string, isTooWide: (path: string) => boolean): string {
  const folder = dirname(program);
  const around = PROGRAM_FOLDERS.has(basename(folder)) ? dirname(folder) : folder;
  if (!isTooWide(around)) return around;
  return isTooWide(folder) ? program : folder;
}

const realOf = (path: string): Promise<string> => realpath(path).catch(() => path);
const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
