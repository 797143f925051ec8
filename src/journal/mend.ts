// What happens to a damaged journal: it is written down for good what is missing, nothing is thrown away, and work goes on.

import type { Clock } from "../contract/clock.ts";
import type { Entry, JournalMended, Range } from "../contract/record.ts";
import type { DamagedFile, Database } from "../contract/store.ts";
import { entryHash, GENESIS } from "../std/chain.ts";
import { carveRows } from "./carve.ts";
import { lostIn } from "./inspect.ts";
import { MARKS, marksInDoubt, readMarks } from "./marks.ts";
import { joined, without } from "./ranges.ts";
import { hashesAt, insertRow, lastRow, readEntry, readRows, type StoredRow } from "./rows.ts";
import { readBack, type Written, writeOut } from "./write-out.ts";

/** Notes of damage belong to no loop; no loop can have this name. */
export const MEND_PLACE = { loop: "-", run: "-" } as const;

export interface EndDamage {
  readonly lost: readonly Range[];
  readonly why: string;
  readonly seq: number;
  readonly prev: string;
  /** What the marks are worth: where they are in doubt, they are begun anew. */
  readonly marks: "believed" | "in-doubt";
}

/** What is wrong with the newest records. The marks must have been read before the rows: others may append in between. */
export function findEndDamage(db: Database, markTexts: readonly string[]): EndDamage | undefined {
  const marks = readMarks(markTexts);
  const { good, bad } = lookBack(db);
  const top = bad[0]?.seq ?? good?.seq ?? 0;
  const newest = Math.max(top, marks.at(-1)?.seq ?? 0);
  const spoilt = bad.map(({ seq }) => ({ from: seq, to: seq }));
  const cut = newest > top ? [{ from: top + 1, to: newest }] : [];
  const there = marks.filter(({ seq }) => seq <= top);
  const hashes = hashesAt(
    db,
    there.map(({ seq }) => seq),
  );
  // What was noted already may still lie among the marks, until so many new ones took its place.
  const isDoubtful = newest === top && marksInDoubt(markTexts, top) && !notesOf(db).some(({ seq }) => seq > top - MARKS);
  const doubt = isDoubtful ? [{ from: top + 1, to: top + 1 }] : [];
  const replaced = there.filter(({ seq, hash }) => hashes.get(seq) !== hash).map(({ seq }) => ({ from: seq, to: seq }));
  if (spoilt.length + cut.length + replaced.length + doubt.length === 0) return undefined;

  const known = notesOf(db).flatMap(lostIn);
  const lost = without(joined([...spoilt, ...cut, ...replaced, ...doubt]), known);
  if (lost.length === 0) return undefined;
  const why = tell([
    ["not what was written", without(joined([...spoilt, ...replaced]), known)],
    ["were once written and are gone", cut],
    ["and later ones may have been there: the marks beside the journal, which would tell, are gone or damaged", doubt],
  ]);
  return { lost, why, seq: newest + 1 + doubt.length, prev: good?.hash ?? GENESIS, marks: isDoubtful ? "in-doubt" : "believed" };
}

/** Notes the damage in a new record that follows the last good one. Must run inside a transaction. */
export function mendEnd(db: Database, { seq, prev, lost, why }: EndDamage, clock: Pick<Clock, "now">): Entry {
  return insertNote(db, { seq, prev }, { kind: "journal-mended", lost, why, keptAs: undefined }, clock);
}

/** Fills a new database with every record that can be found in a damaged one. Must run inside a transaction. */
export function mendFile(db: Database, { keptAs, bytes }: DamagedFile, markTexts: readonly string[], clock: Pick<Clock, "now">): string {
  const rows = carveRows(bytes);
  for (const row of rows) insertRow(db, row);
  const top = Math.max(rows.at(-1)?.seq ?? 0, readMarks(markTexts).at(-1)?.seq ?? 0);
  const saved = rows.length === top ? "every record could be saved" : `${rows.length} of ${top} records could be saved`;
  const why = `the journal's file was damaged: ${saved}, and the damaged file is kept in ${keptAs}`;
  const lost = without(top > 0 ? [{ from: 1, to: top }] : [], joined(rows.map(({ seq }) => ({ from: seq, to: seq }))));
  insertNote(db, { seq: top + 1, prev: rows.at(-1)?.hash ?? GENESIS }, { kind: "journal-mended", lost, why, keptAs }, clock);
  return why;
}

/** The journal's own notes of damage, oldest first. */
export const notesOf = (db: Database): readonly StoredRow[] => [
  ...readRows(db, "seq", { where: "loop = ? and kind = 'journal-mended'", values: [MEND_PLACE.loop] }),
];

/** Reads entries, and none that the journal itself says is lost: what stands in such a place was put there afterwards. */
export function trustedReader(db: Database): (row: StoredRow) => Entry | undefined {
  const lost = notesOf(db).flatMap(lostIn);
  return (row) => (lost.some(({ from, to }) => from <= row.seq && row.seq <= to) ? undefined : readEntry(row));
}

/** Seals a record into the next place of the chain and stores it. Must run inside a transaction. */
export function insertEntry(
  db: Database,
  next: { readonly seq: number; readonly prev: string },
  written: Written,
  clock: Pick<Clock, "now">,
): Entry {
  const { place, at = clock.now().toISOString(), kind, body } = written;
  const unsealed = { ...place, ...next, at };
  const hash = entryHash(unsealed, body);
  insertRow(db, { ...unsealed, kind, hash, body });
  // What is given back is what will be read: the record in its stored form.
  return { ...unsealed, hash, record: readBack(written) };
}

/** The newest sound row, and the unsound ones after it, newest first. */
function lookBack(db: Database): { readonly good: StoredRow | undefined; readonly bad: readonly StoredRow[] } {
  const last = lastRow(db);
  if (!last || readEntry(last)) return { good: last, bad: [] };
  const bad: StoredRow[] = [];
  for (const row of readRows(db, "seq desc", { where: "true" })) {
    if (readEntry(row)) return { good: row, bad };
    bad.push(row);
  }
  return { good: undefined, bad };
}

const insertNote = (
  db: Database,
  next: { readonly seq: number; readonly prev: string },
  record: JournalMended,
  clock: Pick<Clock, "now">,
): Entry => insertEntry(db, next, writeOut({ ...MEND_PLACE, record }), clock);

function tell(problems: readonly (readonly [string, readonly Range[]])[]): string {
  const parts = problems
    .filter(([, ranges]) => ranges.length > 0)
    .map(([problem, ranges]) => `records ${ranges.map(name).join(", ")} ${problem}`);
  return `the journal's end was damaged: ${parts.join("; ")}`;
}

const name = ({ from, to }: Range): string => (from === to ? `${from}` : `${from} to ${to}`);
