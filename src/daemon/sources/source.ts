// Sources: what is looked at now and then, because something may have happened there that wakes a loop.
import type { Clock } from "../../contract/clock.ts";
import type { Journal } from "../../journal/journal.ts";
import type { HeardBook } from "../heard.ts";

export interface Source {
  readonly loop: string;
  /** Says what it is of, for people. */
  readonly name: string;
  readonly everyMs: number;
  /** Whether somebody who says *look* may mean it. */
  readonly isNear: boolean;
  /** Looks, and writes down what happened. Gives back when to look again, where that is sooner than usual, and what it looks for in vain. */
  look(): Promise<{ readonly againMs?: number; readonly lacks?: string }>;
  /** Folders in which a change is a reason to look. */
  folders(): readonly string[];
}

export interface SourceWorld {
  readonly clock: Clock;
  readonly journal: Pick<Journal, "append" | "story" | "newestOf">;
  readonly book: HeardBook;
}

/** Who made a commit, where it was a run of this home, and which loops had woken one another up to it, the oldest first. */
export interface Origin {
  readonly loop: string;
  readonly chain: readonly string[];
}
