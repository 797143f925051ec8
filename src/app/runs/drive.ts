// Lets the engine work on a run: listens for a stop that somebody asked for in the journal, of this run and no other, and waits
// where the spec has patience.
import type { KindName } from "../../contract/proposal.ts";
import type { Outcome } from "../../engine/outcome.ts";
import { restRun } from "../../engine/rest-run.ts";
import type { Run } from "../../engine/run.ts";
import { runLoop } from "../../engine/run-loop.ts";
import { parseSize } from "../../guard/size.ts";
import { NEXT_WAKING } from "../../journal/loop-facts.ts";
import { parseDuration } from "../../std/duration.ts";
import type { House } from "../open-house.ts";
import { loadLimits } from "../settings.ts";
import { callsFor } from "./call-loops.ts";
import { MADE_WAY } from "./plan-waking.ts";

const STOP_POLL_MS = 250;
/** Clocks differ, and a limit that passed this very moment may not have passed for everybody. */
const SHORTEST_WAIT_MS = 2_000;

export async function drive<K extends KindName>(house: House, run: Run<K>): Promise<Outcome> {
  const since = run.journal.entries.at(-1)?.seq ?? 0;
  let makesWay = false;
  const listening = house.repeat(STOP_POLL_MS, () => {
    house.journal.entriesAfter(since, 1, { run: run.journal.run, kinds: ["stop-requested"] }).then(
      ([asked]) => {
        if (!asked) return;
        makesWay = asked.record.kind === "stop-requested" && asked.record.by === NEXT_WAKING;
        run.stop.ask();
      },
      // A journal that cannot be read just now will say so at the next append.
      () => undefined,
    );
    run.world.killSwitch.isOn().then(
      (isOn) => isOn && run.stop.ask(),
      () => undefined,
    );
  });
  try {
    const outcome = await runPatiently(house, run);
    const most = parseSize((await loadLimits(house)).kept);
    // A run that is over does not fail because of what others left; whoever ends next tries again.
    if (most !== undefined) await house.keepLittle(most).catch(() => {});
    // What was stopped in favour of the next run is over. The run's own world has stopped with it.
    return makesWay && outcome.kind === "paused" ? await restRun({ ...run, world: house.world }, [], MADE_WAY) : outcome;
  } finally {
    listening.end();
  }
}

/** The engine never waits. A limit that says when it passes is waited for here, as long as the spec allows; the round goes on afterwards. */
async function runPatiently<K extends KindName>(house: House, run: Run<K>): Promise<Outcome> {
  const { clock } = run.world;
  let patienceMs = parseDuration(run.opened.spec.budget.patience ?? "") ?? 0;
  for (;;) {
    const outcome = await runLoop({ ...run, calls: callsFor(house, run) });
    const until = outcome.kind === "paused" ? outcome.failure.until : undefined;
    if (until === undefined) return outcome;
    const waitMs = Math.max(SHORTEST_WAIT_MS, Date.parse(until) - clock.now().getTime());
    if (waitMs > patienceMs) return outcome;
    patienceMs -= waitMs;
    for (const overMs = clock.monotonicMs() + waitMs; clock.monotonicMs() < overMs; ) {
      if (run.stop.asked()) return outcome;
      await house.sleep(Math.min(STOP_POLL_MS, overMs - clock.monotonicMs()));
    }
  }
}
