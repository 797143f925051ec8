// What follows a run: what it proposed goes on as far as it may, what it took the place of is said to be so, and a loop that gets
// nowhere is halted.
import { BLINK_MS } from "../../contract/locks.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import type { Watch } from "../../contract/watch.ts";
import type { Outcome } from "../../engine/outcome.ts";
import { type Proposed, proposedIn } from "../../engine/proposed.ts";
import { type LastRun, readLastRun } from "../../journal/loop-facts.ts";
import { isClosed } from "../../journal/proposals.ts";
import { alertNeeds } from "../decisions/alert.ts";
import { demoteIfNeeded } from "../decisions/autonomy.ts";
import { type CarriedOut, openProposals, settleOpen, supersede } from "../decisions/carry-out.ts";
import { haltIfNeeded } from "../decisions/standing.ts";
import type { House } from "../open-house.ts";
import { signLoop } from "../records/sign.ts";

export async function afterRun(
  house: House,
  { name: loop, level }: Pick<LoopSpec, "name" | "level">,
  { run, outcome }: { readonly run: string; readonly outcome: Outcome },
  watch: Watch,
): Promise<void> {
  if (outcome.kind !== "rested") return;
  const { rest } = outcome;
  await demoteIfNeeded(house, loop, run);
  if (rest.kind === "accept" && rest.action === "propose") {
    // Below L3 nothing of a new proposal can move, so there is nothing to look at.
    if (level === "L3") await settleOpen(house, loop, watch);
    await supersede(house, loop, run, await openProposals(house, loop));
  }
  await haltIfNeeded(house, loop);
  await alertNeeds(house, loop);
}

/**
 * Does what follows the last run of a loop where whoever ran it died after its rest, before or in the middle of that. No record says
 * that it was done: each part of it comes to the same when it is done again, and a proposal that waits is only looked at once more.
 */
export async function followLastRun(house: House, loop: string, watch: Watch): Promise<readonly CarriedOut[]> {
  const last = await readLastRun(house.journal, loop);
  const rest = last?.state.rest?.verdict;
  if (!last || !rest || last.opened.parent || last.opened.referee) return [];
  const waits = await findOpen(house, last);
  // What somebody said yes to is carried out for that.
  if (waits && waits.state.approvals.length > 0) return [];
  const lock = await house.locks.hold(`loop ${loop}`, { ms: BLINK_MS });
  // Whoever holds it does the same at the end of what it does.
  if (!lock) return [];
  try {
    await afterRun(house, last.opened.spec, { run: last.run, outcome: { kind: "rested", rest } }, watch);
    await signLoop(house, loop, watch);
  } finally {
    await lock.release();
  }
  const state = waits && proposedIn((await house.journal.story(last.run)).entries)?.state;
  return state && isClosed(state) ? [{ kind: "came", run: last.run, loop, standstill: { kind: "settled", why: "", state } }] : [];
}

const findOpen = async (house: House, { loop, run }: Pick<LastRun, "loop" | "run">): Promise<Proposed | undefined> =>
  (await openProposals(house, loop)).find(({ round }) => round.run === run);
