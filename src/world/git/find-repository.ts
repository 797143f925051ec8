// Finds the repository that a folder lies in, and asks git only once as long as nothing that says so has changed.
import { lstat, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { CallGit } from "./git-call.ts";

export interface Found {
  readonly isBare: boolean;
  readonly isInside: boolean;
  readonly isShallow: boolean;
  readonly format: "sha1" | "sha256";
  readonly gitDir: string;
  readonly commonDir: string;
}

export type Finder = (path: string) => Promise<Found>;

const QUESTIONS = [
  "--is-bare-repository",
  "--is-inside-git-dir",
  "--is-shallow-repository",
  "--show-object-format",
  "--git-dir",
  "--git-common-dir",
];
const MOST_KNOWN = 100;

/** Who keeps something open for a repository hears when it is no longer the one that it was. */
export function createFinder(git: CallGit, changed: (gitDir: string) => void): Finder {
  const known = new Map<string, { readonly found: Found; readonly stamp: string }>();
  return async (path) => {
    const before = known.get(path);
    if (before && (await stampOf(path, before.found)) === before.stamp) return before.found;
    if (before) changed(before.found.gitDir);
    known.delete(path);
    const found = await ask(git, path);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(path, { found, stamp: await stampOf(path, found) });
    return found;
  };
}

async function ask(git: CallGit, path: string): Promise<Found> {
  if (path === "" || /[\0\r\n]/.test(path)) throw unusable(path, "its path is empty or has a line break in it", "Move the repository.");
  await mustBeFiles(path);
  const found = await git({ cwd: "/", args: ["-C", resolve(path), "rev-parse", "--path-format=absolute", ...QUESTIONS] });
  if (found.code !== 0) throw refused(path, found.stderr);

  const [isBare, isInside, isShallow, format, gitDir, commonDir, ...rest] = found.stdout.toString("utf8").replace(/\n$/, "").split("\n");
  if (!gitDir?.startsWith("/") || !commonDir?.startsWith("/") || rest.length > 0)
    throw unusable(path, "git gave no clear place for it", "Move it to a path without line breaks.");
  return {
    isBare: isBare === "true",
    isInside: isInside === "true",
    isShallow: isShallow === "true",
    format: format === "sha256" ? "sha256" : "sha1",
    gitDir,
    commonDir,
  };
}

/** What git reads of any repository before it answers anything. Who opens a pipe there waits for ever. */
const READ_AT_ONCE = [
  "HEAD",
  "config",
  "config.worktree",
  "commondir",
  "packed-refs",
  "shallow",
  "info/attributes",
  "info/exclude",
  "info/grafts",
  "objects/info/alternates",
];

async function mustBeFiles(path: string): Promise<void> {
  const from = resolve(path);
  for (let at = from; ; at = dirname(at)) {
    for (const place of [join(at, ".git"), ...(at === from ? [at] : [])])
      for (const file of [place, ...READ_AT_ONCE.map((name) => join(place, name))]) {
        const found = await stat(file).catch(() => undefined);
        if (found && !found.isFile() && !found.isDirectory())
          throw unusable(path, `${file} is no file, so that git would wait for it for ever`, "Remove it, and look who put it there.");
      }
    if (dirname(at) === at || (await lstat(join(at, ".git")).catch(() => undefined))) return;
  }
}

/** Everything that the answer was read from: which folders they are, whose, and when the files in them were written. */
async function stampOf(path: string, { gitDir, commonDir }: Found): Promise<string> {
  const folders = [resolve(path), gitDir, commonDir].map(async (folder) => {
    const found = await lstat(folder).catch(() => undefined);
    return found && `${found.dev}:${found.ino}:${found.uid}`;
  });
  const files = [
    ...gitOnTheWay(resolve(path), gitDir),
    join(gitDir, "commondir"),
    join(gitDir, "config.worktree"),
    join(commonDir, "config"),
    join(commonDir, "shallow"),
  ].map(async (file) => {
    const found = await lstat(file).catch(() => undefined);
    return found && (found.isDirectory() ? `${found.dev}:${found.ino}` : `${found.dev}:${found.ino}:${found.size}:${found.ctimeMs}`);
  });
  return (await Promise.all([...folders, ...files])).join(" ");
}

/** Where git looks on its way up from the folder, as far as to the one it found. */
function gitOnTheWay(path: string, gitDir: string): readonly string[] {
  const here = join(path, ".git");
  return here === gitDir || dirname(path) === path ? [here] : [here, ...gitOnTheWay(dirname(path), gitDir)];
}

export const FOREIGN_HINT = "Run as the user who owns it, or give it to yourself with `chown -R`.";

function refused(path: string, stderr: string): LoopError {
  if (stderr.includes("dubious ownership")) return unusable(path, "it belongs to another user", FOREIGN_HINT);
  if (stderr.includes("cannot change to")) return unusable(path, "there is no such folder", "Correct `target.repo` in the spec.");
  if (stderr.includes("not a git repository"))
    return unusable(path, "it is not a git repository", "Correct `target.repo` in the spec, or run `git init` there.");
  return unusable(path, stderr.trim().slice(0, 500), "Look at it with `git status`, then try again.");
}

export const unusable = (path: string, why: string, hint: string): LoopError =>
  new LoopError("repo-unusable", `the repository at ${JSON.stringify(path)} cannot be used: ${why}`, { retry: "never", hint });
