// Where git looks for its hooks, and a hook of ours there. One that is not ours is never touched.
import { chmod, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Environment } from "../../contract/clock.ts";
import { LoopError } from "../../contract/errors.ts";
import { texts } from "../files/spec-files.ts";
import { readSetting } from "./checkout.ts";
import { gitLine, type RunGit } from "./run-git.ts";

/** The folder that git itself would use: `core.hooksPath`, or the repository's own. */
export async function hookFolder(git: RunGit, root: string, env: Environment): Promise<string> {
  const set = await readSetting(git, root, "core.hooksPath", env);
  if (set !== undefined) return resolve(root, set);
  return join(await gitLine(git, { cwd: root, args: ["rev-parse", "--path-format=absolute", "--git-common-dir"] }), "hooks");
}

export const readHook = (path: string): Promise<string | undefined> => texts.readOptional(path);

export async function writeHook(path: string, text: string): Promise<void> {
  try {
    await mkdir(resolve(path, ".."), { recursive: true });
    // Made only if it is not there, or is ours: a link that somebody put there is not followed to somewhere else.
    await rm(path, { force: true });
    await writeFile(path, text, { flag: "wx", mode: 0o755 });
    await chmod(path, 0o755); // what the umask took from the mode
    await stat(path);
  } catch (cause) {
    throw new LoopError("store-unusable", `${path} could not be written: ${cause instanceof Error ? cause.message : String(cause)}`, {
      retry: "never",
      hint: "Mend the permissions there, then try again.",
      cause,
    });
  }
}

export const removeHook = (path: string): Promise<void> => rm(path, { force: true });
