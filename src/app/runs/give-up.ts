// Closes runs that cannot or shall not go on, and those that they called; what they left is removed, what they recorded stays.
import { calledLoop, calledRun } from "../../contract/calling.ts";
import type { RunOpened } from "../../contract/record.ts";
import type { Rest } from "../../contract/verdict.ts";
import type { Watch } from "../../contract/watch.ts";
import type { Outcome } from "../../engine/outcome.ts";
import { isResumable, restRun } from "../../engine/rest-run.ts";
import type { Run } from "../../engine/run.ts";
import { foldRun, type RunState } from "../../journal/fold.ts";
import { openRunJournal } from "../../journal/run-journal.ts";
import { askWithPolicy } from "../hooks/ask-with-policy.ts";
import type { House } from "../open-house.ts";
import { signLoop } from "../records/sign.ts";
import { policyFor, telling } from "./open-run.ts";
import type { GivenUp } from "./plan-waking.ts";

/** Closes a run that cannot or shall not go on; what it left is removed, what it recorded stays. */
export async function giveUp(house: House, { last, rest }: GivenUp, watch: Watch): Promise<Outcome> {
  await house.journal.settleLeftovers(last.run);
  const journal = await openRunJournal(house.journal, last, telling(watch));
  const policy = await policyFor(house, last.opened);
  const guard: Run["guard"] = (command, at) => askWithPolicy(command, at, policy);
  await giveUpCalled(house, { ...last, rounds: journal.state.rounds, rest }, watch);
  return restRun({ opened: last.opened, journal, world: house.world, watch, guard }, [], rest);
}

/** Runs that were called and have not come to rest are over with the run that called them: nothing of them is left. */
export async function giveUpCalled(
  house: House,
  {
    loop,
    run,
    opened,
    rounds,
    rest,
  }: {
    readonly loop: string;
    readonly run: string;
    readonly opened: RunOpened;
    readonly rounds: RunState["rounds"];
    readonly rest: Rest;
  },
  watch: Watch,
): Promise<void> {
  for (const [worker, wish] of Object.entries(opened.spec.team?.workers ?? {})) {
    if (!wish.spec) continue;
    for (const { round } of rounds) {
      const place = { loop: calledLoop(loop, worker), run: calledRun(round.id, worker) };
      const story = await house.journal.story(place.run);
      const state = foldRun(story.entries);
      if (!state.opened) continue;
      const reason = `the run ${run} that called it is over`;
      if (!state.rest)
        await giveUp(
          house,
          {
            last: { ...place, opened: state.opened, openedAt: state.openedAt ?? "", story, state, damaged: story.damaged },
            rest: { kind: "halt", because: "stopped", reason },
          },
          watch,
        );
      await giveUpCalled(house, { ...place, opened: state.opened, rounds: state.rounds, rest }, watch);
      // One that waits for more budget goes on from what others had made.
      if (!isResumable(rest)) await house.world.workshop.forgetTeam(state.opened.repo, round);
      await signLoop(house, place.loop, watch);
    }
  }
}
