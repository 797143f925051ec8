// The journal on one machine: hash-chained rows in SQLite, safe with several processes at once.

import type { Clock } from "../contract/clock.ts";
import { LoopError } from "../contract/errors.ts";
import type { Entry, Reserved } from "../contract/record.ts";
import type { Database, Store, StoreFailure } from "../contract/store.ts";
import { entryLine, GENESIS } from "../std/chain.ts";
import { inspectRows } from "./inspect.ts";
import {
  type Answer,
  type Ask,
  asked,
  type Inspection,
  type Journal,
  type Line,
  type Only,
  type Overtaken,
  type Place,
} from "./journal.ts";
import {
  grantAll,
  heldIn,
  laterDay,
  leftOver,
  minus,
  movesLedger,
  type OpenReservation,
  reservedBy,
  talliesAt,
  tallyKeys,
} from "./ledger.ts";
import { catchUp, enter, findOpen, openReservations, readLedger, reservedAt, takenIn } from "./ledger-tables.ts";
import { marksBeyond, writeMark } from "./marks.ts";
import { findEndDamage, insertEntry, mendEnd, mendFile, notesOf } from "./mend.ts";
import { MIGRATIONS, migrate, storeVersion } from "./migrations.ts";
import { newestAt, readAfter, readBefore, readHead, readLoops, readNewest, readNewestIn, readRunsLike, readStory } from "./read-records.ts";
import { hashesAt, LAST_SEQ, lastRow, readChain, readPage, textOf, topOf } from "./rows.ts";
import { readBack, type Written, writeOut } from "./write-out.ts";

const MOST_TRIES = 400;
const MOST_REOPENINGS = 3;
/** As long as the pause after so many tries in vain. */
const YIELD = 4;

/** Thrown inside this file alone, where SQLite sees nothing wrong and yet the file is not what it was. */
class FileDamaged extends Error {
  override readonly name = "FileDamaged";
}

export async function openSqliteJournal(
  store: Store,
  clock: Pick<Clock, "now">,
  migrations: readonly string[] = MIGRATIONS,
): Promise<Journal> {
  const failureOf = (error: unknown): StoreFailure => (error instanceof FileDamaged ? "damaged" : store.failureOf(error));
  const read = <T>(work: (db: Database) => T): Promise<T> => use((db) => inTransaction(db, "deferred", () => work(db)));
  let mended: string | undefined;
  let closed = false;
  let hasWritten = false;
  /** The newest record, where it is one that we wrote. */
  let ownLast: Entry | undefined;
  let current: Database | undefined = await openSound();
  let reopening: Promise<void> | undefined;

  /** Every use of the database goes through here: it waits its turn, and damage that shows only now is mended. */
  async function use<T>(work: (db: Database) => T): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      let used: Database | undefined;
      try {
        return await retrying(store, async () => {
          if (closed) throw new Error("the journal was closed, and is used");
          while (reopening || !current) {
            reopening ??= reopen(openSound);
            await reopening;
          }
          used = current;
          return work(used);
        });
      } catch (error) {
        const failure = failureOf(error);
        if (attempt === MOST_REOPENINGS || (failure !== "damaged" && failure !== "moved")) throw error;
        // Others who use this handle may have seen the same before us.
        if (current === used) reopening ??= reopen(failure === "damaged" ? openMended : openSound);
      }
    }
  }

  /** An opening that fails is tried again by the next one who needs it. */
  async function reopen(open: () => Promise<Database>): Promise<void> {
    try {
      if (current) closeQuietly(current);
      current = undefined;
      current = await open();
    } finally {
      reopening = undefined;
    }
  }

  /** Opens the database; one that cannot be used is set aside and what is good in it goes on in a new one. */
  async function openSound(): Promise<Database> {
    try {
      return await retrying(store, () => checked(openReady(), settleEnd));
    } catch (error) {
      if (failureOf(error) !== "damaged") throw error;
    }
    return openMended();
  }

  async function openMended(): Promise<Database> {
    return retrying(store, () =>
      store.exclusively(() => {
        // Whoever had this lock before us may have mended it already.
        if (!isUsable()) {
          store.replace((damaged, fresh) => {
            inTransaction(fresh, "immediate", () => {
              migrate(fresh, migrations);
              mended = mendFile(fresh, damaged, store.readMarks(), clock);
            });
          });
        }
        return checked(openReady(), settleEnd);
      }),
    );
  }

  function openReady(): Database {
    return checked(store.open(), (db) => {
      if (storeVersion(db) !== migrations.length) inTransaction(db, "immediate", () => migrate(db, migrations));
    });
  }

  function isUsable(): boolean {
    try {
      const db = checked(openReady(), (opened) => {
        checkFile(opened);
        checkWriting(opened);
      });
      db.close();
      return true;
    } catch (error) {
      if (failureOf(error) !== "damaged") throw error;
      return false;
    }
  }

  /** Looks at the newest records and at the marks; damage there is written down, so that work can go on after it. */
  function settleEnd(db: Database): void {
    if (!findEndDamage(db, store.readMarks())) return;
    const note = inTransaction(db, "immediate", () => settleEndInside(db));
    if (note) store.writeMark(note.seq, writeMark(note));
  }

  /** Must run inside a transaction. */
  function settleEndInside(db: Database): Entry | undefined {
    const marks = store.readMarks();
    // Nobody wrote since we did, and what we wrote is there: the end was sound then, and still is.
    if (ownLast && topOf(db)?.hash === ownLast.hash && !marksBeyond(marks, ownLast.seq)) return undefined;
    const damage = findEndDamage(db, marks);
    if (!damage) return undefined;
    // Where the file itself is damaged it is replaced, and that is noted instead.
    checkFile(db);
    mended = damage.why;
    if (damage.marks === "in-doubt") store.clearMarks();
    return mendEnd(db, damage, clock);
  }

  /** Whoever wrote last would always be the quickest to write again: where somebody waits, it waits for a moment too. */
  async function letOthersGoFirst(): Promise<void> {
    if (hasWritten && store.isAwaited()) await store.pause(YIELD);
    hasWritten = true;
  }

  /** Seals a record into the next place of the chain. Must run inside a transaction. */
  function insertNext(db: Database, written: Written): Entry {
    const last = topOf(db);
    ownLast = insertEntry(db, { seq: (last?.seq ?? 0) + 1, prev: last?.hash ?? GENESIS }, written, clock);
    return ownLast;
  }

  /**
   * Writes these where they are not yet. A file that was replaced while we committed to it may have kept some of what we wrote,
   * and never what is written again. Must run inside a transaction.
   */
  function insertMissing(db: Database, all: readonly Written[], tried: readonly Entry[]): readonly Entry[] {
    const kept = keptOf(db, tried);
    // What is spent is in the ledger when its record is in the journal, and never otherwise.
    let day = all.some(({ kind }) => movesLedger(kind)) ? catchUp(db).day : undefined;
    return all.map((written, index) => {
      const before = tried[index];
      if (before && kept.has(before)) return before;
      const entry = insertNext(db, written);
      if (movesLedger(written.kind)) day = enter(db, entry, day);
      return entry;
    });
  }

  /** Must run inside a transaction. */
  function reserveInside(db: Database, place: Place, ask: Ask): Answer {
    const known = catchUp(db);
    const settled = settleGone(db, ask.isGone, known.day);
    const day = laterDay(known.day, ask.today);
    const parent = ask.within === undefined ? undefined : findOpen(db, ask.within);
    const left = parent?.left ?? {};
    const granted = grantAll(
      ask,
      { ...place, round: ask.roundId, day },
      {
        takenAt: (key) => minus(takenIn(db, key), left),
        heldAt: (key) => minus(heldIn(openReservations(db), key), left),
      },
    );
    if (granted.kind === "refused") return granted;
    const record = reservedBy(ask, granted.amounts, { day, within: parent?.seq });
    const entry = insertNext(db, writeOut({ ...place, record })) as Entry<Reserved>; // the record that was just made
    enter(db, entry, known.day);
    return { kind: "reserved", entry, settled };
  }

  /** A process that is gone cannot say what it spent: it may have been all of it. It worked no longer than since it began. */
  function settleGone(db: Database, isGone: Ask["isGone"], day: string | undefined): readonly Entry[] {
    return openReservations(db)
      .filter(({ owner }) => isGone(owner))
      .map((open) => settleFull(db, open, day));
  }

  function settleFull(db: Database, open: OpenReservation, day: string | undefined): Entry {
    const { seq, loop, run, roundId, who } = open;
    const amounts = leftOver(open, reservedAt(db, seq), clock.now());
    const note = "nobody said what it came to: the process that reserved it was gone";
    const record = { kind: "settled", roundId, reservation: seq, amounts, basis: "unknown", who, note } as const;
    const entry = insertNext(db, writeOut({ loop, run, record }));
    enter(db, entry, day);
    return entry;
  }

  /** Every record that was committed has its mark, the oldest first. */
  function mark(entries: readonly Entry[]): void {
    for (const entry of entries) store.writeMark(entry.seq, writeMark(entry));
  }

  function append(lines: readonly Line[]): Promise<readonly Entry[]>;
  function append(lines: readonly Line[], only: Only | readonly Only[] | undefined): Promise<readonly Entry[] | Overtaken>;
  async function append(lines: readonly Line[], only?: Only | readonly Only[]): Promise<readonly Entry[] | Overtaken> {
    const all = lines.map(writeOut);
    let tried: readonly Entry[] = [];
    await letOthersGoFirst();
    const other = await use((db) =>
      inTransaction(db, "immediate", () => {
        settleEndInside(db);
        // Where some of it is there already, nobody was before us.
        if (keptOf(db, tried).size === 0) {
          for (const one of asked(only)) {
            const newest = newestAt(db, one);
            if (newest !== one.newest) return newest;
          }
        }
        tried = insertMissing(db, all, tried);
        return undefined;
      }),
    );
    if (other !== undefined) return { kind: "overtaken", newest: other };
    mark(tried);
    return tried;
  }

  return {
    get mended() {
      return mended;
    },
    append,
    draft: (line) => {
      const { place, at = clock.now().toISOString(), ...written } = writeOut(line);
      return { ...place, at, record: readBack(written) };
    },
    async reserve(place, ask, before = []) {
      const all = before.map(writeOut);
      let tried: readonly Entry[] = [];
      let answer: Answer | undefined;
      await letOthersGoFirst();
      await use((db) =>
        inTransaction(db, "immediate", () => {
          settleEndInside(db);
          tried = insertMissing(db, all, tried);
          if (answer?.kind === "reserved" && keptOf(db, [answer.entry]).size > 0) return;
          answer = reserveInside(db, place, ask);
        }),
      );
      mark(tried);
      if (answer?.kind === "reserved") mark([...answer.settled, answer.entry]);
      return before.length === 0 ? answer! : { ...answer!, before: tried };
    },
    async settleLeftovers(run) {
      const entries = await use((db) =>
        inTransaction(db, "immediate", () => {
          settleEndInside(db);
          const { day } = catchUp(db);
          return openReservations(db)
            .filter((open) => open.run === run)
            .map((open) => settleFull(db, open, day));
        }),
      );
      mark(entries);
      return entries;
    },
    ledger: () => use((db) => inTransaction(db, "immediate", () => readLedger(db))),
    held: (place) =>
      use((db) =>
        inTransaction(db, "deferred", () => {
          const open = openReservations(db);
          return talliesAt(tallyKeys(place), (key) => heldIn(open, key));
        }),
      ),
    taken: (place) => use((db) => inTransaction(db, "deferred", () => talliesAt(tallyKeys(place), (key) => takenIn(db, key)))),
    story: (run) => read((db) => readStory(db, run)),
    newestOf: (loop, kind, page) => read((db) => readNewest(db, loop, kind, page)),
    entriesBefore: (sequence, looking, of = {}) => read((db) => readBefore(db, sequence, looking, of)),
    newestIn: (loops, kinds) => read((db) => readNewestIn(db, loops, kinds)),
    entriesAfter: (sequence, most, of = {}) => read((db) => readAfter(db, sequence, most, of)),
    runsLike: (prefix, most) => read((db) => readRunsLike(db, prefix, most)),
    loops: () => read(readLoops),
    head: () => read(readHead),
    hashesAt: (seqs) => read((db) => hashesAt(db, seqs)),
    lines: (after, upTo) =>
      read((db) => {
        const rows = readPage(db, after, upTo);
        const last = rows.at(-1);
        return last && { text: rows.map((row) => entryLine(row, row.body)).join(""), last: last.seq };
      }),
    inspect: () =>
      use((db) => {
        settleEnd(db);
        return inTransaction(db, "deferred", () => {
          checkFile(db);
          return inspectAll(db);
        });
      }),
    close() {
      closed = true;
      if (current) closeQuietly(current);
    },
  };
}

/** Those of our entries that are there as we wrote them. */
function keptOf(db: Database, entries: readonly Entry[]): ReadonlySet<Entry> {
  const hashes = hashesAt(
    db,
    entries.map(({ seq }) => seq),
  );
  return new Set(entries.filter(({ seq, hash }) => hashes.get(seq) === hash));
}

/** Reads the whole file. An index that has lost an entry hides records without a word; only this finds it. */
function checkFile(db: Database): void {
  const [row] = db.all("select cast(integrity_check as blob) as answer from pragma_integrity_check limit 1");
  if (textOf(row?.answer) !== "ok") throw new FileDamaged(`the journal's file is damaged: ${textOf(row?.answer)}`);
  lastRow(db);
}

/** A header can say that its file may only be read. */
function checkWriting(db: Database): void {
  inTransaction(db, "immediate", () => db.exec(`pragma user_version=${storeVersion(db)}`));
}

function inspectAll(db: Database): Inspection {
  const inspection = inspectRows(readChain(db), notesOf(db));
  const strays = Number(db.all(`select count(*) as n from records where seq not between 1 and ${LAST_SEQ}`)[0]?.n);
  if (strays === 0) return inspection;
  const problem = `${strays} row(s) have numbers that no record of ours can have`;
  return { ...inspection, whole: false, damage: [{ from: 0, to: 0, problem }, ...inspection.damage] };
}

function inTransaction<T>(db: Database, mode: "immediate" | "deferred", work: () => T): T {
  try {
    db.exec(`begin ${mode}`);
    const result = work();
    db.exec("commit");
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

function rollBack(db: Database): void {
  try {
    db.exec("rollback");
  } catch {
    // It was not begun, or SQLite has rolled back by itself; the first error is the one to tell.
  }
}

/** The database itself when the check passes; closed when it does not. */
function checked(db: Database, check: (db: Database) => void): Database {
  try {
    check(db);
    return db;
  } catch (error) {
    closeQuietly(db);
    throw error;
  }
}

/** Waits for its turn with others who use the same file, and gives up when it takes unreasonably long. */
async function retrying<T>(store: Store, work: () => T | Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (store.failureOf(error) !== "busy") throw error;
    }
    store.sayWaiting();
    await store.pause(attempt);
  }
  throw new LoopError("journal-busy", "the journal has been in use by another process for too long", {
    retry: "later",
    hint: "Wait a moment and try again; look for a stuck `lw` process if it stays so.",
  });
}

function closeQuietly(db: Database): void {
  try {
    db.close();
  } catch {
    // A damaged database may refuse even this; its file handle ends with the process.
  }
}
