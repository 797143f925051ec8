// What people and programs are shown of a run. Pure: the same records always give the same view.
import type { Baseline } from "../contract/baseline.ts";
import type { EgressFact } from "../contract/commands.ts";
import type { Evidence } from "../contract/evidence.ts";
import { EXIT, exitOf } from "../contract/exit.ts";
import type { Amounts, Basis } from "../contract/ledger.ts";
import type { Entry } from "../contract/record.ts";
import type { RefereeFact } from "../contract/referee.ts";
import type { Rest, Verdict } from "../contract/verdict.ts";
import { foldRun, type RunState } from "./fold.ts";
import type { Story } from "./journal.ts";
import { foldProposal, type ProposalState, proposedAs } from "./proposals.ts";

export interface RunView {
  readonly run: string;
  readonly loop: string;
  readonly intent: string;
  readonly level: string;
  readonly repo: string;
  readonly base: { readonly ref: string; readonly commit: string };
  readonly specPath: string;
  readonly specHash: string;
  /** `open` means not at rest: it is running, or waits for `lw resume`. */
  readonly state: "open" | "rested";
  readonly openedAt: string;
  readonly lastAt: string;
  readonly resumed: number;
  readonly workedMs: number;
  /** `known` is whether all of it was reported; `basis` is the weakest footing of any figure in it. */
  readonly cost: { readonly known: boolean; readonly usd: number; readonly tokens: number; readonly basis: Basis | null };
  readonly used: Amounts;
  /** What was seen of base before the first round; null where nobody looked. */
  readonly baseline: Baseline | null;
  readonly rounds: readonly RoundView[];
  readonly rest: Rest | null;
  readonly exit: { readonly code: number; readonly means: string } | null;
  readonly branch: string | null;
  /** What became of the proposal since; null where there is none. */
  readonly proposal: ProposalState | null;
  readonly report: string | null;
  /** There when somebody else's change was judged. */
  readonly referee?: RefereeFact;
  readonly damagedRecords: readonly number[];
}

export interface RoundView {
  readonly id: string;
  readonly number: number;
  readonly openedAt: string;
  readonly steps: readonly { readonly step: string; readonly tookMs: number }[];
  readonly evidence: Evidence | null;
  readonly verdict: Verdict | null;
  /** The commit of what was done when its budget ended it. */
  readonly kept: string | null;
  /** Where the maker's commands went through the proxy of their box; not there when they went nowhere. */
  readonly egress?: readonly EgressFact[];
  readonly failures: readonly { readonly code: string; readonly message: string; readonly hint: string }[];
}

export function viewRun(first: Pick<Entry, "loop" | "run">, { entries, damaged }: Story): RunView | undefined {
  const state = foldRun(entries);
  const { opened } = state;
  if (!opened) return undefined;
  const rest = state.rest?.verdict ?? null;
  return {
    run: first.run,
    loop: first.loop,
    intent: opened.spec.intent,
    level: opened.spec.level,
    repo: opened.repo,
    base: opened.base,
    specPath: opened.specPath,
    specHash: opened.specHash,
    state: rest ? "rested" : "open",
    openedAt: state.openedAt!,
    lastAt: state.lastAt!,
    resumed: state.resumed,
    workedMs: state.workedMs,
    cost: { known: state.basis === "reported", ...state.spent, basis: state.basis ?? null },
    used: state.used,
    baseline: state.baseline ?? null,
    rounds: state.rounds.map(({ round, steps, evidence, verdict, kept, egress, failures }) => ({
      id: round.id,
      number: round.number,
      openedAt: round.openedAt,
      steps,
      evidence: evidence ?? null,
      verdict: verdict ?? null,
      kept: kept ?? null,
      ...(egress ? { egress } : {}),
      failures: failures.map(({ code, message, hint }) => ({ code, message, hint })),
    })),
    rest,
    exit: rest ? EXIT[exitOf(rest)] : null,
    branch: proposedBranch(entries, state),
    proposal: proposalOf(entries, state),
    report: state.rest?.report ?? null,
    ...(opened.referee ? { referee: opened.referee } : {}),
    damagedRecords: damaged,
  };
}

function proposalOf(entries: readonly Entry[], { rest, rounds }: RunState): ProposalState | null {
  const proposal = rounds.at(-1)?.evidence?.proposal;
  if (rest?.verdict.kind !== "accept" || rest.verdict.action !== "propose" || proposal?.kind !== "commit") return null;
  return foldProposal(proposedAs(proposal), entries);
}

/** The branch an accepted proposal was put on, as its own step recorded it. */
function proposedBranch(entries: readonly Entry[], { rest }: RunState): string | null {
  if (rest?.verdict.kind !== "accept") return null;
  for (const { record } of entries) {
    if (record.kind !== "step-done" || record.step !== "act") continue;
    const { branch } = record.result as { readonly branch?: string }; // what the step `act` writes
    return branch ?? null;
  }
  return null;
}
