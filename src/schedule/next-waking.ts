// When a loop is woken by a time next, as far as that follows from its spec alone: with its windows and its jitter. Pure.
import { dueAt } from "./jitter.ts";
import type { LoopPlan } from "./ports.ts";

export type NextWaking =
  | { readonly kind: "at"; readonly slot: number; readonly dueAt: number }
  /** Its trigger names no time any more, or never did. */
  | { readonly kind: "no-slot" }
  /** Times come, and none of them while a window of it is open. */
  | { readonly kind: "shut" };

/** Each step goes to where a window opens: a window that is never met is known after a few hundred of them. */
const MOST_STEPS = 1_000;

export function nextWaking(plan: Pick<LoopPlan, "loop" | "slots" | "windows" | "jitterMs">, now: number): NextWaking {
  const { slots, windows } = plan;
  const after = (instant: number): number | undefined => slots?.due(instant, instant, 0).next;
  let slot = after(now);
  if (slot === undefined) return { kind: "no-slot" };
  for (let step = 0; slot !== undefined && step < MOST_STEPS; step++) {
    if (windows.isOpen(slot)) return { kind: "at", slot, dueAt: dueAt(plan, slot, after(slot)) };
    const opens = windows.opens(slot);
    if (opens === undefined) return { kind: "shut" };
    // The first slot from the opening on; a slot is an instant of whole milliseconds.
    slot = after(opens - 1);
  }
  return { kind: "shut" };
}
