// Room for a run on this machine: the repository that it writes to, and one of the places for runs. Who is woken tries, who runs by hand waits.
import { LoopError } from "../../contract/errors.ts";
import { BLINK_MS, type HeldLock, type LockName } from "../../contract/locks.ts";
import { lastOf } from "../../journal/journal.ts";
import { writesTo } from "../loops/loop-plan.ts";
import type { House } from "../open-house.ts";
import { isRunning } from "../records/views.ts";
import { loadMachine } from "../settings.ts";

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

/** What who runs a loop by hand wants where its repository has its writers. */
export interface BesideWish {
  readonly when: "wait" | "refuse";
  /** Told once that it waits, and for whom. */
  readonly tell?: (says: string) => void;
}

const LOOK_MS = 500;

/** Works while it may write to its repository: as many as the machine's file says do so at once, and nobody is woken beside them. */
export async function writing<T>(
  house: House,
  { loop, repo, beside = { when: "wait" } }: { readonly loop: string; readonly repo: string; readonly beside?: BesideWish | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const target = await house.identityOf(repo);
  const { perTarget } = await loadMachine(house, house.cores);
  const names = (n: number): LockName => targetLock(target, n);
  let lock = await firstFree(house, perTarget, names);
  if (!lock) {
    const who = await whoWrites(house, { loop, target, repo });
    if (beside.when === "refuse") throw isWritten(who);
    beside.tell?.(`${who}; this waits until it is over`);
    while (!lock) {
      if (house.stop.asked()) throw gaveUp(loop);
      lock = await firstFree(house, perTarget, names, LOOK_MS);
    }
  }
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** Those whose runs go on there, as far as the records of this home tell. */
async function whoWrites(
  house: House,
  { loop, target, repo }: { readonly loop: string; readonly target: string; readonly repo: string },
): Promise<string> {
  const writers: string[] = [];
  for (const other of await house.journal.loops()) {
    if (other === loop || !(await isRunning(house, other))) continue;
    const opened = await lastOf(house.journal, other, "run-opened");
    if (opened && writesTo(opened.record.spec, house.registries) && (await house.identityOf(opened.record.repo)) === target)
      writers.push(`${other} (${opened.run})`);
  }
  return `another run writes to ${repo}${writers.length > 0 ? `: ${writers.join(", ")}` : ""}`;
}

const isWritten = (who: string): LoopError =>
  new LoopError("loop-busy", who, {
    retry: "later",
    hint: "Wait until it is over, or leave out --no-wait. `perTarget` in machine.yaml says how many may write to one repository at once.",
  });

const gaveUp = (loop: string): LoopError =>
  new LoopError("interrupted", `${loop} was stopped while it waited for its repository`, {
    retry: "later",
    hint: "Nothing was begun. Run it again when you like.",
  });

const NO_LOCK: HeldLock = { release: async () => {} };

const targetLock = (target: string, n: number): LockName => (n === 0 ? `target ${target}` : `target ${target}-${n}`);

async function firstFree(
  { locks, stop }: Pick<House, "locks"> & Partial<Pick<House, "stop">>,
  most: number,
  nameOf: (n: number) => LockName,
  lastMs = BLINK_MS,
): Promise<HeldLock | undefined> {
  for (let n = 0; n < most; n++) {
    // Only the last is worth a blink, in which somebody may just be looking.
    const lock = await locks.hold(nameOf(n), { ms: n === most - 1 ? lastMs : 0, ...(stop ? { stop } : {}) });
    if (lock) return lock;
  }
  return undefined;
}
