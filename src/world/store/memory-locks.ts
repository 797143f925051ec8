// Locks among those who share one memory: whoever waits gets their turn in the order they came.
import type { HeldLock, LockName, Locks } from "../../contract/locks.ts";

export function createMemoryLocks<Name extends string = LockName>(): Locks<Name> {
  /** What is held, and who waits for it. */
  const lines = new Map<Name, (() => void)[]>();

  return {
    async isHeld(name) {
      return lines.has(name);
    },
    async hold(name, { ms, stop }) {
      const line = lines.get(name);
      if (!line) {
        lines.set(name, []);
        return heldLock(name);
      }
      if (ms <= 0 || stop?.asked()) return undefined;
      return new Promise((resolve) => {
        const settle = (lock: HeldLock | undefined): void => {
          clearTimeout(timer);
          goAway?.();
          resolve(lock);
        };
        const turn = (): void => settle(heldLock(name));
        const giveUp = (): void => {
          line.splice(line.indexOf(turn), 1);
          settle(undefined);
        };
        line.push(turn);
        const timer = setTimeout(giveUp, Math.min(ms, LONGEST_TIMER_MS));
        const goAway = stop?.onAsk(giveUp);
      });
    },
  };

  /** Handed on without being free in between, so that nobody who comes later gets ahead. */
  function heldLock(name: Name): HeldLock {
    let isReleased = false;
    return {
      async release() {
        if (isReleased) return;
        isReleased = true;
        const next = lines.get(name)?.shift();
        if (next) next();
        else lines.delete(name);
      },
    };
  }
}

/** Timers take no more than this, and take more for nothing. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
