// A commit of ours: the same for the same tree, parents, time and message.
import { gitLine, type RunGit } from "./run-git.ts";

const AUTHOR = { name: "Loopwright", email: "loopwright@localhost" };

export interface CommitPlan {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly at: string;
  readonly message: string;
}

/** Made in a bare repository of ours, on no branch. */
export const commitOf = (git: RunGit, store: string, { tree, parents, at, message }: CommitPlan): Promise<string> =>
  gitLine(git, {
    cwd: store,
    env: { GIT_DIR: store, ...stamp(at) },
    args: ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])],
    input: message,
  });

export const stamp = (at: string): { readonly [name: string]: string } => ({
  GIT_AUTHOR_NAME: AUTHOR.name,
  GIT_AUTHOR_EMAIL: AUTHOR.email,
  GIT_AUTHOR_DATE: at,
  GIT_COMMITTER_NAME: AUTHOR.name,
  GIT_COMMITTER_EMAIL: AUTHOR.email,
  GIT_COMMITTER_DATE: at,
});
