// The tick: looks at what is due, writes down what became of it, and starts what may. All that it remembers can be worked out again.
import type { Cause } from "../contract/waking.ts";
import { newAgenda } from "./agenda.ts";
import { backoffMs, MOST_TRIES } from "./backoff.ts";
import { candidateOf, needsOf } from "./candidate.ts";
import { GRACE_MS, type TickTime, tickTime } from "./due.ts";
import { type Glance, type Look, lookAt } from "./look.ts";
import { type Candidate, inOrder, type Lack, roomFor, spareToStop } from "./order.ts";
import type { Book, Hands, HeardAnswer, LoopFacts, LoopPlan, Machine, Started, Upcoming, WaitsForRoom } from "./ports.ts";

export interface Scheduler {
  /** Takes up every loop there is. Nothing is decided before the first tick. */
  begin(): Promise<void>;
  /** Looks at everything that is due, and starts what may. It does not wait for what it starts. */
  tick(now: number): Promise<Ticked>;
  /** Something happened that a loop listens to: on record when this comes back, and decided at the next tick. */
  hear(loop: string, key: string, cause: Cause, now: number): Promise<HeardAnswer>;
  /** Something about a loop is other than it was: known, edited, removed, paused, freed, at rest, decided about. */
  noticed(loop: string): void;
  noticedAll(): void;
  /** When everything that was being started has its answer. */
  settled(): Promise<void>;
  /** When the next tick has something to do; undefined where nothing is known of. */
  next(): number | undefined;
}

export interface Ticked {
  readonly time: TickTime;
  readonly looked: number;
  /** Who waits for room. */
  readonly waiting: readonly WaitsForRoom[];
  /** What went wrong, loop by loop: no other loop was kept from anything by it. */
  readonly problems: readonly Problem[];
}

export interface Problem {
  readonly loop: string;
  readonly error: unknown;
}

/** After something that nobody tells us the end of, such as a lock that another process has. */
const AGAIN_MS = 15_000;
/** How many stops in a row, because it was time again, show that its runs are longer than its period. */
const MOST_STOPS = 2;
const MOST_LOOKS = 3;
/** So many of those who wait are written down by name. */
const MOST_NAMED = 200;

interface Failing {
  readonly key: string;
  readonly tries: number;
  readonly until: number;
  readonly says: string;
}

export function newScheduler({
  book,
  hands,
  machine,
}: {
  readonly book: Book;
  readonly hands: Hands;
  readonly machine: Machine;
}): Scheduler {
  const agenda = newAgenda();
  /** Those who would run if there were room, and why there is none. */
  const waiting = new Map<string, Candidate>();
  const lacking = new Map<string, Lack>();
  /** What those who were started found taken by somebody else; they try again. */
  const turnedAway = new Map<string, string>();
  const failing = new Map<string, Failing>();
  const starting = new Set<Promise<void>>();
  const busy = new Set<string>();
  /** Those that were to be looked at while they were being started. */
  const postponed = new Set<string>();

  /** Looks at one loop until what it saw is on record, and says what came of it. */
  async function look(loop: string, time: TickTime, glance: Glance): Promise<Seen | undefined> {
    for (let tries = 0; tries < MOST_LOOKS; tries++) {
      const facts = await book.facts(loop);
      if (!facts) return forget(loop);
      const plan = await book.plan(loop);
      const seen = lookAt(loop, plan, facts, time, glance);
      if (seen.lines.length === 0) return { look: seen, plan, facts };
      const answer = await book.write(loop, facts.version, seen.lines);
      // What may start now goes by the records as they are: it is looked at once more.
      if (answer === "written" && glance.kind !== "start") return { look: seen, plan, facts };
    }
    agenda.hasten(loop, time.now);
    return undefined;
  }

  function forget(loop: string): undefined {
    waiting.delete(loop);
    failing.delete(loop);
    turnedAway.delete(loop);
    agenda.drop(loop);
    return undefined;
  }

  /** In passing: what came due is decided, and who could run stands in line. */
  async function pass(loop: string, time: TickTime): Promise<Look | undefined> {
    // What is being started is decided by who starts it; a record of ours in between would only send it back. It is looked at after the
    // answer: whoever is off the agenda by now would else not be looked at before its run is over.
    if (busy.has(loop)) {
      postponed.add(loop);
      return undefined;
    }
    const seen = await look(loop, time, { kind: "pass" });
    if (seen) await follow(loop, time, seen);
    return seen?.look;
  }

  async function follow(loop: string, time: TickTime, { look: seen, plan, facts }: Seen): Promise<void> {
    waiting.delete(loop);
    if (facts.life === "removed" || !plan) return forget(loop);
    const failed = failing.get(loop);
    const wish = seen.resumes ?? seen.first?.due.key;
    if (failed && failed.key !== wish) failing.delete(loop);
    const isHeld = busy.has(loop) || (failed !== undefined && failed.key === wish && failed.until > time.now);
    const candidate = candidateOf(plan, facts, seen, time);
    if (!candidate) turnedAway.delete(loop);
    if (candidate && !isHeld) waiting.set(loop, candidate);
    const next = isHeld && failed ? Math.min(seen.next, failed.until) : seen.next;
    if (Number.isFinite(next)) agenda.set(loop, next);
    else agenda.drop(loop);
    if (seen.absence) await book.tellAbsence(loop, seen.absence);
    if (seen.asksToStop !== undefined) await makeWay(loop, seen.asksToStop, facts);
  }

  /** A loop that is stopped for its own next time again and again would never finish anything. */
  async function makeWay(loop: string, run: string, facts: LoopFacts): Promise<void> {
    if (facts.stopsInARow < MOST_STOPS) return hands.stop(loop, run, "overlap");
    const why = `it was time for the next run before the last was over, ${facts.stopsInARow + 1} times in a row: give it a longer interval, or another \`overlap\``;
    await book.pause(loop, facts.version, why);
    agenda.hasten(loop, Number.NEGATIVE_INFINITY);
  }

  async function startWhatMay(time: TickTime, attempt: (candidate: Candidate) => Promise<boolean>): Promise<void> {
    lacking.clear();
    if (waiting.size === 0) return;
    const running = hands.running();
    const room = roomFor(running, machine.limits());
    const headRoom = await machine.headRoom();
    const short: Lack | undefined = headRoom.kind === "short" ? { for: "machine", of: "head-room", says: headRoom.says } : undefined;
    let othersWait = false;
    for (const candidate of inOrder(waiting.values(), time.now)) {
      const { loop, spare } = candidate;
      const lack = short ?? room.lacks(candidate) ?? (spare && othersWait ? NOBODY_WAITS : undefined);
      if (!lack) {
        if (await attempt(candidate)) room.take(candidate);
        continue;
      }
      lacking.set(loop, lack);
      room.reserve(candidate, time.now);
      if (spare) continue;
      othersWait = true;
      const way = spareToStop(running, candidate, lack);
      if (way?.run !== undefined) await hands.stop(way.loop, way.run, "spare");
    }
  }

  /** Decides anew, with room; says whether it takes it. */
  async function start(candidate: Candidate, time: TickTime): Promise<boolean> {
    const { loop } = candidate;
    const seen = await look(loop, time, { kind: "start" });
    if (!seen?.plan) return false;
    const { look: now, plan, facts } = seen;
    const needs = needsOf(plan);
    if (now.resumes !== undefined) {
      await follow(loop, time, seen);
      take(loop, now.resumes, plan, time, hands.resume({ ...needs, ...facts.openRun?.needs, run: now.resumes }));
      return true;
    }
    await follow(loop, time, seen);
    if (!now.first || !waiting.has(loop)) return false;
    const { due, waking, instead } = now.first;
    const order = { ...needs, key: due.key, version: facts.version, waking, ...(instead === undefined ? {} : { instead }) };
    take(loop, due.key, plan, time, hands.start(order));
    return true;
  }

  /** It is on its way: nothing else of its loop begins before the answer. */
  function take(loop: string, key: string, plan: LoopPlan, time: TickTime, answer: Promise<Started>): void {
    waiting.delete(loop);
    busy.add(loop);
    const answered = answer
      .catch(
        (error: unknown): Started => ({ kind: "failed", retry: "never", says: error instanceof Error ? error.message : String(error) }),
      )
      .then((started) => {
        busy.delete(loop);
        if (postponed.delete(loop)) agenda.hasten(loop, time.now);
        return afterStart(loop, key, plan, time, started);
      })
      // What cannot be written now is found again by the next look.
      .catch(() => agenda.hasten(loop, time.now + AGAIN_MS))
      .finally(() => starting.delete(answered));
    starting.add(answered);
  }

  async function afterStart(loop: string, key: string, plan: LoopPlan, { now }: TickTime, started: Started): Promise<void> {
    switch (started.kind) {
      case "started":
        failing.delete(loop);
        turnedAway.delete(loop);
        return;
      case "overtaken":
        turnedAway.delete(loop);
        return agenda.hasten(loop, now);
      case "busy":
        turnedAway.set(loop, started.says);
        return agenda.hasten(loop, now + AGAIN_MS);
      case "failed": {
        const before = failing.get(loop);
        const tries = (before?.key === key ? before.tries : 0) + 1;
        if (started.retry === "later" && tries < MOST_TRIES) {
          const until = now + backoffMs(plan, tries);
          failing.set(loop, { key, tries, until, says: started.says });
          return agenda.hasten(loop, until);
        }
        failing.delete(loop);
        return fail(loop, key, now, started.says);
      }
      default:
        return started satisfies never;
    }
  }

  async function fail(loop: string, key: string, now: number, says: string): Promise<void> {
    const time = tickTime(now, await book.ticks());
    const seen = await look(loop, time, { kind: "fail", key, says });
    // A run that cannot be taken up has no key in the line: it is tried again with the next slot, or by a person.
    agenda.hasten(loop, seen?.facts.openRun ? now + AGAIN_MS * 240 : now);
  }

  /** Slots that waited too long are sent away, after everybody who could was started. */
  async function expire(loop: string, time: TickTime): Promise<void> {
    if (busy.has(loop)) return;
    const failed = failing.get(loop);
    const room = failed ? { for: "cannot-start" as const, says: failed.says } : (lacking.get(loop) ?? NO_ROOM);
    const seen = await look(loop, time, { kind: "expire", room });
    if (seen && seen.look.lines.length > 0) await pass(loop, time);
  }

  function whoWaits(): readonly WaitsForRoom[] {
    const lacks = [...waiting.keys()].flatMap((loop) => {
      const lack = lacking.get(loop);
      return lack ? [{ loop, says: lack.says }] : [];
    });
    return [...lacks, ...[...turnedAway].flatMap(([loop, says]) => (waiting.has(loop) ? [] : [{ loop, says }]))];
  }

  /** Of this scheduler. */
  let before = Number.NEGATIVE_INFINITY;
  /** The latest that was on record when all loops were taken up: a clock that says less was set back while nobody ticked. */
  let latest = Number.NEGATIVE_INFINITY;
  let isAllNoticed = false;

  async function takeUp(momentOf: (upcoming: Upcoming) => number): Promise<void> {
    const all = await book.loops();
    for (const upcoming of all) {
      const moment = momentOf(upcoming);
      if (moment < Number.POSITIVE_INFINITY) agenda.hasten(upcoming.loop, moment);
    }
    latest = all.reduce((most, upcoming) => Math.max(most, upcoming.latest), Number.NEGATIVE_INFINITY);
  }

  async function readTime(now: number): Promise<TickTime> {
    // Moments were worked out by a clock that was ahead, and what was shut then may be open now.
    if (now < before) hastenAll();
    before = now;
    const ticks = await book.ticks();
    const from = Math.max(ticks?.last ?? Number.NEGATIVE_INFINITY, latest);
    latest = Number.NEGATIVE_INFINITY;
    if (now >= from - GRACE_MS) return tickTime(now, ticks);
    await book.setBack(from, now);
    hastenAll();
    await takeUp(() => Number.NEGATIVE_INFINITY);
    latest = Number.NEGATIVE_INFINITY;
    return tickTime(now, { last: now, awake: Math.min(ticks?.awake ?? now, now) });
  }

  function hastenAll(): void {
    for (const loop of [...agenda.loops(), ...waiting.keys()]) agenda.hasten(loop, Number.NEGATIVE_INFINITY);
  }

  return {
    begin: () => takeUp(({ moment }) => moment),
    async tick(now) {
      const problems: Problem[] = [];
      /** What goes wrong about one loop is told, and is tried again later: it is nobody else's matter. */
      const apart = async <T>(loop: string, work: () => Promise<T>): Promise<T | undefined> => {
        try {
          return await work();
        } catch (error) {
          problems.push({ loop, error });
          waiting.delete(loop);
          agenda.hasten(loop, now + AGAIN_MS);
          return undefined;
        }
      };
      if (isAllNoticed) await takeUp(() => Number.NEGATIVE_INFINITY);
      isAllNoticed = false;
      const time = await readTime(now);
      const due = agenda.popDue(now);
      const over: string[] = [];
      for (const loop of due) {
        if ((await apart(loop, () => pass(loop, time)))?.isOver) over.push(loop);
      }
      await startWhatMay(time, async (candidate) => (await apart(candidate.loop, () => start(candidate, time))) ?? false);
      for (const loop of over) await apart(loop, () => expire(loop, time));
      // A clock that was put back a little is waited for, so that nothing counts as new twice.
      const all = whoWaits();
      const named = all.length === 0 ? {} : { waiting: all.slice(0, MOST_NAMED) };
      await book.keepTicks({ last: Math.max(now, time.last), awake: time.awake, ...named });
      return { time, looked: due.length, waiting: all, problems };
    },
    async hear(loop, key, cause, now) {
      const answer = await book.hear(loop, key, cause, now);
      // Not from then on: a clock that is put back before the next tick would keep it waiting.
      agenda.hasten(loop, Number.NEGATIVE_INFINITY);
      return answer;
    },
    noticed: (loop) => agenda.hasten(loop, Number.NEGATIVE_INFINITY),
    noticedAll() {
      isAllNoticed = true;
      hastenAll();
    },
    async settled() {
      while (starting.size > 0) await Promise.all(starting);
    },
    next: () => agenda.next(),
  };
}

interface Seen {
  readonly look: Look;
  readonly plan: LoopPlan | undefined;
  readonly facts: LoopFacts;
}

const NOBODY_WAITS: Lack = { for: "machine", of: "head-room", says: "others wait, and it runs only when nobody does" };
const NO_ROOM = { for: "machine", says: "there was no room for it" } as const;
