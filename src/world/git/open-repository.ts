// Finds the repository of a folder, and gives a way to ask it things that cannot write to it.
import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import { type GitAnswer, gitOrThrow, type RunGit } from "./run-git.ts";

export interface Repository {
  /** As the caller named it; for messages. */
  readonly path: string;
  readonly idLength: number;
  /** Commits whose parents were left behind when the clone was made shallow. */
  readonly shallow: ReadonlySet<string>;
  /** Asks git, also for a no. */
  readonly ask: (args: readonly string[], input?: string) => Promise<GitAnswer>;
  /** Asks git and takes no for a failure. */
  readonly read: (args: readonly string[], input?: string) => Promise<Buffer>;
}

/**
 * What a repository says about itself may not change what we read of it: no grafts, no attributes that declare files
 * binary, no fetching of missing objects, and files too large to compare count as binary.
 */
const READ_ONLY = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_GRAFT_FILE: "/dev/null",
  GIT_INDEX_FILE: "/nonexistent/index",
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.attributesFile",
  GIT_CONFIG_VALUE_0: "/dev/null",
  GIT_CONFIG_KEY_1: "core.bigFileThreshold",
  GIT_CONFIG_VALUE_1: "32m",
};

const QUESTIONS = [
  "--is-bare-repository",
  "--is-inside-git-dir",
  "--is-shallow-repository",
  "--show-object-format",
  "--git-dir",
  "--git-common-dir",
];

/** A repository to work on: it has a working tree. */
export async function openRepository(git: RunGit, path: string): Promise<Repository> {
  const found = await findRepository(git, path);
  if (found.isBare) throw unusable(path, "it is a bare repository", "Point `target.repo` at a clone that has a working tree.");
  if (found.isInside) throw unusable(path, "it lies inside a .git folder", "Point `target.repo` at the working tree.");
  return open(git, path, found);
}

/** A repository to look objects up in: bare ones serve as well, but only our own. */
export async function openObjects(git: RunGit, path: string): Promise<Repository> {
  const found = await findRepository(git, path);
  // Git asks who owns the folder it was pointed at, not who owns the one that this leads to.
  const { uid } = await stat(found.commonDir);
  if (process.getuid && uid !== process.getuid()) throw unusable(path, "it belongs to another user", FOREIGN_HINT);
  return open(git, path, found);
}

interface Found {
  readonly isBare: boolean;
  readonly isInside: boolean;
  readonly isShallow: boolean;
  readonly format: string | undefined;
  readonly gitDir: string;
  readonly commonDir: string;
}

async function findRepository(git: RunGit, path: string): Promise<Found> {
  if (path === "" || /[\0\r\n]/.test(path)) throw unusable(path, "its path is empty or has a line break in it", "Move the repository.");
  const found = await git({ cwd: "/", args: ["-C", resolve(path), "rev-parse", "--path-format=absolute", ...QUESTIONS] });
  if (found.code !== 0) throw refused(path, found.stderr);

  const [isBare, isInside, isShallow, format, gitDir, commonDir, ...rest] = found.stdout.toString("utf8").trimEnd().split("\n");
  if (!gitDir || !commonDir || rest.length > 0)
    throw unusable(path, "git gave no clear place for it", "Move it to a path without line breaks.");
  return { isBare: isBare === "true", isInside: isInside === "true", isShallow: isShallow === "true", format, gitDir, commonDir };
}

async function open(git: RunGit, path: string, { gitDir, commonDir, format, isShallow }: Found): Promise<Repository> {
  const call = (args: readonly string[], input?: string) => ({
    cwd: commonDir,
    // Told to be bare and without an index, git reads no attributes out of the working tree.
    args: [`--git-dir=${gitDir}`, "--bare", ...args],
    env: READ_ONLY,
    ...(input === undefined ? {} : { input }),
  });
  return {
    path,
    idLength: format === "sha256" ? 64 : 40,
    shallow: isShallow ? await readShallow(commonDir) : new Set(),
    ask: (args, input) => git(call(args, input)),
    read: (args, input) => gitOrThrow(git, call(args, input)),
  };
}

/** Whether this is an object id written out in full, and so cannot mean anything else. */
export const isFullId = (repository: Repository, text: string): boolean => text.length === repository.idLength && /^[0-9a-f]+$/.test(text);

async function readShallow(commonDir: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(commonDir, "shallow"), "utf8");
  return new Set(text.split("\n").filter((line) => line !== ""));
}

const FOREIGN_HINT = "Run as the user who owns it, or give it to yourself with `chown -R`.";

function refused(path: string, stderr: string): LoopError {
  if (stderr.includes("dubious ownership")) return unusable(path, "it belongs to another user", FOREIGN_HINT);
  if (stderr.includes("cannot change to")) return unusable(path, "there is no such folder", "Correct `target.repo` in the spec.");
  if (stderr.includes("not a git repository"))
    return unusable(path, "it is not a git repository", "Correct `target.repo` in the spec, or run `git init` there.");
  return unusable(path, stderr.trim().slice(0, 500), "Look at it with `git status`, then try again.");
}

const unusable = (path: string, why: string, hint: string): LoopError =>
  new LoopError("repo-unusable", `the repository at ${JSON.stringify(path)} cannot be used: ${why}`, { retry: "never", hint });
