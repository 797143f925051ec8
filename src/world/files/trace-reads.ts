// Which files of a room are read and written while something runs in it, told by the times that the file system keeps: no hook, no other process.
import { type BigIntStats, lstatSync } from "node:fs";
import { lutimes, open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RoomTrace, Traced } from "../../contract/workshop.ts";
import { decodeText } from "../../std/decode-text.ts";

/** Longer than the steps of the kernel's clock: what is read within the step in which it was written has the same time as before. */
const REST_MS = 30;
/** A room with more is not traced: looking at it twice would take longer than most checks. */
const MOST_FILES = 50_000;

/**
 * Notes the times of all files below `root`, but for git's own and what lies at `without`. A file that was just written is
 * in the state in which its next read moves its time, so that nothing has to be marked; and what sets a time back leaves
 * a trace of its own. Whether the file system tells reads at all is tried out beside the room, each time.
 */
export async function traceReads(root: string, without: readonly string[] = []): Promise<RoomTrace> {
  const found = await timesBelow(root, without);
  if (found === "too many") return { paths: [], end: async () => tooMany };
  const before = await setBack(root, found);
  const trial = await tryOut(dirname(root));
  const paths = [...before.keys()];
  return {
    paths,
    async end() {
      const after = await timesBelow(root, without);
      if (after === "too many") return tooMany;
      const touched = paths.filter((path) => isOther(before.get(path)!, after.get(path)));
      const read = paths.filter((path) => wasRead(before.get(path)!, after.get(path)));
      return trial === "tells"
        ? { kind: "traced", read, touched }
        : { kind: "not-traced", why: "the file system of the rooms does not tell when a file is read", touched };
    },
  };
}

/** One that was read since it was written would not be told again for a day. Gives back the times that hold then. */
async function setBack(root: string, times: Times): Promise<Times> {
  const now = new Map(times);
  for (const [path, { atimeNs, mtimeNs, ctimeNs, mtimeMs }] of times) {
    if (atimeNs <= mtimeNs || atimeNs <= ctimeNs) continue;
    await lutimes(join(root, path), Number(mtimeMs) / 1000, Number(mtimeMs) / 1000);
    now.set(path, lstatSync(join(root, path), { bigint: true }));
  }
  return now;
}

const tooMany: Traced = { kind: "not-traced", why: `there are more than ${MOST_FILES} files`, touched: [] };

/** Also one that was written, gone or replaced: somebody knew it by its name. */
const wasRead = (before: BigIntStats, after: BigIntStats | undefined): boolean =>
  after === undefined || after.atimeNs !== before.atimeNs || isOther(before, after);

/** Reading does not change the time of a change, writing does, and nobody can set that one. */
const isOther = (before: BigIntStats, after: BigIntStats | undefined): boolean =>
  after === undefined || after.ino !== before.ino || after.ctimeNs !== before.ctimeNs || after.mode !== before.mode;

type Times = ReadonlyMap<string, BigIntStats>;

async function timesBelow(root: string, without: readonly string[]): Promise<Times | "too many"> {
  const left = new Set([".git", ...without]);
  const times = new Map<string, BigIntStats>();
  const folders: Buffer[] = [Buffer.from("")];
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const at = folder;
    const names = await readdir(Buffer.concat([Buffer.from(`${root}/`), at]), { encoding: "buffer" });
    const paths = names.map((name) => (at.length === 0 ? name : Buffer.concat([at, SLASH, name])));
    for (const path of paths) {
      const stats = timesOf(Buffer.concat([Buffer.from(`${root}/`), path]));
      const text = decodeText(path);
      if (!stats || left.has(text)) continue;
      if (stats.isDirectory()) folders.push(path);
      else times.set(text, stats);
    }
    if (times.size > MOST_FILES) return "too many";
  }
  return times;
}

const SLASH = Buffer.from("/");

/** Asked at once and not in turns: of 20,000 files that is a tenth of the time. */
function timesOf(path: Buffer): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch {
    return undefined; // gone, or not to be looked at
  }
}

/** Read-only places, and those that keep no such times, do not tell. */
async function tryOut(folder: string): Promise<"tells" | "is silent"> {
  const path = join(folder, "tried-reading");
  const file = await open(path, "w+", 0o600);
  try {
    await file.write("read me");
    const before = await file.stat({ bigint: true });
    await sleep(REST_MS);
    await file.read(Buffer.alloc(1), 0, 1, 0);
    return (await file.stat({ bigint: true })).atimeNs === before.atimeNs ? "is silent" : "tells";
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
