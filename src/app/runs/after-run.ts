// What follows a run: what it proposed goes on as far as it may, what it took the place of is said to be so, and a loop that gets
// nowhere is halted.
import type { LoopSpec } from "../../contract/spec.ts";
import type { Watch } from "../../contract/watch.ts";
import type { Outcome } from "../../engine/outcome.ts";
import { alertNeeds } from "../decisions/alert.ts";
import { demoteIfNeeded } from "../decisions/autonomy.ts";
import { openProposals, settleOpen, supersede } from "../decisions/carry-out.ts";
import { haltIfNeeded } from "../decisions/standing.ts";
import type { House } from "../open-house.ts";

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
