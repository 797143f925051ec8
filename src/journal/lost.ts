// Records of a run that are not there any more: the journal is one chain, so that a gap in it is seen, whoever's records it was.
import type { Entry, Range } from "../contract/record.ts";
import type { JournalReader } from "./journal.ts";

const LOOKED_AT_ONCE = 500;

/** Gaps in which records of this run may have been: after its first one, up to where it rested, or to the end while it did not. */
export async function lostOf(journal: Pick<JournalReader, "hashesAt" | "head">, entries: readonly Entry[]): Promise<readonly Range[]> {
  const first = entries[0]?.seq;
  if (first === undefined) return [];
  const to = entries.findLast(({ record }) => record.kind === "run-rested")?.seq ?? (await journal.head())?.seq ?? first;
  const prevs = new Map(entries.map(({ seq, prev }) => [seq, prev]));
  const lost: { from: number; to: number }[] = [];
  let before: string | undefined;
  for (let from = first; from <= to; from += LOOKED_AT_ONCE) {
    const seqs = Array.from({ length: Math.min(LOOKED_AT_ONCE, to - from + 1) }, (_, index) => from + index);
    const hashes = await journal.hashesAt(seqs);
    for (const seq of seqs) {
      const hash = hashes.get(seq);
      const prev = prevs.get(seq);
      // What does not follow the one before it was put there in place of another.
      const follows = seq === first || prev === undefined || before === undefined || prev === before;
      if (hash === undefined || !follows) addTo(lost, seq);
      before = hash;
    }
  }
  return lost;
}

function addTo(ranges: { from: number; to: number }[], seq: number): void {
  const last = ranges.at(-1);
  if (last && last.to === seq - 1) last.to = seq;
  else ranges.push({ from: seq, to: seq });
}
