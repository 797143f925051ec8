// The tree of a commit.
import { LoopError } from "../../contract/errors.ts";
import type { Objects } from "./objects.ts";

export async function treeOf(objects: Objects, commit: string): Promise<string> {
  const [tree] = await objects.look([`${commit}^{tree}`]);
  if (tree) return tree.id;
  throw new LoopError("git-failed", `the repository has no tree of ${commit}`, {
    retry: "never",
    hint: "Look at the repository with `git status` and `git fsck`, then try again.",
  });
}
