// How much one client may ask, so that no client fills the journal.
import { LoopError } from "../contract/errors.ts";

export interface Allowance {
  /** Refuses where nothing more may be asked. */
  readonly ask: () => void;
  /** Refuses where nothing more may be moved. */
  readonly move: () => void;
}

const MOST_ASKED = 20_000;
const MOST_MOVED = 20;
const HOUR_MS = 3_600_000;

/** For one session: whoever needs more begins another. */
export const allowanceOnce = (): Allowance => countTo("a session", "Begin another session where there is reason to.", () => false);

/** Anew every hour: for a client that can begin as many sessions as it likes. */
export function allowanceHourly(monotonicMs: () => number): Allowance {
  let sinceMs = monotonicMs();
  return countTo("a client", "Ask again in an hour.", () => {
    const isOver = monotonicMs() - sinceMs >= HOUR_MS;
    if (isOver) sinceMs = monotonicMs();
    return isOver;
  });
}

function countTo(who: string, hint: string, isAnew: () => boolean): Allowance {
  let asked = 0;
  let moved = 0;
  const refuse = (message: string): never => {
    throw new LoopError("loop-held", message, { retry: "later", hint });
  };
  return {
    ask() {
      if (isAnew()) [asked, moved] = [0, 0];
      asked += 1;
      if (asked > MOST_ASKED) refuse(`${who} may ask ${MOST_ASKED} times`);
    },
    move() {
      moved += 1;
      if (moved > MOST_MOVED) refuse(`${who} may move something ${MOST_MOVED} times`);
    },
  };
}
