// Files below a folder: whether they changed since they were last read, and have come to rest.
import type { FileStates, FilesSeen } from "../../contract/lookout.ts";
import { untrustedText } from "../../contract/text.ts";
import type { Hearing } from "../../contract/trigger.ts";
import { filesKey } from "../../contract/waking.ts";
import { compileAllowing } from "../../std/glob.ts";
import { canonicalJson, sha256 } from "../../std/hash.ts";
import { type Cursor, readCursor, setCursor } from "./cursor.ts";
import type { Source, SourceWorld } from "./source.ts";

export interface FilesWatch {
  readonly loop: string;
  readonly life: number;
  /** Absolute. */
  readonly folder: string;
  readonly hearing: Extract<Hearing, { kind: "files" }>;
}

export interface FilesSourceWorld extends SourceWorld {
  readonly files: FileStates;
}

/** Where the system does not say that something changed, it is seen after this. */
const LOOK_EVERY_MS = 30_000;
const MOST_NAMED = 50;

export function createFilesSource(world: FilesSourceWorld, { loop, life, folder, hearing }: FilesWatch): Source {
  const isWanted = compileAllowing(hearing.globs);
  const keyAt = (number: number): string => filesKey(loop, number);
  let cursor: Cursor | undefined;
  /** What was there at the last look, and since when it has been so. */
  let last: { readonly seen: FilesSeen; readonly state: string; readonly sinceMs: number } | undefined;
  /** What the files were at the cursor, where this process saw it. */
  let known: FilesSeen["hashes"] | undefined;

  return {
    loop,
    name: `files ${folder}`,
    everyMs: LOOK_EVERY_MS,
    isNear: true,
    folders: () => last?.seen.folders ?? [folder],
    async look() {
      const seen = await world.files.look(folder, isWanted, last?.seen);
      const state = sha256(canonicalJson([...seen.hashes]));
      const nowMs = world.clock.monotonicMs();
      const sinceMs = last ? nowMs : nowMs - restedBefore(seen, world.clock.now().getTime());
      last = { seen, state, sinceMs: last?.state === state ? last.sinceMs : sinceMs };
      cursor ??= await readCursor(world.journal, keyAt);
      if (!cursor || cursor.seq < life) {
        const number = cursor ? cursor.number + 1 : 0;
        cursor = await setCursor(world.journal, { loop, key: keyAt(number), number, what: folder, state });
        known = seen.hashes;
        return {};
      }
      if (cursor.state === state) {
        known = seen.hashes;
        return {};
      }
      const restedMs = nowMs - last.sinceMs;
      if (restedMs < hearing.restMs) return { againMs: hearing.restMs - restedMs };
      const changed = changedBetween(known ?? new Map(), seen.hashes);
      const named = changed.slice(0, MOST_NAMED).map((path) => untrustedText(path.slice(0, 300)));
      await world.book.hear({
        loop,
        key: keyAt(cursor.number + 1),
        cause: { kind: "files", changed: named, count: changed.length, state },
      });
      known = seen.hashes;
      cursor = undefined;
      return {};
    },
  };
}

/** What changed while nobody looked has rested since then: who looks once and ends would else never see it at rest. */
const restedBefore = ({ changedAt = Number.POSITIVE_INFINITY }: FilesSeen, now: number): number => Math.max(0, now - changedAt);

/** Made, changed or gone, in order. */
export function changedBetween(before: FilesSeen["hashes"], after: FilesSeen["hashes"]): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}
