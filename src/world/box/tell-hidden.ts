// Which of the places that a failed command did not find are there, and only hidden by its box; and what to write so that they are shown.
import { constants, realpathSync } from "node:fs";
import { access, open, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, sep } from "node:path";
import { displayLine } from "../../std/display-text.ts";
import { accessAt, isIn, type Plan } from "./box-plan.ts";
import { folderOf } from "./find-tools.ts";
import { SECRET_IN_FOLDER, SECRET_IN_HOME, SECRET_IN_SYSTEM } from "./secret-places.ts";

/** A command that failed in a box. */
export interface Failed {
  /** The last that it printed. */
  readonly tail: string;
  readonly plan: Plan;
  /** Where its shell looked for programs. */
  readonly path: string;
  readonly userHomes: readonly string[];
  /** What nobody may learn of, not even whether it is there. */
  readonly unspoken: readonly string[];
  /** The key of the spec that opens a place for it. */
  readonly key: string;
}

/** Each is an answer to somebody who may be hostile: what is told of one command is little. */
const MOST_TOLD = 3;
const MOST_LOOKED_AT = 60;

/** Undefined where nothing that it missed is hidden. */
export async function tellHidden(failed: Failed): Promise<string | undefined> {
  const { plan, userHomes, key } = failed;
  const told = new Map<string, string>();
  for (const path of (await missedBy(failed)).slice(0, MOST_LOOKED_AT)) {
    if (told.size === MOST_TOLD) break;
    const hidden = hiddenAt(path, plan);
    if (hidden === undefined || [path, hidden].some((each) => isUnspoken(each, failed))) continue;
    told.set(hidden, await toOpen(hidden, userHomes));
  }
  if (told.size === 0) return undefined;
  const names = [...told.keys()].map((path) => displayLine(path, 200));
  const opens = [...new Set(told.values())].map((path) => displayLine(JSON.stringify(path), 200));
  return `the box hides ${names.join(" and ")}: to show ${names.length === 1 ? "it" : "them"}, write ${key}: [${opens.join(", ")}] in the spec`;
}

const MISSED =
  /no such file|not found|cannot (?:find|open|access|read|load|stat)|can't (?:find|open|cd|read|load)|could not (?:find|open|read|load)|ENOENT|does not exist|doesn't exist|bad interpreter|not a directory/i;
const QUOTED = /(["'`‘])((?:\/|~\/)[^"'`’\n]{1,1000})["'`’]/g;
const PLAIN = /(?<![\w.~/-])(?:\/|~\/)[^\s"'`‘’:;,()<>|&[\]{}]{1,1000}/g;
const PROGRAM =
  /(?:^|[\s:])([\w.+-]{1,100}): (?:command )?not found\s*$|not found: ([\w.+-]{1,100})\s*$|\bENOENT\b.*\bspawn ([\w.+-]{1,100})|spawn ([\w.+-]{1,100}) ENOENT/;

/** Absolute paths and programs that it says are missing, the last first. */
async function missedBy(failed: Failed): Promise<readonly string[]> {
  const { tail, path, userHomes } = failed;
  const lines = tail.split("\n").filter((line) => MISSED.test(line));
  const home = userHomes[0] ?? sep;
  const found = await Promise.all(
    lines.reverse().map(async (line) => {
      const named = [...[...line.matchAll(QUOTED)].map((match) => match[2] ?? ""), ...(line.match(PLAIN) ?? [])].map((each) =>
        each.startsWith("~/") ? join(home, each.slice(2)) : each,
      );
      const program = PROGRAM.exec(line)?.slice(1).find(Boolean);
      const programs = [...(program === undefined ? [] : await programsCalled(program, path)), ...named];
      return [...programs, ...(await Promise.all(programs.map((each) => interpreterOf(each, failed)))).flat()];
    }),
  );
  return [...new Set(found.flat())];
}

async function programsCalled(name: string, path: string): Promise<readonly string[]> {
  const places = path.split(":").filter(isAbsolute).slice(0, 100);
  const found = await Promise.all(places.map(async (folder) => ((await isProgram(join(folder, name))) ? [join(folder, name)] : [])));
  return found.flat().slice(0, 1);
}

/** A script whose interpreter is missing is "not found" itself. Only the user's own are read: in a room the maker wrote them. */
async function interpreterOf(path: string, failed: Failed): Promise<readonly string[]> {
  const isOwn = ["/usr", "/opt", ...failed.userHomes].some((place) => isIn(path, place));
  if (!isOwn || isUnspoken(path, failed) || !(await isProgram(path))) return [];
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  try {
    const { bytesRead, buffer } = (await file?.read(Buffer.alloc(256), 0, 256, 0)) ?? { bytesRead: 0, buffer: Buffer.alloc(0) };
    const named = /^#! *(\/\S+)/.exec(buffer.toString("utf8", 0, bytesRead))?.[1];
    return named === undefined ? [] : [named];
  } finally {
    await file?.close();
  }
}

/** Where it truly lies, if that is there and the box does not show it. */
function hiddenAt(path: string, { places }: Plan): string | undefined {
  const real = realOf(path);
  if (real === undefined || places.some((place) => place.path === real)) return undefined;
  return ["hidden", "scratch"].includes(accessAt(places, real)) ? real : undefined;
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined; // not there, whoever looks
  }
}

const isUnspoken = (path: string, { unspoken, userHomes }: Failed): boolean =>
  [...unspoken, ...SECRET_IN_SYSTEM, ...userHomes.flatMap((home) => SECRET_IN_HOME.map((place) => join(home, place)))].some(
    (place) => isIn(path, place) || isIn(path, realOf(place) ?? place),
  ) || SECRET_IN_FOLDER.some((name) => path.endsWith(`/${name}`));

/** A program seldom works without what lies around it. */
async function toOpen(path: string, userHomes: readonly string[]): Promise<string> {
  const isTooWide = (folder: string): boolean =>
    dirname(folder) === sep || userHomes.some((home) => isIn(home, folder) || folder === join(home, ".local"));
  const place = (await isProgram(path)) ? folderOf(path, isTooWide) : path;
  const home = userHomes[0];
  return home !== undefined && isIn(place, home) ? `~${place.slice(home.length)}` : place;
}

const isProgram = async (path: string): Promise<boolean> => {
  const [isFile, mayRun] = await Promise.all([
    stat(path).then(
      (found) => found.isFile(),
      () => false,
    ),
    access(path, constants.X_OK).then(
      () => true,
      () => false,
    ),
  ]);
  return isFile && mayRun;
};
