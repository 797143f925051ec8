import { mkdir, mkdtemp, readdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { LoopError } from "../../contract/errors.ts";

/** A new folder: the one asked for if it is empty, else one in the system's place for such things. */
export async function makeTemporaryFolder(prefix: string, asked: string | undefined): Promise<string> {
  if (asked === undefined) return realpath(await mkdtemp(join(tmpdir(), prefix)));
  const folder = resolve(asked);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0)
    throw new LoopError("bad-input", `${folder} is not empty`, { retry: "never", hint: "Name a new or empty folder with --dir." });
  return realpath(folder);
}
