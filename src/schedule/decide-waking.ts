// What becomes of one key that is due: a table of pure rows, read from top to bottom; the first that answers counts.
import type { Waking, WakingReason } from "../contract/waking.ts";
import { formatDuration } from "../std/duration.ts";
import { LONGEST_CHAIN } from "./chains.ts";
import { type Due, GRACE_MS, type TickTime } from "./due.ts";
import { shareOf } from "./jitter.ts";
import type { LoopFacts, LoopPlan } from "./ports.ts";

export type Decision =
  | { readonly kind: "run"; readonly reason: "on-time" | "late" | "by-hand"; readonly says: string }
  | Wait
  | {
      readonly kind: "record";
      readonly fate: Exclude<Waking["fate"], "ran">;
      readonly reason: WakingReason;
      readonly says: string;
      readonly into?: string;
    };

export interface Wait {
  readonly kind: "wait";
  readonly for: WakingReason;
  readonly says: string;
  /** When it is worth looking again; undefined where something else has to change first. */
  readonly until?: number;
  /** It has its place in the line, and others join it; else it waits for its time before that. */
  readonly isInLine: boolean;
  readonly asksToStop?: boolean;
}

/** Everything that a row may ask. */
export interface Situation {
  readonly plan: LoopPlan;
  readonly facts: LoopFacts;
  readonly time: TickTime;
  /** Into which other key this one is to go: an older one that pends, or the newest of those that are late. */
  readonly joins: ReadonlyMap<string, string>;
  /** Those of the late ones that are made up for (`missed: all`). */
  readonly keeps: ReadonlySet<string>;
  /** The keys that have their place already, and how many may. */
  readonly line: readonly string[];
  readonly places: number;
  /** There is room for it: it would start now. */
  readonly mayStart: boolean;
  /** What others have that it needs: its target, or a place on the machine. */
  readonly room?: { readonly for: WakingReason; readonly says: string };
  /** Who waited too long is sent away now. */
  readonly expires: boolean;
}

export interface Row {
  /** As in the table of waking.md. */
  readonly number: string;
  readonly decide: (due: Due, situation: Situation) => Decision | undefined;
}

export function decideWaking(due: Due, situation: Situation): Decision {
  for (const row of ROWS) {
    const decision = row.decide(due, situation);
    if (decision) return situation.expires && isOver(due, situation.time, decision) ? tooLong(decision) : decision;
  }
  return runs(due, situation.time);
}

const LIMIT_SPREAD_MS = 5 * 60_000;
const LEAST_WAIT_MS = 3_600_000;
const MOST_WAIT_MS = 86_400_000;
const LOOK_AGAIN_MS = 60_000;

/** Until when a slot waits for its turn; events, and slots that are made up for, wait without a bound. */
export function waitsUntil(due: Due, { awake }: Pick<TickTime, "awake">): number | undefined {
  if (!due.slot || due.slot.isKept) return undefined;
  return Math.max(due.dueAt, awake) + Math.min(Math.max(due.slot.periodMs, LEAST_WAIT_MS), MOST_WAIT_MS);
}

/** Row 1, a key that has its record, is asked of nobody: such keys are not due. Row 2, a changed trigger, is closed as a stretch. */
export const ROWS: readonly Row[] = [
  { number: "2", decide: (_, { facts }) => (facts.life === "removed" ? skipped("removed", "the loop was removed") : undefined) },
  { number: "3", decide: (_, { facts }) => barredBy(facts, ["not-valid"]) },
  { number: "4", decide: (_, { facts }) => barredBy(facts, ["paused", "halted", "all-stopped"]) },
  {
    number: "5a",
    decide: ({ age }, { plan, time }) =>
      age === "late" && plan.missed === "skip"
        ? { kind: "record", fate: "missed", reason: "nothing-was-running", says: nothingRan(time) }
        : undefined,
  },
  {
    number: "5b",
    decide: ({ age, key }, { plan, joins }) => {
      const into = joins.get(key);
      return age === "late" && plan.missed === "once" && into !== undefined ? joined(into) : undefined;
    },
  },
  {
    number: "5c",
    decide: ({ age, key }, { plan, keeps }) =>
      age === "late" && typeof plan.missed === "object" && !keeps.has(key)
        ? {
            kind: "record",
            fate: "missed",
            reason: "more-than-kept",
            says: `more were missed than are made up for, which is ${plan.missed.all}`,
          }
        : undefined,
  },
  {
    number: "6",
    decide: ({ event }) => {
      if (event?.barred === "own-work") return skipped("own-work", "it is the loop's own work that it would be woken by");
      const chain = event?.cause.kind === "loop" ? event.cause.chain : [];
      if (event?.barred !== "chain" && chain.length <= LONGEST_CHAIN) return undefined;
      return skipped(
        "chain",
        `loops woke one another ${chain.length} times in a row, and ${LONGEST_CHAIN} is the most: ${chain.join(" → ")}`,
      );
    },
  },
  {
    number: "7",
    decide: (due, situation) => {
      const { windows } = situation.plan;
      const { now } = situation.time;
      if (due.slot) {
        const isShut = (isAtItsTime(due) && !windows.isOpen(due.slot.at)) || (isStarting(situation) && !windows.isOpen(now));
        return isShut ? skipped("window", "its window was shut") : undefined;
      }
      return windows.isOpen(now) ? undefined : outside("window", "its window is shut", windows.opens(now));
    },
  },
  {
    number: "8",
    decide: (due, { plan, facts }) => {
      const run = facts.openRun;
      if (!run || overlapOf(due, plan) !== "skip" || due.slot?.isKept) return undefined;
      // A slot that waits has its place. A run that was opened later came before it in the line, or by hand: it waits for that. Where the
      // clock was set back both are of one moment, and nobody can tell: what happened is rather kept.
      const wasOpen = due.slot ? isAtItsTime(due) : run.openedAt < due.dueAt;
      return wasOpen ? skipped("overlap", `the run ${run.run} was still open`) : undefined;
    },
  },
  {
    number: "9",
    decide: (due, situation) => {
      if (!isAsked(due, situation)) return undefined;
      const { plan, facts, time } = situation;
      const { proposals, sameWork } = facts;
      const isFull = plan.wip !== undefined && proposals >= plan.wip;
      if (isFull)
        return skippedOrOutside(
          due,
          "wip",
          `${proposals} of its proposals ${proposals === 1 ? "waits" : "wait"} for a person, and ${plan.wip} may`,
          undefined,
        );
      if (sameWork === undefined) return undefined;
      // A person who asks by hand hears it at once. What happened is kept until its base moved, of which nobody tells, or somebody decided.
      return due.event?.cause.kind === "hand" ? skipped("wip", sameWork) : skippedOrOutside(due, "wip", sameWork, time.now + LOOK_AGAIN_MS);
    },
  },
  {
    number: "10",
    decide: (due, situation) => {
      const { caps } = situation.facts;
      return caps && isAsked(due, situation) ? skippedOrOutside(due, "budget", caps.says, caps.until) : undefined;
    },
  },
  {
    number: "11",
    decide: (due, { joins, line, places }) => {
      const into = joins.get(due.key) ?? (line.length >= places ? line.at(-1) : undefined);
      return into === undefined ? undefined : joined(into);
    },
  },
  {
    number: "12",
    decide: (due, { plan, facts }) => {
      const run = facts.openRun;
      if (!run) return undefined;
      const says = `the run ${run.run} is still open`;
      return {
        kind: "wait",
        for: "overlap",
        says,
        isInLine: true,
        ...(overlapOf(due, plan) === "stop" && !run.isAskedToStop ? { asksToStop: true } : {}),
      };
    },
  },
  {
    number: "13",
    decide: (due, { plan, facts, time }) => {
      const { limit } = facts;
      if (!limit) return undefined;
      const until = limitEnds(plan.loop, limit.until);
      if (until <= time.now) return undefined;
      const says = `the account ${limit.account} is used up until ${new Date(limit.until).toISOString()}`;
      if (due.slot && limit.until - time.now > plan.patienceMs) return skipped("limit", `${says}, which is longer than its patience`);
      return { kind: "wait", for: "limit", says, until, isInLine: true };
    },
  },
  {
    number: "14, 15",
    decide: (_, { room }) => (room ? { kind: "wait", for: room.for, says: room.says, isInLine: true } : undefined),
  },
];

function runs({ cause, dueAt, age }: Due, { now }: TickTime): Decision {
  if (cause.kind === "hand") return { kind: "run", reason: "by-hand", says: `asked for by ${cause.by}` };
  const late = now - dueAt;
  if (age !== "late" && late <= GRACE_MS) return { kind: "run", reason: "on-time", says: "on time" };
  return { kind: "run", reason: "late", says: `late by ${formatDuration(late)}` };
}

const isOver = (due: Due, time: TickTime, decision: Decision): decision is Wait =>
  decision.kind === "wait" && decision.isInLine && time.now > (waitsUntil(due, time) ?? Number.POSITIVE_INFINITY);

function tooLong({ for: reason, says }: Wait): Decision {
  const words = `${says}, and it was not worth waiting for any longer`;
  return { kind: "record", fate: reason === "cannot-start" ? "failed" : "skipped", reason, says: words };
}

const skipped = (reason: WakingReason, says: string): Decision => ({ kind: "record", fate: "skipped", reason, says });

const joined = (into: string): Decision => ({ kind: "record", fate: "coalesced", reason: "joined", says: `joined ${into}`, into });

const outside = (reason: WakingReason, says: string, until: number | undefined): Wait => ({
  kind: "wait",
  for: reason,
  says,
  isInLine: false,
  ...(until === undefined ? {} : { until }),
});

const skippedOrOutside = (due: Due, reason: WakingReason, says: string, until: number | undefined): Decision =>
  due.slot ? skipped(reason, says) : outside(reason, says, until);

function barredBy({ barred }: LoopFacts, reasons: readonly WakingReason[]): Decision | undefined {
  return barred && reasons.includes(barred.reason) ? skipped(barred.reason, barred.says) : undefined;
}

/** When it comes due, or is found late. */
const isAtItsTime = ({ age }: Due): boolean => age !== "pending";

/** Nothing else keeps it from running: neither a run of its own nor its account. */
const isStarting = ({ mayStart, facts, plan, time, line }: Situation): boolean =>
  mayStart && line.length === 0 && !facts.openRun && !(facts.limit && limitEnds(plan.loop, facts.limit.until) > time.now);

/** A slot that waits for its turn is asked again when it would start, and not in between; an event always. */
const isAsked = (due: Due, situation: Situation): boolean => !due.slot || isAtItsTime(due) || isStarting(situation);

const overlapOf = (due: Due, { overlap }: LoopPlan) => (due.slot ? overlap.slots : overlap.events);

const limitEnds = (loop: string, until: number): number => until + Math.floor(shareOf(`${loop}\0${until}`) * LIMIT_SPREAD_MS);

const nothingRan = ({ last, now }: TickTime): string =>
  `nothing was running from ${Number.isFinite(last) ? new Date(last).toISOString() : "its beginning"} to ${new Date(now).toISOString()}`;
