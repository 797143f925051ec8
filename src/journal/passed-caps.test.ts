import { expect, it } from "vitest";
import { LoopSpec } from "../contract/spec.ts";
import { passedCaps } from "./passed-caps.ts";

const budgetOf = (budget: object) =>
  LoopSpec.parse({ name: "a", intent: "x", level: "L2", maker: { use: "shell" }, verifiers: [{ use: "command" }], budget }).budget;

it.each([
  ["more money than the cap", { usd: "$0.50" }, { microUsd: 800_000 }, ["$0.80 used of $0.50 (budget.usd)"]],
  ["just the cap", { usd: "$0.50" }, { microUsd: 500_000 }, []],
  ["no cap", { usd: "unlimited", tokens: "unlimited" }, { microUsd: 9e9, tokens: 9e9 }, []],
  [
    "more of several",
    { tokens: "10k", calls: 2 },
    { tokens: 10_001, calls: 3 },
    ["10001 used of 10k (budget.tokens)", "3 used of 2 (budget.calls)"],
  ],
])("says what went past a cap: %s", (_, budget, used, passed) => {
  expect(passedCaps(budgetOf(budget), used)).toEqual(passed);
});
