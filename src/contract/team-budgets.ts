// What a spec, its workers and the loops that they call may use, apart from everything else that it says: another budget makes it no other work order.
import type { Caps, LoopSpec } from "./spec.ts";
import { calledSpec } from "./team-graph.ts";

/** Of each worker that has any: its share, and of the loop that it calls its budget and those in it. */
export interface TeamBudgets {
  readonly [worker: string]: { readonly share?: Caps; readonly called?: Budgets };
}

export interface Budgets {
  readonly budget: LoopSpec["budget"];
  readonly team?: TeamBudgets;
}

type Budgeted = Pick<LoopSpec, "budget" | "team">;

export function budgetsOf({ budget, team }: Budgeted): Budgets {
  const workers = Object.entries(team?.workers ?? {}).flatMap(([id, worker]) => {
    const called = calledSpec(worker);
    if (!called && !worker.budget) return [];
    return [[id, { ...(worker.budget ? { share: worker.budget } : {}), ...(called ? { called: budgetsOf(called) } : {}) }] as const];
  });
  return { budget, ...(workers.length > 0 ? { team: Object.fromEntries(workers) } : {}) };
}

/** The same spec with other budgets; of workers that it does not have nothing is taken. */
export function withBudgets<S extends Budgeted>(spec: S, { budget, team = {} }: Budgets): S {
  if (!spec.team) return { ...spec, budget };
  const workers = Object.entries(spec.team.workers).map(([id, { budget: own, ...worker }]) => {
    const { share = own, called } = team[id] ?? {};
    const inner = calledSpec(worker);
    return [
      id,
      { ...worker, ...(share ? { budget: share } : {}), ...(inner && called ? { spec: { ...withBudgets(inner, called) } } : {}) },
    ] as const;
  });
  return { ...spec, budget, team: { ...spec.team, workers: Object.fromEntries(workers) } };
}

/** What is left of a spec without any of them, for whoever compares two. */
export function withoutBudgets(spec: Budgeted): unknown {
  const workers = Object.entries(spec.team?.workers ?? {}).map(([id, { budget: _, ...worker }]) => {
    const called = calledSpec(worker);
    return [id, called ? { ...worker, spec: withoutBudgets(called) } : worker] as const;
  });
  return { ...spec, budget: null, ...(spec.team ? { team: { ...spec.team, workers: Object.fromEntries(workers) } } : {}) };
}
