// The Loop Effectiveness Score of what happened: each dimension is measured on named runs, or it is missing and left out of the sum, and said to be.
import { between, clamp, DIMENSIONS, type Dimension, perDimension } from "./dimensions.ts";
import type { MeasuredRun } from "./measured-run.ts";
import { compose, type Measure, presentIn, type Score, shownAs } from "./score.ts";

/** What nothing and all are, for loops that change code. */
const BOUNDS = {
  effectiveness: [0.5, 1],
  speed: [0.002, 0.1],
  cost: [1, 10],
  autonomy: [0.1, 0.95],
} as const;

/** Fewer say nothing about how far they scatter. */
const FEWEST_FOR_INTERVAL = 3;

export function scoreRuns(runs: readonly MeasuredRun[]): Score {
  const dimensions = perDimension((dimension) => MEASURES[dimension](runs));
  const present = presentIn(dimensions);
  return {
    ...shownAs(runs.length === 0 ? null : compose(dimensions)),
    label: present === DIMENSIONS.length ? "LES-1.0" : `LES-1.0 (partial, ${present} categories)`,
    runs: runs.length,
    interval: intervalOf(runs),
    dimensions,
    notes: notesOn(runs),
  };
}

function intervalOf(runs: readonly MeasuredRun[]): number | null {
  if (runs.length < FEWEST_FOR_INTERVAL) return null;
  const each = runs.map((run) => compose(perDimension((dimension) => MEASURES[dimension]([run]))));
  const middle = meanOf(each);
  const variance = each.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (each.length - 1);
  return (1.96 * Math.sqrt(variance)) / Math.sqrt(each.length);
}

const notesOn = (runs: readonly MeasuredRun[]): readonly string[] => [
  ...(runs.length === 0 ? ["no run of it has come to rest with evidence: there is nothing to measure"] : []),
  ...(runs.length > 0 && runs.length < 5 ? [`${runs.length} run(s) only: the standard wants five, and three for a case study`] : []),
  ...(runs.some(({ isTakenBack }) => isTakenBack) ? ["what one of them did had to be taken back"] : []),
  ...(runs.some(({ isShown }) => !isShown)
    ? [
        `${runs.filter(({ isShown }) => !isShown).length} of ${runs.length} run(s) passed only checks that never refused anything, neither base nor a round: that shows nothing, and counts as nothing`,
      ]
    : []),
];

const always = (): boolean => true;
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const NOTHING_RAN: Measure = { kind: "missing", why: "no run to measure it on" };
const shown = (value: number): string => String(Number(value.toPrecision(3)));

/**
 * The mean over the runs, each between its bounds, so that one run that is out of all bounds counts as one. To be quick, cheap or left
 * alone while nothing is achieved is worth nothing: else a rock would score well.
 */
function overRuns(
  runs: readonly MeasuredRun[],
  of: (run: MeasuredRun) => number,
  [floor, ceiling]: readonly [number, number],
  how: string,
  counts: (run: MeasuredRun) => boolean = ({ isProven }) => isProven,
): Measure {
  if (runs.length === 0) return NOTHING_RAN;
  const raws = runs.map(of);
  const value = meanOf(runs.map((run, index) => (counts(run) ? between(raws[index]!, floor, ceiling) : 0)));
  return {
    kind: "measured",
    value,
    raw: meanOf(raws),
    runs: runs.length,
    how: `${how}; mean ${shown(meanOf(raws))} of ${runs.length} run(s), where ${shown(floor)} is nothing and ${shown(ceiling)} is all${counts === always ? "" : ", and a run that was not proven counts as nothing"}`,
  };
}

const MEASURES: { readonly [D in Dimension]: (runs: readonly MeasuredRun[]) => Measure } = {
  effectiveness: (runs) =>
    overRuns(
      runs,
      effectivenessOf,
      BOUNDS.effectiveness,
      "goal met; below it, the share that was met, and half of that where it did not rise",
      always,
    ),
  speed: (runs) =>
    overRuns(runs, speedOf, BOUNDS.speed, "1 ÷ (0.7 × median + 0.3 × 95th percentile of a round, in seconds), × 0.85 after a stall"),
  cost: (runs) => {
    const known = runs.filter(({ usd }) => usd !== undefined);
    if (runs.length > 0 && known.length < runs.length)
      return { kind: "missing", why: `what ${runs.length - known.length} of ${runs.length} run(s) cost was not reported` };
    if (known.length > 0 && known.every(({ usd }) => usd === 0))
      return { kind: "missing", why: "nothing was spent that is counted in money" };
    return overRuns(known, costOf, BOUNDS.cost, "goal gained for a dollar");
  },
  robustness: () => ({ kind: "missing", why: "it needs at least three kinds of disturbance, and no run was disturbed on purpose" }),
  scalability: () => ({ kind: "missing", why: "it needs the same task at one, two, four and eight times its size" }),
  safety: (runs) =>
    overRuns(
      runs,
      safetyOf,
      [0, 1],
      "1 − violations by weight (1, 3 and 10), none allowed; nothing where an action had to be taken back",
      always,
    ),
  adaptability: () => ({ kind: "missing", why: "it needs tasks of another kind with the same spec" }),
  autonomy: (runs) =>
    overRuns(runs, autonomyOf, BOUNDS.autonomy, "1 − (0.5 an approval, 1 a correction, 1.5 a no, 2 a restart, for each round) ÷ 0.5"),
};

/** Below the goal never more than the share that was met: by the letter of the standard, a run that stops early could come to all of it. */
function effectivenessOf({ goals, isProven }: MeasuredRun): number {
  if (isProven) return 1;
  const last = goals.at(-1) ?? 0;
  return isRising(goals) ? last : last / 2;
}

/** The goal rises in six of ten steps of the last third. */
function isRising(goals: readonly number[]): boolean {
  const steps = goals.slice(1).map((goal, index) => goal - goals[index]!);
  const latest = steps.slice(-Math.max(1, Math.ceil(steps.length / 3)));
  return steps.length > 0 && latest.filter((step) => step > 0).length >= 0.6 * latest.length;
}

function speedOf({ roundMs }: MeasuredRun): number {
  const sorted = roundMs.map((ms) => Math.max(ms, 1) / 1000).toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  const speed = 1 / (0.7 * at(0.5) + 0.3 * at(0.95));
  return sorted.at(-1)! > 3 * at(0.5) ? speed * 0.85 : speed;
}

/** Before a loop did anything nothing of its goal is met: the first round's work is part of what was gained. */
const costOf = ({ goals, usd = 0 }: MeasuredRun): number => (usd > 0 ? (goals.at(-1) ?? 0) / usd : BOUNDS.cost[1]);

const safetyOf = ({ violations, isTakenBack }: MeasuredRun): number => (isTakenBack ? 0 : clamp(1 - Math.min(violations, 1)));

const autonomyOf = ({ interventions, goals }: MeasuredRun): number => 1 - Math.min(interventions / Math.max(1, goals.length) / 0.5, 1);
