// Test results in words, short enough for a report however many there are.
import { displayLine } from "./display-text.ts";
import type { TestOutcome, TestResults } from "./test-results.ts";

const MOST_NAMES = 20;
const MOST_NAME_CHARS = 200;

/** `3 passed, 1 failed`; what there is none of is left out. */
export function tellCounts({ tests }: Pick<TestResults, "tests">): string {
  const outcomes: readonly TestOutcome[] = ["passed", "failed", "skipped", "todo"];
  const counts = outcomes.map((outcome) => [tests.filter((test) => test.outcome === outcome).length, outcome] as const);
  const told = counts.filter(([count]) => count > 0).map(([count, outcome]) => `${count} ${outcome}`);
  return told.length === 0 ? "no tests" : told.join(", ");
}

/** Names of tests, which the code under test chose: made visible, cut, and no more than twenty of them. */
export function tellNames(ids: readonly string[]): string {
  const shown = ids.slice(0, MOST_NAMES).map((id) => displayLine(id, MOST_NAME_CHARS));
  return [...shown, ...(ids.length > MOST_NAMES ? [`and ${ids.length - MOST_NAMES} more`] : [])].join("; ");
}

/** What is missing of a proof, for people: nothing is called proven without it. */
export const tellShort = (on: "opinion" | "part", stillRed: readonly string[] = []): string =>
  on === "opinion" ? "on opinion alone" : `partly: ${stillRed.length} still red (${tellNames(stillRed)})`;

export const tellProblems = ({ problems }: Pick<TestResults, "problems">): string =>
  problems
    .slice(0, 3)
    .map((problem) => displayLine(problem, MOST_NAME_CHARS))
    .join("; ");
