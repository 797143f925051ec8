// Durable steps: each is done once, however often the process dies.
import type { Clock, Stop } from "../contract/clock.ts";
import { LoopError } from "../contract/errors.ts";
import type { Watch } from "../contract/watch.ts";
import type { RunJournal } from "../journal/run-journal.ts";

/** Runs a piece of work until its result is on record; a recorded result is returned, never made again. */
export type Steps = <T>(name: string, work: () => Promise<T>) => Promise<T>;

interface Footing {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly stop: Pick<Stop, "asked">;
}

/** A crash between the work and its record runs the work again, so every step must be safe to run twice. */
export function durableSteps(journal: RunJournal, id: string, world: Footing, watch: Watch): Steps {
  return async <T>(step: string, work: () => Promise<T>) => {
    const done = journal.result(id, step);
    if (done) return done.result as T; // what this same step wrote
    if (world.stop.asked())
      throw new LoopError("interrupted", `stopped before the step ${step}`, { retry: "later", hint: "Go on with `lw resume`." });
    watch({ kind: "step-began", id, step });
    const startedMs = world.clock.monotonicMs();
    const result = await work();
    const entry = await journal.append({
      kind: "step-done",
      roundId: id,
      step,
      result,
      tookMs: Math.round(world.clock.monotonicMs() - startedMs),
    });
    watch({ kind: "recorded", entry });
    return result;
  };
}
