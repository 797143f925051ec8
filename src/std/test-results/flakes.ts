// Tells tests that always end the same way from those that do not, over several runs of the same code.
import type { TestOutcome, TestResults } from "./results.ts";

export interface FlakyTest {
  readonly id: string;
  /** How it ended, run by run. */
  readonly outcomes: readonly (TestOutcome | "missing")[];
}

export interface RunClasses {
  /** The same in every run. */
  readonly stable: { readonly [outcome in TestOutcome]: readonly string[] };
  readonly flaky: readonly FlakyTest[];
  /** Runs that could be read to their end; the others say nothing, since a test that is missing there may only be unread. */
  readonly readRuns: number;
  /** Two whole runs at least, every run a whole one, and no test that changed its mind. */
  readonly isStable: boolean;
}

export function classifyRuns(runs: readonly TestResults[]): RunClasses {
  const whole = runs.filter(({ isComplete }) => isComplete).map(({ tests }) => new Map(tests.map(({ id, outcome }) => [id, outcome])));
  const ids = [...new Set(whole.flatMap((run) => [...run.keys()]))];
  const seen = ids.map((id): FlakyTest => ({ id, outcomes: whole.map((run) => run.get(id) ?? "missing") }));
  const flaky = seen.filter(({ outcomes }) => new Set(outcomes).size > 1);
  const steady = (outcome: TestOutcome): readonly string[] =>
    seen.filter(({ outcomes }) => outcomes.every((each) => each === outcome)).map(({ id }) => id);
  return {
    stable: { passed: steady("passed"), failed: steady("failed"), skipped: steady("skipped"), todo: steady("todo") },
    flaky,
    readRuns: whole.length,
    isStable: whole.length >= 2 && whole.length === runs.length && flaky.length === 0,
  };
}
