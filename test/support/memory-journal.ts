// A run with its journal in memory, and one that dies in the middle.
import type { Entry, LoopRecord } from "../../src/contract/record.ts";
import type { Journal, Line, Only, Overtaken } from "../../src/journal/journal.ts";
import { createMemoryJournal as createJournal } from "../../src/journal/memory-journal.ts";
import { createRunJournal, type RunJournal } from "../../src/journal/run-journal.ts";

export interface MemoryJournal extends RunJournal {
  /** What is on record, also where nobody was told any more. */
  readonly records: readonly LoopRecord[];
  /** How often something was written: records that are written together are one time. */
  readonly writes: number;
}

const PLACE = { loop: "keep-green", run: "keep-green-1-abcde" };
const AT = "2026-01-02T03:04:05.678Z";

export const createMemoryJournal = (before: readonly LoopRecord[] = []): MemoryJournal => runOn(before, (journal) => journal);

/** A journal whose process is killed at the n-th append, before or after it reached the disk; nothing can be written afterwards. */
export const killedAt = (n: number, fate: "lost" | "kept", before: readonly LoopRecord[] = []): MemoryJournal =>
  runOn(before, (journal) => dyingAt(journal, n, fate));

function runOn(before: readonly LoopRecord[], through: (journal: Journal) => Journal): MemoryJournal {
  const shelf = before.map(entryOf);
  let writes = 0;
  const counting = counted(createJournal({ now: () => new Date(AT) }, shelf), () => writes++);
  const run = createRunJournal(through(counting), PLACE, shelf);
  const records = { get: () => shelf.map(({ record }) => record) };
  return Object.defineProperties(run, { records, writes: { get: () => writes } }) as MemoryJournal; // with what was just defined
}

/** The same journal, whose process is killed at the n-th append. */
export function dyingAt(journal: Journal, n: number, fate: "lost" | "kept"): Journal {
  let writes = 0;
  return writingBy(journal, async (write) => {
    const turn = writes++;
    if (turn < n) return write();
    if (turn === n && fate === "kept") await write();
    throw new Error("killed");
  });
}

const counted = (journal: Journal, count: () => void): Journal =>
  writingBy(journal, (write) => {
    count();
    return write();
  });

/** A reservation is an append too. */
function writingBy(journal: Journal, by: <T>(write: () => Promise<T>) => Promise<T>): Journal {
  function append(lines: readonly Line[]): Promise<readonly Entry[]>;
  function append(lines: readonly Line[], only: Only | undefined): Promise<readonly Entry[] | Overtaken>;
  function append(lines: readonly Line[], only?: Only): Promise<readonly Entry[] | Overtaken> {
    return by(() => journal.append(lines, only));
  }

  return { ...journal, append, reserve: (place, ask, before) => by(() => journal.reserve(place, ask, before)) };
}

/** Records are kept as JSON keeps them, so that what a store would lose is lost here too. */
const entryOf = (record: LoopRecord, index: number): Entry => ({
  ...PLACE,
  seq: index + 1,
  at: AT,
  record: JSON.parse(JSON.stringify(record)) as LoopRecord,
  prev: "",
  hash: "",
});
