// Finds the repository of a folder, and gives a way to ask it things that cannot write to it.
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { FOREIGN_HINT, type Found, unusable } from "./find-repository.ts";
import { type GitAnswer, READ_ONLY } from "./git-call.ts";
import type { Objects } from "./objects.ts";
import { gitOrThrow, type RunGit } from "./run-git.ts";

export interface Repository {
  /** As the caller named it; for messages. */
  readonly path: string;
  readonly idLength: number;
  /** Commits whose parents were left behind when the clone was made shallow. */
  readonly shallow: ReadonlySet<string>;
  /** What a git that stays open is asked about. */
  readonly objects: Objects;
  /** Asks git, also for a no. */
  readonly ask: (args: readonly string[], input?: string) => Promise<GitAnswer>;
  /** Asks git and takes no for a failure. */
  readonly read: (args: readonly string[], input?: string) => Promise<Buffer>;
}

/** Lies in the bare repositories that are ours: their documents are worked on as others' working trees are. */
export const OWN_MARK = "loopwright-documents";

/** A repository to work on: it has a working tree, or is one of ours. */
export async function openRepository(git: RunGit, path: string): Promise<Repository> {
  const found = await git.find(path);
  if (found.isBare && existsSync(join(found.gitDir, OWN_MARK))) return open(git, path, found);
  if (found.isBare) throw unusable(path, "it is a bare repository", "Point `target.repo` at a clone that has a working tree.");
  if (found.isInside) throw unusable(path, "it lies inside a .git folder", "Point `target.repo` at the working tree.");
  return open(git, path, found);
}

/** A repository to look objects up in: bare ones serve as well, but only our own. */
export async function openObjects(git: RunGit, path: string): Promise<Repository> {
  const found = await git.find(path);
  // Git asks who owns the folder it was pointed at, not who owns the one that this leads to.
  const { uid } = await stat(found.commonDir);
  if (process.getuid && uid !== process.getuid()) throw unusable(path, "it belongs to another user", FOREIGN_HINT);
  return open(git, path, found);
}

/** A repository as it is, bare or not; git itself refuses that of another user. */
export const openAsIs = async (git: RunGit, path: string): Promise<Repository> => open(git, path, await git.find(path));

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
    objects: git.objects.of(gitDir),
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
