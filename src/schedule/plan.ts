// What a spec says about waking, with every default in its place.
import type { Wake } from "../contract/spec.ts";
import type { Waker } from "../contract/trigger.ts";
import { parseDuration } from "../std/duration.ts";
import type { LoopPlan, Needs } from "./ports.ts";
import { windowsOf } from "./windows.ts";

const FIRST_BACKOFF_MS = 60_000;
const MOST_BACKOFF_MS = 6 * 3_600_000;

/** What a plan is made of. `patience` is the budget's. */
export interface PlanSource {
  readonly wake: Wake | undefined;
  readonly waker: Waker;
  readonly patience: string | undefined;
  readonly needs: Omit<Needs, "spare" | "priority">;
  readonly judges: readonly string[];
}

export function planOf({ wake = {}, waker, patience, needs, judges }: PlanSource): LoopPlan {
  const { missed = "once", overlap, jitter, priority = 0, wip, backoff, spare = false } = wake;
  return {
    ...needs,
    judges,
    priority,
    spare,
    slots: waker.slots,
    windows: windowsOf(wake),
    missed,
    overlap: { slots: overlap ?? "skip", events: overlap ?? "queue" },
    jitterMs: msOf(jitter) ?? 0,
    wip,
    backoff: { firstMs: msOf(backoff?.first) ?? FIRST_BACKOFF_MS, mostMs: msOf(backoff?.most) ?? MOST_BACKOFF_MS },
    patienceMs: msOf(patience) ?? 0,
    expect: expectOf(wake),
  };
}

export const expectOf = (wake: Wake | undefined): LoopPlan["expect"] =>
  wake?.expect && { ending: wake.expect.ending, withinMs: msOf(wake.expect.within) ?? Number.POSITIVE_INFINITY };

const msOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : parseDuration(text));
