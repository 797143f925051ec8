import { expect, it } from "vitest";
import { RESULT_FORMATS, type ResultFormat, readTestResults } from "./read-test-results.ts";

/** A place where a runner writes how many there are, and how many there truly are in this text; none where no number makes it whole. */
interface Total {
  readonly at: string;
  readonly honest?: number;
  readonly write: (total: string) => string;
}

const JUNIT: readonly Total[] = [
  { at: "tests", honest: 1, write: (total) => `<testsuite name="s" tests="${total}"><testcase name="a"/></testsuite>` },
  ...["failures", "errors", "skipped"].map((at) => ({
    at,
    honest: 0,
    write: (total: string) => `<testsuite name="s" ${at}="${total}"><testcase name="a"/></testsuite>`,
  })),
  {
    at: "tests of all suites",
    honest: 1,
    write: (total) => `<testsuites tests="${total}"><testsuite name="s"><testcase name="a"/></testsuite></testsuites>`,
  },
];

const TAP: readonly Total[] = [
  { at: "the plan", honest: 1, write: (total) => `TAP version 13\nok 1 - a\n1..${total}\n` },
  { at: "a plan beside a sound one", write: (total) => `TAP version 13\n1..${total}\nok 1 - a\n1..1\n` },
  { at: "a subtest's plan", honest: 1, write: (total) => `TAP version 13\n    ok 1 - b\n    1..${total}\nok 1 - a\n1..1\n` },
  ...["tests", "pass"].map((at) => ({ at, honest: 1, write: (total: string) => `TAP version 13\nok 1 - a\n1..1\n# ${at} ${total}\n` })),
];

const JSON_REPORT: readonly Total[] = (
  [
    ["numTotalTests", 1],
    ["numPassedTests", 1],
    ["numFailedTests", 0],
    ["numPendingTests", 0],
    ["numTodoTests", 0],
    ["numFailedTestSuites", 0],
  ] as const
).map(([at, honest]) => ({
  at,
  honest,
  write: (total) => {
    const fields = { numTotalTests: "1", [at]: total };
    const said = Object.entries(fields).map(([name, value]) => `"${name}":${value}`);
    const tests = '"testResults":[{"name":"s","assertionResults":[{"title":"a","status":"passed"}]}]';
    return `{"numTotalTestSuites":1,${said.join(",")},"success":true,${tests}}`;
  },
}));

const PYTEST: readonly Total[] = [
  { at: "passed", honest: 1, write: (total) => `=== short test summary info ===\nPASSED s::a\n=== ${total} passed in 0.01s ===\n` },
  {
    at: "failed",
    honest: 0,
    write: (total) => `=== short test summary info ===\nPASSED s::a\n=== ${total} failed, 1 passed in 0.01s ===\n`,
  },
  {
    at: "a sum before a sound one",
    write: (total) => `=== short test summary info ===\nPASSED s::a\n=== ${total} skipped in 0.01s ===\n=== 1 passed in 0.01s ===\n`,
  },
];

const UNITTEST: readonly Total[] = [
  { at: "ran", honest: 1, write: (total) => `a (s) ... ok\nRan ${total} test in 0.0s\n\nOK\n` },
  { at: "a sum before a sound one", write: (total) => `a (s) ... ok\nRan ${total} test in 0.0s\nRan 1 test in 0.0s\n\nOK\n` },
  { at: "skipped", honest: 0, write: (total) => `a (s) ... ok\nRan 1 test in 0.0s\n\nOK (skipped=${total})\n` },
];

const cargoLine = (total: string, at: string): string =>
  ["passed", "failed", "ignored", "measured", "filtered out"]
    .map((name) => `${name === at ? total : name === "passed" ? 1 : 0} ${name}`)
    .join("; ");
const CARGO: readonly Total[] = [
  { at: "running", honest: 1, write: (total) => `running ${total} test\ntest a ... ok\ntest result: ok. ${cargoLine("1", "passed")}\n` },
  {
    at: "a sum before a sound one",
    write: (total) =>
      `running 1 test\ntest a ... ok\ntest result: ok. ${cargoLine(total, "passed")}\ntest result: ok. ${cargoLine("1", "passed")}\n`,
  },
  ...["passed", "failed", "ignored", "measured", "filtered out"].map((at) => ({
    at,
    honest: at === "passed" ? 1 : 0,
    write: (total: string) => `running 1 test\ntest a ... ok\ntest result: ok. ${cargoLine(total, at)}; finished in 0.00s\n`,
  })),
  ...["test_count", "passed", "failed", "ignored", "measured", "filtered_out"].map((at) => ({
    at: `${at} in JSON`,
    honest: at === "passed" || at === "test_count" ? 1 : 0,
    write: (total: string) => {
      const of = (name: string, usual: number): string => `"${name}": ${name === at ? total : usual}`;
      return [
        `{ "type": "suite", "event": "started", ${of("test_count", 1)} }`,
        '{ "type": "test", "event": "ok", "name": "a" }',
        `{ "type": "suite", "event": "ok", ${of("passed", 1)}, ${of("failed", 0)}, ${of("ignored", 0)}, ${of("measured", 0)}, ${of("filtered_out", 0)} }`,
        "",
      ].join("\n");
    },
  })),
];

const ALL = [...JUNIT, ...TAP, ...JSON_REPORT, ...PYTEST, ...UNITTEST, ...CARGO];

/** What each format counts. `go test -json` counts nothing: it names every test, and every end of one. */
const TOTALS: { readonly [F in ResultFormat]: readonly Total[] } = {
  auto: ALL,
  junit: JUNIT,
  tap: TAP,
  vitest: JSON_REPORT,
  jest: JSON_REPORT,
  node: [...JUNIT, ...TAP],
  pytest: [...JUNIT, ...PYTEST],
  unittest: UNITTEST,
  go: [],
  cargo: CARGO,
};

it.each(RESULT_FORMATS)("believes the totals of %s that are right, and no total that no run can have, wherever it stands", (format) => {
  for (const { at, honest, write } of TOTALS[format]) {
    if (honest !== undefined) {
      const { problems } = readTestResults(format, write(String(honest)));
      expect([at, problems]).toEqual([at, []]);
    }
    for (const total of ["NaN", "1e999", "-1", "-0.5", "Infinity", "0x1", "99999999999"]) {
      const { isComplete } = readTestResults(format, write(total));
      expect([at, total, isComplete]).toEqual([at, total, false]);
    }
  }
});

it("says which total it was, and leaves sentences alone that only look like a runner's", () => {
  const cargo = `running 1 test\ntest a ... ok\ntest result: ok. ${cargoLine("-1", "measured")}\n`;

  expect(readTestResults("cargo", cargo).problems).toEqual(['it counts "-1" measured, which no run can have']);
  expect(readTestResults("tap", "TAP version 13\n# tests none\n# pass on\nok 1 - a\n1..1\n").isComplete).toBe(true);
  expect(readTestResults("unittest", "Ran all tests in order\na (s) ... ok\nRan 1 test in 0.0s\n\nOK\n").isComplete).toBe(true);
});
