import fc from "fast-check";
import { expect, it } from "vitest";
import { appendOne, note, result, tickingClock } from "../../test/support/journals.ts";
import { askFor, capOf } from "../../test/support/ledgers.ts";
import type { Entry, LoopRecord } from "../contract/record.ts";
import { foldRun } from "./fold.ts";
import type { Journal, Line } from "./journal.ts";
import { createMemoryJournal } from "./memory-journal.ts";
import { openRunJournal } from "./run-journal.ts";

const PLACE = { loop: "a", run: "a-1" };

/** A journal, and how many lines each of its writes had. */
function counted(): { readonly journal: Journal; readonly writes: readonly number[] } {
  const journal = createMemoryJournal(tickingClock());
  const writes: number[] = [];
  function append(lines: readonly Line[]): Promise<readonly Entry[]> {
    writes.push(lines.length);
    return journal.append(lines);
  }
  return {
    journal: {
      ...journal,
      append,
      reserve: (place, ask, before = []) => {
        writes.push(before.length + 1);
        return journal.reserve(place, ask, before);
      },
    },
    writes,
  };
}

const resumed: LoopRecord = { kind: "run-resumed" };
const step = (name: string, value: unknown): LoopRecord => ({ kind: "step-done", roundId: "r", step: name, result: value, tookMs: 1 });
const spent = (microUsd: number): LoopRecord => ({ kind: "spent", roundId: "r", spend: { usd: 0, tokens: 0 }, amounts: { microUsd } });

it("knows what is held before it is on record, and writes it first, in one append", async () => {
  const { journal, writes } = counted();
  const run = await openRunJournal(journal, PLACE);

  run.hold(resumed);
  run.hold(step("commit", undefined));
  const heldBack = { state: run.state.resumed, done: run.result("r", "commit"), entries: [...run.entries], head: await journal.head() };
  const written = await run.write(note("ada"));

  expect(heldBack).toEqual({ state: 1, done: step("commit", undefined), entries: [], head: undefined });
  expect(written.map(({ record }) => record)).toEqual([resumed, step("commit", undefined), note("ada")]);
  expect([run.entries, writes, run.state.resumed]).toEqual([written, [3], 1]);
  expect(await run.write()).toEqual([]);
  expect(writes).toEqual([3]);
});

it("has held records on record as they were when they were held", async () => {
  const { journal } = counted();
  const run = await openRunJournal(journal, PLACE);

  run.hold(step("scan", { a: undefined, b: "x\ud800" }));
  const before = run.state;
  await appendOne(journal, { loop: "b", run: "b-1" }, note("a second later"));
  await run.write();

  expect(run.state).toEqual(before);
  expect(run.result("r", "scan")?.result).toEqual({ b: "x\ufffd" });
});

it("refuses to hold what cannot be written", async () => {
  const run = await openRunJournal(counted().journal, PLACE);

  expect(() => run.hold(resumed, result(Number.NaN))).toThrow("JSON");

  expect(await run.write()).toEqual([]);
});

it("reserves with what is held, in one write, also when it is refused", async () => {
  const { journal, writes } = counted();
  const run = await openRunJournal(journal, PLACE);

  run.hold(resumed);
  const granted = await run.reserve(askFor(10, { roundId: "r" }));
  run.hold(step("commit", 1));
  const refused = await run.reserve(askFor(10, { caps: [capOf("run", 15)] }));

  expect([granted.kind, refused.kind, writes]).toEqual(["reserved", "refused", [2, 2]]);
  expect(run.entries.map(({ record }) => record.kind)).toEqual(["run-resumed", "reserved", "step-done"]);
  expect(run.entries).toEqual((await journal.story("a-1")).entries);
});

it("keeps what is held through a write that failed, and writes it before the next one", async () => {
  const run = await openRunJournal(counted().journal, PLACE);

  run.hold(resumed);
  const [failed, after] = await Promise.allSettled([run.write(result(Number.NaN)), run.write(note("ada"))]);

  expect(failed.status).toBe("rejected");
  expect(after.status === "fulfilled" && after.value.map(({ record }) => record.kind)).toEqual(["run-resumed", "stop-requested"]);
});

it("writes in the order in which it was told, however long each takes", async () => {
  const inner = createMemoryJournal(tickingClock());
  let waits = 5;
  async function append(lines: readonly Line[]): Promise<readonly Entry[]> {
    for (let wait = waits--; wait > 0; wait--) await Promise.resolve();
    return inner.append(lines);
  }
  const run = await openRunJournal({ ...inner, append }, PLACE);

  await Promise.all(["1", "2", "3", "4"].map((by) => run.write(note(by))));

  expect(run.entries.map(({ record }) => record)).toEqual(["1", "2", "3", "4"].map(note));
});

it("tells what is taken with what is held in it", async () => {
  const run = await openRunJournal(counted().journal, PLACE);

  run.hold(spent(7));

  expect((await run.taken("r", "2025-01-01")).run).toEqual({ microUsd: 7 });
  expect(run.entries).toHaveLength(1);
});

it("sees what others recorded about the run once it looks, also between its own", async () => {
  const { journal } = counted();
  const run = await openRunJournal(journal, PLACE);
  await run.write(step("make", 1));
  await appendOne(journal, PLACE, { kind: "answered", text: "yes", by: "ada" });
  await run.write(step("scan", 2));
  await appendOne(journal, { loop: "a", run: "a-2" }, note("of another run"));
  const before = run.entries.map(({ seq }) => seq);

  await run.refresh();

  expect([before, run.entries.map(({ seq }) => seq)]).toEqual([
    [1, 3],
    [1, 2, 3],
  ]);
  expect(run.entries).toEqual((await journal.story("a-1")).entries);
});

it("shows another view only what it may know, and has what that wrote on the same record", async () => {
  const { journal } = counted();
  const run = await openRunJournal(journal, PLACE);
  await run.write(resumed, step("make", 1));

  const apart = run.apart(({ record }) => record.kind === "run-resumed");
  await apart.write(step("make", 2));
  await apart.refresh();

  expect([apart.result("r", "make")?.result, apart.entries.length, apart.state.workedMs]).toEqual([2, 2, 1]);
  await run.refresh();
  expect(run.entries).toEqual((await journal.story("a-1")).entries);
});

it("always stands where a fold of its records does, whoever wrote them and whatever is held", async () => {
  const record: fc.Arbitrary<LoopRecord> = fc.oneof(
    fc.constant(resumed),
    fc.nat(3).map((number): LoopRecord => ({ kind: "round-opened", round: { ...ROUND, id: `r${number}`, number } })),
    fc.tuple(fc.constantFrom("make", "scan"), fc.nat(9)).map(([name, value]) => step(name, value)),
    fc.nat(50).map(spent),
    fc
      .record({ roundId: fc.constantFrom("r1", "r2"), tookMs: fc.nat(9) })
      .map((about): LoopRecord => ({ kind: "round-failed", code: "maker-failed", message: "m", hint: "h", retry: "never", ...about })),
  );
  const deed = fc.record({
    do: fc.constantFrom("hold", "write", "reserve", "refresh", "others"),
    records: fc.array(record, { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 15 }), async (deeds) => {
      const journal = createMemoryJournal(tickingClock());
      const run = await openRunJournal(journal, PLACE);
      const held: Pick<Entry, "record">[] = [];
      for (const { do: what, records } of deeds) {
        if (what === "hold") {
          run.hold(...records);
          held.push(...records.map((one) => ({ record: one })));
        }
        if (what === "write") await run.write(...records);
        if (what === "reserve") await run.reserve(askFor(1));
        if (what === "write" || what === "reserve") held.length = 0;
        if (what === "refresh") await run.refresh();
        if (what === "others") await journal.append(records.map((one) => ({ ...PLACE, record: one })));
        if (what === "refresh") expect(run.entries).toEqual((await journal.story("a-1")).entries);
        const whole = foldRun([...run.entries, ...held.map((one) => ({ ...SEALED, ...one }))]);
        // Only the clock of what is held is not known here.
        expect({ ...run.state, lastAt: "" }).toEqual({ ...whole, lastAt: "" });
        const first = [...run.entries, ...held].find((one) => one.record.kind === "step-done" && one.record.step === "make");
        expect(run.result("r", "make")).toEqual(first?.record);
      }
    }),
    { numRuns: 100 },
  );
});

const ROUND = { id: "r1", run: "a-1", loop: "a", number: 1, base: "0".repeat(40), openedAt: "2025-01-01T00:00:00.000Z", lessons: [] };
const SEALED = { ...PLACE, seq: 0, at: "", prev: "", hash: "" };
