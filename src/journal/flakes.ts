// Which tests a loop has in quarantine. Never stored as such: folded from what was seen on base and what somebody ended. Pure.
import type { Flake } from "../contract/baseline.ts";
import type { BaselineTaken, Entry, LoopRecord } from "../contract/record.ts";
import { type JournalReader, lastOf } from "./journal.ts";

type Forgotten = Extract<LoopRecord, { kind: "flake-forgotten" }>;

const MOST_FORGOTTEN = 10_000;

/** What a loop knows from looks at base of earlier runs. */
export interface Recollection {
  readonly last: Entry<BaselineTaken> | undefined;
  /** Its quarantine, also what has run out since. */
  readonly flakes: readonly Flake[];
}

export async function recallBaseline(journal: Pick<JournalReader, "newestOf">, loop: string): Promise<Recollection> {
  const last = await lastOf(journal, loop, "baseline-taken");
  if (!last) return { last, flakes: [] };
  return { last, flakes: foldFlakes(last, await journal.newestOf(loop, "flake-forgotten", { after: last.seq, most: MOST_FORGOTTEN })) };
}

/** Every look carries the whole quarantine on, so that only the last one counts, and what was ended since. */
export function foldFlakes({ seq, record }: Entry<BaselineTaken>, forgotten: readonly Entry<Forgotten>[]): readonly Flake[] {
  const ended = new Set(forgotten.filter((entry) => entry.seq > seq).map((entry) => entry.record.id));
  return record.baseline.quarantine.filter(({ id }) => !ended.has(id));
}

/** Whether a test is still left out. A time that cannot be read has run out. */
export const isInQuarantine = ({ until }: Pick<Flake, "until">, at: Date): boolean => Date.parse(until) > at.getTime();

/** What one look saw of a test that changes. */
export interface FlakeSighting {
  readonly id: string;
  readonly matter: string;
  readonly verifier: string;
  readonly runs: number;
  readonly failed: number;
}

/** The quarantine after a look: what has run out is gone, and what was seen again stays for as long again. */
export function quarantineAfter(
  old: readonly Flake[],
  seen: readonly FlakeSighting[],
  { at, lastsMs }: { readonly at: Date; readonly lastsMs: number },
): readonly Flake[] {
  const now = at.toISOString();
  const until = new Date(at.getTime() + lastsMs).toISOString();
  const current = old.filter((flake) => isInQuarantine(flake, at));
  const before = new Map(current.map((flake) => [keyOf(flake), flake]));
  const fresh = seen.map((sighting): Flake => {
    const known = before.get(keyOf(sighting));
    return {
      ...sighting,
      firstSeen: known?.firstSeen ?? now,
      lastSeen: now,
      // A spec that now says less does not cut short what was said before, nor the other way round.
      until: known && known.until > until ? known.until : until,
      runs: (known?.runs ?? 0) + sighting.runs,
      failed: (known?.failed ?? 0) + sighting.failed,
    };
  });
  const again = new Set(seen.map(keyOf));
  return [...current.filter((flake) => !again.has(keyOf(flake))), ...fresh];
}

const keyOf = ({ matter, id }: { readonly matter: string; readonly id: string }): string => `${matter} ${id}`;
