import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costOf, priceFor } from "./price.ts";
import { PRICES } from "./price-table.ts";

const table = { asOf: "2026-01-01", models: { cheap: { input: 1, output: 2, cached: 0.1 }, dear: { input: 100, output: 500 } } };

describe("what a usage comes to", () => {
  it.each([
    ["money that was reported", { usd: 0.5, tokens: 10 }, { microUsd: 500_000, tokens: 10 }, "reported"],
    [
      "tokens by their kinds and the model's price",
      { input: 1000, output: 10, cached: 100, reasoning: 5, model: "cheap" },
      { microUsd: 1040, tokens: 1115, input: 1000, output: 10, cached: 100, reasoning: 5 },
      "estimated",
    ],
    [
      "a cost of zero beside tokens, as subscriptions report it",
      { usd: 0, tokens: 1000, model: "cheap" },
      { microUsd: 2000, tokens: 1000 },
      "estimated",
    ],
    [
      "a model that nobody knows, at the dearest rate",
      { tokens: 1000, model: "brand-new" },
      { microUsd: 500_000, tokens: 1000 },
      "estimated",
    ],
    ["no model at all, the same", { tokens: 1000 }, { microUsd: 500_000, tokens: 1000 }, "estimated"],
    ["less than can be counted, rounded up", { usd: 1e-9 }, { microUsd: 1 }, "reported"],
    ["nothing told, which is unknown and not zero", { calls: 1 }, { calls: 1 }, "unknown"],
    ["more than anybody has, cut to what can be added up", { usd: 1e300, tokens: 1e300 }, { microUsd: 1e12, tokens: 1e12 }, "reported"],
  ])("%s", (_, usage, amounts, basis) => {
    expect(costOf(usage, table)).toMatchObject({ amounts, basis });
  });

  it.each([{ usd: -1 }, { tokens: -1 }, { usd: Number.NaN }, { tokens: Number.POSITIVE_INFINITY }, { input: -0.1 }])(
    "is not told by %j",
    (usage) => {
      expect(costOf(usage, table)).toBeUndefined();
    },
  );

  it("is never less than what was reported, and always whole", () => {
    const amount = fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(fc.record({ usd: amount, tokens: amount, input: amount, output: amount }), ({ usd, tokens, input, output }) => {
        const said = {
          ...(usd === undefined ? {} : { usd }),
          ...(tokens === undefined ? {} : { tokens }),
          ...(input === undefined ? {} : { input }),
          ...(output === undefined ? {} : { output }),
        };
        const { amounts } = costOf(said, table)!;
        for (const one of Object.values(amounts)) expect(Number.isSafeInteger(one) && one >= 0).toBe(true);
        expect(amounts.tokens ?? 0).toBeGreaterThanOrEqual(Math.min(1e12, Math.floor(tokens ?? 0)));
        expect(amounts.microUsd ?? 0).toBeGreaterThanOrEqual(Math.min(1e12, Math.floor((usd ?? 0) * 1e6)));
      }),
    );
  });
});

it("knows a model by its maker, its date and its letters' case", () => {
  const names = [
    "claude-sonnet-4-5",
    "anthropic/claude-sonnet-4-5",
    "Claude-Sonnet-4-5-20250929",
    "us.anthropic:claude-sonnet-4-5@20250929",
  ];

  expect(new Set(names.map((name) => priceFor(name, PRICES).price.output))).toEqual(new Set([PRICES.models["claude-sonnet-4-5"]!.output]));
  expect(priceFor("constructor", PRICES).note).toBe(
    `no price is known for constructor: priced at the dearest known rate, prices of ${PRICES.asOf}`,
  );
});
