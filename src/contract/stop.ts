// Stops: one that can be asked for, and one that is asked for when any of several is.
import type { Stop } from "./clock.ts";

export interface AskableStop extends Stop {
  ask(): void;
}

export function createStop(): AskableStop {
  const listeners = new Set<() => void>();
  let isAsked = false;
  return {
    asked: () => isAsked,
    onAsk(listener) {
      if (isAsked) listener();
      // An entry of its own, so that one who listens twice is told twice.
      const tell = (): void => listener();
      if (!isAsked) listeners.add(tell);
      return () => void listeners.delete(tell);
    },
    ask() {
      if (isAsked) return;
      isAsked = true;
      const told = [...listeners];
      listeners.clear();
      for (const tell of told) tell();
    },
  };
}

/** Holds nothing of its causes but while somebody listens, so that a short stop leaves no trace in a long one. */
export const anyStop = (...causes: readonly Stop[]): Stop => ({
  asked: () => causes.some((cause) => cause.asked()),
  onAsk(listener) {
    let isTold = false;
    const once = (): void => {
      if (isTold) return;
      isTold = true;
      listener();
    };
    const ends = causes.map((cause) => cause.onAsk(once));
    return () => {
      isTold = true;
      for (const end of ends) end();
    };
  },
});

/** For who has nobody to ask. */
export const neverStops: Stop = { asked: () => false, onAsk: () => () => {} };
