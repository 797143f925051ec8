import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DIMENSIONS } from "./dimensions.ts";
import { scoreRuns } from "./measured.ts";
import type { MeasuredRun } from "./measured-run.ts";

const GOOD: MeasuredRun = {
  run: "fix-1",
  at: "2026-03-01T10:00:00.000Z",
  goals: [0.5, 1],
  mostRounds: 3,
  roundMs: [5_000, 5_000],
  usd: 0.1,
  violations: 0,
  isTakenBack: false,
  interventions: 0,
  isProven: true,
  isShown: true,
};
const ROCK: MeasuredRun = { ...GOOD, goals: [0, 0, 0], roundMs: [10, 10, 10], usd: 0, isProven: false };

const value = (runs: readonly MeasuredRun[], dimension: (typeof DIMENSIONS)[number]): number | undefined => {
  const measure = scoreRuns(runs).dimensions[dimension];
  return measure.kind === "measured" ? measure.value : undefined;
};

describe("a measured score", () => {
  it("is of what was measured alone, by the weights that are left, and says so", () => {
    const { score, label, dimensions, runs, interval } = scoreRuns([GOOD, GOOD, GOOD]);

    // (0.2 + 0.15 + 0.12 + 0.12 + 0.08) is left, and all of it is met.
    expect([score, label, runs, interval]).toEqual([1, "LES-1.0 (partial, 5 categories)", 3, 0]);
    expect(DIMENSIONS.filter((dimension) => dimensions[dimension].kind === "missing")).toEqual([
      "robustness",
      "scalability",
      "adaptability",
    ]);
  });

  it("is none where nothing ran, and has no interval with fewer than three runs", () => {
    expect(scoreRuns([])).toMatchObject({ score: null, display: null, band: null, runs: 0, interval: null });
    expect(scoreRuns([GOOD, ROCK]).interval).toBeNull();
    expect(scoreRuns([GOOD, ROCK, GOOD]).interval).toBeGreaterThan(0.1);
  });

  it("is bad for a rock, which is quick, free and leaves everybody alone", () => {
    const { display, band } = scoreRuns([ROCK, ROCK, ROCK]);

    expect([band, display]).toEqual(["non-viable", 21.8]);
    expect((["effectiveness", "speed", "autonomy", "safety"] as const).map((dimension) => value([ROCK], dimension))).toEqual([0, 0, 0, 1]);
  });

  it("gives a run that stopped early and below its goal no more than the share it met (the letter of the standard gives it all)", () => {
    const early = { ...ROCK, goals: [0.2, 0.4], mostRounds: 10 };

    expect(scoreRuns([early]).dimensions.effectiveness).toMatchObject({ kind: "measured", raw: 0.4, value: 0 });
  });

  it("halves what did not rise, and takes autonomy for a yes, a correction, a no and a restart", () => {
    expect([value([{ ...ROCK, goals: [0.8, 0.7] }], "effectiveness"), value([{ ...ROCK, goals: [0.6, 0.9] }], "effectiveness")]).toEqual([
      0,
      expect.closeTo(0.8, 9),
    ]);
    expect([0, 0.5, 1, 2].map((interventions) => value([{ ...GOOD, interventions }], "autonomy"))).toEqual([
      1,
      expect.closeTo(0.4706, 3),
      0,
      0,
    ]);
  });

  it("leaves cost out where somebody did not say what it cost, and safety is gone with one violation or a revert", () => {
    expect(scoreRuns([GOOD, { ...GOOD, usd: undefined }]).dimensions.cost).toMatchObject({ kind: "missing" });
    expect([value([{ ...GOOD, violations: 1 }], "safety"), value([{ ...GOOD, isTakenBack: true }], "safety")]).toEqual([0, 0]);
  });

  it("stays between nothing and all, whatever the runs were", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const run = fc.record<MeasuredRun>({
      run: fc.constant("fix-1"),
      at: fc.constant(""),
      goals: fc.array(share, { minLength: 1, maxLength: 8 }),
      mostRounds: fc.integer({ min: 1, max: 100 }),
      roundMs: fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
      usd: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }),
      violations: fc.nat(),
      isTakenBack: fc.boolean(),
      interventions: fc.double({ min: 0, max: 1e3, noNaN: true }),
      isProven: fc.boolean(),
      isShown: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 6 }), (runs) => {
        const { score, interval } = scoreRuns(runs);

        expect(score === null ? runs.length === 0 : score >= 0 && score <= 1).toBe(true);
        expect(interval === null ? runs.length < 3 : interval >= 0).toBe(true);
      }),
    );
  });
});
