// What people and programs are shown of a run. Pure: the same records always give the same view.
import type { CalledFrom } from "../contract/calling.ts";
import { EXIT, exitOf } from "../contract/exit.ts";
import { isDecided } from "../contract/proposal.ts";
import type { Entry } from "../contract/record.ts";
import type { ProposalView, RoundView, RunView } from "../contract/views.ts";
import { foldRun, type RunState, restedRound } from "./fold.ts";
import type { Story } from "./journal.ts";
import { viewMetrics } from "./measured.ts";
import { passedCaps } from "./passed-caps.ts";
import { foldProposal, proposedAs } from "./proposals.ts";

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
    ...(state.asked ? { models: state.asked } : {}),
    ...passedBy(opened.spec.budget, state.used),
    baseline: state.baseline ?? null,
    rounds: state.rounds.map(({ round, steps, evidence, verdict, kept, egress, failures, refusedNotes }) => ({
      id: round.id,
      number: round.number,
      openedAt: round.openedAt,
      steps,
      evidence: evidence ?? null,
      verdict: verdict ?? null,
      kept: kept ?? null,
      ...(egress ? { egress } : {}),
      failures: failures.map(({ code, message, hint }) => ({ code, message, hint })),
      ...(refusedNotes ? { refusedNotes } : {}),
    })),
    rest,
    ...(state.rest ? { restedAt: state.rest.at } : {}),
    ...dismissedBy(entries, state),
    exit: rest ? EXIT[exitOf(rest)] : null,
    branch: proposedBranch(entries, state),
    proposal: proposalOf(entries, state),
    report: state.rest?.report ?? null,
    ...(opened.referee ? { referee: opened.referee } : {}),
    ...(opened.waking ? { cause: opened.waking } : {}),
    ...(opened.inputs ? { inputs: opened.inputs } : {}),
    ...(opened.parent ? { parent: calledFrom(opened.parent) } : {}),
    ...(opened.spec.metrics ? { metrics: viewMetrics(opened.spec.metrics, state) } : {}),
    damagedRecords: damaged,
  };
}

function passedBy(...spent: Parameters<typeof passedCaps>): Pick<RunView, "passedCaps"> {
  const passed = passedCaps(...spent);
  return passed.length > 0 ? { passedCaps: passed } : {};
}

const calledFrom = ({ loop, run, roundId, worker }: CalledFrom): CalledFrom => ({ loop, run, roundId, worker });

/** A no to something that is no proposal: it was seen, and needs nobody any more. */
function dismissedBy(entries: readonly Entry[], { rest }: RunState): Pick<RunView, "dismissed"> {
  if (rest?.verdict.kind !== "escalate" && rest?.verdict.kind !== "halt") return {};
  const said = entries.findLast(({ record }) => record.kind === "decided" && record.decision === "reject")?.record;
  return said?.kind === "decided" ? { dismissed: { by: said.by, why: said.why } } : {};
}

/** The round that a run rests with: its last, or the best where it did not end well. */
export const restedView = ({ rest, rounds }: Pick<RunView, "rest" | "rounds">): RoundView | undefined => {
  const best = rest?.kind === "accept" ? rest.best : undefined;
  return best ? rounds.find(({ id }) => id === best.roundId) : rounds.at(-1);
};

function proposalOf(entries: readonly Entry[], state: RunState): ProposalView | null {
  const { rest } = state;
  const proposal = restedRound(state)?.evidence?.proposal;
  if (rest?.verdict.kind !== "accept" || rest.verdict.action !== "propose" || !proposal || !isDecided(proposal)) return null;
  return foldProposal(proposedAs(proposal), entries);
}

/** The branch an accepted proposal was put on, as its own step recorded it. */
function proposedBranch(entries: readonly Entry[], { rest }: RunState): string | null {
  if (rest?.verdict.kind !== "accept") return null;
  for (const { record } of entries) {
    if (record.kind !== "step-done" || (record.step !== "act" && record.step !== "propose-best")) continue;
    const { branch } = record.result as { readonly branch?: string }; // what these steps write
    return branch ?? null;
  }
  return null;
}
