// The two ports between deciding when a loop wakes and doing it, and what goes through them: facts in, wakings and starts out.
import type { Slots } from "../contract/trigger.ts";
import type { Cause, Ending, Waking, WakingReason } from "../contract/waking.ts";
import type { Windows } from "./windows.ts";

/** What the scheduler asks of the records. All of it may be asked again at any time, by several processes at once. */
export interface Book {
  /** Every loop that has something to be woken by or closed: known, wrong, barred, and removed ones whose last times have no record yet. */
  loops(): Promise<readonly Upcoming[]>;
  /** What its spec says about waking, as it was last known; undefined where no spec of it could ever be read. Throws where a part of it does. */
  plan(loop: string): Promise<LoopPlan | undefined>;
  /** How it stands; undefined where nobody knows such a loop. */
  facts(loop: string): Promise<LoopFacts | undefined>;
  /**
   * Appends all of these wakings, or none: only if every key is free (or its record was withdrawn) and the loop still has the version that
   * was read.
   */
  write(loop: string, version: Version, lines: readonly WakingLine[]): Promise<"written" | "overtaken">;
  /** Puts on record that something happened, unless its key is known. */
  hear(loop: string, key: string, cause: Cause, at: number): Promise<HeardAnswer>;
  /** The newest tick of whichever process; undefined before the first. */
  ticks(): Promise<Ticks | undefined>;
  keepTicks(ticks: Ticks): Promise<void>;
  /** Puts `clock-set-back` on record. */
  setBack(from: number, to: number): Promise<void>;
  /** Halts the loop, and puts the reason before people. */
  pause(loop: string, version: Version, why: string): Promise<"written" | "overtaken">;
  /** Says once that something expected did not come: once for each `base`, whoever asks how often. */
  tellAbsence(loop: string, absence: Absence): Promise<void>;
}

/** A loop, and when it is to be looked at: no later than there is something to do about it. */
export interface Upcoming {
  readonly loop: string;
  /** Minus infinity for at once, infinity where only what happens brings it. */
  readonly moment: number;
  /** When the latest of its records says that it was written, of those since the clock was last known to be set back. */
  readonly latest: number;
}

/** The numbers of the newest records that the facts were made of: of the loop's own, and of those of the home that count for every loop. */
export interface Version {
  readonly own: number;
  readonly home: number;
}

/** The last tick, and when the time began since which nothing was missed: the end of the last gap. */
export interface Ticks {
  readonly last: number;
  readonly awake: number;
  /** Who waited for room after that tick, so that others can say so; the first of them where they are many. */
  readonly waiting?: readonly WaitsForRoom[];
}

export interface WaitsForRoom {
  readonly loop: string;
  readonly says: string;
}

export interface WakingLine {
  readonly key: string;
  readonly waking: Waking;
  /** The number of the record of this key that was withdrawn when the clock was set back. */
  readonly instead?: number;
}

export type HeardAnswer =
  | { readonly kind: "heard" }
  /** It was on record before; its waking too, where it was decided by now. */
  | { readonly kind: "known"; readonly waking: Waking | undefined };

export interface Absence {
  /** The instant that the deadline is counted from. */
  readonly base: number;
  readonly deadline: number;
  readonly ending: Ending | "any";
  readonly says: string;
}

/** What carries out what was decided. It never waits for a lock: what is not free is busy. */
export interface Hands {
  /**
   * Starts a run for a key in a process of its own, which takes the locks (loop, target, place), reads the facts again, decides anew by
   * `lookAt`, and appends the waking `ran` and `run-opened` in one append. Answers as soon as that is on record, or is not to be, and
   * within a bound: until then nothing else of the loop is decided.
   */
  start(order: Start): Promise<Started>;
  /** Takes up an interrupted run, under the same locks. */
  resume(order: Resume): Promise<Started>;
  /** Asks a run to stop in a way that it can be resumed from (`for: "spare"`), or to rest as stopped (`for: "overlap"`). */
  stop(loop: string, run: string, why: "overlap" | "spare"): Promise<void>;
  /** What this process has started and is not over, what is being started included. */
  running(): readonly Running[];
}

/** What a run takes up while it goes on. */
export interface Needs {
  readonly loop: string;
  /** The identity of its repository, however it is spelled. */
  readonly target: string;
  /** Where it lies, for people. */
  readonly repo?: string;
  readonly writes: boolean;
  /** The kind of its maker. */
  readonly maker: string;
  /** Who pays for its model, where that is known. */
  readonly account: string | undefined;
  readonly spare: boolean;
  readonly priority: number;
}

export interface Running extends Needs {
  /** Undefined while it is being started. */
  readonly run: string | undefined;
}

export interface Start extends Needs {
  readonly key: string;
  readonly version: Version;
  /** As it will be on record, but for the run that it opens. */
  readonly waking: Waking;
  readonly instead?: number;
}

export interface Resume extends Needs {
  readonly run: string;
}

export type Started =
  | { readonly kind: "started"; readonly run: string }
  /** Somebody else has what it needs. */
  | { readonly kind: "busy"; readonly with: "loop" | "target" | "machine" | "maker"; readonly says: string }
  /** The facts are others by now: it is to be looked at again. */
  | { readonly kind: "overtaken" }
  /** `never`: it will be the same every time, or is a bug of ours. */
  | { readonly kind: "failed"; readonly retry: "later" | "never"; readonly says: string };

/** What the machine has for runs. */
export interface Machine {
  limits(): Limits;
  /** Whether there is CPU and memory for one more. */
  headRoom(): Promise<{ readonly kind: "enough" } | { readonly kind: "short"; readonly says: string }>;
}

export interface Limits {
  readonly runs: number;
  readonly writersPerTarget: number;
  /** At most so many of a maker kind; those that are not named have no limit of their own. */
  readonly perMaker: { readonly [maker: string]: number };
}

/** What a loop's spec says about waking, with every default in its place. */
export interface LoopPlan extends Needs {
  /** Undefined where only what happens wakes it. */
  readonly slots: Slots | undefined;
  readonly windows: Windows;
  readonly missed: "skip" | "once" | { readonly all: number };
  readonly overlap: { readonly slots: Overlap; readonly events: Overlap };
  readonly jitterMs: number;
  readonly wip: number | undefined;
  readonly backoff: { readonly firstMs: number; readonly mostMs: number };
  /** Who pays for the judges without which its runs cannot come to an end. */
  readonly judges: readonly string[];
  /** How long it waits for an account that is used up. */
  readonly patienceMs: number;
  readonly expect: { readonly ending: Ending | "any"; readonly withinMs: number } | undefined;
}

export type Overlap = "skip" | "queue" | "stop";

/** What follows from the scheduling records of a loop alone; `foldSchedule` makes it. */
export interface ScheduleFacts {
  readonly version: Version;
  readonly life: "known" | "wrong" | "removed";
  /** Every slot up to here has its record, but for those in `open`. */
  readonly since: number;
  readonly open: readonly number[];
  /** Slots after `since` that have their record: those that ran before the clock was set back. */
  readonly taken: readonly number[];
  /** Why nothing may wake it; undefined while something may. */
  readonly barred: Barred | undefined;
  /** Times that were over before their slots had a record, oldest first: edited, removed, freed or mended. */
  readonly closings: readonly Closing[];
  /** Heard, and not answered by a waking yet, oldest first. */
  readonly events: readonly HeardEvent[];
  /** When it last was woken and ran. */
  readonly lastRan: number | undefined;
  /** When it was last added, edited or freed: nothing is expected of it from before. */
  readonly begunAt: number;
  /** When it was last told that it did not do what is expected, by the base of that. */
  readonly absenceTold: number | undefined;
  /** Keys whose record was withdrawn, with the number of that record. */
  readonly withdrawn: ReadonlyMap<string, number>;
}

export interface Barred {
  readonly reason: Extract<WakingReason, "not-valid" | "paused" | "halted" | "all-stopped" | "removed">;
  readonly says: string;
  readonly since: number;
}

/** The slots after `from` and up to `upTo`, and those that were open, by the trigger of that time. */
export interface Closing<T = Slots | undefined> {
  readonly from: number;
  readonly upTo: number;
  readonly open: readonly number[];
  readonly taken: readonly number[];
  readonly slots: T;
  readonly reason: Extract<WakingReason, "changed" | "removed" | "not-valid" | "paused" | "halted">;
  readonly says: string;
}

export interface HeardEvent {
  readonly seq: number;
  readonly key: string;
  readonly cause: Cause;
  readonly at: number;
  /** It is work of the loop's own, or the end of a chain that is too long; whoever heard of it knows. */
  readonly barred?: "own-work" | "chain";
}

/** How a loop stands, as far as waking it goes. */
export interface LoopFacts extends ScheduleFacts {
  readonly openRun: OpenRun | undefined;
  /** How many of its proposals wait for a person. */
  readonly proposals: number;
  /** What it would do waits for a person already, in words: it would only be done again. */
  readonly sameWork: string | undefined;
  /** A cap that is used up, and when it is renewed, where that is known. */
  readonly caps: { readonly says: string; readonly until: number | undefined } | undefined;
  /** Its account is used up, or was and nobody has tried since. */
  readonly limit: AccountLimit | undefined;
  /** How many of its runs in a row, up to the last, were stopped because it was time for the next. */
  readonly stopsInARow: number;
  /** When it last came to rest as it is expected to; undefined where it never did. */
  readonly lastExpected: number | undefined;
}

export interface OpenRun {
  readonly run: string;
  /** What it takes up, by the spec that it was opened with. */
  readonly needs: Pick<Needs, "target" | "writes" | "maker">;
  /** By the clock as it is now: no later than what it was last set back to. */
  readonly openedAt: number;
  /** Whether a process works on it. Where none does, it is taken up before anything else of its loop. */
  readonly isWorkedOn: boolean;
  /** It waits for something outside until then; not before is it taken up. */
  readonly notBefore: number | undefined;
  readonly isAskedToStop: boolean;
}

export interface AccountLimit {
  readonly account: string;
  readonly until: number;
}
