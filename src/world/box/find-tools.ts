// Which toolchains lie where a box shows nothing by itself: found by what PATH, version managers and package managers point to.
import { lstat, readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import type { Environment } from "../../contract/clock.ts";
import { CACHES, isPartOfInstallation, PROGRAM_FOLDERS, TOOL_HOMES, type ToolHome, WHOLE_INSTALLATIONS } from "./tool-places.ts";

/** More in one folder of programs are not looked through. */
const MOST_LINKS = 5_000;
/** More programs beside what is none are not let in one by one. */
const MOST_ALONE = 200;

export interface ToolSearch {
  readonly env: Environment;
  readonly userHomes: readonly string[];
  /** What a box shows anyway. */
  readonly shown: readonly string[];
  /** Programs that must be found whatever PATH says, such as our own. */
  readonly programs: readonly string[];
}

/** Folders and files, as they are named and as they truly lie. */
export interface Tools {
  readonly shows: readonly string[];
  /** What stays hidden within them. */
  readonly hides: readonly string[];
}

export async function findTools({ env, userHomes, shown, programs }: ToolSearch): Promise<Tools> {
  const realHomes = await Promise.all(userHomes.map((home) => realOf(home)));
  const homes = [...userHomes, ...realHomes];
  const isShown = (path: string): boolean => shown.some((place) => isIn(path, place));
  // A home, or what homes lie in, is never let in as a whole; neither is what all kinds of programs keep together.
  const isTooWide = (path: string): boolean =>
    path === sep || homes.some((home) => isIn(home, path) || isIn(join(home, ".local"), path)) || dirname(path) === sep;
  const isInstalledAt = (path: string): boolean => homes.some((home) => isIn(path, join(home, ".local")));
  const known: Known = { isShown, isTooWide, isInstalledAt };
  const folders = (env.get("PATH") ?? "").split(":").filter(isAbsolute);

  const behindPath = (await Promise.all([...new Set(folders)].map((folder) => toolsIn(folder, known)))).flat();
  const behindPrograms = await Promise.all(programs.map(async (program) => installationOf(await realOf(program), known)));
  const ofTools = await Promise.all(
    [...TOOL_HOMES, ...CACHES].flatMap((home) => placesOf(env, userHomes, home).map((at) => ofHome(at, home))),
  );
  const shows = [...behindPath, ...behindPrograms.flat(), ...ofTools.flatMap((tools) => tools.shows)];
  return {
    shows: [...new Set(shows)].filter((path) => !isTooWide(path) && !isShown(path)),
    hides: ofTools.flatMap((tools) => tools.hides),
  };
}

const placesOf = (env: Environment, userHomes: readonly string[], { variable, usually }: ToolHome): readonly string[] => {
  const said = variable === undefined ? undefined : env.get(variable);
  return said !== undefined && isAbsolute(said) ? [said] : userHomes.map((home) => join(home, usually));
};

/** A star stands for one name. */
async function ofHome(at: string, { shows, hides = [], hidesSecrets = [] }: ToolHome): Promise<Tools> {
  if (!(await isThere(at))) return { shows: [], hides: [] };
  const [shown, hidden, telling] = await Promise.all([
    shows === undefined ? [at] : thereOf(shows.map((name) => join(at, name))),
    Promise.all(hides.map((pattern) => namedBy(at, pattern))),
    Promise.all(hidesSecrets.map((pattern) => namedBy(at, pattern))),
  ]);
  const secret = await Promise.all(telling.flat().map(async (path) => ((await tellsSecret(path)) ? [path] : [])));
  return { shows: shown, hides: [...hidden.flat(), ...secret.flat()] };
}

async function namedBy(folder: string, pattern: string): Promise<readonly string[]> {
  const star = pattern.indexOf("*");
  if (star < 0) return thereOf([join(folder, pattern)]);
  const around = join(folder, pattern.slice(0, star));
  const names = (await readdir(around).catch(() => [])).slice(0, MOST_LINKS);
  const rest = pattern.slice(star + 2);
  return (await Promise.all(names.map((name) => (rest === "" ? [join(around, name)] : namedBy(join(around, name), rest))))).flat();
}

const SECRET_IN_SETTINGS = /:\/\/[^\s/"'@]+@|token|passw|secret|credential|authorization|extraheader|api-?key/i;
const tellsSecret = (path: string): Promise<boolean> =>
  readFile(path, "latin1").then(
    (text) => SECRET_IN_SETTINGS.test(text),
    () => true, // who cannot look shows nothing
  );

interface Known {
  readonly isShown: (path: string) => boolean;
  readonly isTooWide: (path: string) => boolean;
  /** Where programs are installed, and nobody works. */
  readonly isInstalledAt: (path: string) => boolean;
}

/** What belongs to a folder of programs, and to the programs that those in it are links to. */
async function toolsIn(folder: string, known: Known): Promise<readonly string[]> {
  const { isShown } = known;
  const real = await realOf(folder);
  if (!(await isThere(real))) return [];
  const programs = isShown(real) ? [] : await programsIn(real, known);
  // By the name that PATH has for it as well, where that is a link.
  const own = real !== folder && programs.includes(real) ? [folder, ...programs] : programs;
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
      const modules = packageOf(target);
      return modules === undefined ? installationOf(target, known) : [modules];
    }),
  );
  return [...own, ...behind.flat()];
}

/** The folder itself and what an installation has beside it; of another that PATH names, the programs. What else lies there is somebody's. */
async function programsIn(folder: string, { isTooWide }: Known): Promise<readonly string[]> {
  const around = dirname(folder);
  if (PROGRAM_FOLDERS.has(basename(folder))) return isTooWide(around) ? [folder] : [folder, ...(await partsOf(around))];
  const names = (await readdir(folder).catch(() => [])).slice(0, MOST_LINKS);
  const programs = await Promise.all(
    names.map(async (name) => (isPartOfInstallation(name) || (await isProgram(join(folder, name))) ? [name] : [])),
  );
  const found = programs.flat();
  if (found.length === names.length && !isTooWide(folder)) return [folder];
  return found.slice(0, MOST_ALONE).map((name) => join(folder, name));
}

/** What a program is installed with: what lies around it, unless somebody works there. */
async function installationOf(program: string, known: Known): Promise<readonly string[]> {
  const folder = dirname(program);
  if (PROGRAM_FOLDERS.has(basename(folder))) return programsIn(folder, known);
  if (known.isTooWide(folder)) return [program];
  return known.isInstalledAt(folder) ? [folder] : [program, ...(await programsIn(folder, known))];
}

async function partsOf(folder: string): Promise<readonly string[]> {
  const whole = await Promise.all(
    WHOLE_INSTALLATIONS.map(async (all) => (await thereOf(all.map((name) => join(folder, name)))).length === all.length),
  );
  if (whole.includes(true)) return [folder];
  const names = (await readdir(folder).catch(() => [])).slice(0, MOST_LINKS);
  return names.filter(isPartOfInstallation).map((name) => join(folder, name));
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
const thereOf = async (paths: readonly string[]): Promise<readonly string[]> =>
  (await Promise.all(paths.map(async (path) => ((await isThere(path)) ? [path] : [])))).flat();
const isProgram = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile() && (found.mode & 0o111) !== 0,
    () => false,
  );
const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
