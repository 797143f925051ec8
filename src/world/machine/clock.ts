// The machine's clock, its timers, and ids by chance.
import { randomInt } from "node:crypto";
import type { Clock, Ids, Stop } from "../../contract/clock.ts";
import { neverStops } from "../../contract/stop.ts";

export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };

/** Letters and digits that cannot be taken for one another. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";

export const randomIds: Pick<Ids, "token"> = {
  token: () => Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join(""),
};

/** Calls again and again until told to stop; never keeps the process alive by itself. */
export function repeat(everyMs: number, work: () => void): { readonly end: () => void } {
  const timer = setInterval(work, everyMs);
  timer.unref();
  return { end: () => clearInterval(timer) };
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A sleep that a stop cuts short. */
export async function sleepUnless(ms: number, stop: Stop = neverStops): Promise<void> {
  let cutShort = (): void => {};
  const rested = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    cutShort = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  const goAway = stop.onAsk(cutShort);
  await rested;
  goAway();
}
