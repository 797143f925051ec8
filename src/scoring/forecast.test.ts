import fc from "fast-check";
import { expect, it } from "vitest";
import { tries } from "../../test/support/tries.ts";
import { forecastDay, forecastOf, type PlayedRun, playRuns, type RunModel } from "./forecast.ts";

const MODEL: RunModel = {
  rounds: 3,
  tokens: { low: 50_000, usual: 200_000, high: 800_000 },
  timeMs: { low: 60_000, usual: 300_000, high: 900_000 },
  microUsdPerToken: 1,
  endsPercent: 60,
};

it("plays rounds so that one round comes out as it went in", () => {
  const { run } = forecastOf(playRuns({ ...MODEL, rounds: 1 }, {}), {});

  expect(run.tokens.low / 50_000).toBeCloseTo(1, 0);
  expect(run.tokens.usual / 200_000).toBeCloseTo(1, 0);
  expect(run.tokens.high / 800_000).toBeCloseTo(1, 0);
  expect(run.rounds).toEqual({ low: 1, usual: 1, high: 1 });
});

it("says the same every time, and more where fewer rounds are proven", () => {
  const often = forecastOf(playRuns(MODEL, {}), {});
  const seldom = forecastOf(playRuns({ ...MODEL, endsPercent: 10 }, {}), {});

  expect(forecastOf(playRuns(MODEL, {}), {})).toEqual(often);
  expect(seldom.run.tokens.usual).toBeGreaterThan(often.run.tokens.usual);
  expect(seldom.run.rounds.usual).toBe(3);
});

it("lets no run and no day go beyond a cap, and tells how many runs are ended by one", () => {
  const caps = { microUsd: 300_000 };
  const runs = playRuns(MODEL, caps);
  const { run, cappedPercent } = forecastOf(runs, caps);

  expect(run.microUsd.high).toBe(300_000);
  expect(cappedPercent).toBeGreaterThan(10);
  expect(forecastDay(runs, 24, { microUsd: 1_000_000 }).microUsd).toEqual({ low: 1_000_000, usual: 1_000_000, high: 1_000_000 });
});

it("tells by the day what wakes once a week", () => {
  const runs: readonly PlayedRun[] = [{ microUsd: 7, tokens: 70, timeMs: 700, rounds: 1 }];

  expect(forecastDay(runs, 1 / 7, {}).tokens).toEqual({ low: 10, usual: 10, high: 10 });
});

it("has low below usual below high, and nothing below zero, for any model", () => {
  const spread = fc.tuple(fc.nat(1e6), fc.nat(1e6), fc.nat(1e6)).map((all) => {
    const [low, usual, high] = all.sort((a, b) => a - b);
    return { low: low!, usual: usual!, high: high! };
  });
  const model = fc.record({
    rounds: fc.integer({ min: 1, max: 20 }),
    tokens: spread,
    timeMs: spread,
    microUsdPerToken: fc.double({ min: 0, max: 100, noNaN: true }),
    endsPercent: fc.nat(100),
  });

  fc.assert(
    fc.property(model, fc.double({ min: 0.01, max: 2_000, noNaN: true }), (one, aDay) => {
      const runs = playRuns(one, { microUsd: 1e6 }).slice(0, 200);
      for (const spreads of [forecastOf(runs, {}).run, forecastDay(runs, aDay, { microUsd: 5e6 })])
        for (const { low, usual, high } of Object.values(spreads))
          expect(0 <= low && low <= usual && usual <= high && Number.isFinite(high)).toBe(true);
    }),
    tries(10),
  );
});
