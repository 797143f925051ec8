// The bare repositories that loops keep their documents in. Nobody but the holder of the loop's lock makes or moves anything here.
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Documents } from "../../contract/git.ts";
import { removeTree } from "../files/remove-tree.ts";
import { commitOf } from "./commit-of.ts";
import { OWN_MARK } from "./open-repository.ts";
import { gitLine, gitOrThrow, type RunGit } from "./run-git.ts";

/** What is accepted is at its tip. */
const ACCEPTED = "main";
/** The same first commit in every repository and after every crash. */
const BEGINNING = "2026-01-01T00:00:00Z";

export function createDocuments(folder: string, git: RunGit): Documents {
  return {
    async open(loop) {
      const repo = join(folder, `${loop}.git`);
      if (!existsSync(repo)) await make(repo);
      return { repo, ref: ACCEPTED };
    },
  };

  /** Whole or not at all: what a crash left of an earlier try is thrown away. */
  async function make(repo: string): Promise<void> {
    const begun = `${repo}.begun`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeTree(begun);
    await gitOrThrow(git, { cwd: folder, args: ["init", "--quiet", "--bare", "--template=", `--initial-branch=${ACCEPTED}`, begun] });
    const env = { GIT_DIR: begun };
    const tree = await gitLine(git, { cwd: begun, env, args: ["mktree"], input: "" });
    const commit = await commitOf(git, begun, { tree, parents: [], at: BEGINNING, message: "Nothing was accepted yet.\n" });
    await gitOrThrow(git, { cwd: begun, env, args: ["update-ref", `refs/heads/${ACCEPTED}`, commit] });
    await writeFile(join(begun, OWN_MARK), "Made by Loopwright: the documents of one loop. What was accepted is on main.\n");
    await rename(begun, repo);
  }
}
