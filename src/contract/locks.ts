// Locks: who may work on something while nobody else does, in this process or another.
import type { Stop } from "./clock.ts";

/** What a lock protects is in its name. */
export type LockName =
  /** Running a loop, or carrying out what it proposed. */
  | `loop ${string}`
  /** Preparing folders of one id. */
  | `prepared ${string}`
  /** Signing: receipts, checkpoints, the change of a key. */
  | "sign"
  /** The ring of signing keys. */
  | "keys"
  /** Writing to one repository, by its identity; with a number behind it where several may. */
  | `target ${string}`
  /** One of the places that this machine has for runs. */
  | `place ${number}`
  /** Trying an account whose limit has passed, before others use it again. */
  | `account ${string}`
  /** Waking the loops of this home. */
  | "daemon"
  /** Mending a damaged journal. */
  | "mend";

/** A lock ends with its holder, however that ends. */
export interface Locks<Name extends string = LockName> {
  /** Waits at most so long, and no longer than until a stop is asked for; undefined when somebody else has it to the end. */
  hold(name: Name, wait: LockWait): Promise<HeldLock | undefined>;
  /** Whether somebody has it now, we included. Asking takes nothing from anybody. */
  isHeld(name: Name): Promise<boolean>;
}

/** Older versions hold a lock for a blink, only to see whether it is free: nobody is sent away for that. */
export const BLINK_MS = 300;

export interface LockWait {
  readonly ms: number;
  readonly stop?: Stop;
}

export interface HeldLock {
  /** Once is enough; more does nothing. */
  release(): Promise<void>;
}

/** Works while nobody else does; the lock is given back however that ends. A wait in vain is told by what `busy` makes of it. */
export async function underLock<Name extends string, T>(
  { locks, name, busy, ...wait }: LockWait & { readonly locks: Pick<Locks<Name>, "hold">; readonly name: Name; readonly busy: () => Error },
  work: () => Promise<T> | T,
): Promise<T> {
  const lock = await locks.hold(name, wait);
  if (!lock) throw busy();
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
