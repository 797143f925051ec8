import { expect, it } from "vitest";
import type { Entry, LoopRecord } from "../contract/record.ts";
import { lostOf } from "./lost.ts";
import { createMemoryJournal } from "./memory-journal.ts";

const RESUMED: LoopRecord = { kind: "run-resumed" };
const RESTED = {
  kind: "run-rested",
  rest: { kind: "nothing-to-do", reason: "" },
  report: { sha256: "", bytes: 0, truncated: false },
} as LoopRecord;

/** Records of two runs in turn; `rests` is where the first of them comes to rest. */
async function twoRuns(rests: number | undefined) {
  const journal = createMemoryJournal({ now: () => new Date(0) });
  for (let at = 0; at < 10; at++)
    await journal.append([{ loop: at % 2 === 0 ? "a" : "b", run: at % 2 === 0 ? "a-1" : "b-1", record: at === rests ? RESTED : RESUMED }]);
  const story = await journal.story("a-1");
  /** The same journal, and what is left of the run, without these records. */
  const without = (...gone: readonly number[]) => ({
    entries: story.entries.filter(({ seq }) => !gone.includes(seq)),
    journal: {
      head: journal.head,
      hashesAt: async (seqs: readonly number[]) => journal.hashesAt(seqs.filter((seq) => !gone.includes(seq))),
    },
  });
  return { without };
}

const lostIn = ({ journal, entries }: { readonly journal: Parameters<typeof lostOf>[0]; readonly entries: readonly Entry[] }) =>
  lostOf(journal, entries);

it("finds nothing where the chain is whole", async () => {
  const { without } = await twoRuns(8);

  expect(await lostIn(without())).toEqual([]);
});

it("finds a record that is missing between the first and the last of a run, though nobody can say whose it was", async () => {
  const { without } = await twoRuns(8);

  expect(await lostIn(without(5))).toEqual([{ from: 5, to: 5 }]);
  expect(await lostIn(without(3, 4, 7))).toEqual([
    { from: 3, to: 4 },
    { from: 7, to: 7 },
  ]);
});

it("looks as far as the run went: to its rest, or to the end of the journal while it has none", async () => {
  const rested = await twoRuns(4);
  const open = await twoRuns(undefined);

  expect(await lostIn(rested.without(7))).toEqual([]);
  expect(await lostIn(open.without(9))).toEqual([{ from: 9, to: 9 }]);
});

it("finds a record that was put in the place of another", async () => {
  const { without } = await twoRuns(8);
  const { journal, entries } = without();
  const other = entries.map((entry) => (entry.seq === 5 ? { ...entry, prev: "f".repeat(64) } : entry));

  expect(await lostOf(journal, other)).toEqual([{ from: 5, to: 5 }]);
});
