// What a round measured, by the names that the spec gives it. Pure: from its evidence and what was counted.
import type { Evidence, Proof } from "../contract/evidence.ts";
import { type Metrics, type RoundMetrics, TELEMETRY, type Telemetry } from "../contract/measuring.ts";
import { factsOf, type WorkerFact } from "../contract/proposal.ts";
import type { LoopSpec } from "../contract/spec.ts";
import type { RunState } from "../journal/fold.ts";
import type { WhenValue } from "../std/when.ts";

type Seen = Pick<Evidence, "proposal" | "findings" | "proofs">;

/** Every metric that the spec names; null is not known. */
export function measureRound({ metrics = {} }: Pick<LoopSpec, "metrics">, seen: Seen, counted: Telemetry): RoundMetrics["values"] {
  return Object.fromEntries(Object.entries(metrics).map(([name, { from }]) => [name, figureOf(from, seen, counted)]));
}

function figureOf(from: string, { proofs, proposal }: Seen, counted: Telemetry): number | null {
  if (isTelemetry(from)) return counted[from];
  const [id = "", ...field] = from.split(".");
  const worker = factsOf(proposal).team?.workers.find((one) => one.id === id);
  if (worker) return ofWorker(worker, field.join("."));
  const proof = countingProof(proofs, id);
  if (!proof) return null;
  const figure = field.length === 0 ? (proof.measured?.score ?? scoreOf(proof)) : proof.measured?.values?.[field.join(".")];
  return figure !== undefined && figure !== null && Number.isFinite(figure) ? figure : null;
}

/** What it used comes before what it says of itself under the same name. */
function ofWorker({ used, tries, figures = {} }: WorkerFact, field: string): number | null {
  switch (field) {
    case "round.usd":
      return used?.usd ?? null;
    case "round.tokens":
      return used?.tokens ?? null;
    case "round.tries":
      return tries;
    default:
      return Object.hasOwn(figures, field) ? (figures[field] ?? null) : null;
  }
}

/** What was only looked at in the proposal's own version of sealed files counts for nothing. */
const countingProof = (proofs: readonly Proof[], id: string): Proof | undefined =>
  proofs.find((proof) => proof.id === id && proof.room !== "own");

const scoreOf = ({ outcome }: Proof): number | null => (outcome === "holds" ? 1 : outcome === "unknown" || outcome === "gap" ? null : 0);

export const isTelemetry = (from: string): from is keyof Telemetry => Object.hasOwn(TELEMETRY, from);

/** What was counted in a run up to the end of one of its rounds. */
export function telemetryOf(state: RunState, roundId: string, { proposal, findings }: Seen): Telemetry {
  const round = state.rounds.find(({ round: { id } }) => id === roundId);
  const { changes, artifacts } = factsOf(proposal);
  return {
    "run.usd": state.spent.usd,
    "run.tokens": state.spent.tokens,
    "run.rounds": state.rounds.length,
    "run.time": state.workedMs / 1000,
    "round.usd": round?.spent.usd ?? 0,
    "round.tokens": round?.spent.tokens ?? 0,
    "round.time": (round?.steps ?? []).reduce((sum, { tookMs }) => sum + tookMs, 0) / 1000,
    "round.files": changes.length,
    "round.size": artifacts.diff?.bytes ?? 0,
    "round.findings": findings.length,
  };
}

/** What they stand for in one round. */
export function valuesForEnds(values: RoundMetrics["values"], number: number, proofs: readonly Proof[]): (name: string) => WhenValue {
  return (name) => {
    if (name === "round") return number;
    if (Object.hasOwn(values, name)) return values[name] ?? null;
    const proof = name.endsWith(".passed") ? countingProof(proofs, name.slice(0, -".passed".length)) : undefined;
    if (!proof || proof.outcome === "unknown" || proof.outcome === "gap") return null;
    return proof.outcome === "holds";
  };
}

/** The metric by which rounds are compared; undefined where there is none. */
export function primaryOf(metrics: Metrics | undefined): string | undefined {
  const names = Object.keys(metrics ?? {});
  return names.find((name) => metrics?.[name]?.primary === true) ?? (names.length === 1 ? names[0] : undefined);
}

/** Higher is better, once lower is turned round. */
export function worth(metrics: Metrics | undefined, name: string, value: number | null): number {
  if (value === null) return Number.NEGATIVE_INFINITY;
  return metrics?.[name]?.better === "lower" ? -value : value;
}
