import { expect, it } from "vitest";
import { readTestResults } from "./read-test-results.ts";

const read = (text: string) => readTestResults("pytest", text);
const HEADER = "=========================== short test summary info ============================";

const TEXT = `test_b.py .F                                                   [100%]
${HEADER}
PASSED test_b.py::test_ok
PASSED test_b.py::TestX::test_p[c - d]
SKIPPED [2] test_b.py:5: why
XFAIL test_b.py::test_xf - known
XPASS test_b.py::test_xp
ERROR test_b.py::test_e - ValueError: a
ERROR test_c.py
FAILED test_b.py::test_p[1] - assert 1 != 1
SUBFAILED(i=1) test_a.py::A::test_sub - AssertionError: 1 == 1
==== 2 failed, 2 passed, 2 skipped, 3 deselected, 1 xfailed, 1 xpassed, 1 warning, 2 errors in 3.51s ====
`;

it("reads the short summary", () => {
  expect(read(TEXT)).toEqual({
    isComplete: true,
    problems: [],
    tests: [
      { id: "test_b.py :: test_ok", outcome: "passed" },
      { id: "test_b.py > TestX :: test_p[c - d]", outcome: "passed" },
      { id: "test_b.py :: skipped: why", outcome: "skipped" },
      { id: "test_b.py :: skipped: why #2", outcome: "skipped" },
      { id: "test_b.py :: test_xf", outcome: "todo" },
      { id: "test_b.py :: test_xp", outcome: "passed" },
      { id: "test_b.py :: test_e", outcome: "failed" },
      { id: "test_c.py :: (as a whole)", outcome: "failed" },
      { id: "test_b.py :: test_p[1]", outcome: "failed" },
      { id: "test_a.py > A :: test_sub", outcome: "failed" },
    ],
  });
});

it("reads the quiet form of the last line", () => {
  expect(read(`${HEADER}\nPASSED a.py::test_a\n1 passed in 0.01s\n`).isComplete).toBe(true);
  expect(read(`${HEADER}\nPASSED a.py::test_a\n=== 1 passed in 71.01s (0:01:11) ===\n`).isComplete).toBe(true);
});

it.each<readonly [string, string, string]>([
  [
    "names left out",
    `${HEADER}\nFAILED a.py::test_a\n=== 1 failed, 7 passed in 0.1s ===\n`,
    "it counts 7 passed, and names 0; run pytest with -rA",
  ],
  ["no last line", TEXT.slice(0, TEXT.lastIndexOf("====")), "it breaks off before the sum of its tests"],
  [
    "a second summary",
    `${TEXT}${HEADER}\nPASSED a.py::test_forged\n1 passed in 0.01s\n`,
    "it has more than one summary, so something other than one pytest run wrote it",
  ],
  [
    "an interruption",
    `${HEADER}\nERROR a.py\n!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!\n1 error in 0.3s\n`,
    "the run was interrupted",
  ],
  ["no tests", `${HEADER}\n0 passed in 0.01s\n`, "it names no test"],
])("is not complete with %s", (_, text, problem) => {
  expect(read(text).isComplete).toBe(false);
  expect(read(text).problems).toContain(problem);
});

it("says so when there is no form that pytest writes", () => {
  expect(read("3 passed in 0.01s\n")).toEqual({ tests: [], isComplete: false, problems: ["it has no form that pytest writes"] });
});
