// Which keys of a loop are due and have no record: slots that pend, are late or are new, and events, in the order in which they came.
import type { Slots } from "../contract/trigger.ts";
import { type Cause, slotKey } from "../contract/waking.ts";
import { showLabel, zoneOf } from "../std/zone.ts";
import { dueAt } from "./jitter.ts";
import type { HeardEvent, LoopFacts, LoopPlan, Ticks } from "./ports.ts";

/** Less than this passes unnoticed: a tick that comes late, a clock that is put right. */
export const GRACE_MS = 60_000;

/** A tick in its time. Everything due in a gap and more than GRACE before its end is late: nothing was running then. */
export interface TickTime {
  readonly now: number;
  /** When the tick before was; minus infinity where there was none. */
  readonly last: number;
  /** The end of the last gap. */
  readonly awake: number;
  /** The end of the gap that this tick is the first after, less GRACE; minus infinity where there is none. */
  readonly lateUpTo: number;
}

export function tickTime(now: number, ticks: Ticks | undefined): TickTime {
  const last = ticks?.last ?? Number.NEGATIVE_INFINITY;
  const isGap = now - last > GRACE_MS;
  return { now, last, awake: ticks && !isGap ? ticks.awake : now, lateUpTo: isGap ? now - GRACE_MS : Number.NEGATIVE_INFINITY };
}

/** One key that is due, or, where it covers others, a stretch of slots that share its fate. */
export interface Due {
  readonly key: string;
  readonly cause: Cause;
  readonly dueAt: number;
  readonly age: "pending" | "late" | "new";
  readonly slot?: DueSlot;
  readonly event?: HeardEvent;
}

export interface DueSlot {
  readonly at: number;
  /** How long until the slot after it. */
  readonly periodMs: number;
  /** Slots right before it that share its fate. */
  readonly covers?: { readonly first: number; readonly count: number };
  /** It waited already when others after it got their records. */
  readonly wasOpen: boolean;
  /** It was due while nothing was running, and is made up for (`missed: all`). */
  readonly isKept: boolean;
}

export interface Dues {
  readonly dues: readonly Due[];
  /** The newest slot that is due, and so how far slots are covered once all of these are; undefined where none is. */
  readonly newest: number | undefined;
  /** When the next slot is due. */
  readonly next: number | undefined;
  /** Slots that were due by a clock that was set back since, and are not yet. */
  readonly notYet: readonly number[];
}

/** So many slots are looked at one by one; the older ones of a batch share a fate. */
const ONE_BY_ONE = 64;

export function duesOf(plan: LoopPlan, facts: LoopFacts, time: TickTime): Dues {
  const events = facts.events.map((event) => eventDue(event, time));
  if (!plan.slots) return { dues: events, newest: undefined, next: undefined, notYet: [] };
  const source = { plan, slots: plan.slots, taken: namedBy(plan.slots, facts.taken) };
  const open = facts.open.map((at): Due => {
    const one = { at, next: after(source.slots, at), wasOpen: true };
    return slotDue(source, one, ageOf(dueAt(plan, at, one.next), time), time);
  });
  const { dues, newest, next } = slotsDue(source, facts.since, time);
  if (open.length + events.length === 0) return { dues, newest, next, notYet: [] };
  const [ready, later] = [open.filter((due) => due.dueAt <= time.now), open.filter((due) => due.dueAt > time.now)];
  const all = [...ready, ...dues, ...events].toSorted(inTurn);
  const soonest = later.reduce<number | undefined>((first, due) => Math.min(first ?? due.dueAt, due.dueAt), next);
  return { dues: all, newest, next: soonest, notYet: later.flatMap(({ slot }) => (slot ? [slot.at] : [])) };
}

/** Slots that pend have their places already; the others come in the order in which they are due. */
const inTurn = (a: Due, b: Due): number =>
  waitsInLine(b) - waitsInLine(a) || a.dueAt - b.dueAt || asHeard(a, b) || (a.key < b.key ? -1 : 1);

/** What was heard in one moment, or before the clock was set back, comes in the order in which it was heard. */
const asHeard = (a: Due, b: Due): number => (a.event && b.event ? a.event.seq - b.event.seq : 0);

const waitsInLine = ({ slot, age }: Due): number => (slot && age === "pending" ? 1 : 0);

/** Events are never late: whoever told of one waits for it without a bound. */
function eventDue(event: HeardEvent, { last }: TickTime): Due {
  return { key: event.key, cause: event.cause, dueAt: event.at, age: event.at <= last ? "pending" : "new", event };
}

interface Source {
  readonly plan: LoopPlan;
  readonly slots: Slots;
  readonly taken: readonly number[];
}

function slotsDue(source: Source, since: number, time: TickTime): Omit<Dues, "notYet"> {
  const most = ONE_BY_ONE + keptOf(source.plan);
  const all = batch(source, since, time.now, most);
  const newest = all.reached;
  if (!all.older) return { dues: all.newest.map((one) => slotDue(source, one, ageOf(one.dueAt, time), time)), newest, next: all.next };
  // So many that a stretch of them may not have one age: each age by itself.
  let from = since;
  const dues: Due[] = [];
  for (const [age, upTo] of [
    ["pending", Math.min(time.last, time.now)],
    ["late", time.lateUpTo],
    ["new", time.now],
  ] as const) {
    const { older, newest: ones, reached } = batch(source, from, upTo, most);
    if (older) dues.push(slotDue(source, older, age, time));
    dues.push(...ones.map((one) => slotDue(source, one, age, time)));
    from = Math.max(from, reached ?? from);
  }
  return { dues, newest, next: all.next };
}

interface One {
  readonly at: number;
  readonly next: number | undefined;
  readonly dueAt?: number;
  readonly covers?: DueSlot["covers"];
  readonly wasOpen?: boolean;
}

interface Batch {
  readonly older?: One;
  readonly newest: readonly (One & { readonly dueAt: number })[];
  /** When the first slot after these is due. */
  readonly next: number | undefined;
  /** The newest slot that was due, also where it ran before the clock was set back. */
  readonly reached: number | undefined;
}

/** The slots that are due up to an instant. Each is due before the one after it, so only the newest may have to wait. */
function batch(source: Source, since: number, until: number, most: number): Batch {
  const { plan, slots, taken } = source;
  const { newest, older, next } = slots.due(since, Math.max(since, until), most + 1);
  const ones = newest.map((at, index) => {
    const following = newest[index + 1] ?? next;
    return { at, next: following, dueAt: dueAt(plan, at, following) };
  });
  const last = ones.at(-1);
  const isNotYet = last !== undefined && last.dueAt > until;
  const ready = isNotYet ? ones.slice(0, -1) : ones;
  const free = taken.length === 0 ? ready : ready.filter(({ at }) => !taken.includes(at));
  const stretch = older && stretchOf(source, older, newest[0] ?? next);
  return {
    newest: free,
    ...(stretch ? { older: stretch } : {}),
    next: isNotYet ? last.dueAt : next === undefined ? undefined : dueAt(plan, next, plan.jitterMs === 0 ? undefined : after(slots, next)),
    reached: ready.at(-1)?.at ?? older?.last,
  };
}

/** A stretch without those that ran already; undefined where nothing is left of it. */
function stretchOf(
  { slots, taken }: Source,
  { first, last, count }: { readonly first: number; readonly last: number; readonly count: number },
  next: number | undefined,
): One | undefined {
  const gone = taken.filter((slot) => slot >= first && slot <= last);
  if (gone.length === count) return undefined;
  let [from, to] = [first, last];
  while (gone.includes(to)) to = slots.due(first - 1, to - 1, 1).newest[0] ?? first;
  while (gone.includes(from)) from = after(slots, from) ?? to;
  const besides = count - gone.length - 1;
  return { at: to, next: to === last ? next : after(slots, to), ...(besides > 0 ? { covers: { first: from, count: besides } } : {}) };
}

/** Those that this trigger names: another one may have named the others. */
export const namedBy = (slots: Slots, instants: readonly number[]): readonly number[] =>
  instants.length === 0 ? instants : instants.filter((at) => slots.due(at - 1, at, 1).newest[0] === at);

const after = (slots: Slots, at: number): number | undefined => slots.due(at, at, 0).next;

function ageOf(due: number, { last, lateUpTo }: TickTime): Due["age"] {
  if (due <= last) return "pending";
  return due <= lateUpTo ? "late" : "new";
}

const DAY_MS = 86_400_000;

function slotDue({ plan, slots }: Source, { at, next, covers, wasOpen = false, ...one }: One, age: Due["age"], { awake }: TickTime): Due {
  const due = one.dueAt ?? dueAt(plan, at, next);
  return {
    key: slotKey(plan.loop, at),
    cause: slotCause(slots, at),
    dueAt: due,
    age,
    slot: {
      at,
      periodMs: next === undefined ? DAY_MS : next - at,
      ...(covers ? { covers } : {}),
      wasOpen,
      isKept: typeof plan.missed === "object" && due <= awake - GRACE_MS,
    },
  };
}

export function slotCause({ zone: name }: Slots, at: number): Cause {
  const zone = zoneOf(name);
  return {
    kind: "slot",
    slot: new Date(at).toISOString(),
    local: zone ? showLabel(zone, at) : `${new Date(at).toISOString().slice(0, 16)} ${name}`,
  };
}

/** How many may pend at once. */
export const keptOf = ({ missed }: Pick<LoopPlan, "missed">): number => (typeof missed === "object" ? missed.all : 1);
