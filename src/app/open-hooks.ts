// Where hooks are put in: settings of agents, and hooks of git.
import { join } from "node:path";
import type { SettingsFiles } from "../contract/adapters.ts";
import type { Environment } from "../contract/clock.ts";
import type { GitHooks } from "../contract/git.ts";
import { makeFolder } from "../world/files/make-folder.ts";
import { createSettingsFiles } from "../world/files/settings-files.ts";
import { openCheckout } from "../world/git/checkout.ts";
import { hookFolder, readHook, removeHook, writeHook } from "../world/git/git-hooks.ts";
import { withGit } from "../world/git/run-git.ts";

export const openHooks = (
  env: Environment,
): { readonly settings: SettingsFiles; readonly git: GitHooks; readonly makeFolder: (path: string) => void } => ({
  makeFolder,
  settings: createSettingsFiles(),
  git: {
    find: (folder, name) =>
      withGit(env, async (git) => {
        const { root } = await openCheckout(git, folder, env);
        const path = join(await hookFolder(git, root, env), name);
        return { path, text: await readHook(path) };
      }),
    write: writeHook,
    remove: removeHook,
  },
});
