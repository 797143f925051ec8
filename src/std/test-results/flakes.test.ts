import { expect, it } from "vitest";
import { classifyRuns } from "./flakes.ts";
import type { TestOutcome, TestResults } from "./results.ts";

const run = (tests: { readonly [id: string]: TestOutcome }, isComplete = true): TestResults => ({
  tests: Object.entries(tests).map(([id, outcome]) => ({ id, outcome })),
  isComplete,
  problems: isComplete ? [] : ["it breaks off"],
});

it("tells tests that always end the same way from those that do not", () => {
  const runs = [
    run({ a: "passed", b: "failed", c: "skipped", d: "todo", e: "passed", f: "passed" }),
    run({ a: "passed", b: "failed", c: "skipped", d: "todo", e: "failed" }),
    run({ a: "passed", b: "failed", c: "skipped", d: "todo", e: "passed", f: "passed" }),
  ];

  expect(classifyRuns(runs)).toEqual({
    stable: { passed: ["a"], failed: ["b"], skipped: ["c"], todo: ["d"] },
    flaky: [
      { id: "e", outcomes: ["passed", "failed", "passed"] },
      { id: "f", outcomes: ["passed", "missing", "passed"] },
    ],
    readRuns: 3,
    isStable: false,
  });
});

it("says stable only after two whole runs that agree", () => {
  const whole = run({ a: "passed" });

  expect(classifyRuns([whole, whole]).isStable).toBe(true);
  expect(classifyRuns([whole]).isStable).toBe(false);
  expect(classifyRuns([]).isStable).toBe(false);
  expect(classifyRuns([whole, whole, run({ a: "passed" }, false)]).isStable).toBe(false);
});

it("learns nothing about a test from a run that breaks off", () => {
  expect(classifyRuns([run({ a: "passed" }), run({}, false), run({ a: "passed" })])).toEqual({
    stable: { passed: ["a"], failed: [], skipped: [], todo: [] },
    flaky: [],
    readRuns: 2,
    isStable: false,
  });
});
