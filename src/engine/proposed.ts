// A proposal that a run came to rest with, and everything that is on record about it. Pure.
import type { Evidence } from "../contract/evidence.ts";
import { type DecidedKind, isDecided, type ProposalOf } from "../contract/proposal.ts";
import type { RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { BestRound } from "../contract/verdict.ts";
import { foldRun, restedRound } from "../journal/fold.ts";
import { foldProposal, type ProposalState, proposedAs } from "../journal/proposals.ts";
import type { RunJournal } from "../journal/run-journal.ts";
import { branchOf } from "./names.ts";

/** A proposal that a run came to rest with, and everything that is on record about it. */
export interface Proposed<K extends DecidedKind = DecidedKind> {
  readonly opened: RunOpened;
  readonly round: Round;
  readonly evidence: Evidence;
  readonly proposal: ProposalOf<K>;
  readonly branch: string;
  readonly state: ProposalState;
  /** There where the run did not end well, and this is the best of its rounds. */
  readonly best?: BestRound;
}

/** Undefined where the run did not come to rest with something that waits to be decided about. */
export function proposedIn(entries: RunJournal["entries"]): Proposed | undefined {
  const state = foldRun(entries);
  const { opened, rest } = state;
  const last = restedRound(state);
  const proposal = last?.evidence?.proposal;
  if (!opened || rest?.verdict.kind !== "accept" || rest.verdict.action !== "propose") return undefined;
  if (!last?.evidence || !proposal || !isDecided(proposal)) return undefined;
  const { best, on } = rest.verdict;
  const standing = foldProposal(proposedAs(proposal), entries);
  return {
    opened,
    // What it stands on now: everybody who decides, verifies or moves goes by that.
    round: standing.refreshed ? { ...last.round, base: standing.refreshed.base } : last.round,
    evidence: last.evidence,
    proposal,
    branch: branchOf(last.round.id, on),
    state: standing,
    ...(best ? { best } : {}),
  };
}
