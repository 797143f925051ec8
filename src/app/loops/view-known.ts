// What is shown of the loops that a home looks after: where their specs lie, what wakes them, when next, and whether anything keeps them.

import type { KnownView } from "../../contract/views.ts";
import { type HomePlaces, type KnownLoop, readHomePlaces, readKnownLoops } from "../../journal/known-loops.ts";
import { nextWaking } from "../../schedule/next-waking.ts";
import { planOf } from "../../schedule/plan.ts";
import { builtIn, wakerOf } from "../crew.ts";
import { loopStanding } from "../decisions/standing.ts";
import type { Records } from "../open-records.ts";
import { specIn } from "./loop-plan.ts";
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
  const isWoken = state === "known" && standing === "free";
  const times = isWoken ? timesOf(known, records.clock.now()) : NO_TIMES;
  return {
    loop,
    path,
    trigger: trigger ? tellTrigger(trigger) : "",
    next: times.next,
    standing,
    isRight: state === "known",
    why:
      problems.length > 0
        ? problems.join("\n")
        : (barred ?? (isWoken ? await whatKeeps(records, known, sees ?? (await readDaemonSees(records))) : undefined) ?? times.why),
  };
}

interface Times {
  readonly next: string | null;
  readonly why: string | null;
}

const NO_TIMES: Times = { next: null, why: null };

/** By its spec alone: with its windows and its jitter. A part of another version, or with a bug, names no time here. */
function timesOf({ loop, good }: KnownLoop, now: Date): Times {
  const { trigger } = good.record;
  if (!trigger) return NO_TIMES;
  try {
    const needs = { loop, target: "", writes: true, maker: "", account: undefined };
    const plan = planOf({ wake: specIn(good.record)?.wake, waker: wakerOf(builtIn, trigger), patience: undefined, needs, judges: [] });
    const next = nextWaking(plan, now.getTime());
    if (next.kind === "at") return { next: new Date(next.dueAt).toISOString(), why: null };
    return { next: null, why: next.kind === "shut" ? NEVER_OPEN : null };
  } catch {
    return NO_TIMES;
  }
}

export const NEVER_OPEN = "no time comes any more at which it may wake: its windows are shut at all of them";
