// A run's journal in an array, and one that dies in the middle.
import type { Entry, LoopRecord } from "../../src/contract/record.ts";
import type { RunJournal } from "../../src/journal/journal.ts";

export interface MemoryJournal extends RunJournal {
  readonly records: readonly LoopRecord[];
}

/** Records are kept as JSON keeps them, so that what a store would lose is lost here too. */
export function createMemoryJournal(before: readonly LoopRecord[] = []): MemoryJournal {
  const entries: Entry[] = before.map(entryOf);
  return {
    loop: "keep-green",
    run: "keep-green-1-abcde",
    entries,
    get records() {
      return entries.map(({ record }) => record);
    },
    async append(record) {
      const entry = entryOf(record, entries.length);
      entries.push(entry);
      return entry;
    },
  };
}

/** A journal whose process is killed at the n-th append, before or after it reached the disk; nothing can be written afterwards. */
export function killedAt(n: number, fate: "lost" | "kept", before: readonly LoopRecord[] = []): MemoryJournal {
  const inner = createMemoryJournal(before);
  let appends = 0;
  return {
    loop: inner.loop,
    run: inner.run,
    entries: inner.entries,
    get records() {
      return inner.records;
    },
    async append(record) {
      const turn = appends++;
      if (turn < n) return inner.append(record);
      if (turn === n && fate === "kept") await inner.append(record);
      throw new Error("killed");
    },
  };
}

const entryOf = (record: LoopRecord, index: number): Entry => ({
  seq: index + 1,
  at: "2026-01-02T03:04:05.678Z",
  loop: "keep-green",
  run: "keep-green-1-abcde",
  record: JSON.parse(JSON.stringify(record)) as LoopRecord,
  prev: "",
  hash: "",
});
