import { expect, it } from "vitest";
import { LoopSpec } from "./spec.ts";
import { budgetsOf, withBudgets, withoutBudgets } from "./team-budgets.ts";

const inner = (launches: number) => ({
  name: "inner",
  intent: "x",
  level: "L2",
  maker: { use: "shell" },
  verifiers: [{ use: "command" }],
  budget: { rounds: 2, launches },
});

const outer = (rounds: number, share: string, launches: number): LoopSpec =>
  LoopSpec.parse({
    name: "outer",
    intent: "x",
    level: "L2",
    maker: { use: "team" },
    team: {
      workers: {
        child: { role: "x", use: "loop", gives: { as: "commit" }, loop: "inner.loop.yaml", spec: inner(launches), budget: { usd: share } },
        plain: { role: "x", use: "shell", gives: { as: "text" } },
      },
      proposes: ["child"],
    },
    verifiers: [{ use: "command" }],
    budget: { rounds },
  });

it("takes every budget of a spec, of its workers and of the loops that they call, and puts others in their places", () => {
  const [before, now] = [outer(1, "$1.00", 3), outer(4, "$2.00", 9)];

  expect(withBudgets(before, budgetsOf(now))).toEqual(now);
  expect(withBudgets(before, budgetsOf(before))).toEqual(before);
  expect(budgetsOf(now).team).toEqual({ child: { share: { usd: "$2.00" }, called: { budget: { rounds: 2, launches: 9 } } } });
});

it("leaves nothing of them in what is compared, and everything else", () => {
  const other = outer(1, "$1.00", 3);

  expect(withoutBudgets(outer(4, "$2.00", 9))).toEqual(withoutBudgets(other));
  expect(withoutBudgets({ ...other, intent: "y" } as LoopSpec)).not.toEqual(withoutBudgets(other));
});
