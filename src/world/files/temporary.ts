// Folders for what is soon removed.
import { mkdir, mkdtemp, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "../../contract/clock.ts";
import { LoopError } from "../../contract/errors.ts";

/** Where whoever calls wants what is soon removed. */
export const temporaryFolder = (env: Environment): string => {
  const named = ["TMPDIR", "TMP", "TEMP"].map((name) => env.get(name)).find((folder) => folder !== undefined && folder !== "");
  return named ?? "/tmp";
};

/** A new folder: the one asked for if it is empty, else one in the caller's place for such things. */
export async function makeTemporaryFolder(prefix: string, folder: string | undefined, env: Environment): Promise<string> {
  if (folder === undefined) return realpath(await mkdtemp(join(temporaryFolder(env), prefix)));
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0)
    throw new LoopError("bad-input", `${folder} is not empty`, { retry: "never", hint: "Name a new or empty folder with --dir." });
  return realpath(folder);
}
