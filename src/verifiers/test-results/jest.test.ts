import { expect, it } from "vitest";
import { readTestResults } from "./read-test-results.ts";

const test = (title: string, status: string, ...ancestorTitles: readonly string[]) => ({
  ancestorTitles,
  fullName: [...ancestorTitles, title].join(" "),
  status,
  title,
  duration: 1.83,
  failureMessages: [],
});
const report = (about: object = {}) => ({
  numTotalTestSuites: 2,
  numTotalTests: 4,
  success: false,
  testResults: [
    {
      assertionResults: [test("adds", "passed"), test("fails", "failed"), test("sk", "pending", "outer"), test("td", "todo")],
      status: "failed",
      name: "/co/a.test.ts",
    },
    { assertionResults: [], status: "failed", message: "broken", name: "/co/b.test.ts" },
  ],
  ...about,
});
const read = (text: string) => readTestResults("vitest", text, "/co");

it("reads what vitest and jest write, and a file that could not be loaded", () => {
  expect(read(`> npm test\n${JSON.stringify(report())}\n`)).toEqual({
    isComplete: true,
    problems: [],
    tests: [
      { id: "a.test.ts :: adds", outcome: "passed" },
      { id: "a.test.ts :: fails", outcome: "failed" },
      { id: "a.test.ts > outer :: sk", outcome: "skipped" },
      { id: "a.test.ts :: td", outcome: "todo" },
      { id: "b.test.ts :: (as a whole)", outcome: "failed" },
    ],
  });
});

const passing = { assertionResults: [test("adds", "passed")], status: "passed", name: "/co/a.test.ts" };

it.each<readonly [string, string, string]>([
  ["half a report", JSON.stringify(report()).slice(0, -5), "it holds no whole report of vitest or jest"],
  ["two reports", JSON.stringify(report()).repeat(2), "it holds no whole report of vitest or jest"],
  ["no report", "{}", "it holds no whole report of vitest or jest"],
  ["fewer tests than it says", JSON.stringify(report({ numTotalTests: 9 })), "it says 9 tests, and 4 are there"],
  ["success over a failed test", JSON.stringify(report({ success: true })), "it says success, and tests failed"],
  [
    "no success over tests that all passed",
    JSON.stringify(report({ numTotalTests: 1, testResults: [passing] })),
    "it does not say success, and no test failed",
  ],
  ["an interruption", JSON.stringify(report({ wasInterrupted: true })), "the run was interrupted"],
  [
    "an unknown status",
    JSON.stringify(report({ numTotalTests: 1, testResults: [{ ...passing, assertionResults: [test("a", "odd")] }] })),
    'a test has the status "odd", which is not known',
  ],
])("is not complete with %s", (_, text, problem) => {
  expect(read(text).isComplete).toBe(false);
  expect(read(text).problems).toContain(problem);
});
