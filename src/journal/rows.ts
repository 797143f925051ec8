// Rows of the store as they are read and written, before anybody believes them.
import type { Entry, LoopRecord } from "../contract/record.ts";
import type { Database, Row, SqlValue } from "../contract/store.ts";
import { entryHash } from "../std/chain.ts";

/** A row of the store, as it was read: its text may have been damaged. */
export interface StoredRow {
  readonly seq: number;
  readonly at: string;
  readonly loop: string;
  readonly run: string;
  readonly kind: string;
  readonly prev: string;
  readonly hash: string;
  readonly body: string;
}

/** No journal gets that far. Rows beyond it were put there by somebody else, and are told of but never read. */
export const LAST_SEQ = 10 ** 15 - 1;

const PAGE = 64;
/** For who does not know how many it will read: pages grow, so that whoever wants one row does not pay for a hundred. */
export const FEW = 2;

/** The first page of a reading that wants so many. */
const firstPage = (wanted: number): number => Math.max(1, Math.min(PAGE, wanted));

/** Texts are read as bytes: a driver that is given a damaged text where it expects UTF-8 may end the whole process. */
const COLUMNS = `seq, ${["at", "loop", "run", "kind", "prev", "hash", "body"].map((name) => `cast(${name} as blob) as ${name}`).join(", ")}`;

/** Which rows, and how many of them are likely to be wanted. */
export interface Reading {
  readonly where: string;
  readonly values?: readonly SqlValue[];
  readonly wanted?: number;
}

/** Reads rows in pages, each to its end: a driver that is left in the middle of a reading keeps the whole file locked. */
export function* readRows(db: Database, order: string, { where, values = [], wanted = FEW }: Reading): Iterable<StoredRow> {
  const sql = `select ${COLUMNS} from records where seq between 1 and ${LAST_SEQ} and ${where} order by ${order} limit ? offset ?`;
  let offset = 0;
  for (let size = firstPage(wanted); ; size = Math.min(PAGE, size * 8)) {
    const rows = db.all(sql, ...values, size, offset);
    yield* rows.map(toStoredRow);
    if (rows.length < size) return;
    offset += size;
  }
}

/** The same from a record on, oldest first, without counting from the start for every page. */
export function* readRowsAfter(db: Database, sequence: number, { where, values = [], wanted = PAGE }: Reading): Iterable<StoredRow> {
  const sql = `select ${COLUMNS} from records where seq > ? and seq <= ${LAST_SEQ} and ${where} order by seq limit ?`;
  let after = Math.max(0, sequence);
  for (let size = firstPage(wanted); ; size = Math.min(PAGE, size * 8)) {
    const rows = db.all(sql, after, ...values, size).map(toStoredRow);
    yield* rows;
    if (rows.length < size) return;
    after = rows.at(-1)!.seq;
  }
}

/** The whole chain. */
export const readChain = (db: Database): Iterable<StoredRow> => readRowsAfter(db, 0, { where: "true" });

/** The next records after one, up to another. */
export const readPage = (db: Database, after: number, upTo: number): readonly StoredRow[] =>
  db
    .all(`select ${COLUMNS} from records where seq > ? and seq <= ? order by seq limit ${PAGE}`, after, Math.min(upTo, LAST_SEQ))
    .map(toStoredRow);

/** These records, as far as they are there. */
export const readRowsAt = (db: Database, seqs: readonly number[]): readonly StoredRow[] =>
  db.all(`select ${COLUMNS} from records where seq in (select value from json_each(?))`, JSON.stringify(seqs)).map(toStoredRow);

export function lastRow(db: Database): StoredRow | undefined {
  const [row] = db.all(`select ${COLUMNS} from records where seq between 1 and ${LAST_SEQ} order by seq desc limit 1`);
  return row && toStoredRow(row);
}

/** Of the newest record only what the next one is chained to. */
export function topOf(db: Database): Pick<StoredRow, "seq" | "hash"> | undefined {
  const [row] = db.all(`select seq, cast(hash as blob) as hash from records where seq between 1 and ${LAST_SEQ} order by seq desc limit 1`);
  return row && { seq: Number(row.seq), hash: textOf(row.hash) };
}

export const hashAt = (db: Database, seq: number): string | undefined => hashesAt(db, [seq]).get(seq);

/** The hashes of these records, as far as they are there. */
export function hashesAt(db: Database, seqs: readonly number[]): ReadonlyMap<number, string> {
  if (seqs.length === 0) return new Map();
  const rows = db.all(`select seq, cast(hash as blob) as hash from records where seq in (${seqs.map(() => "?").join(", ")})`, ...seqs);
  return new Map(rows.map(({ seq, hash }) => [Number(seq), textOf(hash)]));
}

const toStoredRow = (row: Row): StoredRow => ({
  seq: Number(row.seq),
  at: textOf(row.at),
  loop: textOf(row.loop),
  run: textOf(row.run),
  kind: textOf(row.kind),
  prev: textOf(row.prev),
  hash: textOf(row.hash),
  body: textOf(row.body),
});

/** Drivers give bytes in either of two types. What is no UTF-8 becomes something that no hash was made of. */
export const textOf = (column: unknown): string =>
  column instanceof Uint8Array || column instanceof ArrayBuffer ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(column) : "";

/** The entry a row stands for; undefined when the row does not say what was written: its hash covers all of it, and its kind must be its record's. */
export function readEntry({ seq, at, loop, run, kind, prev, hash, body }: StoredRow): Entry | undefined {
  if (entryHash({ seq, at, loop, run, prev }, body) !== hash) return undefined;
  const record = parsed(body);
  // A sound row holds what this or another version of us wrote; a kind we do not know stops the fold.
  return record?.kind === kind ? { seq, at, loop, run, prev, hash, record: record as LoopRecord } : undefined;
}

function parsed(body: string): { readonly kind?: unknown } | undefined {
  try {
    return JSON.parse(body) ?? undefined;
  } catch {
    return undefined; // Somebody sealed what is not JSON: not a record of ours.
  }
}

export const insertRow = (db: Database, { seq, at, loop, run, kind, prev, hash, body }: StoredRow): void =>
  db.run(
    "insert into records (seq, at, loop, run, kind, prev, hash, body) values (?, ?, ?, ?, ?, ?, ?, ?)",
    seq,
    at,
    loop,
    run,
    kind,
    prev,
    hash,
    body,
  );
