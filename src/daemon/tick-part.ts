// When the daemon lets the scheduler tick: a beat that only listens costs next to nothing, however many loops there are.
import type { Clock } from "../contract/clock.ts";
import { LONGEST_SLEEP_MS, type Part } from "./beat.ts";

/** The scheduler, as far as a daemon goes. */
export interface Ticker {
  begin(): Promise<void>;
  tick(now: number): Promise<{
    /** How many wait for room, which nobody may tell us of. */
    readonly waiting: number;
    readonly problems: readonly { readonly loop: string; readonly error: unknown }[];
  }>;
  noticed(loop: string): void;
  noticedAll(): void;
  settled(): Promise<void>;
  next(): number | undefined;
}

/** A tick where there is something to do, and now and then where there is not: it is by the last one that a gap is known. */
export function tickPart(clock: Clock, ticker: Ticker, trouble: (loop: string, says: string) => void): Part {
  let last = Number.NEGATIVE_INFINITY;
  const isTime = (now: number): boolean =>
    now < last || now - last >= LONGEST_SLEEP_MS || (ticker.next() ?? Number.POSITIVE_INFINITY) <= now;
  return {
    name: "the tick",
    next: () => ticker.next(),
    turn: async () => {
      const now = clock.now().getTime();
      if (!isTime(now)) return;
      // One that fails is tried again in the next beat, and so is one after which somebody waits.
      last = Number.NEGATIVE_INFINITY;
      const { waiting, problems } = await ticker.tick(now);
      if (waiting === 0) last = now;
      for (const { loop, error } of problems) trouble(loop, error instanceof Error ? error.message : String(error));
    },
  };
}
