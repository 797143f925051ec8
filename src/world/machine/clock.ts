import { randomInt } from "node:crypto";
import type { Clock, Ids } from "../../contract/clock.ts";

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

/** A sleep that a signal cuts short. */
export const sleepUnless = (ms: number, stopping: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stopping.aborted) return resolve();
    const timer = setTimeout(done, ms);
    stopping.addEventListener("abort", done);
    function done(): void {
      clearTimeout(timer);
      stopping.removeEventListener("abort", done);
      resolve();
    }
  });
