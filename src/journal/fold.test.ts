import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LoopError } from "../contract/errors.ts";
import type { Evidence, Spend } from "../contract/evidence.ts";
import type { Entry, LoopRecord, RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import { untrustedText } from "../contract/text.ts";
import type { Verdict } from "../contract/verdict.ts";
import { foldRun, openRound, type RoundState, type RunState } from "./fold.ts";

const timeOf = (seq: number): string => new Date(Date.UTC(2025, 0, 1) + 1000 * seq).toISOString();
const entries = (...records: readonly LoopRecord[]): readonly Entry[] =>
  records.map((record, index) => ({ seq: index + 1, at: timeOf(index + 1), loop: "a", run: "a-1", prev: "", hash: "", record }));

const opened = { kind: "run-opened", number: 1 } as RunOpened; // the fold keeps it and does not look into it
const roundOf = (number: number): Round => ({
  id: `r${number}`,
  run: "a-1",
  loop: "a",
  number,
  base: "c0",
  openedAt: timeOf(0),
  lessons: [],
});
const open = (number: number): LoopRecord => ({ kind: "round-opened", round: roundOf(number) });
const done = (roundId: string, step: string, tookMs: number): LoopRecord => ({ kind: "step-done", roundId, step, result: null, tookMs });
const spent = (roundId: string, spend: Spend): LoopRecord => ({ kind: "spent", roundId, spend });
const evidence: Evidence = { proposal: { kind: "report", items: [], refs: [], divergence: [], summary: "" }, findings: [], proofs: [] };
const closed = (roundId: string, verdict: Verdict): LoopRecord => ({ kind: "round-closed", roundId, evidence, verdict });
const failed = (roundId: string, retry: "later" | "never", code: "git-failed" | "bug" | "budget-spent" = "git-failed"): LoopRecord => ({
  kind: "round-failed",
  roundId,
  code,
  message: "it failed",
  hint: "Do this.",
  retry,
  tookMs: 20,
});
const failure = (retry: "later" | "never", code = "git-failed") => ({ code, message: "it failed", hint: "Do this.", retry });
const retry: Verdict = { kind: "retry", because: "check-failed", lesson: untrustedText("mind the tests") };
const accept: Verdict = { kind: "accept", action: "propose" };

const state = (changes: Partial<RunState>): RunState => ({
  opened: undefined,
  openedAt: undefined,
  lastAt: undefined,
  resumed: 0,
  baseline: undefined,
  baselineMs: 0,
  rounds: [],
  lessons: [],
  spent: { usd: 0, tokens: 0 },
  used: {},
  basis: undefined,
  workedMs: 0,
  version: { version: "spec", instructions: { of: {} } },
  lineage: [],
  rest: undefined,
  ...changes,
});
const round = (number: number, changes: Partial<RoundState> = {}): RoundState => ({
  round: roundOf(number),
  steps: [],
  spent: { usd: 0, tokens: 0 },
  did: [],
  kept: undefined,
  failures: [],
  evidence: undefined,
  verdict: undefined,
  ...changes,
});

describe("where a run stands", () => {
  it.each<readonly [string, readonly LoopRecord[], Partial<RunState>]>([
    ["nowhere before it has records", [], {}],
    ["opened", [opened], { opened, openedAt: timeOf(1) }],
    [
      "taken up again as often as it was",
      [opened, { kind: "run-resumed" }, { kind: "run-resumed" }],
      { opened, openedAt: timeOf(1), resumed: 2 },
    ],
    ["in its first round", [open(1)], { rounds: [round(1)] }],
    [
      "after the steps of its round, with the time they took",
      [open(1), done("r1", "make", 5), done("r1", "scan", 7)],
      {
        rounds: [
          round(1, {
            steps: [
              { step: "make", tookMs: 5 },
              { step: "scan", tookMs: 7 },
            ],
          }),
        ],
        workedMs: 12,
      },
    ],
    [
      "with what its rounds spent, each and together",
      [open(1), spent("r1", { usd: 1, tokens: 10 }), spent("r1", { usd: 0.5, tokens: 5 }), open(2), spent("r2", { usd: 2, tokens: 1 })],
      {
        rounds: [round(1, { spent: { usd: 1.5, tokens: 15 } }), round(2, { spent: { usd: 2, tokens: 1 } })],
        spent: { usd: 3.5, tokens: 16 },
        used: { microUsd: 3_500_000, tokens: 16 },
        basis: "reported",
      },
    ],
    ["with a cost that is known to be nothing", [open(1), spent("r1", { usd: 0, tokens: 0 })], { rounds: [round(1)], basis: "reported" }],
    [
      "with a lesson after a round that is to be tried again",
      [open(1), closed("r1", retry), open(2)],
      { rounds: [round(1, { evidence, verdict: retry }), round(2)], lessons: [untrustedText("mind the tests")] },
    ],
    [
      "without a lesson after a round that was accepted",
      [open(1), closed("r1", accept)],
      { rounds: [round(1, { evidence, verdict: accept })] },
    ],
    [
      "in the same round through failures that pass",
      [open(1), failed("r1", "later"), failed("r1", "later"), done("r1", "make", 3)],
      { rounds: [round(1, { failures: [failure("later"), failure("later")], steps: [{ step: "make", tookMs: 3 }] })], workedMs: 43 },
    ],
    [
      "halted by a failure that does not pass",
      [open(1), failed("r1", "never")],
      {
        workedMs: 20,
        rounds: [round(1, { failures: [failure("never")], verdict: { kind: "halt", because: "outside-failure", reason: "it failed" } })],
      },
    ],
    [
      "halted by a bug",
      [open(1), failed("r1", "never", "bug")],
      {
        workedMs: 20,
        rounds: [round(1, { failures: [failure("never", "bug")], verdict: { kind: "halt", because: "bug", reason: "it failed" } })],
      },
    ],
    [
      "halted by its budget",
      [open(1), failed("r1", "never", "budget-spent")],
      {
        workedMs: 20,
        rounds: [
          round(1, { failures: [failure("never", "budget-spent")], verdict: { kind: "halt", because: "budget", reason: "it failed" } }),
        ],
      },
    ],
    [
      "with its verdict, when a failure that passes comes after it",
      [open(1), closed("r1", accept), failed("r1", "later")],
      { workedMs: 20, rounds: [round(1, { evidence, verdict: accept, failures: [failure("later")] })] },
    ],
    ["where it was, by records of rounds it does not have", [open(1), closed("r9", accept)], { rounds: [round(1)] }],
    [
      "at rest",
      [{ kind: "run-rested", rest: accept, report: { sha256: "abc", bytes: 3, truncated: false } }],
      { rest: { verdict: accept, report: "abc", at: timeOf(1) } },
    ],
    [
      "where it was, by records that are not about that",
      [
        open(1),
        { kind: "stop-requested", by: "ada" },
        { kind: "remembered", roundId: "r1", cursors: { main: "c1" } },
        { kind: "journal-mended", lost: [], why: "x", keptAs: undefined },
      ],
      { rounds: [round(1)] },
    ],
  ])("is %s", (_, records, expected) => {
    const lastAt = records.length === 0 ? undefined : timeOf(records.length);

    expect(foldRun(entries(...records))).toEqual(state({ lastAt, ...expected }));
  });

  it("is not told when the journal holds a record of a kind that is not known", () => {
    const strange = { kind: "dreamt", of: "electric sheep" } as unknown as LoopRecord; // what a newer version may write

    const fold = () => foldRun(entries(opened, strange));

    expect(fold).toThrow(
      new LoopError(
        "journal-damaged",
        'the journal holds a record of a kind this version does not know: {"kind":"dreamt","of":"electric sheep"}',
        {
          retry: "never",
          hint: "It was written by a newer loopwright: use that one.",
        },
      ),
    );
  });

  it("depends on nothing but the records before: more records never change what stood in earlier rounds that are closed", () => {
    fc.assert(
      fc.property(fc.array(anyRecord(), { maxLength: 30 }), fc.nat(30), (records, cut) => {
        const before = foldRun(entries(...records.slice(0, cut)));
        const after = foldRun(entries(...records));
        expect(after.rounds.slice(0, before.rounds.length).map(({ round }) => round)).toEqual(before.rounds.map(({ round }) => round));
        expect(after.lessons.slice(0, before.lessons.length)).toEqual(before.lessons);
        expect(after.workedMs).toBeGreaterThanOrEqual(before.workedMs);
      }),
      { numRuns: 200 },
    );
  });

  it("adds up in pieces: time, lessons and rounds of two pieces are those of the whole", () => {
    fc.assert(
      fc.property(fc.array(anyRecord(), { maxLength: 30 }), fc.nat(30), (records, cut) => {
        const all = entries(...records);
        const [whole, first, second] = [all, all.slice(0, cut), all.slice(cut)].map(foldRun) as [RunState, RunState, RunState];
        expect({
          workedMs: whole.workedMs,
          lessons: whole.lessons,
          resumed: whole.resumed,
          tokens: whole.spent.tokens,
          rounds: whole.rounds.length,
        }).toEqual({
          workedMs: first.workedMs + second.workedMs,
          lessons: [...first.lessons, ...second.lessons],
          resumed: first.resumed + second.resumed,
          tokens: first.spent.tokens + second.spent.tokens,
          rounds: first.rounds.length + second.rounds.length,
        });
      }),
      { numRuns: 200 },
    );
  });

  it("never changes the records it reads", () => {
    fc.assert(
      fc.property(fc.array(anyRecord(), { maxLength: 20 }), (records) => {
        const given = entries(...records);
        const copy = structuredClone(given);
        foldRun(given);
        expect(given).toEqual(copy);
      }),
      { numRuns: 100 },
    );
  });
});

describe("the round under way", () => {
  it.each<readonly [string, readonly LoopRecord[], string | undefined]>([
    ["none before the first", [opened], undefined],
    ["the one opened last", [open(1), closed("r1", retry), open(2)], "r2"],
    ["the same after a failure that passes", [open(1), failed("r1", "later")], "r1"],
    ["none after a failure that does not", [open(1), failed("r1", "never")], undefined],
    ["none after a verdict", [open(1), closed("r1", accept)], undefined],
  ])("is %s", (_, records, id) => {
    expect(openRound(foldRun(entries(...records)))?.round.id).toBe(id);
  });
});

const anyRecord = (): fc.Arbitrary<LoopRecord> =>
  fc.oneof(
    fc.constant<LoopRecord>(opened),
    fc.constant<LoopRecord>({ kind: "run-resumed" }),
    fc.integer({ min: 1, max: 3 }).map(open),
    fc.tuple(fc.constantFrom("r1", "r2", "r3"), fc.nat(100)).map(([id, ms]) => done(id, "make", ms)),
    fc.tuple(fc.constantFrom("r1", "r2", "r3"), fc.nat(100)).map(([id, tokens]) => spent(id, { usd: 0, tokens })),
    fc.constantFrom("r1", "r2", "r3").map((id) => closed(id, retry)),
    fc.constantFrom("r1", "r2", "r3").map((id) => failed(id, "never")),
    fc.constantFrom("r1", "r2", "r3").map((id) => failed(id, "later")),
  );
