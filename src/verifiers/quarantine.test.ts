import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TestOutcome } from "../std/test-results.ts";
import { sightOf, type TestRun } from "./run-tests.ts";
import { weighWitness } from "./weigh-witness.ts";

type Told = { readonly [id: string]: TestOutcome };
const output = { sha256: "", bytes: 0, truncated: false };
const ran = (tests: Told, code = Object.values(tests).includes("failed") ? 1 : 0, problems: readonly string[] = []): TestRun => ({
  kind: "exited",
  code,
  results: { tests: Object.entries(tests).map(([id, outcome]) => ({ id, outcome })), isComplete: problems.length === 0, problems },
  tail: "",
  output,
});
const LEFT_OUT = "\nleft out, since base itself cannot make up its mind about them (1): flaky";

describe("a command, with a test in quarantine", () => {
  const see = (run: TestRun) => {
    const { outcome, detail } = sightOf(run, { run: "npm test" }, ["flaky"]);
    return [outcome, detail];
  };

  it.each<readonly [string, TestRun, string, string]>([
    [
      "holds when only that test fails",
      ran({ a: "passed", flaky: "failed" }),
      "holds",
      `\`npm test\` exited 1, which is put down to tests in quarantine (1 failed): 1 passed${LEFT_OUT}`,
    ],
    ["holds when all pass", ran({ a: "passed", flaky: "passed" }), "holds", `\`npm test\` exited 0: 1 passed${LEFT_OUT}`],
    [
      "is refuted when another one fails",
      ran({ a: "failed", flaky: "failed", b: "passed" }),
      "refuted",
      `\`npm test\` exited 1: 1 passed, 2 failed\nfailed: a; flaky${LEFT_OUT}`,
    ],
    [
      "does not know when nothing else passed",
      ran({ flaky: "passed" }),
      "unknown",
      `\`npm test\` exited 0, and no test passed, so nothing was shown: no tests${LEFT_OUT}`,
    ],
    [
      "does not know when nothing else ran and that one failed",
      ran({ flaky: "failed" }),
      "unknown",
      `\`npm test\` exited 1, and no test passed, so nothing was shown: no tests${LEFT_OUT}`,
    ],
    [
      "is refuted when it is gone",
      ran({ a: "passed" }),
      "refuted",
      "`npm test` exited 0, and tests in quarantine are gone or skipped, which nothing excuses: flaky",
    ],
    [
      "is refuted when it is skipped",
      ran({ a: "passed", flaky: "skipped" }),
      "refuted",
      "`npm test` exited 0, and tests in quarantine are gone or skipped, which nothing excuses: flaky",
    ],
    [
      "does not put a failure down to it that no test explains",
      ran({ a: "passed", flaky: "passed" }, 3),
      "unknown",
      `\`npm test\` exited 3, and its results name no test that failed, so something other than a test did, or one of the two is not true: 2 passed${LEFT_OUT}`,
    ],
    [
      "is refuted when the results break off",
      ran({ a: "passed", flaky: "failed" }, 1, ["cut off"]),
      "refuted",
      `\`npm test\` exited 1: 1 passed, 1 failed (not complete: cut off)\nfailed: flaky${LEFT_OUT}`,
    ],
    [
      "does not believe exit 0 over its failure",
      ran({ a: "passed", flaky: "failed" }, 0),
      "unknown",
      `\`npm test\` exited 0, and its results name tests that failed, so one of the two is not true: 1 passed, 1 failed\nfailed: flaky${LEFT_OUT}`,
    ],
  ])("%s", (_, run, outcome, detail) => {
    expect(see(run)).toEqual([outcome, detail]);
  });

  it("never holds when a test outside of it fails, or none passes, or one inside of it did not run", () => {
    const tests = fc.dictionary(
      fc.constantFrom<string>("a", "b", "c", "d"),
      fc.constantFrom<TestOutcome>("passed", "failed", "skipped", "todo"),
    );
    fc.assert(
      fc.property(tests, fc.uniqueArray(fc.constantFrom<string>("a", "b", "c", "d")), fc.nat(2), (told, apart, code) => {
        if (sightOf(ran(told, code), { run: "x" }, apart).outcome !== "holds") return;
        const others = Object.entries(told).filter(([id]) => !apart.includes(id));
        expect(others.filter(([, outcome]) => outcome === "failed")).toEqual([]);
        expect(others.some(([, outcome]) => outcome === "passed")).toBe(true);
        expect(apart.every((id) => told[id] === "passed" || told[id] === "failed")).toBe(true);
      }),
    );
  });
});

describe("a witness, with a test in quarantine", () => {
  const weigh = (base: Told, proposal: Told, expected: "fixed" | "unchanged" = "fixed") =>
    weighWitness({ base: ran(base), proposal: ran(proposal), trial: undefined }, expected, ["flaky"]).outcome;
  const RED = { a: "failed", b: "passed" } as const;
  const GREEN = { a: "passed", b: "passed" } as const;

  it.each([
    ["does not hold a failure of it against the change", { ...RED, flaky: "passed" }, { ...GREEN, flaky: "failed" }, "holds"],
    ["does not take its passing for a witness", { b: "passed", flaky: "failed" }, { b: "passed", flaky: "passed" }, "unknown"],
    ["refuses to have it removed", { ...RED, flaky: "failed" }, GREEN, "refuted"],
    ["refuses to have it skipped", { ...RED, flaky: "passed" }, { ...GREEN, flaky: "skipped" }, "refuted"],
    ["refuses a new test of its name that fails", RED, { ...GREEN, flaky: "failed" }, "refuted"],
    ["is refuted by another test that broke", { ...RED, flaky: "failed" }, { a: "passed", b: "failed", flaky: "passed" }, "refuted"],
  ] as const)("%s", (_, base, proposal, outcome) => {
    expect(weigh(base, proposal)).toBe(outcome);
  });

  it("shows nothing about a refactoring when it is all there is", () => {
    expect(weigh({ flaky: "passed" }, { flaky: "passed" }, "unchanged")).toBe("unknown");
    expect(weigh({ flaky: "passed", b: "passed" }, { flaky: "failed", b: "passed" }, "unchanged")).toBe("holds");
  });
});
