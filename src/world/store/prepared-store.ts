// Where prepared folders lie: made once, looked at before they are used, and given away as copies or to lie under a room, never to be written.
import { randomBytes } from "node:crypto";
import { constants, type Dirent } from "node:fs";
import { copyFile, lstat, readdir, readFile, readlink, realpath, rename, rm, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, relative } from "node:path";
import type { Clock, Stop } from "../../contract/clock.ts";
import { LoopError } from "../../contract/errors.ts";
import type { PreparedEntry } from "../../contract/evidence.ts";
import { type Locks, underLock } from "../../contract/locks.ts";
import type { PreparedStore } from "../../contract/prepared.ts";
import type { RoomMeans } from "../../contract/workshop.ts";
import { handOver } from "../box/hand-over.ts";
import { clearWay } from "../files/bring-folder.ts";
import { copyTree, type Survey, surveyTrees, walk } from "../files/copy-tree.ts";
import { makeFolder } from "../files/make-folder.ts";
import { removeTree } from "../files/remove-tree.ts";
import { isOwnedLayer } from "../rooms/owned-layer.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Entries beyond these go, least recently used first, unless they were used within a day; those unused for a month go in any case. */
const MOST_ENTRIES = 8;
const LONGEST_UNUSED_DAYS = 30;
const MOST_NOTES = 10;
/** Fewer are copied sooner than a layer is laid under every command of a room (decision 190). */
const FEW_FILES = 300;
const FEW_BYTES = 16 * 1024 * 1024;

const ENTRY = /^[0-9a-f]{64}$/;
const ABOUT = "about.json";
const LAYER = "layer";

interface StoreAround {
  readonly clock: Clock;
  readonly locks: Pick<Locks, "hold">;
  readonly stop: Stop;
  /** How rooms are made here; copies, where nobody says. */
  readonly means?: () => Promise<RoomMeans>;
  /** Whose it should be, where commands are run as somebody else than us: then it lies under their rooms as it is. */
  readonly owner?: () => Promise<number | undefined>;
  /** Whether single files are kept as well. */
  readonly takes?: "folders" | "files-too";
  /** How many entries are kept beyond a day. */
  readonly most?: number;
}

/**
 * Layout: `<folder>/<id>/<sha256>/layer/`, with each folder that is kept at its path, so that all can lie under a room at once. The hash in
 * the name is that of what lies there (`surveyTrees`), so that an entry says of itself whether it is whole: one that is half made, half
 * removed or written into is none. Beside it may lie the same layer for another user (`ownedLayer`).
 * `<id>/making-…` is an entry in the making, `<id>/lock` is held by whoever makes or looks for one.
 */
export function createPreparedStore(
  folder: string,
  machine: string,
  { clock, locks, stop, means = async () => "copy", owner = async () => undefined, takes = "folders", most = MOST_ENTRIES }: StoreAround,
): PreparedStore {
  const placeOf = ({ id, sha256 }: { readonly id: string; readonly sha256: string }): string => join(folder, id, sha256);
  /** False where it is gone. What is used is not collected. */
  const use = (place: string): Promise<boolean> => {
    const now = clock.now();
    return utimes(place, now, now).then(() => true, ifGone(false));
  };
  const seenWhole = new Map<string, Promise<boolean>>();
  /** Once in a run: it lies where no command sees it, and a look costs as much as there are files. */
  const looksWhole = (entry: Pick<PreparedEntry, "sha256">, place: string): Promise<boolean> => {
    const seen = seenWhole.get(place) ?? surveyEntry(place).then((survey) => survey?.sha256 === entry.sha256);
    seenWhole.set(place, seen);
    return seen;
  };

  return {
    machine,

    exclusively: (id, waitMs, work) =>
      underLock({ locks, name: `prepared ${id}`, ms: waitMs, stop, busy: () => (stop.asked() ? interrupted() : othersBusy()) }, work),

    async find(id) {
      for (const { name } of await listFolder(join(folder, id))) {
        if (name === "lock" || name.startsWith("lock-")) continue;
        const place = join(folder, id, name);
        const survey = ENTRY.test(name) ? await surveyEntry(place) : undefined;
        if (survey?.sha256 === name) {
          seenWhole.set(place, Promise.resolve(true));
          return { id, ...survey, how: "reused", notes: (await readAbout(place))?.notes ?? [] };
        }
        await removeTree(place);
      }
      return undefined;
    },

    put: (id, room, keep) =>
      orUnusable(folder, async () => {
        const making = join(folder, id, `making-${randomBytes(6).toString("hex")}`);
        makeFolder(making);
        const notes: string[] = [];
        for (const path of keep) {
          await mustBeOwn(room.work, path, takes);
          notes.push(...(await tidy(room.work, path)));
          makeFolder(dirname(join(making, LAYER, path)), 0o755);
          await move(join(room.work, path), join(making, LAYER, path));
        }
        const uid = await owner();
        if (uid !== undefined) await handOver([join(making, LAYER)], uid);
        const survey = await surveyEntry(making);
        if (survey === undefined) throw vanished(making);
        const told =
          notes.length > MOST_NOTES ? [...notes.slice(0, MOST_NOTES), `and ${notes.length - MOST_NOTES} more like these`] : notes;
        await writeFile(join(making, ABOUT), JSON.stringify({ files: survey.files, bytes: survey.bytes, notes: told }));
        await rename(making, placeOf({ id, sha256: survey.sha256 }));
        seenWhole.set(placeOf({ id, sha256: survey.sha256 }), Promise.resolve(true));
        return { id, ...survey, how: "made", notes: told };
      }),

    lay: (entry, { work }, keep) =>
      orUnusable(folder, async () => {
        const place = placeOf(entry);
        if (!(await use(place))) return false;
        const failure = await layAll(place, work, keep);
        // Looked at after it was copied: whatever was written into it before or meanwhile has left its mark.
        const isWhole = (await surveyEntry(place))?.sha256 === entry.sha256;
        if (isWhole && failure === undefined) return true;
        for (const path of keep) await clearWay(work, path);
        if (isWhole) throw failure;
        return false;
      }),

    lend: (entry, { work }, keep) =>
      orUnusable(folder, async () => {
        const place = placeOf(entry);
        const isSmall = entry.files < FEW_FILES && (entry.bytes ?? 0) < FEW_BYTES;
        if (isSmall || (await means()) !== "overlay") return { kind: "not-lent" };
        if (!(await use(place)) || !(await looksWhole(entry, place))) return { kind: "gone" };
        for (const path of keep) await clearWay(work, path);
        return { kind: "lent", layer: join(place, LAYER) };
      }),

    drop: (entry) => removeTree(placeOf(entry)),

    async collect() {
      const nowMs = clock.now().getTime();
      const entries = (await listEntries(folder)).sort((a, b) => b.usedMs - a.usedMs);
      for (const [index, { place, usedMs }] of entries.entries()) {
        const unusedMs = nowMs - usedMs;
        if (unusedMs > LONGEST_UNUSED_DAYS * DAY_MS || (index >= most && unusedMs > DAY_MS)) await removeTree(place);
      }
    },
  };
}

/** What went wrong, if anything did: only who knows whether the entry was whole can tell what that means. */
async function layAll(place: string, work: string, keep: readonly string[]): Promise<unknown> {
  try {
    for (const path of keep) await copyTree(Buffer.from(join(place, LAYER, path)), Buffer.from(await clearWay(work, path)));
    return undefined;
  } catch (error) {
    return error;
  }
}

/** How many prepared folders there are, and how much room they took when they were made. */
export async function measurePrepared(folder: string): Promise<{ readonly entries: number; readonly bytes: number }> {
  const entries = await listEntries(folder);
  const sizes = await Promise.all(entries.map(async ({ place }) => (await readAbout(place))?.bytes ?? 0));
  return { entries: entries.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
}

interface Listed {
  readonly place: string;
  readonly usedMs: number;
}

async function listEntries(folder: string): Promise<Listed[]> {
  const listed: Listed[] = [];
  for (const id of await listFolder(folder))
    for (const entry of (await listFolder(join(folder, id.name))).filter(({ name }) => ENTRY.test(name))) {
      const place = join(folder, id.name, entry.name);
      const found = await stat(place).catch(ifGone(undefined));
      if (found) listed.push({ place, usedMs: found.mtimeMs });
    }
  return listed;
}

const listFolder = async (path: string): Promise<readonly Dirent[]> =>
  (await lstat(path).catch(ifGone(undefined)))?.isDirectory() ? readdir(path, { withFileTypes: true }).catch(ifGone([])) : [];

interface About {
  readonly bytes: number;
  readonly notes: readonly string[];
}

/** Only for people to read: nothing is decided by it. */
async function readAbout(place: string): Promise<About | undefined> {
  try {
    const about: unknown = JSON.parse(await readFile(join(place, ABOUT), "utf8"));
    if (typeof about !== "object" || about === null || !("bytes" in about) || !("notes" in about)) return undefined;
    const { bytes, notes } = about;
    if (typeof bytes !== "number" || !Array.isArray(notes)) return undefined;
    return { bytes, notes: notes.filter((note) => typeof note === "string") };
  } catch {
    return undefined;
  }
}

/** Undefined when it cannot be looked at: then it is not what it was when it was put there. */
async function surveyEntry(place: string): Promise<Survey | undefined> {
  const names = (await listFolder(place)).map(({ name }) => name);
  if (names.some((name) => name !== ABOUT && name !== LAYER && !isOwnedLayer(name))) return undefined;
  return surveyTrees([Buffer.from(join(place, LAYER))]).catch(() => undefined);
}

const ifGone =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T | Promise<never> =>
    error.code === "ENOENT" || error.code === "ENOTDIR" ? instead : Promise.reject(error);

/** The command could have put a link in the folder's place, or on the way to it. */
async function mustBeOwn(work: string, path: string, takes: "folders" | "files-too"): Promise<void> {
  const place = join(work, path);
  const found = await lstat(place).catch(ifGone(undefined));
  if (!found) throw notKept(path, "the command left no such folder");
  if (!found.isDirectory() && !(takes === "files-too" && found.isFile())) throw notKept(path, "it is no folder");
  if ((await realpath(place)) !== join(await realpath(work), path)) throw notKept(path, "a link leads to it");
}

/** Takes out what must not be copied into a room, and says what that was. Nothing in the store has a second name elsewhere. */
async function tidy(work: string, path: string): Promise<readonly string[]> {
  const root = await realpath(work);
  const notes: string[] = [];
  for await (const { name, path: place, found } of walk(Buffer.from(join(work, path)))) {
    const told = JSON.stringify(join(path, name.toString("utf8")));
    if (found.isSymbolicLink()) {
      const target = (await readlink(place, { encoding: "buffer" })).toString("utf8");
      if (await staysInside(root, join(path, name.toString("utf8")), target)) continue;
      notes.push(`left out the link ${told}, which leads out of the copy to ${JSON.stringify(target)}`);
      await unlink(place);
    } else if (found.isFile()) {
      if (found.nlink > 1n) await makeItsOwn(place);
    } else if (!found.isDirectory()) {
      notes.push(`left out ${told}, which is no file, folder or link`);
      await unlink(place);
    }
  }
  return notes;
}

/** By its words, and by where it really leads: other links on the way could make the two differ. */
async function staysInside(root: string, link: string, target: string): Promise<boolean> {
  if (isAbsolute(target) || leadsOut(normalize(join(dirname(link), target)))) return false;
  const real = await realpath(join(root, link)).catch(() => undefined);
  return real === undefined || !leadsOut(relative(root, real));
}

const leadsOut = (way: string): boolean => isAbsolute(way) || way.split("/")[0] === "..";

async function makeItsOwn(place: Buffer): Promise<void> {
  const copy = Buffer.concat([place, Buffer.from(`.lw-${randomBytes(6).toString("hex")}`)]);
  const { atime, mtime } = await lstat(place);
  await copyFile(place, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await utimes(copy, atime, mtime);
  await rename(copy, place);
}

/** Where it cannot be moved, as between two file systems or without leave to write, it is copied. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch {
    await copyTree(Buffer.from(from), Buffer.from(to));
    await rm(from, { recursive: true, force: true }).catch(() => {});
  }
}

async function orUnusable<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof LoopError) throw cause;
    throw new LoopError(
      "store-unusable",
      `the prepared folders in ${folder} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        retry: "later",
        hint: "Make room or mend the permissions there, then go on with `lw resume`.",
        cause,
      },
    );
  }
}

const notKept = (path: string, why: string): LoopError =>
  new LoopError("prepare-failed", `${JSON.stringify(path)} cannot be kept: ${why}`, {
    retry: "never",
    hint: "Name in `prepare.keep` the folders that `prepare.run` makes.",
  });

const vanished = (place: string): LoopError =>
  new LoopError("prepare-failed", `${place} went away while it was looked at`, {
    retry: "later",
    hint: "Something removes files in loopwright's home; go on with `lw resume` when it does no longer.",
  });

const interrupted = (): LoopError =>
  new LoopError("interrupted", "stopped while another process prepared the same", { retry: "later", hint: "Go on with `lw resume`." });

const othersBusy = (): LoopError =>
  new LoopError("loop-busy", "another process has been preparing the same for too long", {
    retry: "later",
    hint: "See what it does with `lw status`, then go on with `lw resume`.",
  });
