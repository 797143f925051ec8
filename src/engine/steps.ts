// Durable steps: each is done once, however often the process dies.
import type { Clock, Stop } from "../contract/clock.ts";
import { LoopError } from "../contract/errors.ts";
import type { Watch } from "../contract/watch.ts";
import type { RunJournal, StepDone } from "../journal/run-journal.ts";

/** Runs a piece of work until its result is on record; a recorded result is returned, never made again. */
export interface Steps {
  /** What is held is on record before the work begins, and its result when it is done: nothing leaves while a record waits. */
  <T>(name: string, work: () => Promise<T>): Promise<T>;
  /** The same for work that puts something on record before it does anything else. */
  recording<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** For work beside which other work goes on: of time that several took at once, each moment is counted once. */
  beside<T>(name: string, tide: Tide, work: () => Promise<T>): Promise<T>;
  /** The same, but a result after which others begin at once is held: what they set aside is one append with it. Who begins nobody writes it. */
  handing<T>(name: string, tide: Tide, work: () => Promise<T>, isHandedOn: (result: T) => boolean): Promise<T>;
  /** For work that is cheap, can be done again from what is on disk, and that nobody outside sees: its result is held until something else is written. */
  light<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Up to when the time of work that goes on side by side is counted. */
export interface Tide {
  /** How much of the time since then was not counted yet. */
  count(sinceMs: number): number;
}

export function openTide({ monotonicMs }: Pick<Clock, "monotonicMs">): Tide {
  let upToMs = monotonicMs();
  return {
    count(sinceMs) {
      const [from, now] = [Math.max(sinceMs, upToMs), monotonicMs()];
      upToMs = Math.max(upToMs, now);
      return Math.max(0, now - from);
    },
  };
}

interface Footing {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly stop: Pick<Stop, "asked">;
}

/** A crash between the work and its record runs the work again, so every step must be safe to run twice. */
export function durableSteps(journal: RunJournal, id: string, world: Footing, watch: Watch): Steps {
  async function once<T>(step: string, work: () => Promise<T>, done: Finish<T>, tide?: Tide): Promise<T> {
    const before = journal.result(id, step);
    if (before) return before.result as T; // what this same step wrote
    if (world.stop.asked())
      throw new LoopError("interrupted", `stopped before the step ${step}`, { retry: "later", hint: "Go on with `lw resume`." });
    watch({ kind: "step-began", id, step });
    const startedMs = world.clock.monotonicMs();
    const result = await work();
    const tookMs = Math.round(tide ? tide.count(startedMs) : world.clock.monotonicMs() - startedMs);
    await done({ kind: "step-done", roundId: id, step, result, tookMs }, result);
    return result;
  }
  const flushed =
    <T>(work: () => Promise<T>) =>
    async (): Promise<T> => {
      await journal.write();
      return work();
    };
  return Object.assign(<T>(step: string, work: () => Promise<T>) => once(step, flushed(work), (record) => journal.write(record)), {
    recording: <T>(step: string, work: () => Promise<T>) => once(step, work, (record) => journal.write(record)),
    beside: <T>(step: string, tide: Tide, work: () => Promise<T>) => once(step, work, (record) => journal.write(record), tide),
    handing: <T>(step: string, tide: Tide, work: () => Promise<T>, isHandedOn: (result: T) => boolean) =>
      once(
        step,
        work,
        async (record, result: T) => (isHandedOn(result) ? journal.hold(record) : journal.write(record).then(() => undefined)),
        tide,
      ),
    light: <T>(step: string, work: () => Promise<T>) => once(step, work, async (record) => journal.hold(record)),
  });
}

type Finish<T> = (record: StepDone, result: T) => Promise<unknown>;
