// How much later than its slot a loop is due: the same for the same loop and slot, and never past the next slot or the end of its window.
import { sha256 } from "../std/hash.ts";
import type { LoopPlan } from "./ports.ts";

/** When a slot is due. `next` is the slot after it. */
export function dueAt(
  { loop, jitterMs, windows }: Pick<LoopPlan, "loop" | "jitterMs" | "windows">,
  slot: number,
  next: number | undefined,
): number {
  if (jitterMs === 0) return slot;
  const most = Math.min(jitterMs, (next ?? Number.POSITIVE_INFINITY) - slot, (windows.shuts(slot) ?? Number.POSITIVE_INFINITY) - slot);
  return slot + Math.floor(shareOf(`${loop}\0${new Date(slot).toISOString()}`) * most);
}

/** At least 0 and less than 1: always the same for the same words. */
export const shareOf = (words: string): number => Number.parseInt(sha256(words).slice(0, 12), 16) / 2 ** 48;
