import fc from "fast-check";
import { expect, it } from "vitest";
import { tries } from "../../../test/support/tries.ts";
import { RESULT_FORMATS, type ResultFormat, readTestResults } from "./read-test-results.ts";

const SAMPLES = {
  junit: '<testsuite name="s"><testcase name="a"/></testsuite>',
  tap: "TAP version 13\nok 1 - a\n1..1\n",
  vitest:
    '{"numTotalTestSuites":1,"numTotalTests":1,"success":true,"testResults":[{"name":"s","assertionResults":[{"title":"a","status":"passed"}]}]}',
  go: '{"Action":"run","Package":"s","Test":"a"}\n{"Action":"pass","Package":"s","Test":"a"}\n{"Action":"pass","Package":"s"}\n',
  cargo: "running 1 test\ntest a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\n",
  pytest: "=== short test summary info ===\nPASSED s::a\n=== 1 passed in 0.01s ===\n",
  unittest: "a (s) ... ok\nRan 1 test in 0.0s\n\nOK\n",
};

it.each(Object.entries(SAMPLES))("knows %s by its looks", (_, text) => {
  const { tests, isComplete } = readTestResults("auto", text);

  expect(isComplete).toBe(true);
  expect(tests.map(({ id }) => id.replace("s :: ", ""))).toEqual(["a"]);
});

it("takes either form that node:test and pytest write", () => {
  expect(readTestResults("node", SAMPLES.tap).isComplete).toBe(true);
  expect(readTestResults("node", SAMPLES.junit).isComplete).toBe(true);
  expect(readTestResults("pytest", SAMPLES.junit).isComplete).toBe(true);
});

it("is unsure where two forms fit, as when the code under test prints one of its own", () => {
  expect(readTestResults("auto", `${SAMPLES.unittest}${SAMPLES.tap}`)).toEqual({
    tests: [],
    isComplete: false,
    problems: ["it looks like TAP and like unittest -v at once; name the format, and read it from a file"],
  });
});

it.each(["", " ", "all tests passed", "\u0000", "ok", "PASSED"])("takes %j for no success in any format", (text) => {
  for (const format of RESULT_FORMATS) expect(readTestResults(format, text).isComplete).toBe(false);
});

it("counts every test of the same name, and numbers them by how they ended and not by which came first", () => {
  const read = (...points: readonly string[]) => readTestResults("tap", `1..${points.length}\n${points.join("\n")}\n`).tests;

  expect(read("ok 1 - a", "not ok 2 - a", "ok 3 - a")).toEqual([
    { id: "a", outcome: "passed" },
    { id: "a #2", outcome: "passed" },
    { id: "a #3", outcome: "failed" },
  ]);
  expect(read("not ok 1 - a", "ok 2 - a", "ok 3 - a")).toEqual(read("ok 1 - a", "not ok 2 - a", "ok 3 - a"));
});

it("never throws, whatever the text, and never calls complete what has no test", () => {
  const piece = fc.constantFrom(
    ...Object.values(SAMPLES).flatMap((text) => text.split(/(?<=[\n>])/)),
    "    ",
    "{",
    "}",
    "---",
    "<!--",
    "&x;",
    "\0",
    "1..",
    "#",
  );
  const texts = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
  );

  fc.assert(
    fc.property(fc.constantFrom(...RESULT_FORMATS), texts, (format, text) => {
      const { tests, isComplete, problems } = readTestResults(format, text, "/co");

      expect(isComplete).toBe(problems.length === 0);
      if (isComplete) expect(tests.length).toBeGreaterThan(0);
      expect(new Set(tests.map(({ id }) => id)).size).toBe(tests.length);
    }),
    tries(100),
  );
});

it("reads back what a sound runner writes, in every format that can be written here", () => {
  const word = fc.stringMatching(/^x[a-z]{1,8}( [a-z]{1,5})?$/);
  const tests = fc.uniqueArray(
    fc.record({ suite: word, name: word, outcome: fc.constantFrom("passed" as const, "failed" as const, "skipped" as const) }),
    {
      minLength: 1,
      maxLength: 20,
      selector: ({ suite, name }) => `${suite} :: ${name}`,
    },
  );

  fc.assert(
    fc.property(tests, (some) => {
      const expected = new Map(some.map(({ suite, name, outcome }) => [`${suite} :: ${name}`, outcome]));
      for (const [format, write] of Object.entries(WRITERS)) {
        const { tests: read, problems } = readTestResults("auto", write(some));

        expect([format, problems]).toEqual([format, []]);
        expect([format, new Map(read.map(({ id, outcome }) => [id, outcome]))]).toEqual([format, expected]);
      }
    }),
    tries(40),
  );
});

interface Written {
  readonly suite: string;
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
}

/** The same tests as each runner would write them. */
const WRITERS: { readonly [format: string]: (tests: readonly Written[]) => string } = {
  junit: (tests) =>
    `<testsuites>${tests
      .map(({ suite, name, outcome }) => {
        const child = { passed: "", failed: "<failure/>", skipped: "<skipped/>" }[outcome];
        return `<testsuite name="${suite}" tests="1"><testcase name="${name}">${child}</testcase></testsuite>`;
      })
      .join("")}</testsuites>`,
  tap: (tests) =>
    `TAP version 14\n${tests
      .map(({ suite, name, outcome }, index) => {
        const bad = outcome === "failed" ? "not ok" : "ok";
        return `    ${bad} 1 - ${name}${outcome === "skipped" ? " # SKIP" : ""}\n    1..1\n${bad} ${index + 1} - ${suite}\n`;
      })
      .join("")}1..${tests.length}\n`,
  jest: (tests) =>
    JSON.stringify({
      numTotalTestSuites: tests.length,
      numTotalTests: tests.length,
      success: tests.every(({ outcome }) => outcome !== "failed"),
      testResults: tests.map(({ suite, name, outcome }) => ({
        name: suite,
        status: outcome === "failed" ? "failed" : "passed",
        assertionResults: [{ title: name, status: outcome === "skipped" ? "pending" : outcome, ancestorTitles: [] }],
      })),
    }),
  go: (tests) =>
    [...new Set(tests.map(({ suite }) => suite))]
      .map((suite) => [suite, tests.filter((test) => test.suite === suite)] as const)
      .flatMap(([Package, own]) => [
        ...own.flatMap(({ name: Test, outcome }) => [
          { Action: "run", Package, Test },
          { Action: { passed: "pass", failed: "fail", skipped: "skip" }[outcome], Package, Test },
        ]),
        { Action: own.some(({ outcome }) => outcome === "failed") ? "fail" : "pass", Package },
      ])
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(""),
};

it("does not call a sample complete that was cut anywhere but at its very end", () => {
  for (const text of Object.values(SAMPLES))
    for (let length = 0; length < text.trimEnd().length - 20; length++)
      expect([text.slice(0, length), readTestResults("auto", text.slice(0, length)).isComplete]).toEqual([text.slice(0, length), false]);
});

// What takes a time that grows faster than the text does not end within the runner's own patience.
const MUCH = 10 * 1024 * 1024;
it.each<readonly [string, ResultFormat, () => string]>([
  ["one line without an end", "unittest", () => "a".repeat(MUCH)],
  ["one line of spaces", "tap", () => `ok${" ".repeat(MUCH)}x`],
  ["one line of signs", "pytest", () => "=".repeat(MUCH)],
  ["one line of dots", "cargo", () => `test ${" ... ok".repeat(MUCH / 7)}`],
  ["a point of nothing but directives", "tap", () => `ok ${"# ".repeat(MUCH / 2)}`],
  ["deep elements", "junit", () => "<testsuite>".repeat(MUCH / 11)],
  ["a tag of attributes", "junit", () => `<testsuite ${Array.from({ length: 100_000 }, (_, n) => `a${n}="b" `).join("")}`],
  ["a tag with one attribute over and over", "junit", () => `<testsuite ${'a="b" '.repeat(MUCH / 6)}`],
  ["a tag of spaces", "junit", () => `<testsuite${" ".repeat(MUCH)}`],
  ["a tag of ampersands", "junit", () => `<testsuite name="${"&".repeat(MUCH)}">`],
  ["a tag of entities", "junit", () => `<testsuite name="${"&amp;".repeat(MUCH / 20)}">`],
  ["deep subtests", "tap", () => Array.from({ length: 2000 }, (_, depth) => `${"    ".repeat(depth)}ok 1 - a`).join("\n")],
  ["deep JSON", "jest", () => `{"numTotalTestSuites":${"[".repeat(MUCH)}`],
  ["a deep line of JSON", "go", () => `{"Action":"pass","Test":${"[".repeat(MUCH)}`],
  ["many tests", "tap", () => `1..101000\n${"ok\n".repeat(101_000)}`],
  ["many subtests", "tap", () => `${"    ok\n".repeat(101_000)}    1..101000\nok 1 - s\n1..1\n`],
  ["many skipped tests", "pytest", () => `= short test summary info =\n${"SKIPPED [999999] a.py:1: b\n".repeat(20_000)}`],
  ["long names", "tap", () => `1..1001\n${`ok ${"( ".repeat(1000)}\n`.repeat(1000)}`],
  ["open brackets", "pytest", () => `= short test summary info =\n${`FAILED ${"[ - ".repeat(900)}\n`.repeat(1000)}`],
])("ends, and does not throw, for %s", (_, own, make) => {
  const text = make();
  for (const format of ["auto", own] as const) {
    expect([format, readTestResults(format, text).isComplete]).toEqual([format, false]);
  }
});

it("does not read more than it should", () => {
  expect(readTestResults("tap", "x".repeat(41 * 1024 * 1024)).problems).toEqual(["it is longer than 41943040 characters"]);
});

it.each(["NaN", "1e999", "-1", "many", "0x10", "99999999999"])("takes a total of %s for none that a run can have", (total) => {
  const { isComplete, problems } = readTestResults("junit", `<testsuite name="s" tests="${total}"><testcase name="a"/></testsuite>`);

  expect({ isComplete, problems }).toMatchObject({
    isComplete: false,
    problems: expect.arrayContaining([`a suite says "${total}" tests, which no run can have`]),
  });
});

it.each(["NaN", "1e999", "-1", "null", '"1"'])("takes a total of %s in a JSON report for no success", (total) => {
  const text = SAMPLES.vitest.replace('"numTotalTests":1', `"numTotalTests":${total}`);

  expect(readTestResults("vitest", text).isComplete).toBe(false);
});

it.each<readonly [string, string, boolean]>([
  ["this run, without a zone", 'timestamp="2026-01-02T03:04:06"', true],
  ["this run, in a zone ahead", 'timestamp="2026-01-02T17:04:06+14:00"', true],
  ["no date, as some runners write it", 'timestamp="0001-01-01T00:00:00Z"', true],
  ["no date at all", "", true],
  ["a clock that is ahead", 'timestamp="2027-02-06T03:04:06"', true],
  ["the week before", 'timestamp="2025-12-26T03:04:05"', false],
])("believes results of %s: %s", (_, dated, isBelieved) => {
  const text = `<testsuites><testsuite name="s" tests="1" ${dated}><testcase name="a"/></testsuite></testsuites>`;

  expect(readTestResults("junit", text, "", new Date("2026-01-02T03:04:05Z")).isComplete).toBe(isBelieved);
});

it("says of a report that began before the run that it is older", () => {
  const text = SAMPLES.vitest.replace('"success"', '"startTime":1735787045000,"success"');

  expect(readTestResults("vitest", text, "", new Date("2026-01-02T03:04:05Z")).problems).toEqual([
    "they are dated 2025-01-02T03:04:05.000Z, before this run began",
  ]);
});
