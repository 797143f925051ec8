// Time, chance, and what the process knows of the machine it is on.
import type { Owner } from "./ledger.ts";

export interface Clock {
  now(): Date;
  /** Never goes back, whatever happens to the wall clock. */
  monotonicMs(): number;
}

export interface Ids {
  /** A few characters that no other run has. */
  token(): string;
  /** 64 hexadecimal digits that only this home can tell, the same for the same words. */
  secretFor(words: string): string;
}

/** The variables of our own environment that a part may ask for by name. */
export interface Environment {
  get(name: string): string | undefined;
}

/** Who we are among the processes of this machine, and whether another one is still there. */
export interface Census {
  self(): Owner;
  isGone(owner: Owner): boolean;
}

/** As long as it is on, no loop runs and nothing moves. Anybody can turn it on, also without this program. */
export interface KillSwitch {
  /** The file that is the switch. */
  readonly path: string;
  isOn(): Promise<boolean>;
  turnOn(why: string): Promise<void>;
  turnOff(): Promise<void>;
}

/** A wish to stop. Once asked for it stays so. */
export interface Stop {
  asked(): boolean;
  /** Calls the listener once: when it is asked for, or now if it was. Gives back what takes the listener away again. */
  onAsk(listener: () => void): () => void;
}
