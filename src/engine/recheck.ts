// Verifies a proposal once more, in fresh copies, long after the round that made it: what a human said yes to must still hold.
import type { Evidence } from "../contract/evidence.ts";
import type { CommitProposal } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import { untrustedText } from "../contract/text.ts";
import { examine, type Judged } from "./examine.ts";
import { layPrepared } from "./prepare.ts";
import type { Run } from "./run.ts";
import { setOut } from "./set-out.ts";

export interface Rechecking {
  /** The round that the proposal is from. */
  readonly round: Round;
  readonly evidence: Evidence;
  readonly proposal: CommitProposal;
  /** What is looked at now: its own commit, or a reviewer's. */
  readonly commit: string;
  /** Which look this is; places and steps go by it. */
  readonly number: number;
}

/** A crash before the verdict is on record looks again, in the same places. */
export async function recheck(run: Run<"commit">, { round, evidence, proposal, commit, number }: Rechecking): Promise<Judged> {
  const { opened, world } = run;
  // The last round there is, so that what does not hold goes to a human and not to a maker.
  const again: Round = {
    ...round,
    id: `${round.run}.again-${number}`,
    number: opened.spec.budget.rounds,
    openedAt: world.clock.now().toISOString(),
    lessons: [],
  };
  // The run is over and its time is used; this look has the time of a run of its own. What it spends is on the same record.
  const journal = run.journal.apart(({ record }) => record.kind === "baseline-taken");
  const apart = setOut({ ...run, journal });
  await world.workshop.openForBase(opened.repo, again);
  try {
    const work = commit === proposal.commit ? undefined : await world.workshop.describe(again, commit);
    const looked: CommitProposal = work
      ? { kind: "commit", ...work, talk: { ended: "finished", summary: untrustedText("a reviewer's commits") }, box: { kind: "unused" } }
      : proposal;
    const made = { proposal: looked, taint: evidence.taint ?? { kind: "clean" as const }, hidden: [] };
    return await examine(again, await layPrepared(apart), made, apart.steps(again.id));
  } finally {
    await journal.write();
    await world.workshop.close(again);
  }
}
