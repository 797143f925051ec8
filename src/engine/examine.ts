// Everything that can be seen of a proposal, and what follows from it.
import type { Evidence, Finding } from "../contract/evidence.ts";
import type { Proposal } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import type { Taint } from "../contract/text.ts";
import type { Verdict } from "../contract/verdict.ts";
import { isUntouched, planSeal, type SealPlan } from "../guard/seal.ts";
import { foldRun, type RunState } from "../journal/fold.ts";
import { displacedFindings, hushed } from "./hold-out.ts";
import { judge } from "./judge.ts";
import { preparedEvidence, tellPrepared } from "./prepare.ts";
import type { RunRoom } from "./run.ts";
import { scanProposal } from "./scan-change.ts";
import type { Steps } from "./steps.ts";
import { isWorthVerifying, NOTHING_SEALED, verifyAll } from "./verify.ts";

interface Made {
  readonly proposal: Proposal;
  readonly taint: Taint;
  /** Files of base that the maker did not get to see. */
  readonly hidden: readonly string[];
  /** What was seen of it before it was scanned, and what is looked at when the verifiers are done. */
  readonly seen?: readonly Finding[];
  readonly lookAgain?: () => Promise<readonly Finding[]>;
}

/** Everything that can be seen of a proposal, and what follows from it. */
export async function examine(
  round: Round,
  room: RunRoom,
  { proposal, taint, hidden, seen: before = [], lookAgain }: Made,
  step: Steps,
): Promise<{ readonly evidence: Evidence; readonly verdict: Verdict }> {
  const scanned = await step("scan", async () =>
    proposal.kind === "commit" ? scanProposal(round, proposal, room.opened.spec.seal, room.world) : [],
  );
  const sealing = proposal.kind === "commit" ? planSeal(proposal.changes, room.opened.spec) : NOTHING_SEALED;
  const early = [...before, ...scanned, ...displacedFindings(proposal)];
  const seen = isWorthVerifying(proposal) ? await verifyAll(round, room, { proposal, findings: early, sealing }, step) : [];
  const findings = lookAgain ? [...early, ...(await lookAgain())] : early;

  const prepared = preparedEvidence(room, proposal);
  const proofs = seen.map((proof) => tellPrepared(proof, prepared));
  const evidence: Evidence = { proposal, findings, proofs, ...sealEvidence(sealing), taint, ...(prepared ? { prepared } : {}) };
  const judged = judge(
    { spec: room.opened.spec, roundNumber: round.number, triedTrees: triedTreesIn(foldRun(room.journal.entries)) },
    evidence,
  );
  const refuted = proofs.filter(({ outcome }) => outcome === "refuted").map(({ verifier }) => verifier);
  const verdict = hushed(judged, hidden, refuted);
  return { evidence, verdict };
}

/** What earlier rounds finished and lost. A change that its maker only gave up was never refuted. */
export const triedTreesIn = ({ rounds }: RunState): readonly string[] =>
  rounds.flatMap(({ evidence }) =>
    evidence?.proposal.kind === "commit" && evidence.proposal.talk.ended === "finished" ? [evidence.proposal.tree] : [],
  );

const sealEvidence = (plan: SealPlan): Pick<Evidence, "seal"> =>
  isUntouched(plan) ? {} : { seal: { restored: plan.restored.map(({ path }) => path), dropped: plan.dropped.map(({ path }) => path) } };
