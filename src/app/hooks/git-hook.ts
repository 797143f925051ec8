// Puts the referee before every push of a repository, and takes it out again.
import { join } from "node:path";
import type { Environment } from "../../contract/clock.ts";
import { openCheckout } from "../../world/git/checkout.ts";
import { hookFolder, readHook, removeHook, writeHook } from "../../world/git/git-hooks.ts";
import { withGit } from "../../world/git/run-git.ts";
import type { HookChange, HookPlace } from "./install-hook.ts";
import { lineDiff } from "./line-diff.ts";

/** By this line we know our own file. */
const MARK = "# Written by `lw hook install git --referee`. Do not edit; `lw hook uninstall git` removes it.";

const scriptOf = (flags: string): string => `#!/bin/sh
${MARK}
# Judges every commit that is pushed. What is not proven, or cannot be judged, is not pushed.
exec lw hook run git --referee --remote "$1"${flags}
`;

export interface GitHookPlace extends Pick<HookPlace, "project" | "referee"> {
  readonly env: Environment;
}

export async function installGitHook({ project, env, referee }: GitHookPlace, mode: "write" | "show"): Promise<HookChange> {
  if (!referee) return { kind: "refused", why: "git has no hook for the command guard. Write lw hook install git --referee." };
  const { path, before } = await find(project, env);
  const wanted = scriptOf(referee.flags);
  if (before === wanted) return { kind: "unchanged", path };
  if (before !== undefined && !isOurs(before))
    return {
      kind: "refused",
      why: `${path} was left as it is: somebody wrote it. Add this to it, with git's lines on standard input: lw hook run git --referee --remote "$1"${referee.flags} || exit 1`,
    };
  if (mode === "write") await writeHook(path, wanted);
  return changed(path, before, wanted);
}

export async function uninstallGitHook({ project, env }: GitHookPlace, mode: "write" | "show"): Promise<HookChange> {
  const { path, before } = await find(project, env);
  if (before === undefined) return { kind: "unchanged", path };
  if (!isOurs(before)) return { kind: "refused", why: `${path} was left as it is: it is not a file that Loopwright wrote.` };
  if (mode === "write") await removeHook(path);
  return changed(path, before, undefined);
}

const find = (project: string, env: Environment): Promise<{ readonly path: string; readonly before: string | undefined }> =>
  withGit(env, async (git) => {
    const { root } = await openCheckout(git, project, env);
    const path = join(await hookFolder(git, root, env), "pre-push");
    return { path, before: await readHook(path) };
  });

const isOurs = (text: string): boolean => text.split("\n")[1] === MARK;

const changed = (path: string, before: string | undefined, after: string | undefined): HookChange => ({
  kind: "changed",
  path,
  diff: [
    `--- ${before === undefined ? "/dev/null" : path}`,
    `+++ ${after === undefined ? "/dev/null" : path}`,
    ...lineDiff(before ?? "", after ?? ""),
  ],
});
