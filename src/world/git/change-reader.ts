// Reads what changed in a repository: between two commits, or between a commit and the disk.

import { LoopError } from "../../contract/errors.ts";
import type { ChangeReader } from "../../contract/git.ts";
import { compareTrees } from "./compare-trees.ts";
import { compareWorkTree } from "./compare-work-tree.ts";
import { openRepository, type Repository } from "./open-repository.ts";
import { resolveName } from "./resolve-name.ts";
import { gitLine, type RunGit } from "./run-git.ts";

export function createChangeReader(git: RunGit): ChangeReader {
  return {
    async betweenCommits(repo, base, head) {
      const repository = await openRepository(git, repo);
      return compareTrees(repository, await treeOf(repository, base), await treeOf(repository, head));
    },
    async withWorkTree(repo, base) {
      const repository = await openRepository(git, repo);
      const root = await gitLine(git, { cwd: repo, args: ["rev-parse", "--show-toplevel"] });
      return compareWorkTree(repository, await treeOf(repository, base), {
        root,
        hash: repository.idLength === 64 ? "sha256" : "sha1",
        submoduleAt: (folder) => headOf(git, root, folder),
      });
    },
  };
}

/** A name first, as everywhere in the house; then whatever git can make a tree of. */
async function treeOf(repository: Repository, name: string): Promise<string> {
  const asked = (await resolveName(repository, name)) ?? name;
  const answer = await repository.ask(["rev-parse", "--verify", "--quiet", "--end-of-options", `${asked}^{tree}`]);
  const tree = answer.stdout.toString("utf8").trim();
  if (answer.code === 0 && tree !== "") return tree;
  throw new LoopError("ref-missing", `${repository.path} has no commit or tree called ${name}`, {
    retry: "never",
    hint: "Name a branch, a tag, a commit id, or one counted back from it such as HEAD~1; a shallow clone may lack it (`git fetch --unshallow`).",
  });
}

/** Undefined for a folder that is no repository of its own: git would answer with the one around it. */
async function headOf(git: RunGit, root: string, folder: string): Promise<string | undefined> {
  const answer = await git({ cwd: folder, args: ["rev-parse", "--show-toplevel", "HEAD"] });
  const [top, commit] = answer.stdout.toString("utf8").trim().split("\n");
  return answer.code === 0 && top !== root ? commit : undefined;
}
