// Puts a commit on a new branch of the target. A branch of that name with other work on it is never moved.
import { LoopError } from "../../contract/errors.ts";
import { stamp } from "./commit-of.ts";
import { gitWithoutRoom } from "./git-call.ts";
import { openAsIs } from "./open-repository.ts";
import { refTip, sureTips } from "./ref-tip.ts";
import type { RunGit } from "./run-git.ts";

export interface NewBranch {
  readonly branch: string;
  readonly commit: string;
  readonly at: string;
  readonly because: string;
}

/** The commit is brought only where the branch is not known to be there. */
export async function putOnBranch(
  git: RunGit,
  repo: string,
  { branch, commit, at, because }: NewBranch,
  bring: () => Promise<void>,
): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const repository = await openAsIs(git, repo);
  const [there] = await sureTips(repository.objects, [ref]);
  if (there === commit) return;
  if (there) throw branchTaken(branch, there);
  await bring();
  // Made only if it is not there: a branch that somebody else made in the meantime is never moved.
  const args = ["update-ref", "--no-deref", "-m", because, ref, commit, "0".repeat(commit.length)];
  const made = await git({ cwd: repo, env: stamp(at), args });
  if (made.code === 0) return;
  const tip = await refTip(repository, ref);
  if (tip === undefined) throw gitWithoutRoom(made.stderr) ?? branchRefused(branch, made.stderr);
  if (tip !== commit) throw branchTaken(branch, tip);
}

const branchTaken = (branch: string, tip: string): LoopError =>
  new LoopError("proposal-conflict", `the branch ${branch} already holds other work (${tip.slice(0, 12)})`, {
    retry: "never",
    hint: "Rename or delete that branch, then `lw run` again; nothing was changed.",
  });

const branchRefused = (branch: string, why: string): LoopError =>
  new LoopError("proposal-conflict", `the branch ${branch} could not be made: ${why.trim().slice(0, 1000)}`, {
    retry: "never",
    hint: `If a branch named like a part of it is in the way (${branch.split("/")[0]}), rename that one, then \`lw run\` again; nothing was changed.`,
  });
