// What several runs of one check on base say together, and what follows from it before anything is spent. Pure.
import type { BaseCheck, Baseline, BaseSight, TestFact } from "../contract/baseline.ts";
import type { Rest } from "../contract/verdict.ts";
import { haltedBy } from "../journal/fold.ts";
import { tellNames } from "../std/tell-tests.ts";
import { isWhole } from "../std/test-results.ts";
import type { Terms } from "./terms.ts";

/** More tests than these that change from run to run are not a few flakes but a check that cannot be believed. */
const MOST_FLAKY = 100;
const MOST_RED = 50;

export interface WeighedRuns extends Pick<BaseCheck, "state" | "detail" | "hint" | "red" | "redCount" | "runs" | "output"> {
  /** Tests that ran every time, and now passed, now failed. */
  readonly flaky: readonly { readonly id: string; readonly failed: number }[];
  /** Tests of the old quarantine that ran on this base, every time. */
  readonly stillApart: readonly string[];
}

type Said = Pick<WeighedRuns, "state" | "detail" | "hint">;

/** `apart` are the tests that earlier looks put into quarantine: how they end says nothing about base. */
export function weighRuns(sights: readonly [BaseSight, ...BaseSight[]], apart: ReadonlySet<string>): WeighedRuns {
  const stuck = sights.find(({ state }) => state === "cannot-run");
  if (stuck) return told(sights, stuck);
  const tests = sights.flatMap((sight) => (sight.tests ? [sight.tests] : []));
  return tests.length === sights.length ? byTests(sights, tests, apart) : told(sights, byStates(sights));
}

const told = (sights: readonly [BaseSight, ...BaseSight[]], { state, detail, hint }: Said): WeighedRuns => ({
  state,
  detail,
  ...(hint === undefined ? {} : { hint }),
  runs: sights.length,
  red: [],
  redCount: 0,
  flaky: [],
  stillApart: [],
  output: sights.at(-1)?.output,
});

// ── by what each run came to ────────────────────────────────────────────────────────────────────────────────────

function byStates(sights: readonly [BaseSight, ...BaseSight[]]): Said {
  const [first] = sights;
  if (sights.every(({ state }) => state === first.state)) return { state: first.state, detail: first.detail };
  const red = sights.filter(({ state }) => state === "red");
  return {
    state: "unstable",
    detail: `the same check on the same base failed in ${red.length} of ${sights.length} runs: ${red[0]?.detail}`,
    hint: "Let it read the result of every test with `results`, so that a flaky test can be told and put aside, or make the check stable.",
  };
}

// ── test by test ────────────────────────────────────────────────────────────────────────────────────────────────

interface Told {
  readonly id: string;
  /** One for each run; undefined where the test was not there. */
  readonly outcomes: readonly (TestFact["outcome"] | undefined)[];
}

function byTests(
  sights: readonly [BaseSight, ...BaseSight[]],
  runs: readonly (readonly TestFact[])[],
  apart: ReadonlySet<string>,
): WeighedRuns {
  const all = outcomesOf(runs);
  const changing = all.filter(({ outcomes }) => new Set(outcomes).size > 1);
  const flaky = changing.filter((test) => test.outcomes.every(hasRun) && !isWhole(test));
  const isFlaky = new Set(flaky);
  // What is there or skipped as it likes, and passes where it runs, has not been seen to fail: nothing needs forgiving.
  const spoilt = changing.filter((test) => !isFlaky.has(test) && test.outcomes.includes("failed"));
  const steady = all.filter(({ id, outcomes }) => new Set(outcomes).size === 1 && !apart.has(id));
  const red = steady.filter(({ outcomes }) => outcomes[0] === "failed").map(({ id }) => id);
  const green = steady.filter(({ outcomes }) => outcomes[0] === "passed");
  const leftOut = [...new Set([...flaky.map(({ id }) => id), ...all.map(({ id }) => id).filter((id) => apart.has(id))])];

  const said = ((): Said => {
    if (spoilt.length > 0) return unsteady("fail in one run, and in another are skipped or not there", spoilt);
    if (flaky.length > MOST_FLAKY) return unsteady("change from run to run, too many to put aside", flaky);
    if (leftOut.length === 0) return { state: sights[0].state, detail: sights[0].detail };
    if (red.length + green.length === 0)
      return { state: "unstable", detail: `every test that ran is flaky, so nothing is shown: ${tellNames(leftOut)}`, hint: MEND };
    const counts = `${green.length} tests pass and ${red.length} fail every time in ${sights.length} runs`;
    return { state: red.length > 0 ? "red" : "green", detail: `${counts}; left out as flaky (${leftOut.length}): ${tellNames(leftOut)}` };
  })();
  const isSettled = said.state === "red" || said.state === "green";
  return {
    ...told(sights, said),
    red: isSettled ? red.slice(0, MOST_RED) : [],
    redCount: isSettled ? red.length : 0,
    flaky: isSettled ? flaky.map(({ id, outcomes }) => ({ id, failed: outcomes.filter((outcome) => outcome === "failed").length })) : [],
    stillApart: all.filter(({ id, outcomes }) => apart.has(id) && outcomes.every(hasRun)).map(({ id }) => id),
  };
}

const MEND = "Make these tests stable first: a check that says now this, now that proves nothing.";

const unsteady = (what: string, tests: readonly Told[]): Said => ({
  state: "unstable",
  detail: `tests that ${what} (${tests.length}): ${tellNames(tests.map(({ id }) => id))}`,
  hint: MEND,
});

const hasRun = (outcome: TestFact["outcome"] | undefined): boolean => outcome === "passed" || outcome === "failed";

function outcomesOf(runs: readonly (readonly TestFact[])[]): readonly Told[] {
  const byRun = runs.map((tests) => new Map(tests.map(({ id, outcome }) => [id, outcome])));
  const ids = new Set(runs.flatMap((tests) => tests.map(({ id }) => id)));
  return [...ids].map((id) => ({ id, outcomes: byRun.map((outcomes) => outcomes.get(id)) }));
}

// ── what follows ────────────────────────────────────────────────────────────────────────────────────────────────

/** How the run ends before its first round, for nothing; undefined when it goes on. */
export function restOfBaseline({ want }: Pick<Terms, "want">, { checks, failure }: Baseline): Rest | undefined {
  if (failure) return { kind: "halt", because: haltedBy(failure.code), reason: failure.message };
  const those = (state: BaseCheck["state"]): readonly BaseCheck[] => checks.filter((check) => check.state === state);
  const [stuck, unstable, red] = [those("cannot-run"), those("unstable"), those("red")];
  if (stuck.length > 0)
    return { kind: "escalate", because: "cannot-verify", reason: `base cannot be checked, so no change of it could be: ${tell(stuck)}` };
  if (unstable.length > 0) return { kind: "escalate", because: "gap", reason: `on base, before any change: ${tell(unstable)}` };
  if (want === "green" && red.length > 0)
    return {
      kind: "escalate",
      because: "check-failed",
      reason: `base must be green to start with (baseline.want), and is not: ${tell(red)}`,
    };
  if (want === "red" && red.length === 0 && checks.length > 0)
    return { kind: "nothing-to-do", reason: `all checks are green on base, so there is nothing to mend: ${tell(checks)}` };
  return undefined;
}

const tell = (checks: readonly BaseCheck[]): string =>
  checks.map((check) => `${namesOf(check)}: ${check.detail}${check.hint === undefined ? "" : `\n${check.hint}`}`).join("\n");

/** Who leans on a look: `command`, or `witness and isomorphic`. */
export const namesOf = ({ verifiers }: Pick<BaseCheck, "verifiers">): string =>
  [...new Set(verifiers.map(({ name }) => name))].join(" and ");
