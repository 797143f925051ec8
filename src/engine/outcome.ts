// How a waking ended, and what went wrong in a form that can be put on record.
import { LoopError } from "../contract/errors.ts";
import type { Rest } from "../contract/verdict.ts";

/** The loop rests, or something outside must pass first and the run stays open. */
export type Outcome = { readonly kind: "rested"; readonly rest: Rest } | { readonly kind: "paused"; readonly failure: LoopError };

/** What we do not know by name is a bug of ours: it is recorded as one, and stops only its own loop. */
export function asFailure(error: unknown): LoopError {
  if (error instanceof LoopError) return error;
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new LoopError("bug", told.slice(0, 4000), {
    retry: "never",
    hint: "This is a bug in loopwright: please report it with this text and the output of `lw doctor`.",
    cause: error,
  });
}
