// What became of the tests between two versions of the code.
import { isWhole, type TestResult } from "../../std/test-results.ts";
import type { IsRenamed } from "./renamed.ts";

export interface Comparison {
  /** Passed before, failed now. */
  readonly broken: readonly string[];
  /** Ran before, are not there now. */
  readonly gone: readonly string[];
  /** Ran before, are skipped or put off now. */
  readonly dodged: readonly string[];
  /** Failed before, passed now. */
  readonly fixed: readonly string[];
  /** Passed before and now, also where their file or suite has another name now. */
  readonly kept: readonly string[];
  /** Failed before and now. */
  readonly stillFailing: readonly string[];
  /** Were not there before. */
  readonly fresh: { readonly passed: readonly string[]; readonly failed: readonly string[]; readonly notRun: readonly string[] };
}

export function compareTests(before: readonly TestResult[], now: readonly TestResult[], isRenamed: IsRenamed = () => false): Comparison {
  const old = new Map(before.map(({ id, outcome }) => [id, outcome]));
  const current = new Map(now.map(({ id, outcome }) => [id, outcome]));
  const suites = new Set(now.flatMap(({ id }) => suitesOf(id)));
  const ran = before.filter(({ outcome }) => outcome === "passed" || outcome === "failed");
  const was = (outcome: TestResult["outcome"], is: TestResult["outcome"]): readonly string[] =>
    ran.filter((test) => test.outcome === outcome && current.get(test.id) === is).map(({ id }) => id);
  // What failed as a whole is gone once its tests are there; some runners name it like the suite that it then becomes.
  const lost = ran.filter((test) => !current.has(test.id) && !isWhole(test) && !(test.outcome === "failed" && suites.has(test.id)));
  const found = now.filter(({ id }) => !old.has(id));
  const moves = pairMoves(lost, found, isRenamed);
  // One that was red must show what it is worth like any new test: it may have been weakened on its way.
  const fresh = found.filter(({ id }) => !moves.has(id) || old.get(moves.get(id)!) === "failed");
  const moved = new Set(moves.values());
  return {
    broken: was("passed", "failed"),
    gone: lost.filter(({ id }) => !moved.has(id)).map(idOf),
    dodged: ran.filter(({ id }) => current.get(id) === "skipped" || current.get(id) === "todo").map(idOf),
    fixed: was("failed", "passed"),
    kept: [...was("passed", "passed"), ...lost.filter(({ id, outcome }) => outcome === "passed" && moved.has(id)).map(idOf)],
    stillFailing: was("failed", "failed"),
    fresh: {
      passed: fresh.filter(({ outcome }) => outcome === "passed").map(idOf),
      failed: fresh.filter(({ outcome }) => outcome === "failed").map(idOf),
      notRun: fresh.filter(({ outcome }) => outcome === "skipped" || outcome === "todo").map(idOf),
    },
  };
}

/** Tests that ran and now pass, of the same name in another file or suite, or under another name; each stands for one, by its new id. */
function pairMoves(lost: readonly TestResult[], found: readonly TestResult[], isRenamed: IsRenamed): ReadonlyMap<string, string> {
  const waiting = new Map<string, string[]>();
  for (const { id, outcome } of found) if (outcome === "passed") waiting.set(nameOf(id), [...(waiting.get(nameOf(id)) ?? []), id]);
  const moves = new Map<string, string>();
  for (const { id } of lost) {
    const there = waiting.get(nameOf(id))?.shift();
    if (there !== undefined) moves.set(there, id);
  }
  const settled = new Set(moves.values());
  for (const { id } of lost.filter((one) => !settled.has(one.id))) {
    const there = found.find((one) => one.outcome === "passed" && !moves.has(one.id) && isRenamed(nameOf(id), nameOf(one.id)));
    if (there) moves.set(there.id, id);
  }
  return moves;
}

const nameOf = (id: string): string => id.split(" :: ").at(-1)!;

const idOf = ({ id }: TestResult): string => id;

/** Every suite that a test is in: `a > b :: c` is in `a` and in `a > b`. */
function suitesOf(id: string): readonly string[] {
  const parts = id.split(" :: ").slice(0, -1).join(" :: ").split(" > ");
  return parts.map((_, index) => parts.slice(0, index + 1).join(" > "));
}
