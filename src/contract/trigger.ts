// Triggers: what wakes a loop.

import type { z } from "zod";
import { type Configured, described, type Part, withOptions } from "./part.ts";

// ── triggers: what wakes a loop ─────────────────────────────────────────────────────────────────────────────────

/** When the loop wants to be woken next, given when it was last opened. Pure. */
export type NextDue = (lastOpened: Date | undefined) => Due;

export type Due = { readonly kind: "never" } | { readonly kind: "at-once" } | { readonly kind: "at"; readonly time: Date };

export type Trigger = Configured<Part, NextDue>;

export function defineTrigger<Options extends z.ZodType>(
  part: Part & { readonly options: Options; readonly nextDue: (lastOpened: Date | undefined, options: z.infer<Options>) => Due },
): Trigger {
  return { ...described(part), configure: (raw) => withOptions(part, raw, (options) => (last) => part.nextDue(last, options)) };
}
