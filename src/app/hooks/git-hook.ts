// Puts the referee before every push of a repository, or lets it tell the daemon to look, and takes both out again.
import type { GitHooks } from "../../contract/git.ts";
import { shellWord } from "../../std/shell-word.ts";
import type { HookChange } from "./change-settings-file.ts";
import type { HookPlace } from "./install-hook.ts";
import { lineDiff } from "./line-diff.ts";

/** By this line we know our own file. */
const MARK = "# Written by `lw hook install git --referee`. Do not edit; `lw hook uninstall git` removes it.";

const scriptOf = (flags: string): string => `#!/bin/sh
${MARK}
# Judges every commit that is pushed. What is not proven, or cannot be judged, is not pushed.
exec lw hook run git --referee --remote "$1"${flags}
`;

const WAKE_MARK = "# Written by `lw hook install git --wake`. Do not edit; `lw hook uninstall git --wake` removes it.";

/** It only says that there is something to look at; nothing that it could say would be believed. */
const wakeScriptOf = (file: string): string => `#!/bin/sh
${WAKE_MARK}
# Tells the daemon to look at its refs now, and never keeps git from anything.
: 2>/dev/null >${shellWord(file)} || :
`;

type GitHookPlace = Pick<HookPlace, "project" | "referee">;
const HOOK = "pre-push";
/** Whatever moves a ref by the hand of somebody who works here, or who pushes to here. */
const WAKE_HOOKS = ["post-commit", "post-merge", "post-receive"];

export async function installGitHook({ project, referee }: GitHookPlace, mode: "write" | "show", hooks: GitHooks): Promise<HookChange> {
  if (!referee) return { kind: "refused", why: "git has no hook for the command guard. Write lw hook install git --referee." };
  const { path, text: before } = await hooks.find(project, HOOK);
  const wanted = scriptOf(referee.flags);
  if (before === wanted) return { kind: "unchanged", path };
  if (before !== undefined && !isOurs(before))
    return {
      kind: "refused",
      why: `${path} was left as it is: somebody wrote it. Add this to it, with git's lines on standard input: lw hook run git --referee --remote "$1"${referee.flags} || exit 1`,
    };
  if (mode === "write") await hooks.write(path, wanted);
  return changed(path, before, wanted);
}

export async function uninstallGitHook({ project }: GitHookPlace, mode: "write" | "show", hooks: GitHooks): Promise<HookChange> {
  const { path, text: before } = await hooks.find(project, HOOK);
  if (before === undefined) return { kind: "unchanged", path };
  if (!isOurs(before)) return { kind: "refused", why: `${path} was left as it is: it is not a file that Loopwright wrote.` };
  if (mode === "write") await hooks.remove(path);
  return changed(path, before, undefined);
}

/** `file` is what the hooks touch. */
export async function installWakeHooks(
  project: string,
  file: string,
  mode: "write" | "show",
  hooks: GitHooks,
): Promise<readonly HookChange[]> {
  const wanted = wakeScriptOf(file);
  return eachWakeHook(project, hooks, async ({ path, text: before }) => {
    if (before === wanted) return { kind: "unchanged", path };
    if (before !== undefined && !isOurs(before, WAKE_MARK))
      return { kind: "refused", why: `${path} was left as it is: somebody wrote it. Add this to it: : >${shellWord(file)} || :` };
    if (mode === "write") await hooks.write(path, wanted);
    return changed(path, before, wanted);
  });
}

export async function uninstallWakeHooks(project: string, mode: "write" | "show", hooks: GitHooks): Promise<readonly HookChange[]> {
  return eachWakeHook(project, hooks, async ({ path, text: before }) => {
    if (before === undefined) return { kind: "unchanged", path };
    if (!isOurs(before, WAKE_MARK)) return { kind: "refused", why: `${path} was left as it is: it is not a file that Loopwright wrote.` };
    if (mode === "write") await hooks.remove(path);
    return changed(path, before, undefined);
  });
}

type FoundHook = Awaited<ReturnType<GitHooks["find"]>>;

/** One that is somebody's own keeps none of the others back. */
async function eachWakeHook(
  project: string,
  hooks: GitHooks,
  change: (found: FoundHook) => Promise<HookChange>,
): Promise<readonly HookChange[]> {
  const changes: HookChange[] = [];
  for (const name of WAKE_HOOKS) changes.push(await change(await hooks.find(project, name)));
  return changes;
}

const isOurs = (text: string, mark = MARK): boolean => text.split("\n")[1] === mark;

const changed = (path: string, before: string | undefined, after: string | undefined): HookChange => ({
  kind: "changed",
  path,
  diff: [
    `--- ${before === undefined ? "/dev/null" : path}`,
    `+++ ${after === undefined ? "/dev/null" : path}`,
    ...lineDiff(before ?? "", after ?? ""),
  ],
});
