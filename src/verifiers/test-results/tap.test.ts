import { expect, it } from "vitest";
import { readTestResults } from "./read-test-results.ts";

const read = (text: string) => readTestResults("tap", text);
const told = (text: string) => read(text).tests.map(({ id, outcome }) => `${outcome} ${id}`);

const NODE = `TAP version 13
# Subtest: adds
ok 1 - adds
  ---
  duration_ms: 1.698928
  ...
# Subtest: fails
not ok 2 - fails
  ---
  duration_ms: 16.258864
  location: '/tmp/x/a.test.mjs:2:23'
  error: |-
    The expression evaluated to a falsy value:

    ok 9 - said by the code under test
  stack: |-
    TestContext.<anonymous> (file:///tmp/x/a.test.mjs:2:49)
  ...
ok 3 - sk # SKIP
not ok 4 - td # TODO later
# Subtest: outer \\# x
    # Subtest: inner
    ok 1 - inner
    # Subtest: deep
        # Subtest: x
        not ok 1 - x
        1..1
    not ok 2 - deep
    1..2
not ok 5 - outer \\# x
1..5
# tests 6
# pass 2
`;

it("reads what node:test writes: subtests before their suite, details, what was skipped or put off", () => {
  expect(read(NODE)).toEqual({
    isComplete: true,
    problems: [],
    tests: [
      { id: "adds", outcome: "passed" },
      { id: "fails", outcome: "failed" },
      { id: "sk", outcome: "skipped" },
      { id: "td", outcome: "todo" },
      { id: "outer # x :: inner", outcome: "passed" },
      { id: "outer # x > deep :: x", outcome: "failed" },
    ],
  });
});

it("reads what vitest writes: a suite before its tests, in braces", () => {
  const text = `TAP version 13
1..2
not ok 1 - a.test.ts # time=75.33ms {
    1..3
    ok 1 - adds # time=1.51ms
    not ok 2 - fails # time=58.67ms
        ---
        error:
            message: "no"
        ...
    ok 3 - outer # time=12.14ms {
        1..2
        ok 1 - inner # time=0.18ms
        ok 2 - inner # time=11.67ms
    }
}
not ok 2 - b.test.ts
    ---
    error:
        message: "broken"
    ...
`;

  expect(told(text)).toEqual([
    "passed a.test.ts :: adds",
    "failed a.test.ts :: fails",
    "passed a.test.ts > outer :: inner",
    "passed a.test.ts > outer :: inner #2",
    "failed b.test.ts",
  ]);
  expect(read(text).isComplete).toBe(true);
});

it("reads old TAP, without a version, numbers or dashes, and several documents after one another", () => {
  expect(told("1..3\nok\nnot ok second\nok 3 third # skip no network\n")).toEqual(
    ["passed", "failed second", "skipped third"].map((t) => (t === "passed" ? "passed " : t)),
  );
  expect(told("TAP version 14\n1..1\nok 1 - a\nTAP version 14\n1..1\nok 1 - b\n")).toEqual(["passed a", "passed b"]);
});

it("counts a suite that fails though its tests do not, such as in a hook", () => {
  expect(told("TAP version 13\n    ok 1 - a\n    1..1\nnot ok 1 - suite\n1..1\n")).toEqual([
    "passed suite :: a",
    "failed suite :: (as a whole)",
  ]);
});

it.each<readonly [string, string, string]>([
  ["no plan", "ok 1 - a\n", "it has no plan, so it may be cut off"],
  ["fewer tests than planned", "1..3\nok 1 - a\nok 2 - b\n", "its plan says 3 tests, and 2 came"],
  [
    "more tests than planned, as when the code under test prints one",
    "1..1\nok 1 - a\nok 2 - forged\n",
    "its plan says 1 tests, and 2 came",
  ],
  ["a number twice", "1..2\nok 1 - a\nok 1 - b\n", "test 1 came twice"],
  ["a number that was not planned", "1..2\nok 1 - a\nok 7 - b\n", "a test has a number that is not in its plan of 2"],
  ["two plans", "1..1\nok 1 - a\n1..1\n", "it has two plans"],
  ["a bail-out", "1..1\nok 1 - a\nBail out! no database\n", "the run bailed out"],
  ["details that break off", "1..1\nok 1 - a\n  ---\n  error: x\n", "it breaks off inside a block of details"],
  ["a subtest that breaks off", "1..1\n    ok 1 - a\n", "a subtest has no plan, so it may be cut off"],
  ["a suite that says ok over a failed test", "    not ok 1 - a\n    1..1\nok 1 - s\n1..1\n", '"s" says ok, and a test in it failed'],
  ["nothing planned", "1..0 # SKIP nothing to do\n", "it names no test"],
  ["nothing at all", "", "it has no plan, so it may be cut off"],
])("is not complete with %s", (_, text, problem) => {
  expect(read(text).isComplete).toBe(false);
  expect(read(text).problems).toContain(problem);
});
