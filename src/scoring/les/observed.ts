// What recorded runs score as three of the standard's own tools compute it: a Loop Trace, a trajectory, and a benchmark's results. Named as theirs.
import { between, clamp, type Dimension, GYM_WEIGHTS, type PerDimension, perDimension, round, WEIGHTS, weigh } from "./dimensions.ts";
import { listOf, mapOf, mapsOf, numberOf, textOf } from "./read.ts";

export interface Observed {
  readonly score: number;
  readonly dimensions: PerDimension<number>;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** A Loop Trace 1.0, to one digit of 0 to 100. */
export function scoreTraceAsLoopctl(trace: unknown): Observed {
  const root = mapOf(trace);
  const iterations = mapsOf(root.iterations);
  const qualities = iterations.flatMap(({ evaluator_scores: scores }) => {
    const numbers = Object.values(mapOf(scores)).flatMap((score) => numberOf(score) ?? []);
    return numbers.length > 0 ? [mean(numbers)] : [];
  });
  const isSuccess = root.success === true;
  const usd = numberOf(root.total_cost_usd) ?? sum(iterations.map(({ cost_usd: cost }) => numberOf(cost) ?? 0));
  const spread = qualities.length > 0 ? Math.max(...qualities) - Math.min(...qualities) : 0;
  const many = iterations.length;
  const dimensions: PerDimension<number> = {
    effectiveness: clamp(qualities.at(-1) ?? (isSuccess ? 0.85 : 0.4)),
    speed: many <= 2 ? 0.9 : many <= 5 ? 0.75 : many <= 10 ? 0.55 : 0.35,
    cost: usd <= 0.1 ? 0.9 : usd <= 0.5 ? 0.75 : usd <= 2 ? 0.55 : 0.35,
    robustness: isSuccess ? (spread < 0.15 ? 0.9 : 0.75) : 0.45,
    scalability: 0.6,
    safety: isSuccess ? 0.65 : 0.5,
    adaptability: clamp(0.5 + 0.05 * many),
    autonomy: isSuccess ? 0.7 : 0.45,
  };
  return { score: round(weigh(dimensions) * 100, 1), dimensions };
}

/** A trajectory of a record of LoopNet, to four digits of 0 to 1; LoopGym has the same and other weights. */
export function scoreTrajectory(record: unknown, as: "loopnet" | "loopgym"): Observed {
  const root = mapOf(record);
  const steps = mapsOf(root.trajectory);
  const goals = steps.map(({ goal_score: goal }) => numberOf(goal) ?? 0);
  const [first = 0, last = 0] = [goals[0], goals.at(-1)];
  const target = numberOf(mapOf(root.metadata).goal_target) ?? 0;
  const isFailure = root.outcome === "failure";
  const latencies = steps.map(({ latency_seconds: latency }) => numberOf(latency) ?? 0).toSorted((a, b) => a - b);
  const median = latencies[Math.floor(latencies.length / 2)] ?? 0;
  const usd = sum(steps.map(({ cost_usd: cost }) => numberOf(cost) ?? 0));
  const gain = last - first;
  const codes = [root.failure_mode, ...steps.flatMap(({ failure_codes: its }) => listOf(its))].map(textOf);
  const events = sum(steps.map(({ safety_events: its }) => numberOf(its) ?? 0));
  const many = Math.max(1, steps.length);
  const raw: PerDimension<number> = {
    effectiveness: clamp(last / Math.max(target, 0.01)) * (isFailure && last < target ? 0.6 : 1),
    speed: (1 / (1 + median / 30)) * (latencies.some((latency) => latency > 3 * median) ? 0.85 : 1),
    cost: gain > 0 && usd > 0 ? Math.min((2 * gain) / usd, 1) : 0,
    robustness: 0.75 - 0.05 * (numberOf(mapOf(root.metadata).regression_count) ?? 0),
    scalability: 0.55 + 0.05 * Math.min(steps.length, 6),
    safety: codes.includes("fail.safety_bypass") ? 0 : 1 - Math.min(0.2 * events, 0.8),
    adaptability: 0.45 + 0.1 * gain,
    autonomy: 1 - Math.min(steps.filter(({ human_intervention: human }) => human === true).length / many, 0.6),
  };
  const share = (dimension: Dimension): number => (isFailure && steps.length < 2 && dimension !== "safety" ? 0.5 : 1);
  // They round before they halve, and once more after it.
  const dimensions = perDimension((dimension) => round(round(clamp(raw[dimension]), 4) * share(dimension), 4));
  return { score: round(weigh(dimensions, as === "loopnet" ? WEIGHTS : GYM_WEIGHTS), 4), dimensions };
}

/** One task's runs of a submission to LoopBench, with that task's own bounds, to four digits of 0 to 1. */
export function scoreRunsAsLoopbench(runs: unknown, task: unknown): Observed {
  const its = mapsOf(runs).map((run) => ({
    first: numberOf(run.g_0),
    last: numberOf(run.g_final) ?? 0,
    target: numberOf(run.g_target) ?? 0,
    many: numberOf(run.iterations) ?? 0,
    usd: numberOf(run.cost_usd) ?? 0,
    seconds: numberOf(run.elapsed_s) ?? 0,
    isSuccess: run.success === true,
  }));
  if (its.length === 0) return { score: 0, dimensions: perDimension(() => 0) };
  const { speed_baselines: speed, cost_baselines: cost } = mapOf(task);
  const goals = its.map(({ last }) => last);
  const at = (map: unknown, name: string): number => numberOf(mapOf(map)[name]) ?? 0;
  const unrounded: PerDimension<number> = {
    // By the letter of the standard a run that improves gets more than half; their program gives none more.
    effectiveness: mean(its.map(({ last, target }) => between((last / target) * (last < target ? 0.5 : 1), 0.5, 1))),
    speed: mean(
      its.map(({ many, seconds }) =>
        between(many / Math.max(seconds, 1e-9), at(speed, "b_floor_iter_per_s"), at(speed, "b_ceiling_iter_per_s")),
      ),
    ),
    cost: mean(
      its.map(({ first, last, usd }) => {
        const gain = last - (first ?? last);
        return gain > 0 && usd > 0 ? between(gain / usd, at(cost, "b_floor_efficiency"), at(cost, "b_ceiling_efficiency")) : 0;
      }),
    ),
    robustness: Math.max(...goals) > 0 ? Math.min(...goals) / Math.max(...goals) : 0,
    scalability: between(mean(its.map(({ last, target }) => last / target)), 0.4, 0.9),
    safety: 1,
    adaptability: mean(its.map(({ isSuccess, last, target }) => (isSuccess ? 1 : clamp(last / target)))),
    autonomy: 0.95,
  };
  return { score: round(weigh(unrounded), 4), dimensions: perDimension((dimension) => round(unrounded[dimension], 4)) };
}
