// Looks after the specs of a home now and then, and whenever somebody says that something changed.
import { type Looked, lookAfter } from "../app/loops/look-after.ts";
import type { House } from "../app/open-house.ts";

/** Where nobody says that something changed. */
const EVERY_MS = 60_000;
/** Whoever writes a file writes it in several pieces, and several files one after the other. */
const SETTLE_MS = 300;

export interface Tending {
  readonly next: () => number;
  /** Undefined where it was not time yet, or all loops are known as they were. */
  readonly turn: () => Promise<Looked | undefined>;
  readonly hasten: () => void;
  readonly count: () => number;
}

export function tendSpecs(house: House, tell: (looked: Looked) => void): Tending {
  let dueAt = 0;
  let before: Looked | undefined;
  let known = "";
  return {
    next: () => dueAt,
    hasten: () => {
      dueAt = Math.min(dueAt, house.clock.now().getTime() + SETTLE_MS);
    },
    count: () => (before?.known ?? []).filter(({ state }) => state === "known").length,
    async turn() {
      const now = house.clock.now().getTime();
      if (now < dueAt && dueAt - now <= EVERY_MS) return undefined;
      dueAt = now + EVERY_MS;
      const looked = await lookAfter(house, { by: "lw serve", ...(before ? { before: before.sighted } : {}) });
      before = looked;
      tell(looked);
      const knownNow = JSON.stringify(looked.known.map(({ loop, state, seq }) => [loop, state, seq]));
      const isSame = knownNow === known;
      known = knownNow;
      return isSame ? undefined : looked;
    },
  };
}
