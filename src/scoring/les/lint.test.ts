import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { lssSamples, soundLss } from "../../../test/support/lss.ts";
import { builtIn } from "../../app/crew.ts";
import { lssAnatomy } from "../../dialects/lss/anatomy.ts";
import { anatomyOf } from "../../spec/anatomy.ts";
import { readSpec } from "../../spec/read-spec.ts";
import { lintScore } from "./lint.ts";

const lss = (changes: object = {}): number => lintScore(lssAnatomy({ ...soundLss(), ...changes })).display!;

const ours = (changes: object = {}): number => {
  const spec = {
    name: "fix",
    intent: "Make it right.",
    level: "L2",
    maker: { use: "shell", with: { run: "claude -p" } },
    verifiers: [{ use: "command", with: { run: "npm test" } }],
    ...changes,
  };
  const reading = readSpec("fix.loop.json", JSON.stringify(spec), builtIn);
  if (reading.kind === "refused") throw new Error(JSON.stringify(reading.problems));
  return lintScore(anatomyOf(reading.spec, builtIn)).display!;
};

const worker = (role: string) => ({
  workers: [
    { id: "w", role, model: { provider: "p", name: "m" }, inputs: [{ from: "inputs.changes" }], outputs: { name: "O", format: "text" } },
  ],
});
const rubric = (fields: object) => ({
  evaluators: [
    {
      id: "clarity",
      type: "llm_rubric",
      runs_after: ["writer"],
      rubric: {
        dimensions: [{ name: "d", weight: 1, scale: [0, 1], criteria: "Every visible change is named" }],
        pass_threshold: 0.8,
        ...fields,
      },
      model: { provider: "p", name: "judge" },
    },
  ],
});
const PRAISE = {
  les_scores: { effectiveness: 1, speed: 1, safety: 1 },
  taxonomy_level: 6,
  metadata: { les_estimate: 99, taxonomy_level: 6 },
};

describe("the lint score", () => {
  it("is what a spec's checks, bounds and guards let one expect", () => {
    // (0.6 × 0.2 + 1 × 0.12 + 1 × 0.13 + 0.5 × 0.12 + 0.5 × 0.08) and (0.2 + 0.12 + 0.8 × 0.13 + 0.12), of 0.65.
    expect([lss(), ours()]).toEqual([72.3, 83.7]);
  });

  it.each([
    [
      "a rock",
      {
        ...worker("a rock"),
        evaluators: [{ id: "clarity", type: "deterministic", runs_after: ["*"], implementation: "evaluators.bogus" }],
      },
    ],
    ["a rock before a real judge", worker("a rock")],
    ["an echo", worker("Return the input unchanged")],
    [
      "an evaluator that nobody knows",
      { evaluators: [{ id: "clarity", type: "deterministic", runs_after: ["*"], implementation: "evaluators.fine" }] },
    ],
    ["a judge whose threshold is nothing", rubric({ pass_threshold: 0 })],
    ["a judge whose scale has one value", rubric({ dimensions: [{ name: "d", weight: 1, scale: [1, 1], criteria: "It is clear" }] })],
    [
      "a judge who is told to say yes",
      rubric({ dimensions: [{ name: "d", weight: 1, scale: [0, 1], criteria: "Anything is fine, always pass" }] }),
    ],
  ])("is bad for %s, whatever the file claims", (_, changes) => {
    expect(lss(changes)).toBeLessThan(20);
    expect(lss({ ...PRAISE, ...changes })).toBe(lss(changes));
  });

  it.each([
    ["a rock", { maker: { use: "shell", with: { run: "true" } } }],
    ["an echo", { maker: { use: "shell", with: { run: "cat" } } }],
    ["a script that does nothing", { maker: { use: "scripted", with: { scenes: [{ say: "done" }] } } }],
    ["a check that always says yes", { verifiers: [{ use: "command", with: { run: "npm test || true" } }] }],
  ])("is bad for %s of ours", (_, changes) => {
    expect(ours(changes)).toBeLessThan(20);
  });

  it("does not believe scores in the file, and says so", () => {
    const { display, notes } = lintScore(lssAnatomy({ ...soundLss(), ...PRAISE }));

    expect(display).toBe(lss());
    expect(notes.filter((note) => note.includes("not believed"))).toHaveLength(4);
  });

  it("calls it what it is, and leaves out what no spec can tell", () => {
    const { label, dimensions, interval, runs } = lintScore(lssAnatomy(soundLss()));

    expect([label, interval, runs]).toEqual(["lint score (estimated from the spec alone, 5 of 8 categories)", null, 0]);
    expect(Object.values(dimensions).map(({ kind }) => kind)).toEqual([
      "estimated",
      "missing",
      "estimated",
      "estimated",
      "missing",
      "estimated",
      "missing",
      "estimated",
    ]);
  });

  it("takes a goal that is met before anything was done for none, and a cost that only warns for less", () => {
    const ends = { success: [{ metric: "clarity_score", operator: "gte", value: 0 }], failure: [{ type: "max_iterations", value: 6 }] };

    expect(lss({ termination_conditions: ends })).toBeLessThan(lss());
    expect(lss({ cost_limits: { per_iteration_usd: 1, cumulative_usd: 2, on_exceed: { action: "warn" } } })).toBeLessThan(lss());
  });

  it.each([undefined, null, 7, [], {}, { workers: "a rock", evaluators: [1, null], composition: { children: [null] }, memory: [] }])(
    "takes %j for a loop without anything in it, and never fails",
    (nonsense) => {
      expect(lintScore(lssAnatomy(nonsense)).display).toBeLessThan(20);
    },
  );

  it.skipIf(lssSamples.length === 0)("finds something to expect of every sound loop of the reference", () => {
    const core = lssSamples.filter(({ name }) => name.startsWith("core/"));

    expect(core.map(({ text }) => lintScore(lssAnatomy(parse(text))).display! > 60)).toEqual([true, true, true]);
  });
});
