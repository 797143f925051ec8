// Figures in strangers' records that no run could have had: a score that took them for nothing would be worth nothing.
import { isObject } from "../../std/json-record.ts";
import { mapOf, mapsOf, type Named } from "./read.ts";

/** What is wrong, each with its place; nothing where it is missing, which the standard's tools take for nothing. */
export function unsoundTrace(trace: unknown): readonly string[] {
  const root = mapOf(trace);
  if (!Array.isArray(root.iterations)) return [`iterations is ${shown(root.iterations)}, and no list`];
  return [
    ...amounts(root, ["total_cost_usd"], ""),
    ...entries(root.iterations, "iterations", (one, at) => [
      ...amounts(one, ["cost_usd"], at),
      ...(isMissing(one.evaluator_scores) || isObject(one.evaluator_scores)
        ? figures(mapOf(one.evaluator_scores), Object.keys(mapOf(one.evaluator_scores)), `${at}evaluator_scores.`)
        : [`${at}evaluator_scores is ${shown(one.evaluator_scores)}, and no map of figures`]),
    ]),
  ];
}

export function unsoundTrajectory(record: unknown): readonly string[] {
  const root = mapOf(record);
  const metadata = mapOf(root.metadata);
  return [
    ...figures(metadata, ["goal_target"], "metadata."),
    ...amounts(metadata, ["regression_count"], "metadata."),
    ...entries(root.trajectory, "trajectory", (step, at) => [
      ...figures(step, ["goal_score"], at),
      ...amounts(step, ["latency_seconds", "cost_usd", "safety_events"], at),
    ]),
  ];
}

export const unsoundRuns = (runs: unknown): readonly string[] =>
  entries(runs, "runs", (run, at) => [
    ...figures(run, ["g_0", "g_final", "g_target"], at),
    ...amounts(run, ["iterations", "cost_usd", "elapsed_s"], at),
  ]);

function entries(list: unknown, name: string, look: (entry: Named, at: string) => readonly string[]): readonly string[] {
  return mapsOf(list).flatMap((entry, index) => look(entry, `${name}[${index}].`));
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;

const figures = (fields: Named, names: readonly string[], at: string): readonly string[] =>
  names.flatMap((name) => {
    const value = fields[name];
    return isMissing(value) || Number.isFinite(value) ? [] : [`${at}${name} is ${shown(value)}, and no figure`];
  });

/** What is counted or paid is never less than nothing. */
const amounts = (fields: Named, names: readonly string[], at: string): readonly string[] => [
  ...figures(fields, names, at),
  ...names.flatMap((name) => {
    const value = fields[name];
    return typeof value === "number" && Number.isFinite(value) && value < 0 ? [`${at}${name} is ${value}, and less than nothing`] : [];
  }),
];

const MOST_SHOWN = 40;

const shown = (value: unknown): string =>
  (typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "missing")).slice(0, MOST_SHOWN);
