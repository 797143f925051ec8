// How a waking ended, and what went wrong in a form that can be put on record.
import { type ErrorCode, failureOfDisk, LoopError } from "../contract/errors.ts";
import type { Rest } from "../contract/verdict.ts";

/** The loop rests, or something outside must pass first and the run stays open. */
export type Outcome = { readonly kind: "rested"; readonly rest: Rest } | { readonly kind: "paused"; readonly failure: LoopError };

/** What of a maker passes: a limit, or that its model cannot be reached. A refusal, a failed check or tampering never does. */
const OF_MAKERS: readonly ErrorCode[] = ["maker-rate-limited", "maker-failed", "model-limited", "model-failed"];

export const isOfMaker = (error: unknown): error is LoopError =>
  error instanceof LoopError && error.retry === "later" && OF_MAKERS.includes(error.code);

/** What we do not know by name is a bug of ours: it is recorded as one, and stops only its own loop. */
export function asFailure(error: unknown): LoopError {
  if (error instanceof LoopError) return error;
  const disk = failureOfDisk(error);
  if (disk) return disk;
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new LoopError("bug", told.slice(0, 4000), {
    retry: "never",
    hint: "This is a bug in loopwright: please report it with this text and the output of `lw doctor`.",
    cause: error,
  });
}
