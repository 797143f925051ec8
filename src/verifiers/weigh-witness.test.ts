import { describe, expect, it } from "vitest";
import type { TestOutcome } from "../std/test-results.ts";
import type { TestRun } from "./run-tests.ts";
import { weighWitness } from "./weigh-witness.ts";

const output = { sha256: "", bytes: 0, truncated: false };
type Told = { readonly [id: string]: TestOutcome };

/** A run whose exit code fits its tests. */
const ran = (tests: Told, about: { readonly code?: number; readonly problems?: readonly string[] } = {}): TestRun => ({
  kind: "exited",
  code: about.code ?? (Object.values(tests).includes("failed") ? 1 : 0),
  results: {
    tests: Object.entries(tests).map(([id, outcome]) => ({ id, outcome })),
    isComplete: (about.problems ?? []).length === 0,
    problems: about.problems ?? [],
  },
  tail: "",
  output,
});
const exited = (code: number): TestRun => ({ kind: "exited", code, results: undefined, tail: "", output });
const slow: TestRun = { kind: "timed-out", afterMs: 300, tail: "", output };
const killed: TestRun = { kind: "not-run", why: "`npm test` was killed by SIGSEGV", output };
const broken = ran({}, { code: 2, problems: ["it names no test"] });

const RED: Told = { one: "passed", two: "failed" };
const GREEN: Told = { one: "passed", two: "passed" };

const FIXED = "tests that fail without the change and pass with it (1): two\ntests that passed and still pass: 1";
const NEW = "tests that fail without the change and pass with it (1): new\ntests that passed and still pass: 2";
const NOTHING = "no test fails without the change and passes with it";

describe("a half-fix", () => {
  const base = ran({ one: "passed", two: "failed", three: "failed" });
  const proposal = ran({ one: "passed", two: "passed", three: "failed" });

  it("is none where the checks were to pass, and its lesson names what is still red", () => {
    expect(weighWitness({ base, proposal, trial: undefined }, "fixed")).toEqual({
      outcome: "refuted",
      detail: expect.stringMatching(/^tests that failed on base and still fail \(1\): three\n/),
    });
  });

  it("holds in part where progress was asked for by name", () => {
    expect(weighWitness({ base, proposal, trial: undefined }, "progress")).toEqual({
      outcome: "holds",
      detail: expect.stringContaining("still fail (1): three"),
      stillRed: ["three"],
    });
    expect(weighWitness({ base, proposal: ran({ one: "passed", two: "passed", three: "passed" }), trial: undefined }, "progress")).toEqual({
      outcome: "holds",
      detail: expect.any(String),
    });
    expect(weighWitness({ base, proposal: base, trial: undefined }, "progress").outcome).toBe("refuted");
  });

  it("is not held back by a test that base itself cannot make up its mind about", () => {
    expect(weighWitness({ base, proposal, trial: undefined }, "fixed", ["three"]).outcome).toBe("holds");
  });
});

describe("fixed, test by test", () => {
  it.each<readonly [string, TestRun, TestRun, TestRun | undefined, string, string]>([
    ["a test is mended", ran(RED), ran(GREEN), undefined, "holds", FIXED],
    ["a new test fails on base", ran(GREEN), ran({ ...GREEN, new: "passed" }), ran({ ...GREEN, new: "failed" }), "holds", NEW],
    [
      "a new test cannot even be loaded on base",
      ran(GREEN),
      ran({ ...GREEN, new: "passed" }),
      ran({ ...GREEN, "new.ts :: (as a whole)": "failed" }),
      "holds",
      NEW,
    ],
    ["the new tests do not compile on base", ran(GREEN), ran({ ...GREEN, new: "passed" }), broken, "holds", NEW],
    [
      "every new test passes on base",
      ran(GREEN),
      ran({ ...GREEN, new: "passed" }),
      ran({ ...GREEN, new: "passed" }),
      "refuted",
      `${NOTHING}\ntests that pass without the change as well, and show nothing (1): new`,
    ],
    [
      "one new test passes on base, and something else is mended",
      ran(RED),
      ran({ ...GREEN, new: "passed" }),
      ran({ ...RED, new: "passed" }),
      "holds",
      `${FIXED}\ntests that pass without the change as well, and show nothing (1): new`,
    ],
    [
      "only the test was changed",
      ran(RED),
      ran(GREEN),
      ran(GREEN),
      "refuted",
      `${NOTHING}\ntests that pass without the change as well, and show nothing (1): two`,
    ],
    ["nothing is mended", ran(GREEN), ran(GREEN), undefined, "refuted", NOTHING],
    ["what failed still fails", ran(RED), ran(RED), undefined, "refuted", `${NOTHING}\ntests that failed on base and still fail (1): two`],
    [
      "a new test is skipped",
      ran(RED),
      ran({ ...GREEN, new: "skipped" }),
      ran({ ...RED, new: "skipped" }),
      "holds",
      `${FIXED}\ntests that are new and skipped (1): new`,
    ],
    [
      "a test breaks",
      ran(RED),
      ran({ one: "failed", two: "passed" }),
      undefined,
      "refuted",
      "tests that passed on base and fail now (1): one",
    ],
    ["a test is gone", ran(RED), ran({ two: "passed" }), undefined, "refuted", "tests that ran on base and are gone now (1): one"],
    [
      "the failing test is gone",
      ran(RED),
      ran({ one: "passed" }),
      undefined,
      "refuted",
      "tests that ran on base and are gone now (1): two",
    ],
    [
      "a test is skipped",
      ran(RED),
      ran({ one: "skipped", two: "passed" }),
      undefined,
      "refuted",
      "tests that ran on base and are skipped now (1): one",
    ],
    [
      "the failing test is put off",
      ran(RED),
      ran({ one: "passed", two: "todo" }),
      undefined,
      "refuted",
      "tests that ran on base and are skipped now (1): two",
    ],
    [
      "a new test fails",
      ran(RED),
      ran({ ...GREEN, new: "failed" }),
      ran({ ...RED, new: "failed" }),
      "refuted",
      "tests that are new and fail (1): new",
    ],
    [
      "a new test is in no test file, so it could not be tried",
      ran(GREEN),
      ran({ ...GREEN, new: "passed" }),
      undefined,
      "unknown",
      "tests that are new and pass, but could not be tried without the change (1): new\nPut them in a test file of their own.",
    ],
    [
      "a new test is not among those that were tried",
      ran(GREEN),
      ran({ ...GREEN, new: "passed" }),
      ran(GREEN),
      "unknown",
      "tests that are new and pass, but could not be tried without the change (1): new\nPut them in a test file of their own.",
    ],
    ["base crashes", killed, ran(GREEN), undefined, "unknown", "on base: `npm test` was killed by SIGSEGV"],
    [
      "base takes too long",
      slow,
      ran(GREEN),
      undefined,
      "unknown",
      "on base: the command took longer than 300 ms, so it cannot be told what it would have said",
    ],
    [
      "base cannot be read",
      broken,
      ran(GREEN),
      undefined,
      "unknown",
      "on base: the command exited 2, and its results break off: it names no test",
    ],
    [
      "base contradicts itself",
      ran(RED, { code: 0 }),
      ran(GREEN),
      undefined,
      "unknown",
      "on base: the command exited 0, and its results name tests that failed, so one of the two is not true: 1 passed, 1 failed\nfailed: two",
    ],
    ["the proposal crashes", ran(RED), killed, undefined, "unknown", "on the proposal: `npm test` was killed by SIGSEGV"],
    [
      "the proposal takes too long",
      ran(RED),
      slow,
      undefined,
      "unknown",
      "on the proposal: the command took longer than 300 ms, so it cannot be told what it would have said",
    ],
    [
      "the proposal does not compile",
      ran(RED),
      broken,
      undefined,
      "refuted",
      "on the proposal the command exits 2, and its results break off: it names no test",
    ],
    [
      "the proposal leaves in the middle with success",
      ran(RED),
      ran(GREEN, { code: 0, problems: ["it breaks off"] }),
      undefined,
      "unknown",
      "on the proposal: the command exited 0, and its results cannot be relied on: it breaks off",
    ],
    ["the trial crashes", ran(RED), ran(GREEN), killed, "unknown", "on base with the new tests: `npm test` was killed by SIGSEGV"],
    [
      "the trial claims success without results",
      ran(RED),
      ran(GREEN),
      ran({}, { code: 0, problems: ["it breaks off"] }),
      "unknown",
      "on base: with the new tests the command exited 0, and its results cannot be relied on: it breaks off",
    ],
  ])("%s", (_, base, proposal, trial, outcome, detail) => {
    expect(weighWitness({ base, proposal, trial }, "fixed")).toEqual({ outcome, detail });
  });

  it("names twenty tests and counts the others", () => {
    const all = (outcome: TestOutcome): Told => Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`t${n}`, outcome]));

    const { detail } = weighWitness({ base: ran(all("failed")), proposal: ran(all("passed")), trial: undefined }, "fixed");

    expect(detail).toContain("(25): t0; t1; ");
    expect(detail).toContain("; t19; and 5 more");
  });
});

describe("unchanged, test by test", () => {
  it.each<readonly [string, TestRun, TestRun, string, string]>([
    ["nothing changes", ran(GREEN), ran(GREEN), "holds", "2 tests passed on base and still pass; none is gone, skipped or broken"],
    ["what failed still fails", ran(RED), ran(RED), "holds", "1 tests passed on base and still pass; none is gone, skipped or broken"],
    ["a test breaks", ran(GREEN), ran(RED), "refuted", "tests that passed on base and fail now (1): two"],
    [
      "nothing ever passed",
      ran({ a: "failed" }),
      ran({ a: "failed" }),
      "unknown",
      "no test of base passes on the proposal, so nothing shows that nothing broke",
    ],
  ])("%s", (_, base, proposal, outcome, detail) => {
    expect(weighWitness({ base, proposal, trial: undefined }, "unchanged")).toEqual({ outcome, detail });
  });
});

describe("by exit codes", () => {
  const ONLY = "only exit codes were compared, since the spec asks for no `results`";

  it.each<readonly [string, readonly [number, number | undefined, number], "fixed" | "unchanged", string, string]>([
    [
      "red, then green",
      [1, undefined, 0],
      "fixed",
      "holds",
      `red without the change, green with it: exit 1 on base, 0 on the proposal; ${ONLY}`,
    ],
    [
      "red with the new tests, then green",
      [0, 1, 0],
      "fixed",
      "holds",
      `red without the change, green with it: exit 0 on base, 1 on base with the new tests, 0 on the proposal; ${ONLY}`,
    ],
    [
      "green all along",
      [0, undefined, 0],
      "fixed",
      "refuted",
      `nothing was red without the change, so nothing shows that it did something: exit 0 on base, 0 on the proposal; ${ONLY}`,
    ],
    [
      "green by the tests alone",
      [1, 0, 0],
      "fixed",
      "refuted",
      "the change of the tests alone turns the command green: exit 1 on base, 0 on base with the new tests, 0 on the proposal",
    ],
    ["red all along", [1, undefined, 1], "fixed", "refuted", `exit 1 on base, 1 on the proposal; ${ONLY}`],
    ["green, then red", [0, undefined, 1], "unchanged", "refuted", `exit 0 on base, 1 on the proposal; ${ONLY}`],
    ["green and unchanged", [0, undefined, 0], "unchanged", "holds", `green on the proposal: exit 0 on base, 0 on the proposal; ${ONLY}`],
    [
      "red and unchanged",
      [1, undefined, 1],
      "unchanged",
      "unknown",
      `the command fails on both, and whether it is for the same tests cannot be told: exit 1 on base, 1 on the proposal; ${ONLY}`,
    ],
  ])("%s", (_, [base, trial, proposal], expected, outcome, detail) => {
    const runs = { base: exited(base), proposal: exited(proposal), trial: trial === undefined ? undefined : exited(trial) };

    expect(weighWitness(runs, expected)).toEqual({ outcome, detail });
  });
});
