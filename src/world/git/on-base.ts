// Rooms that lie on base: what is in them as files is what differs from it, and all the rest is seen through a mount.
import { appendFile, copyFile, lstat, open, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { BaseLayer, BaseLayers, CheckOut } from "../rooms/base-layers.ts";
import type { CallGit, GitCall } from "./git-call.ts";
import { gitOrThrow } from "./run-git.ts";

/** Fewer are checked out sooner than they are laid under every command of a room (decision 193). */
const FEW_FILES = 1_000;

/** By all that is known of a file, the time of its last change among it, which no program can set. */
const LOOKING_WELL = ["-c", "core.checkStat=default", "-c", "core.trustctime=true"];

/** By the index of that commit, from a repository of ours that has it. */
export const checkingOut = (git: CallGit, gitDir: string, commit: string): CheckOut => {
  const at = (folder: string, index: string): Pick<GitCall, "cwd" | "env"> => ({
    cwd: folder,
    env: { GIT_DIR: gitDir, GIT_WORK_TREE: folder, GIT_INDEX_FILE: index },
  });
  return {
    async fill({ folder, index }) {
      await gitOrThrow(git, { ...at(folder, index), args: ["read-tree", commit] });
      if ((await entriesIn(index)) < FEW_FILES) return false;
      await gitOrThrow(git, { ...at(folder, index), args: ["checkout-index", "--all", "--force", "--quiet"] });
      return true;
    },
    async refresh({ folder, index }, around) {
      // An index as young as the files would be doubted.
      const later = Date.now() / 1000 + 3;
      await utimes(index, later, later);
      await gitOrThrow(git, { ...at(folder, index), args: [...LOOKING_WELL, "update-index", "-q", "--refresh"], around });
    },
  };
};

/** The header of an index: its mark, its version, and how many entries it has. */
async function entriesIn(index: string): Promise<number> {
  const file = await open(index);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
    return bytesRead === 12 ? buffer.readUInt32BE(8) : 0;
  } finally {
    await file.close();
  }
}

/** Git as it sees such a room, for as long as nobody else is at work in it. */
export const gitIn =
  (git: CallGit, layers: Pick<BaseLayers, "around">, room: string, base: BaseLayer): CallGit =>
  async (call) =>
    // What it is started in is what lies under the mount.
    git({ ...call, args: ["-C", call.cwd, ...LOOKING_WELL, ...call.args], around: await layers.around(room, base) });

/** Makes an empty copy one of base, without a file of it. Its own git looks at less: files belong to others than when they were checked out. */
export async function layIndex(work: string, { index }: BaseLayer): Promise<void> {
  await copyFile(index, join(work, ".git", "index"));
  await appendFile(join(work, ".git", "config"), "[core]\n\tcheckStat = minimal\n\ttrustctime = false\n");
}

/** Whether only folders, or nothing, are on the way to a place in the copy: what was taken away from base is neither. */
export async function isWayOpen(work: string, path: string): Promise<boolean> {
  const parts = path.split("/");
  for (let depth = 1; depth <= parts.length; depth++) {
    const found = await lstat(join(work, ...parts.slice(0, depth))).catch(() => undefined);
    if (found === undefined) return true;
    if (!found.isDirectory()) return false;
  }
  return true;
}

const Lies = z.object({ layer: z.string(), index: z.string() });
const FILE = "on-base.json";

/** Beside the copy, so that it is known after a crash. */
export const noteBase = (place: string, { layer, index }: BaseLayer): Promise<void> =>
  writeFile(join(place, FILE), JSON.stringify({ layer, index } satisfies z.infer<typeof Lies>));

/** What a copy lies on; undefined where it was checked out whole. */
export async function baseUnder(place: string): Promise<BaseLayer | undefined> {
  const text = await readFile(join(place, FILE), "utf8").catch(() => undefined);
  return text === undefined ? undefined : Lies.parse(JSON.parse(text));
}
