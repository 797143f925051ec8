// What a target repository looks like from outside, to be compared before and after.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { TestRepo } from "./git-repo.ts";

/** Everything of the user's that no loop may change: checkout, index, configuration, and every ref that is neither a proposal nor proof. */
export function lookAt(repo: TestRepo) {
  return {
    head: readFileSync(join(repo.dir, ".git/HEAD"), "utf8"),
    index: hashOf(readFileSync(join(repo.dir, ".git/index"))),
    config: readFileSync(join(repo.dir, ".git/config"), "utf8"),
    refs: repo
      .git("for-each-ref", "--format=%(refname) %(objectname)")
      .split("\n")
      .filter((line) => !/^refs\/(heads\/loopwright|loopwright\/proofs)\//.test(line)),
    stash: repo.git("stash", "list"),
    worktrees: repo.git("worktree", "list", "--porcelain"),
    status: repo.git("--no-optional-locks", "status", "--porcelain"),
    files: hashFiles(repo.dir, (name) => name !== ".git"),
  };
}

/** Hash of every file below a folder, by path. */
export function hashFiles(folder: string, isWanted: (name: string) => boolean = () => true): { readonly [path: string]: string } {
  const hashes: { [path: string]: string } = {};
  const visit = (inner: string): void => {
    for (const name of readdirSync(join(folder, inner)).filter((name) => inner !== "" || isWanted(name))) {
      const path = join(inner, name);
      const about = lstatSync(join(folder, path));
      if (about.isDirectory()) visit(path);
      else hashes[path] = about.isSymbolicLink() ? readlinkSync(join(folder, path)) : hashOf(readFileSync(join(folder, path)));
    }
  };
  visit("");
  return hashes;
}

export const proposalsIn = (repo: TestRepo): readonly string[] =>
  repo.git("for-each-ref", "--format=%(refname:short)", "refs/heads/loopwright/").split("\n").filter(Boolean);

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
