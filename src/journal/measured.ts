// What a run measured, round by round, as people and receipts are told it. Pure.
import type { Metrics, MetricsView } from "../contract/measuring.ts";
import type { RunState } from "./fold.ts";

export function viewMetrics(metrics: Metrics, { rounds, rest }: RunState): MetricsView {
  const names = Object.keys(metrics);
  const primary = names.find((name) => metrics[name]?.primary) ?? (names.length === 1 ? names[0] : undefined);
  const best = rest?.verdict.kind === "accept" ? rest.verdict.best : undefined;
  return {
    metrics: names.map((name) => {
      const { from = "", better = "higher", target = null } = metrics[name] ?? {};
      return { name, from, better, target, isPrimary: name === primary };
    }),
    rounds: rounds.flatMap(({ round: { number }, evidence }) =>
      evidence?.metrics
        ? [{ number, values: evidence.metrics.values, holds: evidence.metrics.holds, isEnough: evidence.metrics.isEnough }]
        : [],
    ),
    best: best && best.value !== null ? best.number : null,
  };
}
