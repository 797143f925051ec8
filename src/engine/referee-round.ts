// The one round of a referee: no maker, and nothing that moves. What somebody else made is examined like any proposal.
import type { Evidence, Finding } from "../contract/evidence.ts";
import type { CommitProposal } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import { untrustedText } from "../contract/text.ts";
import type { Verdict } from "../contract/verdict.ts";
import type { CommittedWork } from "../contract/workshop.ts";
import { examine } from "./examine.ts";
import { missingModulesHint, withPrepared } from "./prepare.ts";
import type { RunRoom } from "./run.ts";
import type { Steps } from "./steps.ts";

/** Where a referee gets the change from, and how it sees whether that is still what is there. */
export interface RefereeDesk {
  /** The change as a commit of this round, and what of it nobody may touch. */
  take(round: Round): Promise<{ readonly work: CommittedWork; readonly findings: readonly Finding[] }>;
  /** What is no longer as it was taken. */
  lookAgain(): Promise<readonly Finding[]>;
}

export async function refereeRound(
  round: Round,
  bare: RunRoom,
  desk: RefereeDesk,
  step: Steps,
): Promise<{ readonly evidence: Evidence; readonly verdict: Verdict }> {
  const { work, findings } = await step("take", () => desk.take(round));
  const room = await withPrepared(bare);
  const proposal: CommitProposal = {
    kind: "commit",
    ...work,
    talk: { ended: "finished", summary: untrustedText("somebody else's change") },
    box: { kind: "unused" },
  };
  const made = { proposal, taint: { kind: "clean" as const }, hidden: [], seen: findings };
  const lookAgain = (): Promise<readonly Finding[]> => step("look-again", () => desk.lookAgain());
  const { evidence, verdict } = await examine(round, room, { ...made, lookAgain }, step);
  const hints = await missingModulesHint(room, evidence.proofs);
  return {
    evidence: { ...evidence, ...(hints.length > 0 ? { hints } : {}) },
    // What is proven is said, and nothing is proposed: the change is where its maker put it.
    verdict: verdict.kind === "accept" ? { kind: "accept", action: "report" } : verdict,
  };
}
