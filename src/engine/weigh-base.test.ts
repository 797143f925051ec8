import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BaseCheck, Baseline, BaseSight, TestFact } from "../contract/baseline.ts";
import { EXIT, exitOf } from "../contract/exit.ts";
import type { Terms } from "./terms.ts";
import { restOfBaseline, weighRuns } from "./weigh-base.ts";

const NONE: ReadonlySet<string> = new Set();
const sight = (state: BaseSight["state"], tests?: readonly TestFact[]): BaseSight => ({
  state,
  detail: `it is ${state}`,
  tests,
  output: undefined,
});
/** `a+` passed, `a-` failed, `a~` was skipped. */
const facts = (text: string): readonly TestFact[] =>
  text
    .split(" ")
    .filter(Boolean)
    .map((word) => ({ id: word.slice(0, -1), outcome: ({ "+": "passed", "-": "failed", "~": "skipped" } as const)[word.at(-1) as "+"]! }));
const run = (text: string): BaseSight => sight(text.includes("-") ? "red" : "green", facts(text));

describe("several runs on base, by their exit codes", () => {
  it.each([
    [["green", "green"], "green"],
    [["red", "red", "red"], "red"],
    [["green", "red"], "unstable"],
    [["red", "green", "green"], "unstable"],
    [["cannot-run"], "cannot-run"],
    [["red", "cannot-run"], "cannot-run"],
  ] as const)("%j are %s", (states, expected) => {
    const [first, ...more] = states.map((state) => sight(state));

    expect(weighRuns([first!, ...more], NONE).state).toBe(expected);
  });

  it("say how a flaky test could be told, when they do not agree", () => {
    expect(weighRuns([sight("red"), sight("green")], NONE)).toMatchObject({
      detail: "the same check on the same base failed in 1 of 2 runs: it is red",
      hint: expect.stringContaining("`results`"),
    });
  });
});

describe("several runs on base, test by test", () => {
  it.each([
    ["all pass", ["a+ b+", "a+ b+"], "green", [], []],
    ["one fails every time", ["a+ b-", "a+ b-"], "red", ["b"], []],
    ["one now passes, now fails", ["a+ b-", "a+ b+"], "green", [], ["b"]],
    ["one is flaky, and another fails", ["a- b- c+", "a- b+ c+"], "red", ["a"], ["b"]],
    ["one is skipped now and then, and never fails", ["a+ b~", "a+ b+"], "green", [], []],
    ["one is not always there, and never fails", ["a+ b+", "a+"], "green", [], []],
    ["one fails or is not there", ["a+ b-", "a+"], "unstable", [], []],
    ["one fails or is skipped", ["a+ b-", "a+ b~"], "unstable", [], []],
    ["every test is flaky", ["a- b+", "a+ b-"], "unstable", [], []],
  ])("%s", (_, runs, state, red, flaky) => {
    const [first, ...more] = runs.map(run);

    const weighed = weighRuns([first!, ...more], NONE);

    expect([weighed.state, weighed.red, weighed.flaky.map(({ id }) => id)]).toEqual([state, red, flaky]);
  });

  it("a file that fails as a whole now and then is no flaky test", () => {
    const whole = (outcome: TestFact["outcome"]): BaseSight =>
      sight(outcome === "failed" ? "red" : "green", [...facts("a+"), { id: "f :: (as a whole)", outcome }]);

    expect(weighRuns([whole("failed"), whole("passed")], NONE)).toMatchObject({ state: "unstable", flaky: [] });
  });

  it("one that is in quarantine does not make base red, and alone shows nothing", () => {
    const apart = new Set(["b"]);

    expect(weighRuns([run("a+ b-"), run("a+ b-")], apart)).toMatchObject({ state: "green", stillApart: ["b"], flaky: [] });
    expect(weighRuns([run("b-"), run("b-")], apart)).toMatchObject({ state: "unstable" });
  });

  it("one that is in quarantine and not on this base is not left out", () => {
    expect(weighRuns([run("a+"), run("a+")], new Set(["gone"])).stillApart).toEqual([]);
  });

  it("so many flaky tests that it is no flake any more", () => {
    const many = (odd: "+" | "-"): BaseSight => run(`a+ ${Array.from({ length: 101 }, (_, n) => `t${n}${odd}`).join(" ")}`);

    expect(weighRuns([many("+"), many("-")], NONE)).toMatchObject({ state: "unstable", flaky: [] });
  });
});

describe("whatever runs were made", () => {
  const outcomes = fc.constantFrom<TestFact["outcome"]>("passed", "failed", "skipped", "todo");
  const ids = fc.constantFrom<string>("a", "b", "c", "d", "e :: (as a whole)");
  const oneRun = fc.dictionary(ids, outcomes, { minKeys: 1 }).map((tests): BaseSight => {
    const list = Object.entries(tests).map(([id, outcome]) => ({ id, outcome }));
    return sight(list.some(({ outcome }) => outcome === "failed") ? "red" : "green", list);
  });
  const runs = fc.array(oneRun, { minLength: 1, maxLength: 5 });
  const apartness = fc.uniqueArray(ids);

  it("the order of runs makes no difference to what is flaky, what is red, and whether base is stable", () =>
    fc.assert(
      fc.property(runs, apartness, (sights, apart) => {
        const [first, ...more] = sights;
        const [last, ...before] = [...sights].reverse();
        const said = ({ state, red, flaky }: ReturnType<typeof weighRuns>) => [state, [...red].sort(), flaky.map(({ id }) => id).sort()];

        expect(said(weighRuns([first!, ...more], new Set(apart)))).toEqual(said(weighRuns([last!, ...before], new Set(apart))));
      }),
    ));

  it("a test is called flaky only when it both passed and failed, and ran every time", () =>
    fc.assert(
      fc.property(runs, apartness, (sights, apart) => {
        const [first, ...more] = sights;

        for (const { id, failed } of weighRuns([first!, ...more], new Set(apart)).flaky) {
          const seen = sights.map(({ tests }) => tests?.find((test) => test.id === id)?.outcome);
          expect(new Set(seen)).toEqual(new Set(["passed", "failed"]));
          expect(failed).toBe(seen.filter((outcome) => outcome === "failed").length);
          expect(id).not.toContain("(as a whole)");
        }
      }),
    ));

  it("base is never called green while a test that is not in quarantine failed every time", () =>
    fc.assert(
      fc.property(runs, apartness, (sights, apart) => {
        const [first, ...more] = sights;
        const { state, red } = weighRuns([first!, ...more], new Set(apart));
        const failing = (first?.tests ?? []).filter(
          ({ id }) =>
            !apart.includes(id) && sights.every(({ tests }) => tests?.some((test) => test.id === id && test.outcome === "failed")),
        );

        if (failing.length > 0) expect(state).not.toBe("green");
        if (state === "red") expect([...red].sort()).toEqual(failing.map(({ id }) => id).sort());
      }),
    ));

  it("a single run is never unstable by itself, unless all of it is in quarantine", () =>
    fc.assert(
      fc.property(oneRun, (only) => {
        expect(weighRuns([only], NONE).state).toBe(only.state);
      }),
    ));
});

describe("what follows from base", () => {
  const wants = (want: Terms["want"]) => ({ want });
  const check = (state: BaseCheck["state"]): BaseCheck => ({
    matter: "m",
    verifiers: [{ number: 1, name: "command" }],
    state,
    detail: `it is ${state}`,
    runs: 2,
    asked: 2,
    red: [],
    redCount: 0,
    flaky: [],
    quarantined: [],
    isHidden: false,
    output: undefined,
    lookedAt: "",
    lookedBy: "a-1",
  });
  const seen = (...states: readonly BaseCheck["state"][]): Baseline => ({ tree: "t", checks: states.map(check), quarantine: [] });

  it.each([
    ["any", ["red", "green"], undefined],
    ["any", ["green"], undefined],
    ["any", ["cannot-run", "unstable"], EXIT.cannotVerify.code],
    ["any", ["unstable", "red"], EXIT.gap.code],
    ["red", ["green", "green"], EXIT.done.code],
    ["red", ["green", "red"], undefined],
    ["red", ["unstable"], EXIT.gap.code],
    ["red", [], undefined],
    ["green", ["green"], undefined],
    ["green", ["red", "green"], EXIT.checkFailed.code],
    ["green", ["cannot-run"], EXIT.cannotVerify.code],
  ] as const)("a loop that wants %s and sees %j ends with %s", (want, states, code) => {
    const rest = restOfBaseline(wants(want), seen(...states));

    expect(rest && EXIT[exitOf(rest)].code).toBe(code);
  });

  it("says that there is nothing to do, and why", () => {
    expect(restOfBaseline(wants("red"), seen("green"))).toEqual({
      kind: "nothing-to-do",
      reason: "all checks are green on base, so there is nothing to mend: command: it is green",
    });
  });

  it("halts as the failure says that came in between", () => {
    const failure = { code: "command-blocked", message: "the guard did not let this run", hint: "Look." } as const;

    expect(restOfBaseline(wants("any"), { ...seen(), failure })).toEqual({ kind: "halt", because: "blocked", reason: failure.message });
  });
});
