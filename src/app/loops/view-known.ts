// What is shown of the loops that a home looks after: where their specs lie, what wakes them, when next, and whether anything keeps them.

import { nextSlot } from "../../contract/trigger.ts";
import type { KnownView } from "../../contract/views.ts";
import { type HomePlaces, type KnownLoop, readHomePlaces, readKnownLoops } from "../../journal/known-loops.ts";
import { builtIn, wakerOf } from "../crew.ts";
import { loopStanding } from "../decisions/standing.ts";
import type { Records } from "../open-records.ts";
import { tellTrigger } from "./tell-trigger.ts";
import { type DaemonSees, readDaemonSees, whatKeeps } from "./what-keeps.ts";

export interface KnownLoopsView {
  readonly places: readonly string[];
  readonly loops: readonly KnownView[];
  /** What is wrong with files and folders that no known loop comes from. */
  readonly wrong: HomePlaces["wrong"];
}

export async function viewKnown(records: Pick<Records, "journal" | "killSwitch" | "clock" | "home" | "texts">): Promise<KnownLoopsView> {
  const { places, wrong } = await readHomePlaces(records.journal);
  const known = (await readKnownLoops(records.journal)).filter(({ state }) => state !== "removed");
  const sees = await readDaemonSees(records);
  const loops: KnownView[] = [];
  for (const loop of known) loops.push(await viewKnownOne(records, loop, sees));
  return { places: places.map(({ path }) => path), loops, wrong };
}

export async function viewKnownOne(
  records: Pick<Records, "journal" | "killSwitch" | "clock" | "home" | "texts">,
  known: KnownLoop,
  sees?: DaemonSees,
): Promise<KnownView> {
  const { loop, path, state, problems, good } = known;
  const { state: standing, barred } = await loopStanding(records, loop);
  const { trigger } = good.record;
  return {
    loop,
    path,
    trigger: trigger ? tellTrigger(trigger) : "",
    next: state === "known" && standing === "free" && trigger ? nextOf(trigger, records.clock.now()) : null,
    standing,
    isRight: state === "known",
    why:
      problems.length > 0
        ? problems.join("\n")
        : (barred ?? (await whatKeeps(records, known, sees ?? (await readDaemonSees(records)))) ?? null),
  };
}

/** A part of another version, or with a bug, names no time here. */
function nextOf(trigger: NonNullable<KnownLoop["good"]["record"]["trigger"]>, now: Date): string | null {
  try {
    return nextSlot(wakerOf(builtIn, trigger), now)?.toISOString() ?? null;
  } catch {
    return null;
  }
}
