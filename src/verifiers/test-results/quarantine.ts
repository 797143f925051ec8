// What a run's results say without the tests that are in quarantine. Pure.
import type { TestResults } from "../../std/test-results.ts";

export interface Sifted {
  /** The results without them. */
  readonly results: TestResults;
  /** Those that failed, which is not held against anybody. */
  readonly failed: readonly string[];
  /** Those that passed, which shows nothing. */
  readonly passed: readonly string[];
  /** Those that did not run. A quarantine forgives how a test ends, and not that it is gone or skipped. */
  readonly missing: readonly string[];
}

export function siftQuarantined(results: TestResults, quarantined: readonly string[]): Sifted {
  const apart = new Set(quarantined);
  const outcomes = new Map(results.tests.map(({ id, outcome }) => [id, outcome]));
  const ended = (outcome: string): readonly string[] => quarantined.filter((id) => outcomes.get(id) === outcome);
  return {
    results: { ...results, tests: results.tests.filter(({ id }) => !apart.has(id)) },
    failed: ended("failed"),
    passed: ended("passed"),
    missing: quarantined.filter((id) => outcomes.get(id) !== "failed" && outcomes.get(id) !== "passed"),
  };
}
