// Reads a whole chain and says what is whole and what is not. Pure over rows; streams.
import type { JournalMended, Range } from "../contract/record.ts";
import { GENESIS } from "../std/chain.ts";
import type { Damage, Inspection } from "./journal.ts";
import { without } from "./ranges.ts";
import { readEntry, type StoredRow } from "./rows.ts";

/** `notes` are the journal's own notes of damage found earlier: what they name is told as that, never as whole. */
export function inspectRows(rows: Iterable<StoredRow>, notes: readonly StoredRow[]): Inspection {
  const known = notes.flatMap(lostIn);
  const damage: Damage[] = known.map(({ from, to, why }) => ({ from, to, problem: why }));
  const isKnown = (seq: number): boolean => known.some(({ from, to }) => from <= seq && seq <= to);
  let entries = 0;
  // No hash after a record that cannot be believed: what follows it, or a gap, cannot be held against it.
  let last: { readonly seq: number; readonly hash: string | undefined } = { seq: 0, hash: GENESIS };

  for (const row of rows) {
    entries++;
    for (const gap of without(
      [{ from: last.seq + 1, to: row.seq - 1 }].filter(({ from, to }) => from <= to),
      known,
    ))
      damage.push({ ...gap, problem: "these records are missing" });
    const isSound = readEntry(row) !== undefined;
    const follows = row.seq > last.seq + 1 || last.hash === undefined || row.prev === last.hash || isKnown(row.seq - 1);
    if (!isKnown(row.seq)) {
      if (!isSound) damage.push({ from: row.seq, to: row.seq, problem: "this record is not what was written" });
      else if (!follows) damage.push({ from: row.seq, to: row.seq, problem: "this record does not follow the one before it" });
    }
    last = { seq: row.seq, hash: isSound ? row.hash : undefined };
  }
  return { entries, whole: damage.length === 0, damage: damage.toSorted((a, b) => a.from - b.from) };
}

/** What one note says is lost; a note that is not sound says nothing. */
export function lostIn(row: StoredRow): readonly (Range & { readonly why: string })[] {
  const entry = readEntry(row);
  if (!entry) return [];
  const { lost, why } = entry.record as JournalMended; // the query chose the kind
  return lost.map((range) => ({ ...range, why }));
}
