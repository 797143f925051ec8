import { describe, expect, it } from "vitest";
import { createMemoryJournal } from "../../test/support/memory-journal.ts";
import type { LoopRecord, RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import { LoopSpec } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import type { Verdict } from "../contract/verdict.ts";
import { foldRun } from "../journal/fold.ts";
import { nextRound, timeLeftMs } from "./next-round.ts";

const opened: RunOpened = {
  kind: "run-opened",
  number: 1,
  spec: LoopSpec.parse({
    name: "keep-green",
    intent: "Keep main green.",
    level: "L2",
    maker: { use: "shell" },
    verifiers: [{ use: "command" }],
    budget: { rounds: 3, time: "10s", usd: "$1.00", tokens: "1k" },
  }),
  specHash: "",
  specPath: "/s/keep-green.loop.yaml",
  folder: "/s",
  repo: "/r",
  base: { ref: "main", commit: "ba5e" },
  cursors: {},
  version: "0",
};
const roundOf = (number: number): Round => ({
  id: `keep-green-1-abcde.${number}`,
  run: "keep-green-1-abcde",
  loop: "keep-green",
  number,
  base: "ba5e",
  openedAt: "",
  lessons: [],
});
const opening = (number: number): LoopRecord => ({ kind: "round-opened", round: roundOf(number) });
const step = (number: number, name: string, tookMs = 0): LoopRecord => ({
  kind: "step-done",
  roundId: roundOf(number).id,
  step: name,
  result: null,
  tookMs,
});
const spending = (number: number, usd: number, tokens: number): LoopRecord => ({
  kind: "spent",
  roundId: roundOf(number).id,
  spend: { usd, tokens },
});
const failing = (number: number, retry: "later" | "never"): LoopRecord => ({
  kind: "round-failed",
  roundId: roundOf(number).id,
  code: "maker-failed",
  message: "no credit left",
  hint: "Top up.",
  retry,
  tookMs: 0,
});
const closing = (number: number, verdict: Verdict): LoopRecord => ({
  kind: "round-closed",
  roundId: roundOf(number).id,
  evidence: { proposal: { kind: "report", items: [], refs: [], divergence: [], summary: "" }, findings: [], proofs: [] },
  verdict,
});
const refused: Verdict = { kind: "retry", because: "check-failed", lesson: untrustedText("1 failed") };

const stateOf = (records: readonly LoopRecord[]) => foldRun(createMemoryJournal(records).entries);
const nextAfter = (...records: readonly LoopRecord[]) =>
  nextRound({ loop: "keep-green", run: "keep-green-1-abcde" }, opened, stateOf(records));
const budget = (reason: string) => ({ kind: "rest", rest: { kind: "halt", because: "budget", reason } });
const { openedAt: _, ...second } = { ...roundOf(2), lessons: ["1 failed"] };
const { openedAt: __, ...first } = roundOf(1);

it("opens the first round on the base that was chosen when the run was opened", () => {
  expect(nextAfter(opened)).toEqual({ kind: "open", round: first });
});

it("opens another round after a refusal, with what the first taught", () => {
  expect(nextAfter(opening(1), closing(1, refused))).toEqual({ kind: "open", round: second });
});

it("goes on with a round that is open, also after a failure that passes", () => {
  expect(nextAfter(opening(1), step(1, "gather"))).toEqual({ kind: "resume", round: roundOf(1) });
  expect(nextAfter(opening(1), failing(1, "later"))).toEqual({ kind: "resume", round: roundOf(1) });
});

it("rests where a round says so, or where a failure will not pass", () => {
  const accept: Verdict = { kind: "accept", action: "propose" };

  expect(nextAfter(opening(1), closing(1, accept))).toEqual({ kind: "rest", rest: accept });
  expect(nextAfter(opening(1), failing(1, "never"))).toEqual({
    kind: "rest",
    rest: { kind: "halt", because: "outside-failure", reason: "no credit left" },
  });
});

describe("rests when a cap is used up:", () => {
  it.each<readonly [string, readonly LoopRecord[], string]>([
    [
      "rounds",
      [opening(1), closing(1, refused), opening(2), closing(2, refused), opening(3), closing(3, refused)],
      "all 3 rounds are used",
    ],
    ["time", [opening(1), step(1, "make", 10_000), closing(1, refused)], "the run has worked for 10s of its 10s"],
    [
      "dollars",
      [opening(1), spending(1, 0.6, 0), spending(1, 0.4, 0), closing(1, refused)],
      "$1.00 of $1.00 are taken for this run (budget.usd)",
    ],
    ["tokens", [opening(1), spending(1, 0, 1000), closing(1, refused)], "1k tokens of 1k are taken for this run (budget.tokens)"],
    [
      "dollars, in a round that would have to make its work again",
      [opening(1), spending(1, 2, 0), failing(1, "later")],
      "$2.00 of $1.00 are taken for this run (budget.usd)",
    ],
    [
      "time, in a round that would have to make its work again",
      [opening(1), step(1, "gather", 20_000)],
      "the run has worked for 20s of its 10s",
    ],
  ])("%s", (_name, records, reason) => {
    expect(nextAfter(...records)).toEqual(budget(reason));
  });

  it("but a round whose work is made is finished, in its last round too", () => {
    expect(
      nextAfter(
        opening(1),
        closing(1, refused),
        opening(2),
        closing(2, refused),
        opening(3),
        spending(3, 5, 5000),
        step(3, "make", 60_000),
      ),
    ).toEqual({ kind: "resume", round: roundOf(3) });
  });

  it("and a cap that cannot be read counts as used up", () => {
    const odd = { ...opened, spec: { ...opened.spec, budget: { ...opened.spec.budget, usd: "lots" } } };

    expect(nextRound({ loop: "keep-green", run: "r" }, odd, stateOf([]))).toEqual(
      budget("$0.00 of lots are taken for this run (budget.usd)"),
    );
  });
});

it("tells how much time is left, and never less than none", () => {
  expect([
    timeLeftMs(opened, stateOf([])),
    timeLeftMs(opened, stateOf([opening(1), step(1, "make", 4000)])),
    timeLeftMs(opened, stateOf([opening(1), step(1, "make", 99_000)])),
  ]).toEqual([10_000, 6000, 0]);
});
