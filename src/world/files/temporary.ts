// Folders for what is soon removed.
import { lstat, mkdir, mkdtemp, readdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../contract/clock.ts";
import { LoopError } from "../../contract/errors.ts";
import { endOrphans, isOwnerGone, ownName } from "../process/owner.ts";
import { removeTree } from "./remove-tree.ts";

/** Where whoever calls wants what is soon removed. */
export const temporaryFolder = (env: Environment): string => {
  const named = ["TMPDIR", "TMP", "TEMP"].map((name) => env.get(name)).find((folder) => folder !== undefined && folder !== "");
  return named ?? "/tmp";
};

/** What we put among temporary files, each in a folder of its own whose name says which process it is of. */
type OwnKind = "box" | "way" | "io" | "index" | "journal";
const OWN = /^lw-(?:box|way|io|index|journal)-(?:([a-z0-9]+-\d+-\d+)-)?[A-Za-z0-9]{6}$/;
const DAY_MS = 24 * 60 * 60 * 1000;

export const makeOwnFolder = (kind: OwnKind, parent: string): Promise<string> => mkdtemp(join(parent, `lw-${kind}-${ownName()}-`));

/**
 * Ends what processes of this user started who were killed, and removes what they left among temporary files. A folder that names no
 * process is theirs who were before us: it goes after a day.
 */
export async function sweepLeftovers(env: Environment): Promise<void> {
  endOrphans();
  for (const parent of new Set([tmpdir(), temporaryFolder(env), "/tmp"]))
    for (const name of await readdir(parent).catch(() => [])) {
      const owner = OWN.exec(name);
      if (!owner) continue;
      const path = join(parent, name);
      const found = await lstat(path).catch(() => undefined);
      if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
      const isLeft = owner[1] === undefined ? Date.now() - found.mtimeMs > DAY_MS : isOwnerGone(owner[1]);
      // What cannot be removed now is there the next time.
      if (isLeft) await removeTree(path).catch(() => {});
    }
}

/** A new folder: the one asked for if it is empty, else one in the caller's place for such things. */
export async function makeTemporaryFolder(prefix: string, folder: string | undefined, env: Environment): Promise<string> {
  if (folder === undefined) return realpath(await mkdtemp(join(temporaryFolder(env), prefix)));
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0)
    throw new LoopError("bad-input", `${folder} is not empty`, { retry: "never", hint: "Name a new or empty folder with --dir." });
  return realpath(folder);
}
