import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Proof } from "../contract/evidence.ts";
import { LoopSpec } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import type { Verdict } from "../contract/verdict.ts";
import { bestOf, type EndCase, endRound, isStalled, type Measurement } from "./ends.ts";

const specWith = (about: object): LoopSpec =>
  LoopSpec.parse({
    name: "tune",
    intent: "Tune it.",
    level: "L2",
    maker: { use: "scripted" },
    verifiers: [{ id: "tests", use: "command" }],
    metrics: { quality: { from: "tests", primary: true }, cost: { from: "run.usd", better: "lower" } },
    ...about,
  });

const seen = (number: number, quality: number | null, more: Partial<Measurement> = {}): Measurement => ({
  number,
  values: { quality, cost: number },
  proofs: [],
  holds: true,
  because: undefined,
  ...more,
});

const ended = (about: object, now: Measurement, verdict: Verdict, more: Partial<EndCase> = {}): Verdict =>
  endRound(
    {
      spec: specWith(about),
      terms: { rounds: 10, want: "any", proposes: true },
      past: [],
      now,
      overrun: undefined,
      ...more,
    },
    verdict,
  );

const ACCEPT: Verdict = { kind: "accept", action: "propose" };
const REFUTED: Verdict = { kind: "retry", because: "check-failed", lesson: untrustedText("it fails") };
const TAMPERED: Verdict = { kind: "escalate", because: "tampering", reason: "it fakes" };
const UNCLEAR: Verdict = { kind: "escalate", because: "cannot-verify", reason: "nobody could look" };
const SUCCESS = { until: { success: [{ when: "quality >= 0.8" }] } };
const unknownProof: Proof = { verifier: "command", kind: "proof", outcome: "unknown", detail: "", output: undefined };
const rule = (text: string): object => JSON.parse(text);

describe("ends", () => {
  it("accepts what is enough, and what is not goes on, with the figures as the lesson", () => {
    expect(ended(SUCCESS, seen(1, 0.8), ACCEPT)).toEqual(ACCEPT);
    expect(ended(SUCCESS, seen(2, 0.5), ACCEPT, { past: [seen(1, 0.6)] })).toEqual({
      kind: "retry",
      because: "below-target",
      lesson:
        "The checks hold, and the goal is not reached: `quality >= 0.8`. In this round quality is 0.5, cost is 2. The best so far is round 1 with 0.6.",
    });
    expect(ended(SUCCESS, seen(10, 0.5), ACCEPT)).toMatchObject({ kind: "escalate", because: "below-target" });
  });

  it("takes the primary metric's target for the goal where the spec names none, whichever way is better", () => {
    const lower = { metrics: { cost: { from: "run.usd", better: "lower", target: 3 } } };

    expect(ended(lower, seen(3, null), ACCEPT)).toEqual(ACCEPT);
    expect(ended(lower, seen(4, null), ACCEPT)).toMatchObject({ because: "below-target" });
  });

  it("never takes what nobody knows for success", () => {
    expect(ended(SUCCESS, seen(1, null), ACCEPT)).toMatchObject({ kind: "retry", because: "below-target" });
  });

  it("wants so many rounds in a row that hold", () => {
    const twice = { until: { success: [{ when: "quality >= 0.8", times: 2 }] } };

    expect(ended(twice, seen(1, 0.9), ACCEPT)).toMatchObject({ because: "below-target" });
    expect(ended(twice, seen(2, 0.9), ACCEPT, { past: [seen(1, 0.9, { holds: false })] })).toMatchObject({ because: "below-target" });
    expect(ended(twice, seen(3, 0.9), ACCEPT, { past: [seen(1, 0.1), seen(2, 0.9)] })).toEqual(ACCEPT);
  });

  it("asks for safety first, then the budget, then success, then a stall", () => {
    const all = {
      until: {
        success: [{ when: "quality >= 0.8" }],
        fail: [rule('{"on": "safety", "then": "halt"}')],
        stall: [{ metric: "quality", rounds: 1, gain: 0.1 }],
      },
    };
    const late = { past: [seen(1, 0.9)], overrun: "the run cost $2 of its $2" };

    expect(ended(all, seen(2, 0.9), TAMPERED, late)).toEqual({ kind: "halt", because: "tampering", reason: "it fakes" });
    expect(ended(all, seen(2, 0.9), ACCEPT, late)).toEqual({ kind: "halt", because: "budget", reason: "the run cost $2 of its $2" });
    expect(ended(all, seen(2, 0.9), ACCEPT, { past: [seen(1, 0.9)] })).toEqual(ACCEPT);
    expect(ended(all, seen(2, 0.5), ACCEPT, { past: [seen(1, 0.9)] })).toMatchObject({ kind: "escalate", because: "stalled" });
  });

  it("ends on a condition that holds, and on one of which nobody can tell", () => {
    const fails = { until: { fail: [rule('{"when": "quality < 0.3", "then": "halt"}')] } };

    expect(ended(fails, seen(1, 0.2), REFUTED)).toMatchObject({ kind: "halt", because: "check-failed" });
    expect(ended(fails, seen(1, null), REFUTED)).toMatchObject({ kind: "halt" });
    expect(ended(fails, seen(1, 0.5), REFUTED)).toEqual(REFUTED);
  });

  it("lets a check that could not be made be tried again only as often as the spec says", () => {
    const twice = { until: { fail: [{ on: "cannot-verify", times: 2 }] } };
    const now = seen(2, null, { holds: false, proofs: [unknownProof] });

    expect(ended({ until: { fail: [{ on: "gap" }] } }, now, UNCLEAR)).toEqual(UNCLEAR);
    expect(ended(twice, now, UNCLEAR)).toMatchObject({ kind: "retry", because: "cannot-verify" });
    expect(ended(twice, now, UNCLEAR, { past: [seen(1, null, { holds: false, because: "cannot-verify" })] })).toEqual(UNCLEAR);
  });

  it("eases nothing else: what escalates without ends escalates with them", () => {
    const others: readonly Verdict[] = (["fabricated", "gap", "seal", "question", "stalled", "outside-level"] as const).map((because) => ({
      kind: "escalate",
      because,
      reason: "so it is",
    }));

    for (const verdict of others) expect(ended(SUCCESS, seen(1, 0.9, { holds: false }), verdict)).toEqual(verdict);
  });

  it("sees a stall in figures that go up and down, and none while they rise", () => {
    const stall = (...qualities: readonly (number | null)[]): boolean =>
      isStalled(undefined, "quality", { rounds: qualities.map((quality, index) => seen(index + 1, quality)), within: 3, gain: 0.05 });

    expect(stall(0.5, 0.7, 0.5, 0.7, 0.6)).toBe(true);
    expect(stall(0.5, 0.55, 0.6, 0.66)).toBe(false);
    expect(stall(0.5, 0.6)).toBe(false);
    expect(stall(null, null, null, null)).toBe(true);
    expect(stall(null, null, 0.1, null)).toBe(false);
  });

  it("finds the best of the rounds that hold, by a slow reading of what best means", () => {
    const rounds = fc.array(fc.record({ quality: fc.option(fc.integer({ min: 0, max: 5 })), holds: fc.boolean() }), { maxLength: 12 });
    fc.assert(
      fc.property(rounds, fc.constantFrom("higher" as const, "lower" as const), (drawn, better) => {
        const all = drawn.map(({ quality, holds }, index) => seen(index + 1, quality, { holds }));
        const best = bestOf({ metrics: { quality: { from: "tests", better } } }, all);
        const known = all.filter(({ holds }) => holds);

        if (known.every(({ values }) => values.quality == null)) return void expect(best).toBeUndefined();
        const worth = (value: number | null | undefined): number => (value == null ? -99 : better === "lower" ? -value : value);
        const most = Math.max(...known.map(({ values }) => worth(values.quality)));
        expect(best?.number).toBe(known.find(({ values }) => worth(values.quality) === most)?.number);
      }),
    );
  });
});
