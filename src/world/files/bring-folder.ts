// Lays a folder that the user keeps outside the target into a verifier's room.
import { cp, lstat, mkdir, readdir, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { BroughtFolder } from "../../contract/workshop.ts";
import { removeTree } from "./remove-tree.ts";

/** The real place of the folder, or a refusal: what lies in the target is no secret from the maker. */
export async function findBrought({ path, specFolder, repo }: Omit<BroughtFolder, "asOf">): Promise<string> {
  const place = await realpath(resolve(specFolder, path)).catch((cause: unknown) => {
    throw unusable(path, "there is no such folder", cause);
  });
  if (!(await stat(place)).isDirectory()) throw unusable(path, "it is not a folder", undefined);
  const target = await realpath(repo);
  if (isInside(place, target)) throw unusable(path, "it lies inside the target repository, where the maker sees it", undefined);
  if (isInside(target, place)) throw unusable(path, "the target repository lies inside it", undefined);
  return place;
}

/** Replaces whatever is at `into`. */
export async function layFolder(place: string, work: string, into: string): Promise<void> {
  // What links in the folder point to comes along, because the room is all that a check should need.
  await cp(place, await clearWay(work, into), { recursive: true, dereference: true, preserveTimestamps: true });
}

/** The place in the copy, free, with real folders on the way to it. Links on the way are of the proposal's making: they are removed, never followed. */
export async function clearWay(work: string, into: string): Promise<string> {
  const parts = into.split("/").filter((part) => part !== "" && part !== ".");
  if (isAbsolute(into) || parts.length === 0 || parts.some((part) => part === ".." || part.toLowerCase() === ".git"))
    throw unusable(into, "it leads out of the copy or into its .git", undefined);
  for (let depth = 1; depth < parts.length; depth++) await mustBeRealFolder(join(work, ...parts.slice(0, depth)));
  const at = join(work, ...parts);
  await removeTree(at);
  await mkdir(dirname(at), { recursive: true });
  return at;
}

/** Refuses a folder that somebody changed while there was a maker about. */
export async function mustBeAsOf(place: string, { path, asOf }: Pick<BroughtFolder, "path" | "asOf">): Promise<void> {
  if ((await lastChangedMs(place)) > Date.parse(asOf)) throw touched(path);
}

/** When anything in it was last changed. A file's own time can be set by whoever writes it; this one only by the clock. */
async function lastChangedMs(place: string): Promise<number> {
  const inside = await readdir(place, { recursive: true });
  const times = await Promise.all([place, ...inside.map((name) => join(place, name))].map(async (path) => (await stat(path)).ctimeMs));
  return times.reduce((latest, time) => Math.max(latest, time), 0);
}

const touched = (path: string): LoopError =>
  new LoopError(
    "bad-input",
    `the folder ${JSON.stringify(path)} was changed after the run began, so it is not what you kept from the maker`,
    {
      retry: "never",
      hint: "Look at what changed in it. If it was you, run the loop again.",
    },
  );

async function mustBeRealFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  // That is how a layer is hidden which lies under the copy: without it, what was taken away would be there again.
  if (found?.isCharacterDevice()) throw unusable(path, "the change took away a folder on the way to it", undefined);
  if (found && !found.isDirectory()) await removeTree(path);
}

const isInside = (inner: string, outer: string): boolean => {
  const way = relative(outer, inner);
  return way === "" || (!isAbsolute(way) && way.split("/")[0] !== "..");
};

const unusable = (path: string, why: string, cause: unknown): LoopError =>
  new LoopError("bad-input", `the folder ${JSON.stringify(path)} cannot be brought to a check: ${why}`, {
    retry: "never",
    hint: "Name a folder outside the target repository, relative to the spec's folder.",
    cause,
  });
