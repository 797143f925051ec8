import fc from "fast-check";
import { expect, it } from "vitest";
import type { LedgerRun, LedgerSource, RunResult } from "../contract/receipt.ts";
import { summarizeLedger } from "./ledger-summary.ts";

const runOf = (id: string, facts: Partial<LedgerRun> = {}): LedgerRun => ({
  id: `loopwright:${id}:h`,
  system: "loopwright",
  loop: "fix",
  at: "2026-03-01T10:00:00.000Z",
  result: "passed",
  ...facts,
});

const sourceOf = (
  label: string,
  runs: readonly LedgerRun[],
  chain: LedgerSource["chain"] = { kind: "whole", entries: runs.length },
): LedgerSource => ({
  label,
  system: "loopwright",
  runs,
  chain,
});

it("counts runs by how they ended, by loop, maker and day", () => {
  const summary = summarizeLedger([
    sourceOf("home", [
      runOf("a", { maker: "codex", usd: 0.5, findings: 1 }),
      runOf("b", { maker: "codex", usd: 0.25, result: "refused", at: "2026-03-02T00:00:00.000Z", findings: 2 }),
      runOf("c", { loop: "triage", result: "nothing-to-do", at: "" }),
      runOf("d", { result: "unknown", at: "2026-02-28T23:59:59.000Z" }),
    ]),
  ]);

  expect(summary).toMatchObject({
    total: 4,
    passed: 1,
    refused: 1,
    unknown: 1,
    nothingToDo: 1,
    rate: 1 / 3,
    findings: 3,
    usd: 0.75,
    costUnknown: 2,
  });
  expect([summary.first, summary.last, summary.isWhole]).toEqual(["2026-02-28T23:59:59.000Z", "2026-03-02T00:00:00.000Z", true]);
  expect(summary.byLoop.map(({ name, total }) => [name, total])).toEqual([
    ["fix", 3],
    ["triage", 1],
  ]);
  expect(summary.byMaker.map(({ name, passed, refused }) => [name, passed, refused])).toEqual([
    ["codex", 1, 1],
    ["unknown", 0, 0],
  ]);
  expect(summary.byDay.map(({ name }) => name)).toEqual(["2026-02-28", "2026-03-01", "2026-03-02", "unknown"]);
});

it("counts a run that lies in several copies once, as the copy that was taken last has it (loopgen 29)", () => {
  const early = runOf("a", { result: "unknown", at: "2026-03-01T09:00:00.000Z" });

  const summary = summarizeLedger([sourceOf("one", [runOf("a")]), sourceOf("two", [early, runOf("b")])]);

  expect(summary).toMatchObject({ total: 2, passed: 2, unknown: 0, duplicates: 1, conflicts: [], isWhole: true });
});

it("names a run of which two copies say different things, and counts the worse", () => {
  const summary = summarizeLedger([sourceOf("one", [runOf("a")]), sourceOf("two", [runOf("a", { result: "refused" })])]);

  expect(summary).toMatchObject({
    total: 1,
    passed: 0,
    refused: 1,
    conflicts: [{ run: "loopwright:a:h", sources: ["one", "two"] }],
    isWhole: false,
  });
});

it("names a run that was written anew with other contents", () => {
  const summary = summarizeLedger([sourceOf("one", [runOf("a")]), sourceOf("two", [runOf("a", { id: "loopwright:a:other" })])]);

  expect(summary).toMatchObject({ total: 2, conflicts: [{ run: "loopwright:a", sources: ["one", "two"] }], isWhole: false });
});

it("says which source is broken, and where (loopgen 29)", () => {
  const broken = { kind: "broken", entries: 1, at: 7, why: "line 7 …" } as const;

  const summary = summarizeLedger([sourceOf("good", [runOf("a")]), sourceOf("bad", [runOf("b")], broken)]);

  expect(summary).toMatchObject({ total: 2, isWhole: false });
  expect(summary.sources[1]).toEqual({ label: "bad", system: "loopwright", runs: 1, chain: broken });
});

it.each<LedgerSource["chain"]>([
  { kind: "broken", entries: 0, at: 1, why: "" },
  { kind: "unchained", why: "" },
  { kind: "unreadable", why: "" },
])("is not whole with a source that is $kind", (chain) => {
  expect(summarizeLedger([sourceOf("good", [runOf("a")]), sourceOf("bad", [], chain)]).isWhole).toBe(false);
});

it("is not whole with no source at all, and has no rate without a run (loopgen 22)", () => {
  expect(summarizeLedger([])).toMatchObject({ total: 0, rate: null, isWhole: false, first: null, last: null });
});

it("comes to the same whatever order the sources are in, and however often they are copied", () => {
  const run = fc
    .record({
      id: fc.constantFrom("a", "b", "c"),
      at: fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"),
      result: fc.constantFrom<RunResult>("passed", "refused", "unknown", "nothing-to-do"),
    })
    .map(({ id, ...facts }) => runOf(id, facts));
  const counts = (sources: readonly LedgerSource[]) => {
    const { total, passed, refused, unknown, nothingToDo, byDay } = summarizeLedger(sources);
    return { total, passed, refused, unknown, nothingToDo, byDay };
  };
  fc.assert(
    fc.property(fc.array(fc.array(run, { maxLength: 5 }), { maxLength: 4 }), (lists) => {
      const sources = lists.map((runs, index) => sourceOf(`source ${index}`, runs));

      expect(counts(sources.toReversed())).toEqual(counts(sources));
      expect(counts([...sources, ...sources])).toEqual(counts(sources));
      expect(counts(sources).total).toBe(new Set(lists.flat().map(({ id }) => id)).size);
    }),
  );
});
