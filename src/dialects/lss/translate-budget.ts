// Limits of a document as a budget of ours: what was only a warning there ends a run here where it is about money.
import { callsARound } from "./translate-guards.ts";
import { isTeam, type Translating } from "./translating.ts";

const MOST_ROUNDS = 100;
const MOST_TIME_S = 7 * 24 * 3600;
/** What a spec of ours has where nothing is said. */
const USUAL_TIME_S = 1800;
const USUAL_LAUNCHES = 30;
const MOST_LAUNCHES = 10_000;

export function translateBudget(at: Translating): { readonly budget: object } {
  const { document, notes } = at;
  const { cost_limits: costs, workers } = document;
  const rounds = roundsOf(at);
  const perRound = usd(perRoundUsd(at));
  const only = isTeam(at) ? undefined : workers[0];
  const launches = workers.reduce((sum, { retries }) => sum + (retries ?? 0) + 1, 0);
  if (only?.retries !== undefined)
    notes.tell("translated", ["workers", 0, "retries"], "budget.perRound.launches", "a try more than retries");
  if (costs.token_soft_cap !== undefined)
    notes.tell("translated", ["cost_limits", "token_soft_cap"], "budget.soft.tokens", "it warns, and stops nothing");
  for (const [index, { type }] of (document.termination_conditions.failure ?? []).entries())
    if (type === "cost_exceeded")
      notes.tell("inherent", ["termination_conditions", "failure", index], "budget.usd", "what is used up ends the run");
  if (costs.price_table_ref !== undefined)
    notes.tell("inert", ["cost_limits", "price_table_ref"], "", "prices come from the home's own table");
  const isHalting = costs.on_exceed.action === "halt";
  notes.tell(isHalting ? "inherent" : "tightened", ["cost_limits", "on_exceed"], "budget.usd", "what is used up ends the run");
  return {
    budget: {
      rounds,
      usd: usd(cumulativeUsd(at)),
      time: timeOf(rounds, at),
      // Those of loops that it calls count here too, and each is bounded by its own.
      ...(document.composition !== undefined ? { launches: MOST_LAUNCHES } : {}),
      ...(document.composition === undefined && launches * rounds > USUAL_LAUNCHES
        ? { launches: Math.min(launches * rounds, MOST_LAUNCHES) }
        : {}),
      perRound: { usd: perRound, ...callsARound(at), ...(only?.retries === undefined ? {} : { launches: only.retries + 1 }) },
      ...(costs.token_soft_cap !== undefined ? { soft: { tokens: String(costs.token_soft_cap) } } : {}),
      ...warning(at),
    },
  };
}

function roundsOf({ document, notes }: Translating): number {
  const limits = (document.termination_conditions.failure ?? []).flatMap(({ type, value }, index) =>
    type === "max_iterations" && value !== undefined ? [{ index, value: Math.max(1, Math.floor(value)) }] : [],
  );
  const [least, ...others] = limits.toSorted((a, b) => a.value - b.value);
  for (const { index } of others)
    notes.tell("inherent", ["termination_conditions", "failure", index], "budget.rounds", "the least of several holds");
  if (least === undefined) {
    notes.tell("asked", ["termination_conditions", "failure"], "", "how many rounds? Add {type: max_iterations, value: 8} to the file");
    return 1;
  }
  const isCut = least.value > MOST_ROUNDS;
  notes.tell(
    isCut ? "tightened" : "translated",
    ["termination_conditions", "failure", least.index],
    "budget.rounds",
    isCut ? `at most ${MOST_ROUNDS}` : "",
  );
  return Math.min(least.value, MOST_ROUNDS);
}

/** What halts when it comes near is that much less. */
function cumulativeUsd({ document, notes }: Translating): number {
  const { cumulative_usd, on_approach } = document.cost_limits;
  if (cumulative_usd === 0)
    notes.tell("asked", ["cost_limits", "cumulative_usd"], "", "a run that may cost nothing cannot ask a model: write an amount");
  else notes.tell("translated", ["cost_limits", "cumulative_usd"], "budget.usd");
  if (on_approach?.action !== "halt") return cumulative_usd;
  notes.tell("tightened", ["cost_limits", "on_approach"], "budget.usd", `ends at ${on_approach.threshold_percent} percent`);
  return (cumulative_usd * on_approach.threshold_percent) / 100;
}

/** The one worker's own budget is that of a round; of several, each has its own. */
function perRoundUsd(at: Translating): number {
  const { document, notes } = at;
  const { per_iteration_usd } = document.cost_limits;
  if (per_iteration_usd === 0)
    notes.tell("asked", ["cost_limits", "per_iteration_usd"], "", "a round that may cost nothing cannot ask a model: write an amount");
  else notes.tell("translated", ["cost_limits", "per_iteration_usd"], "budget.perRound.usd");
  const own = isTeam(at) ? undefined : document.workers[0]?.cost_budget_usd;
  if (own === undefined || own === 0) return per_iteration_usd;
  notes.tell("tightened", ["workers", 0, "cost_budget_usd"], "budget.perRound.usd", "the round has no more than its worker");
  return Math.min(per_iteration_usd, own);
}

function timeOf(rounds: number, { document, notes }: Translating): string {
  const limits = (document.termination_conditions.failure ?? []).flatMap(({ type, value }, index) =>
    type === "timeout" ? [{ index, value }] : [],
  );
  for (const { index, value } of limits)
    notes.tell(
      value === undefined ? "inherent" : "translated",
      ["termination_conditions", "failure", index],
      "budget.time",
      "in seconds; the least of several holds",
    );
  const said = limits.flatMap(({ value }) => value ?? []);
  if (said.length > 0) return `${Math.min(Math.floor(Math.min(...said)), MOST_TIME_S)}s`;
  const each = document.workers.reduce((sum, { timeout_seconds, retries }) => sum + (timeout_seconds ?? 0) * ((retries ?? 0) + 1), 0);
  const seconds = Math.min(Math.max(rounds * each, USUAL_TIME_S), MOST_TIME_S);
  notes.tell(
    "added",
    ["termination_conditions"],
    "budget.time",
    "as long as all workers may take in all rounds, and half an hour at least",
  );
  return `${seconds}s`;
}

function warning({ document, notes }: Translating): { readonly warnAt?: number } {
  const approach = document.cost_limits.on_approach;
  if (approach === undefined || approach.action === "halt") return {};
  notes.tell("translated", ["cost_limits", "on_approach"], "budget.warnAt");
  if (approach.action === "throttle")
    notes.tell("inert", ["cost_limits", "on_approach", "action"], "", "it warns; what slows a run down stops nothing");
  return { warnAt: Math.min(Math.max(Math.round(approach.threshold_percent), 1), 99) };
}

/** Four digits, rounded down: never more than was meant. */
const usd = (amount: number): string => `$${Math.max(Math.floor(amount * 10_000 + 1e-6) / 10_000, 0.0001).toFixed(4)}`;
