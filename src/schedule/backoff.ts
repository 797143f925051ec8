// How long to wait after the n-th failure in a row: doubling, spread, and bounded.
import { shareOf } from "./jitter.ts";
import type { LoopPlan } from "./ports.ts";

/** How often a start that fails for a reason that passes is tried. */
export const MOST_TRIES = 5;

/** `failures` counts those since the last success, this one included. */
export function backoffMs({ loop, backoff }: Pick<LoopPlan, "loop" | "backoff">, failures: number): number {
  const doubled = backoff.firstMs * 2 ** Math.min(Math.max(failures, 1) - 1, 40);
  return Math.round(Math.min(backoff.mostMs, doubled) * (0.5 + 0.5 * shareOf(`${loop}\0${failures}`)));
}
