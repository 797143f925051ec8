// What a test run came to, test by test, whichever runner said so.
import { stableName } from "./stable-name.ts";

export type TestOutcome = "passed" | "failed" | "skipped" | "todo";

export interface TestResult {
  /** Suites and name, the same in every checkout and every run. */
  readonly id: string;
  readonly outcome: TestOutcome;
}

export interface TestResults {
  readonly tests: readonly TestResult[];
  /** Whether this is all there was to say. What is not complete is never taken for success. */
  readonly isComplete: boolean;
  /** Why it is not. */
  readonly problems: readonly string[];
}

/** One test as its runner named it. */
export interface Seen {
  readonly suite: readonly string[];
  readonly name: string;
  readonly outcome: TestOutcome;
}

/** What the reader of one format found; anything it stumbled over is a problem. */
export interface Reading {
  readonly seen: readonly Seen[];
  readonly problems: readonly string[];
  /** When they say that they were made, the latest where there are several. */
  readonly datedMs?: number;
}

/** Stands for a file, suite or package that failed as a whole, such as one that could not be loaded. It is no test, and is gone once mended. */
export const WHOLE = "(as a whole)";
export const isWhole = ({ id }: Pick<TestResult, "id">): boolean => WHOLE_ID.test(id);
const WHOLE_ID = /\(as a whole\)( #\d+)?$/;

const MOST_TESTS = 100_000;
const MOST_PROBLEMS = 20;
const RANK: { readonly [outcome in TestOutcome]: number } = { passed: 0, failed: 1, skipped: 2, todo: 3 };

export const unreadable = (why: string): TestResults => ({ tests: [], isComplete: false, problems: [why] });

/** Gives every test its id. `root` is the checkout, whose path is no part of a name. */
export function toResults({ seen, problems }: Reading, root: string): TestResults {
  const all = [
    ...problems.slice(0, MOST_PROBLEMS),
    ...(problems.length > MOST_PROBLEMS ? [`and ${problems.length - MOST_PROBLEMS} more problems`] : []),
    ...(seen.length === 0 ? ["it names no test"] : []),
    ...(seen.length > MOST_TESTS ? [`it names more than ${MOST_TESTS} tests`] : []),
  ];
  return { tests: numbered(seen.slice(0, MOST_TESTS).map((test) => named(test, root))), isComplete: all.length === 0, problems: all };
}

function named({ suite, name, outcome }: Seen, root: string): TestResult {
  const suites = suite.map((part) => stableName(part, root)).filter((part) => part !== "");
  const own = stableName(name, root);
  return { id: suites.length === 0 ? own : `${suites.join(" > ")} :: ${own}`, outcome };
}

/**
 * Tests of the same name are all counted: `id`, `id #2`. Those that passed come first, so that only how many of them
 * passed can differ between two runs, and not which came first.
 */
function numbered(tests: readonly TestResult[]): readonly TestResult[] {
  const groups = new Map<string, TestOutcome[]>();
  for (const { id, outcome } of tests) {
    const group = groups.get(id);
    if (group) group.push(outcome);
    else groups.set(id, [outcome]);
  }
  return [...groups].flatMap(([id, outcomes]) =>
    outcomes.sort((a, b) => RANK[a] - RANK[b]).map((outcome, index) => ({ id: index === 0 ? id : `${id} #${index + 1}`, outcome })),
  );
}
