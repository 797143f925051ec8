// Questions to the store's table of records, each answered by an index. Every function here must run inside a transaction.
import type { ChainPlace } from "../contract/receipt.ts";
import type { Entry } from "../contract/record.ts";
import type { Database } from "../contract/store.ts";
import { GENESIS } from "../std/chain.ts";
import {
  type EntryOf,
  type Kind,
  type Looked,
  type Looking,
  type Newest,
  type Of,
  type Only,
  type Page,
  pageOf,
  type Story,
  windowOf,
} from "./journal.ts";
import { MEND_PLACE, trustedReader } from "./mend.ts";
import { FEW, hashAt, LAST_SEQ, readRows, readRowsAfter, readRowsAt, type StoredRow, textOf, topOf } from "./rows.ts";

export function readStory(db: Database, run: string): Story {
  const readTrusted = trustedReader(db);
  const rows = [...readRowsAfter(db, 0, { where: "run = ?", values: [run] })].map((row) => ({ seq: row.seq, entry: readTrusted(row) }));
  return { entries: rows.flatMap(({ entry }) => entry ?? []), damaged: rows.filter(({ entry }) => !entry).map(({ seq }) => seq) };
}

export function readNewest<K extends Kind>(db: Database, loop: string, kind: K, { after, before, most }: Page): readonly EntryOf<K>[] {
  const conditions = ["loop = ?", "kind = ?", ...(after === undefined ? [] : ["seq > ?"]), ...(before === undefined ? [] : ["seq < ?"])];
  const values = [loop, kind, after, before].filter((value) => value !== undefined);
  const rows = readRows(db, "seq desc", { where: conditions.join(" and "), values, wanted: most });
  return sound(db, rows, most) as readonly EntryOf<K>[]; // the query chose the kind
}

/** Each is looked up by the index, and all of them are read together. */
export function readNewestIn(db: Database, loops: readonly string[], kinds: readonly Kind[]): readonly Newest[] {
  const readTrusted = trustedReader(db);
  const within = `from records where loop = names.value and kind = kinds.value and seq between 1 and ${LAST_SEQ}`;
  const ends = db.all(
    `select (select seq ${within} order by seq limit 1) as first, (select seq ${within} order by seq desc limit 1) as newest
       from json_each(?) as names, json_each(?) as kinds`,
    JSON.stringify(loops),
    JSON.stringify(kinds),
  );
  const firsts = new Map(ends.flatMap(({ first, newest }) => (newest === null ? [] : [[Number(newest), Number(first)] as const])));
  return readRowsAt(db, [...firsts.keys()]).flatMap((row): readonly Newest[] => {
    // Where the newest cannot be believed, the one before it counts.
    const entry = readTrusted(row) ?? readNewest(db, row.loop, row.kind as Kind, { most: 1 })[0]; // the query chose the kind
    return entry ? [{ entry, first: firsts.get(row.seq) ?? 0 }] : [];
  });
}

export const readAfter = (db: Database, sequence: number, most: number, of: Of): readonly Entry[] =>
  sound(db, rowsAfter(db, sequence, most, of), most);

export function readBefore(db: Database, sequence: number, looking: Looking, { loop, run, kinds }: Of): Looked {
  const { from, to } = windowOf(topOf(db)?.seq ?? 0, sequence, looking);
  const conditions = [
    "seq >= ? and seq < ?",
    ...(run === undefined ? [] : ["+run = ?"]),
    ...(loop === undefined ? [] : ["+loop = ?"]),
    ...(kinds === undefined ? [] : [`+kind in (${kinds.map(() => "?").join(", ")})`]),
  ];
  const values = [from, to, run, loop, ...(kinds ?? [])].filter((value) => value !== undefined);
  const rows = readRows(db, "seq desc", { where: conditions.join(" and "), values, wanted: looking.most });
  return pageOf(sound(db, rows, looking.most), from, looking);
}

/** A run and the journal as a whole are in order already; a loop is in order only for each kind by itself. */
function rowsAfter(db: Database, sequence: number, wanted: number, { loop, run, kinds }: Of): Iterable<StoredRow> {
  if (run !== undefined || loop === undefined) {
    // What has a plus before it is never looked up by an index: those know these columns only beside others.
    const conditions = [
      ...(run === undefined ? [] : ["run = ?"]),
      ...(loop === undefined ? [] : ["+loop = ?"]),
      ...(kinds === undefined ? [] : [`+kind in (${kinds.map(() => "?").join(", ")})`]),
    ];
    const values = [run, loop, ...(kinds ?? [])].filter((value) => value !== undefined);
    return readRowsAfter(db, sequence, { where: conditions.join(" and ") || "true", values, wanted });
  }
  const each = [...new Set(kinds ?? kindsIn(db, loop))].map((kind) => ({
    where: "loop = ? and kind = ?",
    values: [loop, kind],
    wanted: FEW,
  }));
  return merged(each.map((reading) => readRowsAfter(db, sequence, reading)));
}

/** Several readings as one, each of them in order and so all of it. */
function* merged(readings: readonly Iterable<StoredRow>[]): Iterable<StoredRow> {
  const heads = readings.map((rows) => rows[Symbol.iterator]()).map((rows) => ({ rows, next: rows.next() }));
  for (;;) {
    let first: { readonly row: StoredRow; readonly head: (typeof heads)[number] } | undefined;
    for (const head of heads)
      if (!head.next.done && !(first && first.row.seq < head.next.value.seq)) first = { row: head.next.value, head };
    if (!first) return;
    yield first.row;
    first.head.next = first.head.rows.next();
  }
}

/** The number of the newest record that a condition is about; 0 where there is none. */
export function newestAt(db: Database, { in: { loop, run }, kinds }: Pick<Only, "in" | "kinds">): number {
  if (run === undefined) return Math.max(0, ...kinds.flatMap((kind) => readNewest(db, loop, kind, { most: 1 })).map(({ seq }) => seq));
  const where = `run = ? and +loop = ? and +kind in (${kinds.map(() => "?").join(", ")})`;
  const rows = readRows(db, "seq desc", { where, values: [run, loop, ...kinds], wanted: 1 });
  return sound(db, rows, 1)[0]?.seq ?? 0;
}

export function readRunsLike(db: Database, prefix: string, most: number): readonly EntryOf<"run-opened">[] {
  const where = "run >= ? and run < ? and kind = 'run-opened'";
  const rows = readRows(db, "run, seq", { where, values: [prefix, `${prefix}\u{10ffff}`], wanted: most });
  return sound(db, rows, most) as readonly EntryOf<"run-opened">[]; // the query chose the kind
}

/** Steps from one name to the next in the index: it costs as much as there are loops, not records. */
export const readLoops = (db: Database): readonly string[] =>
  db
    .all(
      `with recursive names(loop) as (
         select min(loop) from records
         union all select (select min(loop) from records where loop > names.loop) from names where names.loop is not null
       ) select cast(loop as blob) as loop from names where loop is not null and loop <> ?`,
      MEND_PLACE.loop,
    )
    .map(({ loop }) => textOf(loop));

/** The same for the kinds of a loop's records. */
const kindsIn = (db: Database, loop: string): readonly string[] =>
  db
    .all(
      `with recursive kinds(kind) as (
         select min(kind) from records where loop = ?1
         union all select (select min(kind) from records where loop = ?1 and kind > kinds.kind) from kinds where kinds.kind is not null
       ) select cast(kind as blob) as kind from kinds where kind is not null`,
      loop,
    )
    .map(({ kind }) => textOf(kind));

/** A journal goes by the hash of its first record; one that has lost it, by what it was called at its last checkpoint. */
export function readHead(db: Database): ChainPlace | undefined {
  const top = topOf(db);
  if (!top) return undefined;
  const [checkpointed] = readNewest(db, MEND_PLACE.loop, "checkpointed", { most: 1 });
  return { ...top, chain: hashAt(db, 1) ?? checkpointed?.record.checkpoint.chain ?? GENESIS };
}

/** The first sound ones. */
function sound(db: Database, rows: Iterable<StoredRow>, most: number): readonly Entry[] {
  const readTrusted = trustedReader(db);
  const entries: Entry[] = [];
  if (most <= 0) return entries;
  for (const row of rows) {
    const entry = readTrusted(row);
    if (entry) entries.push(entry);
    if (entries.length >= most) break;
  }
  return entries;
}
