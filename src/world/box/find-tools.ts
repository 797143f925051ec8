// Which toolchains lie where a box shows nothing by itself: found by what PATH, version managers and package managers point to. At once
// and not in turns: a thousand looks are a moment, and to wait for each would take ten times as long.
import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
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

export function findTools({ env, userHomes, shown, programs }: ToolSearch): Tools {
  const homes = [...userHomes, ...userHomes.map(realOf)];
  const isShown = (path: string): boolean => shown.some((place) => isIn(path, place));
  // A home, or what homes lie in, is never let in as a whole; neither is what all kinds of programs keep together.
  const isTooWide = (path: string): boolean =>
    path === sep || homes.some((home) => isIn(home, path) || isIn(join(home, ".local"), path)) || dirname(path) === sep;
  const isInstalledAt = (path: string): boolean => homes.some((home) => isIn(path, join(home, ".local")));
  const known: Known = { isShown, isTooWide, isInstalledAt };
  const folders = (env.get("PATH") ?? "").split(":").filter(isAbsolute);

  const behindPath = [...new Set(folders)].flatMap((folder) => toolsIn(folder, known));
  const behindPrograms = programs.flatMap((program) => installationOf(realOf(program), known));
  const ofTools = [...TOOL_HOMES, ...CACHES].flatMap((home) => placesOf(env, userHomes, home).map((at) => ofHome(at, home)));
  const shows = [...behindPath, ...behindPrograms, ...ofTools.flatMap((tools) => tools.shows)];
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
function ofHome(at: string, { shows, hides = [], hidesSecrets = [] }: ToolHome): Tools {
  if (!isThere(at)) return { shows: [], hides: [] };
  const secret = hidesSecrets.flatMap((pattern) => namedBy(at, pattern)).filter(tellsSecret);
  return {
    shows: shows === undefined ? [at] : thereOf(shows.map((name) => join(at, name))),
    hides: [...hides.flatMap((pattern) => namedBy(at, pattern)), ...secret],
  };
}

function namedBy(folder: string, pattern: string): readonly string[] {
  const star = pattern.indexOf("*");
  if (star < 0) return thereOf([join(folder, pattern)]);
  const around = join(folder, pattern.slice(0, star));
  const rest = pattern.slice(star + 2);
  return namesIn(around).flatMap((name) => (rest === "" ? [join(around, name)] : namedBy(join(around, name), rest)));
}

const SECRET_IN_SETTINGS = /:\/\/[^\s/"'@]+@|token|passw|secret|credential|authorization|extraheader|api-?key/i;
function tellsSecret(path: string): boolean {
  try {
    return SECRET_IN_SETTINGS.test(readFileSync(path, "latin1"));
  } catch {
    return true; // who cannot look shows nothing
  }
}

interface Known {
  readonly isShown: (path: string) => boolean;
  readonly isTooWide: (path: string) => boolean;
  /** Where programs are installed, and nobody works. */
  readonly isInstalledAt: (path: string) => boolean;
}

/** What belongs to a folder of programs, and to the programs that those in it are links to. */
function toolsIn(folder: string, known: Known): readonly string[] {
  const { isShown } = known;
  const real = realOf(folder);
  if (!isThere(real)) return [];
  const programs = isShown(real) ? [] : programsIn(real, known);
  // By the name that PATH has for it as well, where that is a link.
  const own = real !== folder && programs.includes(real) ? [folder, ...programs] : programs;
  if (isShown(real) && !real.startsWith("/usr/local") && !real.startsWith("/opt")) return own;
  const behind = namesIn(real).flatMap((name) => {
    const path = join(real, name);
    if (!isLink(path)) return [];
    const target = realOf(path);
    if (isShown(target) || own.some((place) => isIn(target, place))) return [];
    const modules = packageOf(target);
    return modules === undefined ? installationOf(target, known) : [modules];
  });
  return [...own, ...behind];
}

/** The folder itself and what an installation has beside it; of another that PATH names, the programs. What else lies there is somebody's. */
function programsIn(folder: string, { isTooWide }: Known): readonly string[] {
  const around = dirname(folder);
  if (PROGRAM_FOLDERS.has(basename(folder))) return isTooWide(around) ? [folder] : [folder, ...partsOf(around)];
  const names = namesIn(folder);
  const found = names.filter((name) => isPartOfInstallation(name) || isProgram(join(folder, name)));
  if (found.length === names.length && !isTooWide(folder)) return [folder];
  return found.slice(0, MOST_ALONE).map((name) => join(folder, name));
}

/** What a program is installed with: what lies around it, unless somebody works there. */
function installationOf(program: string, known: Known): readonly string[] {
  const folder = dirname(program);
  if (PROGRAM_FOLDERS.has(basename(folder))) return programsIn(folder, known);
  if (known.isTooWide(folder)) return [program];
  return known.isInstalledAt(folder) ? [folder] : [program, ...programsIn(folder, known)];
}

function partsOf(folder: string): readonly string[] {
  if (WHOLE_INSTALLATIONS.some((all) => all.every((name) => isThere(join(folder, name))))) return [folder];
  return namesIn(folder)
    .filter(isPartOfInstallation)
    .map((name) => join(folder, name));
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

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, MOST_LINKS);
  } catch {
    return []; // not there, or not to be listed
  }
}

function found(look: () => Stats | undefined): Stats | undefined {
  try {
    return look();
  } catch {
    return undefined; // a folder on the way to it is shut
  }
}

const isLink = (path: string): boolean => found(() => lstatSync(path, { throwIfNoEntry: false }))?.isSymbolicLink() ?? false;
const isThere = (path: string): boolean => found(() => statSync(path, { throwIfNoEntry: false })) !== undefined;
const thereOf = (paths: readonly string[]): readonly string[] => paths.filter(isThere);
function isProgram(path: string): boolean {
  const about = found(() => statSync(path, { throwIfNoEntry: false }));
  return about?.isFile() === true && (about.mode & 0o111) !== 0;
}
const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
