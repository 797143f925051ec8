// What the same tests on base, on the proposal, and on base with the proposal's tests say together. Pure.
import type { Sight } from "../contract/verifier.ts";
import { tellNames, tellProblems } from "../std/tell-tests.ts";
import type { TestResults } from "../std/test-results.ts";
import { type TestRun, whyDoubted } from "./run-tests.ts";
import { type Comparison, compareTests } from "./test-results/compare.ts";
import type { IsRenamed } from "./test-results/renamed.ts";

export interface WitnessRuns {
  readonly base: TestRun;
  readonly proposal: TestRun;
  /** Base with the tests that the proposal adds or changes; undefined when there are none. */
  readonly trial: TestRun | undefined;
}

type Weighed = Pick<Sight, "outcome" | "detail" | "stillRed">;
type Expectation = "fixed" | "progress" | "unchanged";
type Exited = Extract<TestRun, { kind: "exited" }>;
type Read = Exited & { readonly results: TestResults };

/** How a test in quarantine ends counts neither way; that it is gone or skipped counts. */
export function weighWitness(
  { base, proposal, trial }: WitnessRuns,
  expect: Expectation,
  quarantined: readonly string[] = [],
  isRenamed: IsRenamed = () => false,
): Weighed {
  if (base.kind !== "exited") return unknown(`on base: ${whyNotExited(base)}`);
  if (proposal.kind !== "exited") return unknown(`on the proposal: ${whyNotExited(proposal)}`);
  if (trial && trial.kind !== "exited") return unknown(`on base with the new tests: ${whyNotExited(trial)}`);
  if (!isRead(base) || !isRead(proposal)) return byExitCodes(base.code, proposal.code, trial?.code, expect);
  return byTests(base, proposal, trial && isRead(trial) ? trial : undefined, { expect, apart: new Set(quarantined), isRenamed });
}

const isRead = (run: Exited): run is Read => run.results !== undefined;

const whyNotExited = (run: Exclude<TestRun, Exited>): string =>
  run.kind === "not-run" ? run.why : `the command took longer than ${run.afterMs} ms, so it cannot be told what it would have said`;

// ── by exit codes ───────────────────────────────────────────────────────────────────────────────────────────────

const ONLY_CODES = "only exit codes were compared, since the spec asks for no `results`";

function byExitCodes(base: number, proposal: number, trial: number | undefined, expect: Expectation): Weighed {
  const codes = `exit ${base} on base, ${trial === undefined ? "" : `${trial} on base with the new tests, `}${proposal} on the proposal`;
  if (proposal !== 0) {
    const isNoWorse = expect === "unchanged" && base !== 0;
    const detail = `${codes}; ${ONLY_CODES}`;
    return isNoWorse
      ? unknown(`the command fails on both, and whether it is for the same tests cannot be told: ${detail}`)
      : refuted(detail);
  }
  if (expect === "unchanged") return holds(`green on the proposal: ${codes}; ${ONLY_CODES}`);
  if (trial === 0 && base !== 0) return refuted(`the change of the tests alone turns the command green: ${codes}`);
  if (base === 0 && (trial ?? 0) === 0)
    return refuted(`nothing was red without the change, so nothing shows that it did something: ${codes}; ${ONLY_CODES}`);
  return holds(`red without the change, green with it: ${codes}; ${ONLY_CODES}`);
}

// ── test by test ────────────────────────────────────────────────────────────────────────────────────────────────

interface Terms {
  readonly expect: Expectation;
  /** Tests in quarantine. */
  readonly apart: ReadonlySet<string>;
  readonly isRenamed: IsRenamed;
}

function byTests(base: Read, proposal: Read, trial: Read | undefined, { expect, apart, isRenamed }: Terms): Weighed {
  const doubt = whyUnclear(base) ?? (trial ? whyTrialUnclear(trial) : undefined);
  if (doubt !== undefined) return unknown(`on base: ${doubt}`);
  if (proposal.code !== 0 && !proposal.results.isComplete)
    return refuted(`on the proposal the command exits ${proposal.code}, and its results break off: ${tellProblems(proposal.results)}`);
  const own = whyUnclear(proposal);
  if (own !== undefined) return unknown(`on the proposal: ${own}`);

  const all = compareTests(base.results.tests, proposal.results.tests, isRenamed);
  const compared = withoutThose(all, apart);
  const harm = harmOf(compared);
  if (harm !== undefined) return refuted(harm);
  const seen = expect === "unchanged" ? unharmed(compared) : wholeOrPart(witnessed(compared, base, { trial, apart }), compared, expect);
  const leftOut = [...all.broken, ...all.fixed, ...all.kept, ...all.stillFailing].filter((id) => apart.has(id));
  if (leftOut.length === 0) return seen;
  const told = `${seen.detail}\n${tellTests("are left out, since base itself cannot make up its mind about them", leftOut)}`;
  // What they would have shown, nobody can tell.
  const isOpen = seen.outcome === "refuted" && all.fixed.some((id) => apart.has(id));
  return { ...seen, outcome: isOpen ? "unknown" : seen.outcome, detail: told };
}

/** Those that ran on both sides. One that went away, is skipped or came anew is not forgiven. */
function withoutThose(compared: Comparison, apart: ReadonlySet<string>): Comparison {
  const others = (ids: readonly string[]): readonly string[] => ids.filter((id) => !apart.has(id));
  const { broken, fixed, kept, stillFailing } = compared;
  return { ...compared, broken: others(broken), fixed: others(fixed), kept: others(kept), stillFailing: others(stillFailing) };
}

/** A run that went red must name what failed; one that went green must name what passed. */
const whyUnclear = ({ code, results }: Read): string | undefined => {
  const doubt = whyDoubted(code, results);
  if (doubt !== undefined) return `the command exited ${code}, and ${doubt}`;
  return results.isComplete ? undefined : `the command exited ${code}, and its results break off: ${tellProblems(results)}`;
};

/** Where the new tests do not even compile against base, the run is red as a whole, and that is clear enough. */
const whyTrialUnclear = ({ code, results }: Read): string | undefined => {
  const doubt = code === 0 ? whyDoubted(code, results) : undefined;
  return doubt === undefined ? undefined : `with the new tests the command exited 0, and ${doubt}`;
};

function harmOf({ broken, gone, dodged, fresh }: Comparison): string | undefined {
  const harm = [
    ["passed on base and fail now", broken],
    ["ran on base and are gone now", gone],
    ["ran on base and are skipped now", dodged],
    ["are new and fail", fresh.failed],
  ] as const;
  const told = harm.filter(([, ids]) => ids.length > 0).map(([what, ids]) => tellTests(what, ids));
  return told.length === 0 ? undefined : told.join("\n");
}

function unharmed({ kept, fixed }: Comparison): Weighed {
  const passing = kept.length + fixed.length;
  return passing === 0
    ? unknown("no test of base passes on the proposal, so nothing shows that nothing broke")
    : holds(`${kept.length} tests passed on base and still pass; none is gone, skipped or broken`);
}

/** Who was asked to make the checks pass has not done it while one of them fails. */
function wholeOrPart(seen: Weighed, { stillFailing }: Comparison, expect: "fixed" | "progress"): Weighed {
  if (seen.outcome !== "holds" || stillFailing.length === 0) return seen;
  if (expect === "progress") return { ...seen, stillRed: stillFailing.slice(0, MOST_KEPT) };
  return refuted(`${tellTests("failed on base and still fail", stillFailing)}\n${seen.detail}`);
}

/** Names on record; how many there are stands in the detail. */
const MOST_KEPT = 1000;

function witnessed(
  compared: Comparison,
  base: Read,
  { trial, apart }: { readonly trial: Read | undefined; readonly apart: ReadonlySet<string> },
): Weighed {
  const idle = passingIn(trial);
  const fixed = compared.fixed.filter((id) => !idle.has(id));
  const hollow = [...compared.fixed, ...compared.fresh.passed].filter((id) => idle.has(id));
  const untouched = compared.fresh.passed.filter((id) => !idle.has(id));
  // A new test that the trial does not name was only tried if it is what kept the trial from being green.
  const wasTried = trial !== undefined && isRedder(trial, base, apart);
  const shown = [...fixed, ...(wasTried ? untouched : [])];
  const notes = [
    ...(hollow.length > 0 ? [tellTests("pass without the change as well, and show nothing", hollow)] : []),
    ...(compared.stillFailing.length > 0 ? [tellTests("failed on base and still fail", compared.stillFailing)] : []),
    ...(compared.fresh.notRun.length > 0 ? [tellTests("are new and skipped", compared.fresh.notRun)] : []),
  ].join("\n");
  const tell = (what: string): string => [what, notes].filter(Boolean).join("\n");

  if (shown.length > 0)
    return holds(
      tell(`${tellTests("fail without the change and pass with it", shown)}\ntests that passed and still pass: ${compared.kept.length}`),
    );
  if (hollow.length === 0 && untouched.length > 0)
    return unknown(
      tell(`${tellTests("are new and pass, but could not be tried without the change", untouched)}\nPut them in a test file of their own.`),
    );
  return refuted(tell("no test fails without the change and passes with it"));
}

const passingIn = (trial: Read | undefined): ReadonlySet<string> =>
  new Set(trial?.results.tests.filter(({ outcome }) => outcome === "passed").map(({ id }) => id));

/** Whether something fails in the trial that does not fail on base. */
function isRedder(trial: Read, base: Read, apart: ReadonlySet<string>): boolean {
  if (trial.code !== 0 && !trial.results.isComplete) return true;
  const failing = new Set(base.results.tests.filter(({ outcome }) => outcome === "failed").map(({ id }) => id));
  return trial.results.tests.some(({ id, outcome }) => outcome === "failed" && !failing.has(id) && !apart.has(id));
}

const tellTests = (what: string, ids: readonly string[]): string => `tests that ${what} (${ids.length}): ${tellNames(ids)}`;

const holds = (detail: string): Weighed => ({ outcome: "holds", detail });
const refuted = (detail: string): Weighed => ({ outcome: "refuted", detail });
const unknown = (detail: string): Weighed => ({ outcome: "unknown", detail });
