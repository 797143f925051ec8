// What one run of ours says about the dimensions of the score: how far its goal was met, how long and how dear it was, what it broke, who stepped in.
import type { RoundView, RunView } from "../../contract/views.ts";

export interface MeasuredRun {
  readonly run: string;
  readonly at: string;
  /** How far the goal was met after each round, of 0 to 1. */
  readonly goals: readonly number[];
  readonly mostRounds: number;
  readonly roundMs: readonly number[];
  /** Undefined where somebody did not say what it used. */
  readonly usd: number | undefined;
  /** Added up by their weight: 1 for a small one, 3 for a grave one, 10 for a severe one. */
  readonly violations: number;
  /** What it did had to be taken back. */
  readonly isTakenBack: boolean;
  /** Added up by their weight. */
  readonly interventions: number;
  readonly isProven: boolean;
  /** False where it was accepted, and none of the checks that held had ever refused anything. */
  readonly isShown: boolean;
}

/** By severity, as the standard weighs them. What is low is a remark. */
const VIOLATIONS = { critical: 10, high: 3, medium: 1, low: 0 };
/** What people did to a run, as the standard weighs it. */
const INTERVENTIONS = { approve: 0.5, correct: 1, override: 1.5, restart: 2 };

/** These hold only where they saw a difference that the proposal made, or looked something up that could be missing. */
const LOOK_FOR_THEMSELVES = new Set(["witness", "mutation", "grounded", "isomorphic"]);

/** The checks of a run that said no to something: to base before it, or to one of its rounds. */
export const refusedIn = (view: RunView): readonly string[] => [
  ...(view.baseline?.checks ?? []).flatMap(({ state, verifiers }) => (state === "red" ? verifiers.map(({ name }) => name) : [])),
  ...view.rounds.flatMap(({ evidence }) =>
    (evidence?.proofs ?? []).flatMap(({ outcome, verifier }) => (outcome === "refuted" || outcome === "fabricated" ? [verifier] : [])),
  ),
];

/**
 * Undefined of a run that shows nothing: it is open, base needed nothing, or no round came to its evidence. `refused` are the checks that
 * any run of the loop saw say no: an evaluator that always says yes proves nothing, however it is written.
 */
export function measureRun(view: RunView, mostRounds: number, refused: ReadonlySet<string>): MeasuredRun | undefined {
  const rounds = view.rounds.filter(({ evidence }) => evidence !== null);
  if (!view.rest || view.rest.kind === "nothing-to-do" || view.referee || rounds.length === 0) return undefined;
  const { proposal } = view;
  const isShown = view.rest.kind !== "accept" || isShownBy(rounds.at(-1)!, refused);
  const weights = [
    ...(proposal?.approvals ?? []).map(() => INTERVENTIONS.approve),
    ...(proposal?.amendedBy === undefined ? [] : [INTERVENTIONS.correct]),
    ...(proposal?.rejected ? [INTERVENTIONS.override] : []),
    ...Array.from({ length: view.resumed }, () => INTERVENTIONS.restart),
  ];
  return {
    run: view.run,
    at: view.openedAt,
    goals: rounds.map((round) => (isShown ? goalOf(round) : 0)),
    mostRounds: Math.max(mostRounds, rounds.length),
    roundMs: rounds.map(({ steps }) => steps.reduce((sum, { tookMs }) => sum + tookMs, 0)),
    usd: view.cost.known ? view.cost.usd : undefined,
    violations: rounds.flatMap(({ evidence }) => evidence?.findings ?? []).reduce((sum, { severity }) => sum + VIOLATIONS[severity], 0),
    isTakenBack: proposal?.settled?.how === "withdrawn" && (proposal?.receipts.length ?? 0) > 0,
    interventions: weights.reduce((sum, weight) => sum + weight, 0),
    isProven: isShown && view.rest.kind === "accept",
    isShown,
  };
}

const isShownBy = ({ evidence }: RoundView, refused: ReadonlySet<string>): boolean =>
  (evidence?.proofs ?? []).some(
    ({ kind, outcome, verifier, of }) =>
      kind === "proof" && outcome === "holds" && of === undefined && (LOOK_FOR_THEMSELVES.has(verifier) || refused.has(verifier)),
  );

/**
 * What is proven has met its goal. Else the share of its checks that hold, and never all: what was refused did not meet it. Opinions count
 * only where there is no proof.
 */
function goalOf({ evidence, verdict }: RoundView): number {
  if (verdict?.kind === "accept") return 1;
  const all = evidence?.proofs.filter(({ room }) => room !== "own") ?? [];
  const proofs = all.filter(({ kind }) => kind === "proof");
  const counted = proofs.length > 0 ? proofs : all;
  if (counted.length === 0) return 0;
  return Math.min(0.99, counted.filter(({ outcome }) => outcome === "holds").length / counted.length);
}
