// One look at one loop: what is to be written about it, what may start, what it waits for, and when to look again. Pure.
import type { Waking, WakingReason } from "../contract/waking.ts";
import { type Decision, decideWaking, type Situation, type Wait, waitsUntil } from "./decide-waking.ts";
import { type Due, duesOf, keptOf, type TickTime } from "./due.ts";
import { expectation } from "./expectations.ts";
import { dueAt } from "./jitter.ts";
import { answeredBy, answering, closingLines, coverage, covering, grouped, iso, recordLine } from "./lines.ts";
import type { Absence, LoopFacts, LoopPlan, WakingLine } from "./ports.ts";

/** How a loop is looked at: in passing; when there is room for it; or after all who had room were started. */
export type Glance =
  | { readonly kind: "pass" }
  | { readonly kind: "start" }
  | { readonly kind: "expire"; readonly room: { readonly for: WakingReason; readonly says: string } }
  /** A start failed for good. */
  | { readonly kind: "fail"; readonly key: string; readonly says: string };

export interface Look {
  /** To be written in one append, before anything else. */
  readonly lines: readonly WakingLine[];
  /** What would go next. */
  readonly first: First | undefined;
  /** What holds the first in its line, or what is before its line. */
  readonly waits: Wait | undefined;
  /** A run of it that nobody works on goes before everything else of it. */
  readonly resumes: string | undefined;
  /** A run of its own that is to make room. */
  readonly asksToStop: string | undefined;
  readonly absence: Absence | undefined;
  /** When to look again, if nothing is noticed before. */
  readonly next: number;
  /** Something in its line waited too long. */
  readonly isOver: boolean;
  readonly decided: readonly Decided[];
}

export interface First {
  readonly due: Due;
  readonly decision: Extract<Decision, { kind: "run" }>;
  /** The waking `ran`, but for its run. */
  readonly waking: Waking;
  readonly instead: number | undefined;
  /** Of all that are in its line. */
  readonly oldestDue: number;
  /** The loop has waited since then, for whose turn it is. */
  readonly unservedSince: number;
}

export interface Decided {
  readonly due: Due;
  readonly decision: Decision;
}

const DAY_MS = 86_400_000;

export function lookAt(loop: string, plan: LoopPlan | undefined, facts: LoopFacts, time: TickTime, glance: Glance): Look {
  const closed = facts.closings.flatMap((closing) => closingLines(facts, loop, closing));
  if (!plan) return { ...NOTHING, lines: covering(closed, facts, facts.since, []), next: Number.POSITIVE_INFINITY };
  if (facts.barred && facts.barred.reason !== "all-stopped") return lookAtBarred(plan, facts, time, closed);
  return lookAtFree(plan, facts, time, glance, closed);
}

const NOTHING: Look = {
  lines: [],
  first: undefined,
  waits: undefined,
  resumes: undefined,
  asksToStop: undefined,
  absence: undefined,
  next: Number.POSITIVE_INFINITY,
  isOver: false,
  decided: [],
};

/** A barred loop's slots are not looked at one by one: they get one record when it is free again, and one a day meanwhile. */
function lookAtBarred(plan: LoopPlan, facts: LoopFacts, time: TickTime, closed: readonly WakingLine[]): Look {
  const { barred, events } = facts;
  const dues = duesOf({ ...plan, slots: undefined }, facts, time).dues;
  const decided = dues.map((due) => ({ due, decision: decideWaking(due, situationOf(plan, facts, time, { kind: "pass" })) }));
  const answers = decided.flatMap(({ due, decision }) => (decision.kind === "record" ? [recordLine(facts, due, decision)] : []));
  const lasting = barred?.reason === "removed" ? undefined : barred;
  const daily = lasting ? Math.max(facts.since, lasting.since) + DAY_MS : Number.POSITIVE_INFINITY;
  const isTime = lasting !== undefined && time.now >= daily && plan.slots !== undefined;
  const { since, open, taken } = facts;
  const upTo = isTime ? Math.max(since, time.now) : since;
  const reason = lasting?.reason === "halted" || lasting?.reason === "not-valid" ? lasting.reason : "paused";
  const today = isTime
    ? closingLines(facts, plan.loop, { from: since, upTo, open, taken, slots: plan.slots, reason, says: lasting.says })
    : [];
  const lines = covering([...closed, ...today], facts, upTo, isTime ? [] : open);
  const absence = absenceOf(plan, facts, time);
  const moments = [isTime ? time.now + DAY_MS : daily, absence.next];
  return {
    ...NOTHING,
    lines: [...lines, ...answering(answers, events)],
    absence: absence.told,
    next: plan.slots ? Math.min(...moments) : absence.next,
    decided,
  };
}

function lookAtFree(plan: LoopPlan, facts: LoopFacts, time: TickTime, glance: Glance, closed: readonly WakingLine[]): Look {
  const { dues, newest, next, notYet } = duesOf(plan, facts, time);
  const { decided, line } = decideAll(dues, situationOf(plan, facts, time, glance, dues), glance);
  const covered = Math.max(facts.since, newest ?? facts.since);
  const open = [...line.flatMap(({ slot }) => (slot ? [slot.at] : [])), ...notYet];
  const resumesAt = whenResumed(facts, time);
  const absence = absenceOf(plan, facts, time);
  const rest: Look = {
    ...NOTHING,
    lines: covering(closed, facts, covered, open),
    resumes: resumesAt !== undefined && resumesAt <= time.now ? facts.openRun?.run : undefined,
    absence: absence.told,
    next: earliest([next, resumesAt !== undefined && resumesAt > time.now ? resumesAt : undefined, absence.next]),
  };
  if (decided.length === 0) return rest;

  const records = decided.flatMap(({ due, decision }) => (decision.kind === "record" ? [{ due, decision }] : []));
  const slotLines = grouped(records.filter(({ due }) => due.slot)).map(({ due, decision }) => recordLine(facts, due, decision));
  const eventLines = records.filter(({ due }) => due.event).map(({ due, decision }) => recordLine(facts, due, decision));
  const head = decided.find(({ due }) => due === line[0]);
  const waits = decided.flatMap(({ decision }) => (decision.kind === "wait" ? [decision] : []));
  return {
    ...rest,
    lines: [...covering([...closed, ...slotLines], facts, covered, open), ...answering(eventLines, facts.events)],
    first:
      head?.decision.kind === "run" ? firstOf(plan, facts, { ...head, decision: head.decision, line, since: covered, open }) : undefined,
    waits: head?.decision.kind === "wait" ? head.decision : waits[0],
    asksToStop: waits.some(({ asksToStop }) => asksToStop) ? facts.openRun?.run : undefined,
    next: earliest([
      rest.next,
      ...waits.map(({ until }) => until),
      ...line.map((due) => after(waitsUntil(due, time))),
      // An event leaves the line while its window is shut.
      line.some(({ event }) => event) ? plan.windows.shuts(time.now) : undefined,
    ]),
    isOver: line.some((due) => time.now > (waitsUntil(due, time) ?? Number.POSITIVE_INFINITY)),
    decided,
  };
}

/** One after the other, since what comes first has its place in the line. */
function decideAll(
  dues: readonly Due[],
  situation: Situation,
  glance: Glance,
): { readonly decided: readonly Decided[]; readonly line: readonly Due[] } {
  const line: Due[] = [];
  const decided: Decided[] = [];
  for (const due of dues) {
    const failed = glance.kind === "fail" && glance.key === due.key;
    const decision: Decision = failed
      ? { kind: "record", fate: "failed", reason: "cannot-start", says: glance.says }
      : decideWaking(due, line.length === 0 ? situation : { ...situation, line: line.map(({ key }) => key) });
    decided.push({ due, decision });
    if (decision.kind === "run" || (decision.kind === "wait" && decision.isInLine)) line.push(due);
  }
  return { decided, line };
}

/** When the open run that nobody works on may be taken up; undefined where there is none. */
function whenResumed({ openRun, barred }: LoopFacts, { now }: TickTime): number | undefined {
  if (!openRun || openRun.isWorkedOn || barred) return undefined;
  return openRun.notBefore ?? now;
}

const earliest = (moments: readonly (number | undefined)[]): number =>
  moments.reduce<number>((first, moment) => (moment !== undefined && moment < first ? moment : first), Number.POSITIVE_INFINITY);

const after = (moment: number | undefined): number | undefined => (moment === undefined ? undefined : moment + 1);

/** What can be said of all that is due together: which of them stand for the others. */
function situationOf(plan: LoopPlan, facts: LoopFacts, time: TickTime, glance: Glance, dues: readonly Due[] = []): Situation {
  const places = keptOf(plan);
  const [first] = dues;
  const isPlain = dues.length === 0 || (dues.length === 1 && first?.age !== "late" && !first?.slot?.covers);
  const joins = isPlain ? NO_JOINS : new Map<string, string>();
  const keeps = isPlain ? NO_KEEPS : new Set<string>();
  const common = {
    plan,
    facts,
    time,
    joins,
    keeps,
    line: [],
    places,
    mayStart: glance.kind === "start",
    expires: glance.kind === "expire",
  };
  const situation = glance.kind === "expire" ? { ...common, room: glance.room } : common;
  if (isPlain) return situation;
  const pending = dues.filter(({ age, slot }) => slot && age === "pending");
  const late = dues.filter(({ age }) => age === "late");
  if (pending.length > places || pending.some(({ slot }) => slot?.covers)) joinPending(joins, pending, places);
  if (late.length === 0) return situation;
  if (typeof plan.missed === "object") for (const { key, slot } of late.slice(-plan.missed.all)) if (!slot?.covers) keeps.add(key);
  if (plan.missed !== "once") return situation;
  const stays = pending.find(({ key }) => !joins.has(key)) ?? newestOpen(plan, dues);
  for (const { key, slot, age } of dues) if (slot && age !== "pending" && key !== stays?.key && stays) joins.set(key, stays.key);
  return situation;
}

const NO_JOINS = new Map<string, string>();
const NO_KEEPS = new Set<string>();

/** More pend than may: those that did before stay, then the newest. */
function joinPending(joins: Map<string, string>, pending: readonly Due[], places: number): void {
  const before = pending.filter(({ slot }) => slot?.wasOpen);
  const others = pending.filter(({ slot }) => !slot?.wasOpen);
  const room = places - before.length;
  const stays = room > 0 ? others.filter(({ slot }) => !slot?.covers).slice(-room) : [];
  const into = before[Math.min(before.length, places) - 1] ?? stays[0];
  for (const due of others) if (into && !stays.includes(due)) joins.set(due.key, into.key);
}

/** Of those that are late or new, the newest whose window was open at its slot; else the newest. */
function newestOpen({ windows }: LoopPlan, dues: readonly Due[]): Due | undefined {
  const slots = dues.filter(({ slot, age }) => slot && age !== "pending");
  return slots.findLast(({ slot }) => slot && !slot.covers && windows.isOpen(slot.at)) ?? slots.at(-1);
}

interface Head {
  readonly due: Due;
  readonly decision: Extract<Decision, { kind: "run" }>;
  readonly line: readonly Due[];
  readonly since: number;
  readonly open: readonly number[];
}

function firstOf(plan: LoopPlan, facts: LoopFacts, { due, decision, line, since, open }: Head): First {
  const { key, cause, slot } = due;
  const rest = slot
    ? coverage(
        facts,
        since,
        open.filter((other) => other !== slot.at),
      )
    : { answered: answeredBy(facts.events, new Set([key])) };
  const waking: Waking = {
    kind: "waking",
    fate: "ran",
    cause,
    dueAt: iso(due.dueAt),
    reason: decision.reason,
    says: decision.says,
    ...rest,
  };
  const oldestDue = line.reduce((oldest, one) => Math.min(oldest, one.dueAt), due.dueAt);
  return { due, decision, waking, instead: facts.withdrawn.get(key), oldestDue, unservedSince: unservedSince(plan, facts, oldestDue) };
}

/** The first slot that did not run since the loop last did: what became of it does not matter. */
function unservedSince(plan: LoopPlan, { lastRan, begunAt }: LoopFacts, oldestDue: number): number {
  const { slots } = plan;
  const base = Math.max(lastRan ?? Number.NEGATIVE_INFINITY, begunAt);
  const first = slots && Number.isFinite(base) ? slots.due(base, base, 0).next : undefined;
  if (first === undefined || slots === undefined || first >= oldestDue) return oldestDue;
  return Math.min(oldestDue, dueAt(plan, first, plan.jitterMs === 0 ? undefined : slots.due(first, first, 0).next));
}

/** Told once for each base: `next` is when to tell, `told` what to tell now. */
function absenceOf(plan: LoopPlan, facts: LoopFacts, { now }: TickTime): { readonly told: Absence | undefined; readonly next: number } {
  const absence = expectation(plan, facts);
  if (!absence || facts.absenceTold === absence.base) return { told: undefined, next: Number.POSITIVE_INFINITY };
  return absence.deadline <= now ? { told: absence, next: Number.POSITIVE_INFINITY } : { told: undefined, next: absence.deadline };
}
