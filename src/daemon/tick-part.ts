// When the daemon lets the scheduler tick: a beat that only listens costs next to nothing, however many loops there are.
import type { Clock } from "../contract/clock.ts";
import type { WaitsForRoom } from "../schedule/ports.ts";
import { LONGEST_SLEEP_MS, type Part } from "./beat.ts";

/** The scheduler, as far as a daemon goes. */
export interface Ticker {
  begin(): Promise<void>;
  tick(now: number): Promise<{
    /** Who waits for room, of which nobody may tell us when it comes. */
    readonly waiting: readonly WaitsForRoom[];
    readonly problems: readonly { readonly loop: string; readonly error: unknown }[];
  }>;
  noticed(loop: string): void;
  noticedAll(): void;
  settled(): Promise<void>;
  next(): number | undefined;
}

export interface TickPart extends Part {
  /** Who waited for room after the last tick. */
  readonly waiting: () => readonly WaitsForRoom[];
  /** The last tick once more, for those whom it left: nothing that came due since is woken. */
  readonly again: () => Promise<void>;
}

export interface TickTold {
  readonly trouble: (loop: string, says: string) => void;
  /** Told once of each wait that lasts. */
  readonly waits: (waits: WaitsForRoom) => void;
}

/** Shorter waits are told by nobody: with more loops than room there is always somebody. */
const TOLD_AFTER_MS = 10_000;

/** A tick where there is something to do, and now and then where there is not: it is by the last one that a gap is known. */
export function tickPart(clock: Clock, ticker: Ticker, tell: TickTold): TickPart {
  let last = Number.NEGATIVE_INFINITY;
  let ticked = Number.NEGATIVE_INFINITY;
  let waiting: readonly WaitsForRoom[] = [];
  /** Since when each waits, and whether that was told. */
  const waits = new Map<string, { readonly sinceMs: number; isTold: boolean }>();
  const isTime = (now: number): boolean =>
    now < last || now - last >= LONGEST_SLEEP_MS || (ticker.next() ?? Number.POSITIVE_INFINITY) <= now;

  function tellWaits(): void {
    const names = new Set(waiting.map(({ loop }) => loop));
    for (const loop of waits.keys()) if (!names.has(loop)) waits.delete(loop);
    const nowMs = clock.monotonicMs();
    for (const one of waiting) {
      const wait = waits.get(one.loop) ?? { sinceMs: nowMs, isTold: false };
      waits.set(one.loop, wait);
      if (wait.isTold || nowMs - wait.sinceMs < TOLD_AFTER_MS) continue;
      wait.isTold = true;
      tell.waits(one);
    }
  }

  async function tick(now: number): Promise<void> {
    ticked = now;
    const { waiting: left, problems } = await ticker.tick(now);
    waiting = left;
    for (const { loop, error } of problems) tell.trouble(loop, error instanceof Error ? error.message : String(error));
    tellWaits();
  }

  return {
    name: "the tick",
    next: () => ticker.next(),
    waiting: () => waiting,
    again: () => {
      for (const { loop } of waiting) ticker.noticed(loop);
      return tick(ticked);
    },
    turn: async () => {
      const now = clock.now().getTime();
      if (!isTime(now)) return;
      // One that fails is tried again in the next beat, and so is one after which somebody waits.
      last = Number.NEGATIVE_INFINITY;
      await tick(now);
      if (waiting.length === 0) last = now;
    },
  };
}
