// Which place a boxed command may see and write: the deepest word about a place counts. Pure, apart from looking up what is there.
import { realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { BoxWish } from "../../contract/commands.ts";
import { NEEDED_IN_SYSTEM, SECRET_IN_HOME, SECRET_IN_SYSTEM, TEMPORARY } from "./secret-places.ts";

/** `scratch` is empty, writable, and gone with the command. */
export type Access = "read" | "write" | "hidden" | "scratch";

export interface Place {
  readonly path: string;
  readonly access: Access;
  readonly isFolder: boolean;
}

/** What is hidden from every command: our own home folder, and where the user's secrets lie. */
export interface Standing {
  readonly ourHome: string;
  /** Where this program lies: hooks that agents run in the box start it again. */
  readonly ourProgram?: string;
  readonly userHomes: readonly string[];
}

/** Everything that is said about places which are there, parents first. Below `/` all is readable and nothing writable. */
export async function planBox(wish: BoxWish, { ourHome, ourProgram, userHomes }: Standing): Promise<readonly Place[]> {
  const placeOf = (path: string): string => placeNamed(path, wish.folder, userHomes[0]);
  // In the order of their weight: what comes later wins, where two speak of the same place.
  const said = await Promise.all([
    ...TEMPORARY.map((path) => found(path, "scratch")),
    ...[...wish.needs, ...(ourProgram === undefined ? [] : [ourProgram]), ...NEEDED_IN_SYSTEM].map((path) => found(path, "read")),
    ...[ourHome, ...SECRET_IN_SYSTEM, ...userHomes.flatMap((home) => SECRET_IN_HOME.map((path) => join(home, path)))].map((path) =>
      found(path, "hidden"),
    ),
    ...wish.reads.map((path) => found(placeOf(path), "read")),
    ...wish.writes.map((path) => found(placeOf(path), "write")),
    ...wish.hidden.map((path) => found(placeOf(path), "hidden")),
    ...wish.rooms.map((path) => found(path, "write")),
  ]);
  return settle(said.flat());
}

/** As a spec names it: absolute, from the user's home, or from the spec's own folder. */
export const placeNamed = (path: string, folder: string, userHome: string | undefined): string =>
  userHome !== undefined && (path === "~" || path.startsWith("~/")) ? join(userHome, path.slice(1)) : resolve(folder, path);

/** One word for each place, parents first, without those that change nothing. */
export function settle(said: readonly Place[]): readonly Place[] {
  const last = new Map(said.map((place) => [place.path, place]));
  const settled: Place[] = [];
  for (const place of [...last.values()].sort((a, b) => depthOf(a.path) - depthOf(b.path))) {
    if (accessAt(settled, place.path) !== place.access) settled.push(place);
  }
  return settled;
}

/** What may be done at a path: as the deepest place says that it lies in. */
export function accessAt(places: readonly Place[], path: string): Access {
  const around = places.filter((place) => isIn(path, place.path)).sort((a, b) => depthOf(b.path) - depthOf(a.path));
  return around[0]?.access ?? "read";
}

/** By its real path, because that is where a mount goes. What is not there needs no word. */
async function found(path: string, access: Access): Promise<readonly Place[]> {
  try {
    const real = await realpath(path);
    return [{ path: real, access, isFolder: (await stat(real)).isDirectory() }];
  } catch {
    return [];
  }
}

const depthOf = (path: string): number => path.split(sep).filter(Boolean).length;
const isIn = (path: string, folder: string): boolean =>
  folder === sep || path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
