import { expect, it } from "vitest";
import { inNotation } from "../../dialects/notation.ts";
import { readSpec } from "../../spec/read-spec.ts";
import { builtIn } from "../crew.ts";
import { type Child, composeLoops } from "./compose-loops.ts";

const child = (name: string, change: object = {}): Child => {
  const value = {
    name,
    intent: `Do ${name}.`,
    level: "L2",
    maker: { use: "shell", with: { run: `./${name}` } },
    verifiers: [{ use: "command", with: { run: "npm test" } }],
    budget: { rounds: 3, usd: "$1.00", time: "20m" },
    ...change,
  };
  const reading = readSpec(`${name}.loop.yaml`, JSON.stringify(value), builtIn);
  if (reading.kind === "refused") throw new Error(JSON.stringify(reading.problems));
  return { file: `${name}.loop.yaml`, spec: reading.spec };
};
const lint = {
  verifiers: [{ use: "command", with: { run: "npm run lint" } }],
  seal: ["docs/**"],
  unseal: ["package.json"],
  budget: { rounds: 2, usd: "$0.50", time: "10m" },
};

function soundly(children: readonly Child[], arrangement: "row" | "side") {
  const composed = composeLoops("both", children, arrangement);
  if (composed.kind === "refused") throw new Error(composed.why.join("; "));
  const reading = readSpec("both.loop.yaml", inNotation(composed.value, "yaml"), builtIn);
  if (reading.kind === "refused") throw new Error(JSON.stringify(reading.problems));
  return { spec: reading.spec, left: composed.left };
}

it("makes one loop of several in a row: each begins with what the one before changed, and every check holds for the whole", () => {
  const { spec } = soundly([child("mend"), child("tidy", lint)], "row");

  expect(spec.team?.workers).toMatchObject({
    mend: { use: "shell", budget: { usd: "$1.00" } },
    tidy: { onto: ["mend"], budget: { usd: "$0.50" } },
  });
  expect([spec.team?.proposes, spec.level, spec.seal, spec.unseal]).toEqual([["tidy"], "L2", ["docs/**"], []]);
  expect(spec.verifiers.map(({ with: options }) => options?.run)).toEqual(["npm test", "npm run lint"]);
  expect([spec.budget.usd, spec.budget.time, spec.budget.rounds]).toEqual(["$1.50", "30m", 2]);
});

it("makes one of several side by side, whose changes are brought together", () => {
  const { spec } = soundly([child("mend"), child("tidy", lint)], "side");

  expect([spec.team?.workers.tidy?.onto, spec.team?.proposes]).toEqual([undefined, ["mend", "tidy"]]);
});

it("tells what the whole does not say, and never goes further than L2", () => {
  const acting = child("mend", {
    level: "L3",
    gate: { all: [{ use: "allowlist", with: { allow: ["docs/**"] } }] },
    act: [{ use: "merge" }],
    trigger: { use: "every", with: { interval: "1d" } },
  });
  const { spec, left } = soundly([acting, child("tidy")], "row");

  expect([spec.level, spec.act, spec.gate.all.map(({ use }) => use)]).toEqual(["L2", [], ["allowlist", "ask"]]);
  expect(left).toHaveLength(3);
});

it("refuses, with everything that stands against it, what would be lost without a word", () => {
  const reporting = child("watch", {
    level: "L1",
    gather: [{ use: "commits" }],
    maker: { use: "triage" },
    verifiers: [{ use: "grounded" }],
  });

  expect(composeLoops("both", [child("mend"), reporting, child("mend", { box: { maker: { network: "closed" } } })], "row")).toEqual({
    kind: "refused",
    why: [
      "two of them are called mend",
      "watch.loop.yaml: it only reports, and changes nothing",
      "they differ in box: make it the same in all of them",
    ],
  });
  expect(composeLoops("both", [child("mend")], "row").kind).toBe("refused");
});
