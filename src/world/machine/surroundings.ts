// What of this machine checks go by: as one word that costs nothing, and when any of it last changed.
import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { release } from "node:os";
import { delimiter, isAbsolute, join, sep } from "node:path";
import type { Environment } from "../../contract/clock.ts";
import { chosenEnvironment } from "../../std/environment.ts";
import { canonicalJson, sha256 } from "../../std/hash.ts";

/** Where package managers of systems write down what is installed. */
const INSTALLED = [
  "/var/lib/dpkg/status",
  "/var/lib/rpm/rpmdb.sqlite",
  "/var/lib/rpm/Packages",
  "/lib/apk/db/installed",
  "/var/lib/pacman/local",
];
/** Where libraries and settings of the system lie. */
const SYSTEM = ["/etc", "/usr/lib", "/usr/lib64", "/usr/libexec", "/usr/local", "/opt"];
const MOST = 400_000;
/** So many before others have their turn. */
const AT_ONCE = 5_000;

/** Which machine and which of its programs checks go by, and all variables that they are given. */
export const wordFor = (
  env: Environment,
  { inherit, words }: { readonly inherit: readonly string[]; readonly words: readonly string[] },
): string =>
  sha256(
    canonicalJson([
      process.platform,
      process.arch,
      release(),
      process.version,
      process.getuid?.() ?? 0,
      chosenEnvironment(inherit, env),
      words,
    ]),
  );

interface Looking {
  readonly tools: readonly string[];
  readonly also: readonly string[];
  readonly without: readonly string[];
  /** What is installed for everybody. */
  readonly system?: readonly string[];
}

/** Who compiles, links, or says what is compiled: in whatever cache they leave, another one of them may do otherwise. */
const COMPILERS =
  "go cargo rustc rustup node npm npx tsc cc c++ gcc g++ clang clang++ ld lld mold as ar ccache pkg-config cmake make python3 java javac".split(
    " ",
  );

/** Where PATH leads to each, and which file that is. */
export function toolchainBy(env: Environment): string {
  const folders = (env.get("PATH") ?? "").split(delimiter).filter(isAbsolute);
  const found = COMPILERS.flatMap((name) => {
    for (const folder of folders) {
      const path = real(join(folder, name));
      const file = statSync(path, { throwIfNoEntry: false });
      if (file?.isFile()) return [[name, path, file.size, file.mtimeMs]];
    }
    return [];
  });
  return sha256(JSON.stringify([env.get("PATH"), found]));
}

/**
 * Programs by PATH, what is installed on the system, and toolchains outside of it: every file, since one may be changed where it lies, and
 * every folder, since what is taken away changes the one that it was in. The time of a change (ctime) cannot be set back by a program.
 * Undefined where there is more than can be looked at.
 */
export async function newestChange(env: Environment, { tools, also, without, system = SYSTEM }: Looking): Promise<Date | undefined> {
  let newest = 0;
  let seen = 0;
  const note = (path: string): void => {
    seen++;
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found) newest = Math.max(newest, found.ctimeMs);
    const behind = found?.isSymbolicLink() ? behindLink(path) : undefined;
    if (behind) newest = Math.max(newest, behind.ctimeMs);
  };
  const left = new Set(without.map(real));
  const noteAll = async (top: string): Promise<void> => {
    const folders = [top];
    let next = seen + AT_ONCE;
    for (let at = folders.pop(); at !== undefined && seen <= MOST; at = folders.pop()) {
      if (seen > next) await new Promise<void>((resolve) => setImmediate(resolve));
      if (seen > next) next = seen + AT_ONCE;
      const entries = listed(at);
      // What is made beside what is left out, or taken away there, changes their folder: then nobody can tell it apart.
      if (!entries.some((entry) => left.has(join(at, entry.name)))) note(at);
      for (const entry of entries) {
        const inside = join(at, entry.name);
        if (left.has(inside)) continue;
        if (entry.isDirectory()) folders.push(inside);
        else note(inside);
      }
    }
  };
  try {
    for (const folder of (env.get("PATH") ?? "").split(delimiter).filter(isAbsolute)) {
      note(folder);
      for (const { name } of listed(folder)) note(join(folder, name));
    }
    for (const file of INSTALLED) note(file);
    for (const folder of outermost([...also, ...system, ...tools].map(real))) await noteAll(folder);
  } catch {
    return undefined; // what cannot be looked at may have changed
  }
  return seen > MOST ? undefined : new Date(newest);
}

/** Undefined where it leads nowhere, or in a circle. */
function behindLink(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ELOOP" || error.code === "ENOTDIR")) return undefined;
    throw error;
  }
}

const outermost = (folders: readonly string[]): readonly string[] => {
  const all = [...new Set(folders)];
  return all.filter((folder) => !all.some((other) => other !== folder && folder.startsWith(`${other}${sep}`)));
};

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
