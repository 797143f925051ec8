// Room for a run on this machine: the repository that it writes to, and one of the places for runs. Tried, and never waited for.
import { BLINK_MS, type HeldLock, type LockName } from "../../contract/locks.ts";
import type { House } from "../open-house.ts";

/** What a run takes up besides its loop. */
export interface RoomWish {
  /** The identity of the repository it writes to; undefined where it writes to none. */
  readonly target: string | undefined;
  readonly perTarget: number;
  /** How many runs this machine has places for. */
  readonly places: number;
}

export type Room =
  | { readonly kind: "held"; readonly lock: HeldLock }
  | { readonly kind: "busy"; readonly with: "target" | "machine"; readonly says: string };

/** All of it or nothing. */
export async function takeRoom(house: Pick<House, "locks">, { target, perTarget, places }: RoomWish): Promise<Room> {
  const writer = target === undefined ? NO_LOCK : await firstFree(house, perTarget, (n) => targetLock(target, n));
  if (!writer) return { kind: "busy", with: "target", says: "its repository has its writers" };
  const place = await firstFree(house, places, (n) => `place ${n}`);
  if (!place) {
    await writer.release();
    return { kind: "busy", with: "machine", says: `${places} runs go on already, which is the most for this machine` };
  }
  return {
    kind: "held",
    lock: {
      async release() {
        await place.release();
        await writer.release();
      },
    },
  };
}

/** Who runs a loop by hand takes their repository if it is free, so that nothing is woken beside them, and goes on where it is not. */
export const takeTarget = async (house: Pick<House, "locks">, target: string): Promise<HeldLock> =>
  (await house.locks.hold(targetLock(target, 0), { ms: 0 })) ?? NO_LOCK;

const NO_LOCK: HeldLock = { release: async () => {} };

const targetLock = (target: string, n: number): LockName => (n === 0 ? `target ${target}` : `target ${target}-${n}`);

async function firstFree({ locks }: Pick<House, "locks">, most: number, nameOf: (n: number) => LockName): Promise<HeldLock | undefined> {
  for (let n = 0; n < most; n++) {
    // Only the last is worth a blink, in which somebody may just be looking.
    const lock = await locks.hold(nameOf(n), { ms: n === most - 1 ? BLINK_MS : 0 });
    if (lock) return lock;
  }
  return undefined;
}
