// Real journals for tests: in temporary folders, with a clock that ticks once a record, on every driver this Node has.
import { cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entry, LoopRecord } from "../../src/contract/record.ts";
import type { Database } from "../../src/contract/store.ts";
import type { Journal, Place } from "../../src/journal/journal.ts";
import { createMemoryJournal } from "../../src/journal/memory-journal.ts";
import { openSqliteJournal } from "../../src/journal/sqlite-journal.ts";
import { type DriverName, driverName, openDatabase } from "../../src/world/store/sqlite.ts";
import { createStore } from "../../src/world/store/store.ts";

export const DRIVERS: readonly DriverName[] = driverName() === "libsql" ? ["libsql"] : ["node:sqlite", "libsql"];

/** In memory where there is such a place: these tests sync to the disk many thousand times. */
const PLACE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Temporary folders, and a way to be rid of all of them. */
export function createFolders(place = PLACE): {
  readonly make: () => string;
  readonly copyOf: (folder: string) => string;
  readonly removeAll: () => void;
} {
  const made: string[] = [];
  const make = (): string => {
    const folder = realpathSync(mkdtempSync(join(place, "lw-journal-")));
    made.push(folder);
    return folder;
  };
  return {
    make,
    copyOf(folder) {
      const copy = make();
      cpSync(folder, copy, { recursive: true });
      return copy;
    },
    removeAll: () => made.splice(0).forEach((folder) => void rmSync(folder, { recursive: true, force: true })),
  };
}

/** One second later every time it is asked. */
export function tickingClock(): { readonly now: () => Date } {
  let seconds = 0;
  return { now: () => new Date(Date.UTC(2025, 0, 1) + 1000 * seconds++) };
}

export const openJournal = (folder: string, driver: DriverName): Promise<Journal> =>
  openSqliteJournal(createStore(folder, driver), tickingClock());

/** One journal, wherever it is kept: whoever opens it has a handle of their own. */
export interface Shelf {
  readonly open: () => Promise<Journal>;
  readonly use: <T>(work: (journal: Journal) => Promise<T>) => Promise<T>;
}

/** Every place a journal can be kept in; the folder is for those who need one. */
export const SHELVES: readonly { readonly place: string; readonly shelve: (folder: string) => Shelf }[] = [
  { place: "memory", shelve: () => shelfOf(openInMemory()) },
  ...DRIVERS.map((driver) => ({ place: driver, shelve: (folder: string) => shelfOf(() => openJournal(folder, driver)) })),
];

const shelfOf = (open: Shelf["open"]): Shelf => ({ open, use: (work) => closing(open, work) });

function openInMemory(): Shelf["open"] {
  const entries: Entry[] = [];
  return async () => createMemoryJournal(tickingClock(), entries);
}

/** Opens, works, and closes whatever happens. */
export const withJournal = <T>(folder: string, driver: DriverName, work: (journal: Journal) => Promise<T>): Promise<T> =>
  closing(() => openJournal(folder, driver), work);

async function closing<T>(open: Shelf["open"], work: (journal: Journal) => Promise<T>): Promise<T> {
  const journal = await open();
  try {
    return await work(journal);
  } finally {
    journal.close();
  }
}

/** The same with the bare database, behind the journal's back. */
export function withDatabase<T>(folder: string, driver: DriverName, work: (db: Database) => T): T {
  const db = openDatabase(join(folder, "journal.db"), "read-write", driver);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** One record by itself. */
export async function appendOne(journal: Pick<Journal, "append">, place: Place, record: LoopRecord): Promise<Entry> {
  const [entry] = await journal.append([{ ...place, record }]);
  return entry!;
}

/** A record whose only content is a text; what is in a record does not matter to the journal. */
export const note = (by: string): LoopRecord => ({ kind: "stop-requested", by });

/** A record of any JSON at all, as steps write them. */
export const result = (value: unknown): LoopRecord => ({ kind: "step-done", roundId: "a", step: "make", result: value, tookMs: 1 });

/** Enough of a `run-opened` for a journal, which does not look into it. */
export const runOpened = (number: number): LoopRecord => ({ kind: "run-opened", number }) as LoopRecord;

/** The folders damaged files were put into. */
export const keptAside = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith("damaged-") && existsSync(join(folder, name, "journal.db")))
    .map((name) => join(folder, name));

export async function storiesOf(journal: Journal, runs: readonly string[]): Promise<readonly Entry[]> {
  const stories = await Promise.all(runs.map((run) => journal.story(run)));
  return stories.flatMap(({ entries }) => entries).sort((a, b) => a.seq - b.seq);
}
