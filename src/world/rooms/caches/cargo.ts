// Cargo's build folder, of dependencies alone: what the workspace's own packages are built from cargo tells by times of files and by what
// build scripts declare, and these may say less than there is.
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { removeTree } from "../../files/remove-tree.ts";
import type { CacheKind } from "./cache-kind.ts";
import { headOf, isFolder, isFolderIn, keepOnly, namesIn } from "./plain-files.ts";

const CHECKSUM = ".cargo-checksum.json";
/** These decide how a dependency is built, and not all of them are in its fingerprint. */
const SETTINGS = ["**/.cargo/**", "**/rust-toolchain", "**/rust-toolchain.toml"];
const MOST_BYTES = 4 * 1024 * 1024;
/** Where cargo lays out what has a checksum, or a commit. */
const NEVER_CHANGES = /\/(?:registry\/src|git\/checkouts)\//;

export const cargo: CacheKind = {
  name: "cargo",
  async prepare({ work, tracked }) {
    const roots = new Set(tracked.flatMap((path) => (/(^|\/)Cargo\.toml$/.test(path) ? [dirname(path)] : [])));
    const vendored = tracked.flatMap((path) => (path.endsWith(`/${CHECKSUM}`) ? [dirname(path)] : []));
    const paths: string[] = [];
    for (const root of roots) {
      const path = join(root, "target");
      if (isBelowAny(root, vendored) || !isFolderIn(work, path) || headOf(join(work, path, "CACHEDIR.TAG"), 1) === undefined) continue;
      if ((await strip({ work, root: join(work, root), target: join(work, path), vendored })) > 0) paths.push(path);
    }
    if (paths.length === 0) return undefined;
    const shelves = [...new Set(vendored.map((path) => (dirname(path) === "." ? path : dirname(path))))];
    // Cargo holds a vendored package against its checksum only where it builds it.
    return { under: "work", paths, bounds: { alone: true, unless: SETTINGS, unlessIn: shelves } };
  },
};

const isBelowAny = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

interface Build {
  readonly work: string;
  /** The folder that the paths in it are relative to. */
  readonly root: string;
  readonly target: string;
  readonly vendored: readonly string[];
}

/** How many units are left. */
async function strip(build: Build): Promise<number> {
  const { target } = build;
  let kept = 0;
  for (const name of namesIn(target)) {
    const at = join(target, name);
    const profiles = isProfile(at) ? [at] : namesIn(at).map((each) => join(at, each));
    if (!isFolder(at) || !profiles.some(isProfile)) {
      if (name !== "CACHEDIR.TAG" && name !== ".rustc_info.json") await removeTree(at);
      continue;
    }
    for (const profile of profiles) {
      if (isProfile(profile)) kept += await stripProfile(profile, build);
      else await removeTree(profile);
    }
  }
  return kept;
}

const isProfile = (folder: string): boolean => isFolder(join(folder, ".fingerprint"));

const UNIT = /^(.+)-([0-9a-f]{16})$/;
const ENDING = /-([0-9a-f]{16})(\.[\w.]+)?$/;

/** A unit is known by its hash, which stands in the names of all that it is made of; what it was built from by what its compiler wrote down. */
async function stripProfile(profile: string, build: Build): Promise<number> {
  const units = new Map<string, string>();
  for (const name of namesIn(join(profile, ".fingerprint"))) {
    const [, packageName, hash] = UNIT.exec(name) ?? [];
    if (packageName !== undefined && hash !== undefined) units.set(hash, packageName);
  }
  const compiled = new Map<string, "foreign" | "own">();
  for (const hash of units.keys()) {
    const told = dependencyFiles(profile, hash, units.get(hash) ?? "");
    if (told.length > 0) compiled.set(hash, told.every((path) => isForeign(path, build)) ? "foreign" : "own");
  }
  // All of a package, or nothing: what a build script said is only as good as what it was built from.
  const byPackage = (name: string): readonly (string | undefined)[] =>
    [...units].filter(([, each]) => each === name).map(([hash]) => compiled.get(hash));
  const wanted = new Set(
    [...units].flatMap(([hash, name]) => {
      const all = byPackage(name);
      return all.includes("foreign") && !all.includes("own") ? [hash] : [];
    }),
  );
  const isWanted = (name: string): boolean => wanted.has(ENDING.exec(name)?.[1] ?? "");
  for (const folder of [".fingerprint", "deps", "build"]) {
    const at = join(profile, folder);
    if (isFolder(at)) await keepOnly(at, isWanted);
    else await removeTree(at);
  }
  await keepOnly(profile, (name) => [".fingerprint", "deps", "build"].includes(name));
  return wanted.size;
}

/** What rustc wrote down of a unit: a library's lies among the others, a build script's in its own folder. */
function dependencyFiles(profile: string, hash: string, name: string): readonly string[] {
  const shelves = [join(profile, "deps"), join(profile, "build", `${name}-${hash}`)];
  return shelves.flatMap((shelf) =>
    namesIn(shelf).flatMap((each) => (ENDING.exec(each)?.[1] === hash && each.endsWith(".d") ? [join(shelf, each)] : [])),
  );
}

/** Every source lies in a registry, which never changes, or in a vendored package with a checksum. */
function isForeign(path: string, { work, root, vendored }: Build): boolean {
  const head = headOf(path, MOST_BYTES);
  if (head === undefined || head.length === MOST_BYTES) return false;
  const sources = sourcesIn(head.toString("utf8"));
  return (
    sources.length > 0 &&
    sources.every((source) => {
      const at = isAbsolute(source) ? resolve(source) : resolve(root, source);
      const inside = at === work || at.startsWith(work + sep) ? at.slice(work.length + 1) : undefined;
      return inside === undefined ? isAbsolute(source) && NEVER_CHANGES.test(at) : isBelowAny(inside, vendored);
    })
  );
}

/** As make reads it: a target, a colon, what it is made from; a blank in a name has a backslash before it. */
function sourcesIn(text: string): readonly string[] {
  const found = new Set<string>();
  for (const line of text.split("\n")) {
    if (line.startsWith("#")) continue;
    const [target = "", ...rest] = line.split(/: |:$/);
    if (target === "" || rest.length === 0) continue;
    const named = rest.join(": ").split(/(?<!\\) +/);
    for (const name of named) if (name !== "") found.add(name.replaceAll("\\ ", " "));
  }
  return [...found];
}
