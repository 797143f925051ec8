import { expect, it } from "vitest";
import { readTestResults } from "./read-test-results.ts";

const line = (Action: string, about: object = {}) =>
  JSON.stringify({ Time: "2026-01-02T03:04:05Z", Action, Package: "example.com/shop", ...about });
const read = (...lines: readonly string[]) => readTestResults("go", `${lines.join("\n")}\n`);
const ran = (Test: string, end: string) => [
  line("run", { Test }),
  line("output", { Test, Output: "=== RUN\n" }),
  line(end, { Test, Elapsed: 0.01 }),
];

it("reads tests, subtests and what was skipped, and nothing that a test printed", () => {
  const forged = line("output", { Test: "TestA", Output: `${line("pass", { Test: "TestForged" })}\n` });

  const { tests, isComplete } = read(
    line("start"),
    ...ran("TestA", "pass"),
    forged,
    ...ran("TestB/sub", "fail"),
    ...ran("TestB", "fail"),
    ...ran("TestC", "skip"),
    line("fail", { Elapsed: 0.2 }),
    line("start", { Package: "example.com/none" }),
    line("skip", { Package: "example.com/none" }),
  );

  expect(isComplete).toBe(true);
  expect(tests).toEqual([
    { id: "example.com/shop :: TestA", outcome: "passed" },
    { id: "example.com/shop :: TestB/sub", outcome: "failed" },
    { id: "example.com/shop :: TestB", outcome: "failed" },
    { id: "example.com/shop :: TestC", outcome: "skipped" },
  ]);
});

it("counts a package that failed without a test that did: it does not compile, or left in the middle", () => {
  expect(read("# example.com/shop", "./a.go:1:1: syntax error", line("start"), line("fail", { FailedBuild: "x" })).tests).toEqual([
    { id: "example.com/shop :: (as a whole)", outcome: "failed" },
  ]);
  expect(read(line("start"), line("run", { Test: "TestExit" }), line("fail"))).toEqual({
    tests: [{ id: "example.com/shop :: (as a whole)", outcome: "failed" }],
    isComplete: true,
    problems: [],
  });
});

it.each<readonly [string, readonly string[], string]>([
  ["a package without an end", [line("start"), ...ran("TestA", "pass")], 'the package "example.com/shop" did not come to an end'],
  ["a test without an end", [line("run", { Test: "TestA" }), line("pass")], '1 tests of "example.com/shop" did not come to an end'],
  ["a line that breaks off", [...ran("TestA", "pass"), line("pass"), '{"Action":"pa'], "a line is cut off or no JSON"],
  [
    "a package that passes over a failed test",
    [...ran("TestA", "fail"), line("pass")],
    'the package "example.com/shop" says pass, and a test in it failed',
  ],
  ["a package that ends twice", [...ran("TestA", "pass"), line("pass"), line("pass")], 'the package "example.com/shop" ended twice'],
  ["no tests", [line("start"), line("pass")], "it names no test"],
])("is not complete with %s", (_, lines, problem) => {
  expect(read(...lines).isComplete).toBe(false);
  expect(read(...lines).problems).toContain(problem);
});
