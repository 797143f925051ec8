// Verifies a proposal once more, in fresh copies, long after the round that made it: what a human said yes to must still hold.
import type { DecidedKind } from "../contract/proposal.ts";
import type { LoopRecord } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import { closeBaseline } from "./close-baseline.ts";
import { inspect } from "./examine.ts";
import { decidingOf } from "./kinds/index.ts";
import { lendCaches } from "./lend-caches.ts";
import { layPrepared } from "./prepare.ts";
import type { Proposed } from "./proposed.ts";
import type { Run } from "./run.ts";
import { setOut } from "./set-out.ts";
import type { Judged } from "./weigh-round.ts";

/** What was seen of base, and what people said of a tree, holds for this look too. */
const KNOWN_AGAIN: readonly LoopRecord["kind"][] = ["baseline-taken", "review-asked", "reviewed"];

/** What was seen of another base says nothing of this one. */
const isKnownAgain = (record: LoopRecord, tree: string | undefined): boolean =>
  KNOWN_AGAIN.includes(record.kind) && (record.kind !== "baseline-taken" || tree === undefined || record.baseline.tree === tree);

/** Puts on record what the look came to. */
export async function verifyAgain(run: Run<DecidedKind>, proposed: Proposed): Promise<void> {
  const number = run.journal.entries.filter(({ record }) => record.kind === "rechecked").length + 1;
  const { verdict } = await recheck(run, proposed, number);
  await run.journal.write({ kind: "rechecked", tree: proposed.state.tree, base: proposed.round.base, verdict });
}

/** Places and steps go by which look this is; a crash before the verdict is on record looks again, in the same places. */
async function recheck(run: Run<DecidedKind>, proposed: Proposed, number: number): Promise<Judged> {
  const { opened, world } = run;
  const { round, evidence } = proposed;
  // The last round there is, so that what does not hold goes to a human and not to a maker.
  const again: Round = {
    ...round,
    id: `${round.run}.again-${number}`,
    number: opened.spec.budget.rounds,
    openedAt: world.clock.now().toISOString(),
    lessons: [],
  };
  // The run is over and its time is used; this look has the time of a run of its own. What it spends is on the same record.
  const tree = round.base === opened.base.commit ? undefined : await world.workshop.treeOf(opened.repo, round.base);
  const journal = run.journal.apart(({ record }) => isKnownAgain(record, tree));
  const apart = setOut({ ...run, opened: { ...opened, base: { ...opened.base, commit: round.base } }, journal });
  // A base that it was put on since is looked at as for a run that begins there.
  const failure = tree === undefined ? undefined : await closeBaseline(apart);
  if (failure) throw failure;
  await world.workshop.openForBase(opened.repo, again, [proposed.state.commit]);
  try {
    const proposal = await decidingOf(proposed).asAmended(again, proposed, world);
    const made = { proposal, taint: evidence.taint ?? { kind: "clean" as const }, hidden: [], isAgain: true };
    // That it holds is asked again, and not whether it is enough: who said yes has seen its figures.
    const laid = await layPrepared(apart);
    // Who acts alone has the last word of checks that compiled everything anew.
    return await inspect(again, opened.spec.level === "L3" ? laid : lendCaches(laid), made, apart.steps(again.id));
  } finally {
    await journal.write();
    await world.workshop.close(again);
  }
}
