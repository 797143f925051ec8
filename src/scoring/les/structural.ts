// What a spec of the standard scores by its form alone, as two of the standard's own tools compute it: named as theirs, and measured on nothing.
import { clamp, type PerDimension, round, weigh } from "./dimensions.ts";
import { listOf, mapOf, mapsOf, type Named, numberOf, textOf } from "./read.ts";

export interface Structural {
  /** As that tool prints it. */
  readonly score: number;
  readonly dimensions: PerDimension<number>;
}

/** What the two tools read of a spec. */
interface Form {
  readonly evaluators: readonly Named[];
  readonly metrics: number;
  readonly hasSuccess: boolean;
  readonly hasStall: boolean;
  /** Conditions of the old dialect, by their kind. */
  readonly oldEnds: readonly string[];
  readonly workers: number;
  readonly channels: number;
  readonly inputs: number;
  readonly constraints: readonly Named[];
  readonly costs: Named;
  readonly strategy: string;
  readonly most: { readonly iterations: number | undefined; readonly old: number | undefined; readonly steps: number | undefined };
  readonly hasMemory: boolean;
  readonly level: number | undefined;
}

/** To four digits, of 0 to 1. */
export function scoreAsCore(spec: unknown): Structural {
  const form = formOf(spec);
  const dimensions = dimensionsOf(form, { isLoopctl: false, level: 0, most: form.most.iterations ?? form.most.steps });
  return { score: round(weigh(dimensions), 4), dimensions };
}

/** To one digit, of 0 to 100. */
export function scoreAsLoopctl(spec: unknown): Structural {
  const form = formOf(spec);
  const most = form.most.iterations ?? form.most.old ?? form.most.steps;
  const dimensions = dimensionsOf(form, { isLoopctl: true, level: form.level ?? 1, most });
  return { score: round(weigh(dimensions) * 100, 1), dimensions };
}

function formOf(spec: unknown): Form {
  const root = mapOf(spec);
  const ends = root.termination_conditions;
  const { success, failure, stall } = mapOf(ends);
  const strategy = mapOf(root.optimization_strategy);
  const costs = mapOf(root.cost_limits);
  return {
    evaluators: mapsOf(root.evaluators),
    metrics: listOf(root.metrics).length,
    hasSuccess: listOf(success).length > 0,
    hasStall: listOf(stall).length > 0,
    oldEnds: listOf(ends).map((end) => (typeof end === "string" ? end : textOf(mapOf(end).type) || (Object.keys(mapOf(end))[0] ?? ""))),
    workers: listOf(root.workers).length,
    channels: listOf(root.feedback_channels).length,
    inputs: Object.keys(mapOf(mapOf(root.inputs).schema)).length,
    constraints: mapsOf(root.safety_constraints),
    costs,
    strategy: textOf(strategy.type),
    most: {
      iterations: numberOf(mapsOf(failure).find(({ type }) => type === "max_iterations")?.value),
      old: numberOf(costs.max_iterations),
      steps: numberOf(strategy.max_steps),
    },
    hasMemory: root.memory !== undefined && root.memory !== null,
    level: numberOf(root.taxonomy_level),
  };
}

const REFINING = { core: ["prompt_refinement", "parameter_search"], loopctl: ["reflection", "prompt_refinement"] };
const ADAPTING = {
  core: ["prompt_refinement", "parameter_search", "memory_update"],
  loopctl: ["reflection", "evolutionary", "beam_search", "prompt_refinement", "parameter_search"],
};

function dimensionsOf(
  form: Form,
  { isLoopctl, level, most }: { readonly isLoopctl: boolean; readonly level: number; readonly most: number | undefined },
): PerDimension<number> {
  const { evaluators, constraints, costs, workers, channels, inputs } = form;
  const who = isLoopctl ? "loopctl" : "core";
  const rubrics = evaluators.map(({ rubric }) => mapOf(rubric));
  const usd = numberOf(costs.cumulative_usd);
  const count = <T>(list: readonly T[], is: (one: T) => boolean): number => list.filter(is).length;
  const effectiveness =
    0.4 +
    Math.min(0.25, 0.08 * evaluators.length) +
    0.05 * count(rubrics, ({ pass_threshold: threshold }) => numberOf(threshold) !== undefined) +
    0.05 * count(rubrics, ({ dimensions }) => listOf(dimensions).length > 0) +
    (isLoopctl ? 0.05 * count(evaluators, ({ threshold }) => numberOf(threshold) !== undefined) : 0) +
    Math.min(0.15, 0.05 * form.metrics) +
    (form.hasSuccess ? 0.1 : 0) +
    (isLoopctl ? 0.1 * count(form.oldEnds, (end) => end === "quality_threshold" || end === "all_tests_pass") : 0);
  const robustness =
    0.35 +
    Math.min(0.2, 0.07 * evaluators.length) +
    Math.min(0.15, 0.05 * channels) +
    (form.hasMemory ? 0.1 : 0) +
    (REFINING[who].includes(form.strategy) ? 0.1 : 0) +
    (form.hasStall ? 0.05 : 0) +
    (isLoopctl && level >= 2 ? 0.05 : 0);
  const safety =
    constraints.length === 0
      ? 0.35
      : 0.5 +
        Math.min(0.35, 0.12 * constraints.length) +
        0.05 * count(constraints, ({ action }) => action === "halt" || action === "quarantine");
  const adaptability =
    0.4 + Math.min(0.25, 0.06 * inputs) + (ADAPTING[who].includes(form.strategy) ? 0.1 : 0) + (isLoopctl ? Math.min(0.2, 0.04 * level) : 0);
  const autonomy =
    0.5 +
    Math.min(0.25, 0.06 * workers) -
    0.1 * count(constraints, ({ action }) => action === "escalate_human") +
    (isLoopctl ? Math.min(0.15, 0.03 * level) : 0);
  return {
    effectiveness: clamp(effectiveness),
    speed: speedBy(most),
    cost: clamp(0.5 + byTokens(numberOf(costs.token_soft_cap)) + byUsd(usd) - Math.min(0.2, 0.04 * Math.max(0, workers - 2))),
    robustness: clamp(robustness),
    scalability: clamp(0.45 + Math.min(0.2, 0.05 * inputs) + (channels > 0 ? 0.1 : 0) + (workers >= 2 ? 0.1 : 0) + (usd ? 0.05 : 0)),
    safety: clamp(safety),
    adaptability: clamp(adaptability),
    autonomy: clamp(autonomy),
  };
}

/** The first bound that a number keeps says what it is worth. */
const stepwise = (value: number, steps: readonly (readonly [most: number, worth: number])[], else_: number): number =>
  steps.find(([most]) => value <= most)?.[1] ?? else_;

const speedBy = (most: number | undefined): number =>
  most === undefined
    ? 0.5
    : stepwise(
        most,
        [
          [3, 0.95],
          [5, 0.85],
          [10, 0.7],
          [20, 0.55],
        ],
        0.4,
      );

const byTokens = (cap: number | undefined): number =>
  cap === undefined
    ? 0
    : stepwise(
        cap,
        [
          [10_000, 0.25],
          [50_000, 0.15],
          [100_000, 0.05],
        ],
        -0.1,
      );

const byUsd = (usd: number | undefined): number =>
  usd === undefined
    ? 0
    : stepwise(
        usd,
        [
          [0.5, 0.2],
          [2, 0.1],
          [10, 0],
        ],
        -0.15,
      );
