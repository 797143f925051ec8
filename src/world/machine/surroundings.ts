// What of this machine checks go by: as one word that costs nothing, and when any of it last changed.
import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { release } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "../../contract/clock.ts";
import { sha256 } from "../../std/hash.ts";

/** Where package managers of systems write down what is installed. */
const INSTALLED = [
  "/var/lib/dpkg/status",
  "/var/lib/rpm/rpmdb.sqlite",
  "/var/lib/rpm/Packages",
  "/lib/apk/db/installed",
  "/var/lib/pacman/local",
];
/** Where libraries and settings of the system change beside them. */
const SYSTEM = ["/etc", "/usr/lib", "/usr/local/lib", "/usr/local/share", "/opt"];
/** Toolchains are this deep where what is installed into them is seen: `versions/3.11/lib/python3.11/site-packages`. */
const DEPTH = 6;
const MOST = 50_000;

export const wordFor = (env: Environment, words: readonly string[]): string =>
  sha256(JSON.stringify([process.platform, process.arch, release(), process.version, process.getuid?.(), env.get("PATH"), words]));

/**
 * Programs by PATH, what is installed on the system, and toolchains outside of it. The time of a change of a file or folder (ctime) cannot
 * be set back by a program, and what is taken away changes the folder that it was in. Undefined where there is more than can be looked at.
 */
export function newestChange(
  env: Environment,
  { tools, also, without }: { readonly tools: readonly string[]; readonly also: readonly string[]; readonly without: readonly string[] },
): Date | undefined {
  let newest = 0;
  let seen = 0;
  const note = (path: string): void => {
    seen++;
    const found = statSync(path, { throwIfNoEntry: false });
    if (found) newest = Math.max(newest, found.ctimeMs);
  };
  const noteFolders = (folder: string, depth: number): void => {
    note(folder);
    if (depth === 0 || seen > MOST) return;
    for (const entry of listed(folder)) if (entry.isDirectory()) noteFolders(join(folder, entry.name), depth - 1);
  };
  const left = new Set(without.map(real));
  const noteAll = (path: string): void => {
    const entries = listed(path);
    // What is made beside what is left out, or taken away there, changes their folder: then nobody can tell it apart.
    if (!entries.some((entry) => left.has(join(path, entry.name)))) note(path);
    for (const entry of seen > MOST ? [] : entries) {
      const inside = join(path, entry.name);
      if (left.has(inside)) continue;
      if (entry.isDirectory()) noteAll(inside);
      else note(inside);
    }
  };
  try {
    for (const folder of also) noteAll(real(folder));
    for (const folder of new Set((env.get("PATH") ?? "").split(delimiter).filter(isAbsolute))) {
      note(folder);
      for (const { name } of listed(folder)) note(join(folder, name));
    }
    for (const file of INSTALLED) note(file);
    for (const folder of SYSTEM) noteFolders(folder, 1);
    for (const folder of new Set(tools.map(real))) noteFolders(folder, DEPTH);
  } catch {
    return undefined; // what cannot be looked at may have changed
  }
  return seen > MOST ? undefined : new Date(newest);
}

function listed(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
