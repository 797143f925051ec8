import { expect, it } from "vitest";
import type { LoopSpec } from "../../contract/spec.ts";
import { readSpec } from "../../spec/read-spec.ts";
import { builtIn } from "../crew.ts";
import { forecastCost } from "./forecast-cost.ts";

const specOf = (about: object): LoopSpec => {
  const reading = readSpec(
    "a",
    JSON.stringify({
      name: "fix",
      intent: "Keep it green.",
      level: "L2",
      maker: { use: "claude-code" },
      verifiers: [{ use: "command", with: { run: "npm test" } }],
      ...about,
    }),
    builtIn,
  );
  if (reading.kind === "refused") throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
};

/** Runs of these costs are in the ledger. */
const recordsWith = (costs: readonly number[]): Parameters<typeof forecastCost>[0] =>
  ({
    journal: {
      newestOf: async (_loop: string, kind: string) => (kind !== "run-opened" ? [] : costs.map((_, index) => ({ run: `fix-${index}` }))),
      taken: async ({ run }: { readonly run: string }) => ({
        run: { microUsd: costs[Number(run.slice(4))], tokens: 1000, timeMs: 1000, rounds: 1 },
      }),
    },
    clock: { now: () => new Date("2026-11-18T12:00:00Z") },
    home: { folder: "/home" },
    texts: { readOptional: async () => undefined },
  }) as never; // only what is asked of it

const NIGHTLY = { trigger: { use: "daily", with: { at: "02:30" } } };

it("plays runs where there is no history, says what it assumes, and stays below the caps", async () => {
  const forecast = await forecastCost(recordsWith([]), specOf({ ...NIGHTLY, budget: { usd: "$2.50", tokens: "2M" } }), builtIn);
  const { low, usual, high } = forecast.run.microUsd;

  expect([forecast.basis, forecast.day?.runs, forecast.wakes]).toEqual(["simulation", 1, "By its trigger it wakes once a day."]);
  expect(0 < low && low < usual && usual < high && high <= 2_500_000).toBe(true);
  expect(forecast.because.join(" ")).toContain("claude-code often uses claude-sonnet-4-5");
  expect(forecast.caps).toContainEqual({ cap: "budget.usd", most: "$2.50" });
});

it("goes by its own runs once there are three", async () => {
  const spec = specOf({ trigger: { use: "every", with: { interval: "6h" } } });
  const two = await forecastCost(recordsWith([1, 2]), spec, builtIn);
  const three = await forecastCost(recordsWith([100_000, 200_000, 300_000]), spec, builtIn);

  expect([two.basis, two.because.at(-1)]).toEqual(["simulation", "Only 2 of its runs are in the ledger: too few to go by."]);
  expect([three.basis, three.run.microUsd, three.day?.runs]).toEqual(["history", { low: 100_000, usual: 200_000, high: 300_000 }, 4]);
  expect(three.day!.spent.microUsd.usual).toBeGreaterThan(600_000);
});

it("counts a day's cap for the day, and opinions of models for the round", async () => {
  const often = { trigger: { use: "every", with: { interval: "1h" } }, budget: { usd: "$2.50", loop: { day: { usd: "$5.00" } } } };
  const judge = { use: "judge", with: { provider: "ollama", model: "a" } };
  const spec = specOf(often);

  const hourly = await forecastCost(recordsWith([]), spec, builtIn);
  const judged = await forecastCost(recordsWith([]), { ...spec, verifiers: [...spec.verifiers, judge] }, builtIn);

  expect(hourly.day?.spent.microUsd).toEqual({ low: 5_000_000, usual: 5_000_000, high: 5_000_000 });
  expect(judged.because.join(" ")).toContain("1 opinions of models included");
  expect(judged.run.tokens.low).toBeGreaterThan(hourly.run.tokens.low);
});

it("knows what is free, and what it cannot know", async () => {
  const report = specOf({
    level: "L1",
    gather: [{ use: "commits", with: { refs: ["main"], since: "7d" } }],
    maker: { use: "triage" },
    verifiers: [{ use: "grounded" }],
  });
  const free = await forecastCost(recordsWith([]), report, builtIn);
  const shell = await forecastCost(recordsWith([]), specOf({ maker: { use: "shell", with: { run: "npm run format" } } }), builtIn);

  expect([free.run.microUsd, free.day, free.wakes]).toEqual([
    { low: 0, usual: 0, high: 0 },
    undefined,
    "It runs only when somebody asks for it.",
  ]);
  expect(shell.because.join(" ")).toContain("if it calls no model, this is far too much");
});

it("tells beforehand what the recommended checks take beside one run of the tests", async () => {
  const check = { run: "npm test", results: { format: "tap" } };
  const spec = specOf({ verifiers: ["witness", "twins", "replay"].map((use) => ({ use, with: check })) });

  expect((await forecastCost(recordsWith([]), spec, builtIn)).checks).toMatchObject({ all: { least: 4, most: 8 }, plainMs: undefined });
});
