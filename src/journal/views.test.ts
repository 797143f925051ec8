import { expect, it } from "vitest";
import type { Entry, LoopRecord } from "../contract/record.ts";
import type { Rest } from "../contract/verdict.ts";
import { viewRun } from "./views.ts";

const AT = { loop: "keep-green", run: "keep-green-1" };
const entries = (...records: readonly LoopRecord[]): readonly Entry[] =>
  records.map((record, index) => ({ ...AT, seq: index + 1, at: `2025-01-01T00:00:0${index}.000Z`, prev: "", hash: "", record }));

const opened = {
  kind: "run-opened",
  number: 1,
  spec: { intent: "Keep main green.", level: "L2" },
  specHash: "5pec",
  specPath: "/w/a.loop.yaml",
  folder: "/w",
  repo: "/w/repo",
  base: { ref: "main", commit: "c0" },
  cursors: {},
  version: "0.1.0",
} as unknown as LoopRecord; // a view shows these, and needs no more of the spec
const round = { id: "r1", run: AT.run, loop: AT.loop, number: 1, base: "c0", openedAt: "2025-01-01T00:00:01.000Z", lessons: [] };
const rested = (rest: Rest): LoopRecord => ({ kind: "run-rested", rest, report: { sha256: "4epo4t", bytes: 1, truncated: false } });
const acted = (result: unknown): LoopRecord => ({ kind: "step-done", roundId: "r1", step: "act", result, tookMs: 4 });
const accept: Rest = { kind: "accept", action: "propose" };

const OPEN = {
  run: "keep-green-1",
  loop: "keep-green",
  intent: "Keep main green.",
  level: "L2",
  repo: "/w/repo",
  base: { ref: "main", commit: "c0" },
  specPath: "/w/a.loop.yaml",
  specHash: "5pec",
  state: "open",
  openedAt: "2025-01-01T00:00:00.000Z",
  lastAt: "2025-01-01T00:00:00.000Z",
  resumed: 0,
  workedMs: 0,
  cost: { known: false, usd: 0, tokens: 0, basis: null },
  used: {},
  baseline: null,
  rounds: [],
  rest: null,
  exit: null,
  branch: null,
  proposal: null,
  report: null,
  damagedRecords: [],
};

it("shows a run that was only opened, with a cost that is not known", () => {
  expect(viewRun(AT, { entries: entries(opened), damaged: [] })).toEqual(OPEN);
});

it("shows nothing of a run whose opening cannot be read", () => {
  expect(viewRun(AT, { entries: entries({ kind: "run-resumed" }), damaged: [1] })).toBeUndefined();
});

it("shows a run at rest with its rounds, its cost, its branch and what a shell hears", () => {
  const records = entries(
    opened,
    { kind: "round-opened", round },
    { kind: "spent", roundId: "r1", spend: { usd: 0.25, tokens: 90 } },
    { kind: "round-failed", roundId: "r1", code: "git-failed", message: "no", hint: "Do this.", retry: "later", tookMs: 6 },
    { kind: "run-resumed" },
    acted({ branch: "lw/keep-green-1" }),
    rested(accept),
  );

  expect(viewRun(AT, { entries: records, damaged: [9] })).toEqual({
    ...OPEN,
    state: "rested",
    lastAt: "2025-01-01T00:00:06.000Z",
    resumed: 1,
    workedMs: 10,
    cost: { known: true, usd: 0.25, tokens: 90, basis: "reported" },
    used: { microUsd: 250_000, tokens: 90 },
    rounds: [
      {
        id: "r1",
        number: 1,
        openedAt: "2025-01-01T00:00:01.000Z",
        steps: [{ step: "act", tookMs: 4 }],
        evidence: null,
        verdict: null,
        kept: null,
        failures: [{ code: "git-failed", message: "no", hint: "Do this." }],
      },
    ],
    rest: accept,
    restedAt: "2025-01-01T00:00:06.000Z",
    exit: { code: 0, means: "done and proven" },
    branch: "lw/keep-green-1",
    report: "4epo4t",
    damagedRecords: [9],
  });
});

it("shows no branch of a proposal that was not accepted", () => {
  const rest: Rest = { kind: "halt", because: "budget", reason: "spent" };
  const records = entries(opened, { kind: "round-opened", round }, acted({ branch: "lw/x" }), rested(rest));

  expect(viewRun(AT, { entries: records, damaged: [] })).toMatchObject({ branch: null, rest, exit: { code: 10, means: "budget used up" } });
});

it("shows who took from the inbox what needed a human, and still when it came to rest", () => {
  const rest: Rest = { kind: "escalate", because: "tampering", reason: "a test is gone" };
  const records = entries(opened, rested(rest), { kind: "decided", decision: "reject", tree: "", by: "ada", why: "seen" });
  const view = viewRun(AT, { entries: records, damaged: [] })!;

  expect(view).toMatchObject({ restedAt: "2025-01-01T00:00:01.000Z", lastAt: "2025-01-01T00:00:02.000Z" });
  expect([view.dismissed]).toEqual([{ by: "ada", why: "seen" }]);
});

it("shows no branch where the accepted action made none", () => {
  expect(viewRun(AT, { entries: entries(opened, acted({}), rested(accept)), damaged: [] })).toMatchObject({
    branch: null,
    state: "rested",
  });
  expect(viewRun(AT, { entries: entries(opened, rested(accept)), damaged: [] })).toMatchObject({ branch: null, state: "rested" });
});

it("names the model behind the maker, and says why a note was not kept", () => {
  const spent = (model: string): LoopRecord => ({
    kind: "spent",
    roundId: "r1",
    spend: { usd: 0, tokens: 5 },
    amounts: { tokens: 5 },
    basis: "reported",
    who: { maker: "anthropic", model },
  });
  const noted: LoopRecord = { kind: "noted", roundId: "r1", notes: [], isTainted: false, refused: ["it reads like an injection"] };

  const view = viewRun(AT, {
    entries: entries(opened, { kind: "round-opened", round }, spent("some-model"), spent("some-model"), spent("another"), noted),
    damaged: [],
  });

  expect(view?.models).toEqual([
    { maker: "anthropic", model: "some-model" },
    { maker: "anthropic", model: "another" },
  ]);
  expect(view?.rounds[0]?.refusedNotes).toEqual(["it reads like an injection"]);
});
