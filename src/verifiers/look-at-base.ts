// One run of a test command on base, before there is a proposal: whether it can run there at all, and what it says.
import type { BaseSight } from "../contract/baseline.ts";
import type { CheckWorld } from "../contract/part-worlds.ts";
import type { Checkout } from "../contract/workshop.ts";
import { tellCounts } from "../std/tell-tests.ts";
import type { TestResults } from "../std/test-results.ts";
import { isAskedFor, MANIFESTS, missingPackages } from "./reading/missing-module.ts";
import { neverBegan } from "./reading/never-began.ts";
import { type RunOptions, runTests, sightOf, type TestRun, whyDoubted } from "./run-tests.ts";
import { readTestResults } from "./test-results/read-test-results.ts";

/** How every verifier that runs tests looks at base: only what it runs matters, and not what it makes of it. */
export const LOOK_AT_BASE = {
  matter: ({ run, timeout, env, inherit, results }: RunOptions) => ({ run, timeout, env, inherit, ...(results ? { results } : {}) }),
  look: lookAtBase,
};

export async function lookAtBase(checkout: Checkout, options: RunOptions, world: CheckWorld): Promise<BaseSight> {
  const run = await runTests(() => checkout, options, world);
  if (run.kind === "not-run") return cannotRun(run, run.why, MEND_COMMAND);
  const { detail } = sightOf(run, options);
  if (run.kind === "timed-out") return { state: "red", detail, tests: undefined, output: run.output };
  const missing = run.code === 0 ? [] : await missingDependencies(run, checkout, world);
  if (missing.length > 0) return cannotRun(run, `dependencies are not there (${missing.join(", ")}): ${detail}`, MEND_DEPENDENCIES);
  const why = run.code === 0 ? undefined : whyNothingBegan(run, options);
  if (why !== undefined) return cannotRun(run, `it never began, for ${why}: ${detail}`, MEND_COMMAND);
  if (run.code === 0) return greenOr(run, run.results, detail);
  return { state: "red", detail, tests: run.results && factsOf(run.code, run.results), output: run.output };
}

/** A check that fails before it asks anything says nothing of base, and no change of a maker's would make it green. */
function whyNothingBegan(run: Extract<TestRun, { kind: "exited" }>, options: RunOptions): string | undefined {
  if (run.results?.tests.some(({ outcome }) => outcome === "passed" || outcome === "failed")) return undefined;
  return neverBegan(options.run, run.tail);
}

const MEND_COMMAND =
  "Install what the command needs, or mend it in the spec. If base cannot run it before the change, say so with `baseline: { when: off }`.";
const MEND_DEPENDENCIES =
  "Every check has a fresh copy, without what git ignores: let the command install what it needs, such as `npm ci && npm test`.";
const MEND_RESULTS = "Mend `results` in the spec: with these, no change could ever be proven.";

const cannotRun = ({ output }: TestRun, detail: string, hint: string): BaseSight => ({
  state: "cannot-run",
  detail,
  hint,
  tests: undefined,
  output,
});

/** Exit 0 is not believed where the results say otherwise; a base that has no tests yet is not green either. */
function greenOr(run: Extract<TestRun, { kind: "exited" }>, results: TestResults | undefined, detail: string): BaseSight {
  const { output } = run;
  if (!results) return { state: "green", detail, tests: undefined, output };
  if (results.tests.length === 0 && results.problems.join() === "it names no test")
    return { state: "red", detail, tests: undefined, output };
  if (results.isComplete && results.tests.every(({ outcome }) => outcome === "skipped" || outcome === "todo"))
    return { state: "red", detail, tests: undefined, output };
  const doubt = whyDoubted(0, results);
  return doubt === undefined
    ? { state: "green", detail, tests: results.tests, output }
    : cannotRun(run, `the command exited 0, and ${doubt} (${tellCounts(results)})`, MEND_RESULTS);
}

const factsOf = (code: number, results: TestResults): BaseSight["tests"] =>
  results.isComplete && whyDoubted(code, results) === undefined ? results.tests : undefined;

/** Packages that a manifest of base asks for and that could not be loaded, when nothing ran because of it. A module that no manifest asks for may be what is to be written. */
async function missingDependencies(
  run: Extract<TestRun, { kind: "exited" }>,
  checkout: Checkout,
  world: CheckWorld,
): Promise<readonly string[]> {
  const named = missingPackages(run.tail);
  if (named.length === 0) return [];
  const results = run.results ?? readTestResults("auto", await world.readOutput(run.output), checkout.work);
  if (results.tests.some(({ outcome }) => outcome === "passed")) return [];
  const files = world.roomFiles(checkout);
  const manifests = await Promise.all(MANIFESTS.map(async (path) => ({ path, text: (await files.read(path)) ?? "" })));
  return named.filter((name) => manifests.some(({ path, text }) => isAskedFor(name, path, text)));
}
