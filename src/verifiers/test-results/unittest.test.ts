import { expect, it } from "vitest";
import { readTestResults } from "./read-test-results.ts";

const read = (text: string) => readTestResults("unittest", text);
const RULE = "-".repeat(70);

const TEXT = `test_doc (test_a.A.test_doc)
Says something. ... ok
test_err (test_a.A.test_err) ... ERROR
test_print (test_a.A.test_print) ... hello ok
ok
test_skip (test_a.A.test_skip) ... skipped 'why not'
test_sub (test_a.A.test_sub) ...${" "}
  test_sub (test_a.A.test_sub) (i=1) ... FAIL
test_us (test_a.A.test_us) ... unexpected success
test_xf (test_a.A.test_xf) ... expected failure
ERROR
test_c (unittest.loader._FailedTest.test_c) ... ERROR

======================================================================
ERROR: test_err (test_a.A.test_err)
${RULE}
ValueError: x

======================================================================
ERROR: setUpClass (test_a.B)
${RULE}
RuntimeError: no

======================================================================
ERROR: test_c (unittest.loader._FailedTest.test_c)
======================================================================
FAIL: test_sub (test_a.A.test_sub) (i=1)
${RULE}
Ran 8 tests in 0.006s

FAILED (failures=1, errors=3, skipped=1, expected failures=1, unexpected successes=1)
`;

it("reads tests with what they print, their parts, and classes and files that failed before their tests", () => {
  expect(read(TEXT)).toEqual({
    isComplete: true,
    problems: [],
    tests: [
      { id: "test_a.A :: test_doc", outcome: "passed" },
      { id: "test_a.A :: test_err", outcome: "failed" },
      { id: "test_a.A :: test_print", outcome: "passed" },
      { id: "test_a.A :: test_skip", outcome: "skipped" },
      { id: "test_a.A :: test_sub", outcome: "failed" },
      { id: "test_a.A :: test_us", outcome: "failed" },
      { id: "test_a.A :: test_xf", outcome: "todo" },
      { id: "unittest.loader._FailedTest > test_c :: (as a whole)", outcome: "failed" },
      { id: "test_a.B > setUpClass :: (as a whole)", outcome: "failed" },
    ],
  });
});

it("gives the same ids for older versions of Python", () => {
  expect(read(`test_ok (test_a.A) ... ok\n\n${RULE}\nRan 1 test in 0.000s\n\nOK\n`)).toEqual({
    isComplete: true,
    problems: [],
    tests: [{ id: "test_a.A :: test_ok", outcome: "passed" }],
  });
});

it.each<readonly [string, string, string]>([
  ["an exit in the middle", "test_a (t.A.test_a) ... ok\ntest_x (t.A.test_x) ... ", "it breaks off before the sum of its tests"],
  ["an exit in the middle, by name", "test_a (t.A.test_a) ... ok\ntest_x (t.A.test_x) ... ", '"test_x" did not come to an end'],
  ["names left out", `..\n${RULE}\nRan 2 tests in 0.000s\n\nOK\n`, "it counts 2 tests, and names 0; run unittest with -v"],
  ["no tests", `\n${RULE}\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n`, "it names no test"],
  ["OK over a failed test", `test_a (t.A) ... FAIL\n${RULE}\nRan 1 test in 0.0s\n\nOK\n`, "it says OK, and a test failed"],
  [
    "FAILED over tests that passed",
    `test_a (t.A) ... ok\n${RULE}\nRan 1 test in 0.0s\n\nFAILED (errors=1)\n`,
    "it says FAILED, and no test failed",
  ],
  ["two runs", `test_a (t.A) ... ok\nRan 1 test in 0.0s\n\nOK\nRan 1 test in 0.0s\n\nOK\n`, "it holds more than one run"],
])("is not complete with %s", (_, text, problem) => {
  expect(read(text).isComplete).toBe(false);
  expect(read(text).problems).toContain(problem);
});
