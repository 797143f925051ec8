// A run's journal in an array, and one that dies in the middle.
import type { Entry, LoopRecord, Reserved } from "../../src/contract/record.ts";
import { foldRun } from "../../src/journal/fold.ts";
import type { Answer, Ask, Tallies } from "../../src/journal/journal.ts";
import { grant, laterDay, minus, replay, talliesAt, tallyKeys } from "../../src/journal/ledger.ts";
import type { RunJournal } from "../../src/journal/run-journal.ts";

export interface MemoryJournal extends RunJournal {
  readonly records: readonly LoopRecord[];
}

/** Records are kept as JSON keeps them, so that what a store would lose is lost here too. */
export function createMemoryJournal(before: readonly LoopRecord[] = []): MemoryJournal {
  const entries: Entry[] = before.map(entryOf);
  const append = async (record: LoopRecord): Promise<Entry> => {
    const entry = entryOf(record, entries.length);
    entries.push(entry);
    return entry;
  };
  return {
    loop: "keep-green",
    run: "keep-green-1-abcde",
    entries,
    get records() {
      return entries.map(({ record }) => record);
    },
    get state() {
      return foldRun(entries);
    },
    writeOnly: async (_, __, record) => {
      await append(record);
      return "written";
    },
    refresh: async () => false,
    append,
    reserve: (ask) => reserveIn(entries, ask, append),
    taken: async (round, day) => takenAt(entries, round, day),
  };
}

/** As the store does it, with the ledger worked out from the records each time. */
async function reserveIn(entries: readonly Entry[], ask: Ask, append: (record: LoopRecord) => Promise<Entry>): Promise<Answer> {
  const ledger = replay(entries);
  const day = laterDay(ledger.day, ask.today);
  const parent = ask.within === undefined ? undefined : ledger.open.get(ask.within);
  const tallies = takenAt(entries, ask.roundId, day);
  const granted = grant(ask, ask.caps, (scope) => minus(tallies[scope], parent?.left ?? {}));
  if (granted.kind === "refused") return granted;
  const { roundId, purpose, who, owner, within } = ask;
  const record: Reserved = { kind: "reserved", roundId, purpose, who, amounts: granted.amounts, day, owner, ...(within ? { within } : {}) };
  return { kind: "reserved", entry: (await append(record)) as Entry<Reserved>, settled: [] };
}

function takenAt(entries: readonly Entry[], round: string, day: string): Tallies {
  const { taken } = replay(entries);
  return talliesAt(tallyKeys({ loop: "keep-green", run: "keep-green-1-abcde", round, day }), (key) => taken.get(key) ?? {});
}

/** A journal whose process is killed at the n-th append, before or after it reached the disk; nothing can be written afterwards. */
export function killedAt(n: number, fate: "lost" | "kept", before: readonly LoopRecord[] = []): MemoryJournal {
  const inner = createMemoryJournal(before);
  let appends = 0;
  const append = async (record: LoopRecord): Promise<Entry> => {
    const turn = appends++;
    if (turn < n) return inner.append(record);
    if (turn === n && fate === "kept") await inner.append(record);
    throw new Error("killed");
  };
  return {
    loop: inner.loop,
    run: inner.run,
    entries: inner.entries,
    get records() {
      return inner.records;
    },
    get state() {
      return inner.state;
    },
    writeOnly: inner.writeOnly,
    refresh: inner.refresh,
    append,
    reserve: (ask) => reserveIn(inner.entries, ask, append),
    taken: inner.taken,
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
