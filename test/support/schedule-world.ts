// A world for the scheduler alone: records in memory, runs that last until somebody ends them, locks that all daemons share.
import type { Slots } from "../../src/contract/trigger.ts";
import { type Cause, slotKey, type Waking } from "../../src/contract/waking.ts";
import { afterEntry, factsOf, forgetBefore, type ScheduleEntry, type ScheduleState, UNKNOWN } from "../../src/schedule/facts.ts";
import { firstLook, latestOf, type Newest } from "../../src/schedule/first-look.ts";
import type {
  Absence,
  Book,
  Hands,
  Limits,
  LoopFacts,
  LoopPlan,
  Machine,
  Needs,
  Started,
  Ticks,
  Version,
  WakingLine,
} from "../../src/schedule/ports.ts";
import { newScheduler, type Scheduler } from "../../src/schedule/scheduler.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const NOON = Date.parse("2026-01-05T12:00:00Z");

/** Slots one period apart, as `every` names them. */
export function slotsEvery(ms: number, from = 0, zone = "UTC"): Slots {
  const after = (instant: number): number => Math.max(0, Math.floor((instant - from) / ms) + 1);
  return {
    zone,
    due(since, until, most) {
      const [first, end] = [after(since), after(until)];
      const newest = Math.max(first, end - most);
      const at = (number: number): number => from + number * ms;
      return {
        newest: Array.from({ length: Math.max(0, end - newest) }, (_, index) => at(newest + index)),
        ...(newest > first ? { older: { first: at(first), last: at(newest - 1), count: newest - first } } : {}),
        next: at(end),
      };
    },
  };
}

export const ALWAYS = { isOpen: () => true, shuts: () => undefined, opens: (at: number) => at };

export function planFor(loop: string, wishes: Partial<LoopPlan> = {}): LoopPlan {
  return {
    loop,
    target: loop,
    writes: true,
    maker: "scripted",
    account: undefined,
    spare: false,
    priority: 0,
    slots: slotsEvery(HOUR),
    windows: ALWAYS,
    missed: "once",
    overlap: { slots: "skip", events: "queue" },
    jitterMs: 0,
    wip: undefined,
    backoff: { firstMs: MINUTE, mostMs: 6 * HOUR },
    patienceMs: 0,
    judges: [],
    expect: undefined,
    ...wishes,
  };
}

export interface OpenRunHere extends Needs {
  readonly run: string;
  readonly key: string;
  openedAt: number;
  /** The daemon whose child works on it; undefined after that died. */
  daemon: number | undefined;
  isAskedToStop: boolean;
  notBefore?: number;
}

interface LoopHere {
  plan: LoopPlan;
  state: ScheduleState;
  readonly entries: ScheduleEntry[];
  readonly keys: Map<string, number>;
  /** By kind, as a journal would find them. */
  readonly newest: Map<string, Newest>;
  proposals: number;
  caps: LoopFacts["caps"];
  limit: LoopFacts["limit"];
  stopsInARow: number;
  lastExpected: number | undefined;
  allStopped: boolean;
}

export interface World {
  now: number;
  limits: Limits;
  headRoom: Awaited<ReturnType<Machine["headRoom"]>>;
  ticks: Ticks | undefined;
  readonly loops: Map<string, LoopHere>;
  readonly runs: Map<string, OpenRunHere>;
  readonly absences: (Absence & { readonly loop: string })[];
  readonly stops: { readonly loop: string; readonly run: string; readonly why: string }[];
  /** What a start answers besides; undefined to open a run. */
  answer: (loop: string, key: string) => Started | undefined;
  /** From now on starts take until they are let go on. */
  holdStarts(): { readonly letGo: () => void };
  /** Told of every record, for who keeps an account of its own. */
  onEntry: (loop: string, entry: ScheduleEntry) => void;
  /** Whether records are kept one by one; the fold is kept in any case. */
  keepsEntries: boolean;
  append(loop: string, run: string, record: ScheduleEntry["record"]): ScheduleEntry;
  know(plan: LoopPlan, hash?: string): void;
  remove(loop: string): void;
  pause(loop: string): void;
  resume(loop: string): void;
  wrong(loop: string): void;
  rest(loop: string): void;
  /** Makes the fold forget what the clock cannot be set back to. */
  forget(before: number): void;
  book(): Book;
  hands(daemon: number, sees?: "own" | "all"): Hands;
  /** Its children end with a daemon. */
  died(daemon: number): void;
}

const HOME = "";

export function newWorld(limits: Partial<Limits> = {}): World {
  let seq = 0;
  let specs = 0;
  let numbers = 0;
  let setBack = 0;
  let startable: Promise<void> = Promise.resolve();
  const beingStarted = new Set<Needs & { readonly daemon: number }>();
  const triggers = new Map<string, Slots | undefined>();
  const triggerOf = new Map<string, { readonly slots: Slots | undefined; readonly hash: string }>();

  const world: World = {
    now: NOON,
    limits: { runs: 1000, writersPerTarget: 1, perMaker: {}, ...limits },
    headRoom: { kind: "enough" },
    ticks: undefined,
    loops: new Map(),
    runs: new Map(),
    absences: [],
    stops: [],
    answer: () => undefined,
    holdStarts() {
      let letGo = (): void => {};
      startable = new Promise((resolve) => {
        letGo = resolve;
      });
      return { letGo };
    },
    onEntry: () => {},
    keepsEntries: true,
    append(loop, run, record) {
      const entry: ScheduleEntry = { seq: ++seq, at: new Date(world.now).toISOString(), run, record };
      const here = loopOf(loop);
      here.state = afterEntry(here.state, entry);
      if (world.keepsEntries) here.entries.push(entry);
      here.newest.set(record.kind, { entry, first: here.newest.get(record.kind)?.first ?? seq });
      if (record.kind === "waking") here.keys.set(run, seq);
      world.onEntry(loop, entry);
      return entry;
    },
    know(plan, hash) {
      const here = loopOf(plan.loop);
      here.plan = plan;
      const before = triggerOf.get(plan.loop);
      const isSame = hash === undefined && before?.slots === plan.slots;
      const triggerHash = hash ?? (isSame && before ? before.hash : `trigger-${triggers.size}`);
      triggers.set(triggerHash, plan.slots);
      triggerOf.set(plan.loop, { slots: plan.slots, hash: triggerHash });
      const trigger = { use: triggerHash };
      world.append(plan.loop, HOME, { kind: "loop-known", path: "x", specHash: `spec-${++specs}`, triggerHash, trigger, by: "ann" });
    },
    remove: (loop) => void world.append(loop, HOME, { kind: "loop-removed", path: "x", by: "ann" }),
    pause: (loop) => void world.append(loop, HOME, { kind: "loop-paused", by: "ann", why: "" }),
    resume: (loop) => void world.append(loop, HOME, { kind: "loop-resumed", by: "ann", why: "" }),
    wrong: (loop) => void world.append(loop, HOME, { kind: "loop-wrong", path: "x", problems: ["it is wrong"] }),
    rest: (loop) => void world.runs.delete(loop),
    forget(before) {
      for (const here of world.loops.values()) {
        here.state = forgetBefore(here.state, before);
        const asked = new Set([...here.state.recent.map(({ key }) => key), ...here.state.withdrawn.keys()]);
        for (const key of here.keys.keys()) if (key.includes("/slot/") && !asked.has(key)) here.keys.delete(key);
      }
    },
    died(daemon) {
      for (const run of world.runs.values()) if (run.daemon === daemon) run.daemon = undefined;
    },
    book: () => ({
      loops: async () =>
        [...world.loops.keys()].map((loop) => ({
          loop,
          moment: momentOf(loop),
          latest: latestOf([...loopOf(loop).newest.values()], setBack),
        })),
      plan: async (loop) => world.loops.get(loop)?.plan,
      async facts(loop) {
        const here = world.loops.get(loop);
        const schedule = here && factsOf(here.state, (trigger) => trigger && triggers.get(trigger.use));
        if (!here || !schedule) return undefined;
        const run = world.runs.get(loop);
        const { version, life, since, open, taken, closings, events, lastRan, begunAt, absenceTold, withdrawn } = schedule;
        const { proposals, caps, limit, stopsInARow, lastExpected } = here;
        // Written out, since this is what simulations ask for most.
        return {
          version,
          life,
          since,
          open,
          taken,
          closings,
          events,
          lastRan,
          begunAt,
          absenceTold,
          withdrawn,
          barred:
            schedule.barred ?? (here.allStopped ? { reason: "all-stopped", says: "everything is stopped", since: world.now } : undefined),
          openRun: run && {
            run: run.run,
            needs: { target: run.target, writes: run.writes, maker: run.maker },
            openedAt: run.openedAt,
            isWorkedOn: run.daemon !== undefined,
            notBefore: run.notBefore,
            isAskedToStop: run.isAskedToStop,
          },
          proposals,
          sameWork: undefined,
          caps,
          limit,
          stopsInARow,
          lastExpected,
        };
      },
      async write(loop, version, lines) {
        if (!isStill(loop, version, lines)) return "overtaken";
        for (const { key, waking } of lines) world.append(loop, key, waking);
        return "written";
      },
      async hear(loop, key, cause) {
        const here = loopOf(loop);
        const known = here.keys.has(key) || here.state.events.some((event) => event.key === key);
        if (known) return { kind: "known", waking: wakingAt(here, key) };
        world.append(loop, key, { kind: "heard", cause });
        return { kind: "heard" };
      },
      ticks: async () => world.ticks,
      keepTicks: async (ticks) => {
        world.ticks = ticks;
      },
      async setBack(from, to) {
        const record = { kind: "clock-set-back", from: new Date(from).toISOString(), to: new Date(to).toISOString() } as const;
        const entry: ScheduleEntry = { seq: ++seq, at: record.to, run: HOME, record };
        setBack = seq;
        for (const [loop, here] of world.loops) {
          here.state = afterEntry(here.state, entry);
          if (world.keepsEntries) here.entries.push(entry);
          world.onEntry(loop, entry);
        }
        for (const run of world.runs.values()) run.openedAt = Math.min(run.openedAt, to);
      },
      async pause(loop, version, why) {
        if (!isStill(loop, version, [])) return "overtaken";
        world.append(loop, HOME, { kind: "loop-paused", by: "the scheduler", why });
        return "written";
      },
      async tellAbsence(loop, absence) {
        const told = {
          since: new Date(absence.base).toISOString(),
          deadline: new Date(absence.deadline).toISOString(),
          says: absence.says,
        };
        world.append(loop, HOME, { kind: "absence-told", ...told });
        world.absences.push({ loop, ...absence });
      },
    }),
    hands: (daemon, sees = "own") => ({
      async start(needs) {
        const { version, key, waking, instead } = needs;
        const its = { ...pick(needs), daemon };
        beingStarted.add(its);
        await startable;
        beingStarted.delete(its);
        const other = world.answer(needs.loop, key);
        if (other) return other;
        const taken = busyWith(needs);
        if (taken) return { kind: "busy", with: taken, says: `another has the ${taken}` };
        if (world.runs.has(needs.loop) || !isStill(needs.loop, version, [{ key, waking, ...(instead === undefined ? {} : { instead }) }]))
          return { kind: "overtaken" };
        const run = `${needs.loop}-${++numbers}`;
        world.append(needs.loop, key, { ...waking, run });
        world.runs.set(needs.loop, { ...pick(needs), run, key, openedAt: world.now, daemon, isAskedToStop: false });
        return { kind: "started", run };
      },
      async resume({ loop, run }) {
        const open = world.runs.get(loop);
        if (open?.run !== run || open.daemon !== undefined) return { kind: "overtaken" };
        const taken = busyWith(open);
        if (taken) return { kind: "busy", with: taken, says: `another has the ${taken}` };
        open.daemon = daemon;
        return { kind: "started", run };
      },
      async stop(loop, run, why) {
        world.stops.push({ loop, run, why });
        const open = world.runs.get(loop);
        if (open) open.isAskedToStop = true;
      },
      running: () =>
        [...world.runs.values(), ...[...beingStarted].map((needs) => ({ ...needs, run: undefined }))].filter((run) =>
          sees === "all" ? run.daemon !== undefined : run.daemon === daemon,
        ),
    }),
  };

  function loopOf(loop: string): LoopHere {
    const known = world.loops.get(loop);
    if (known) return known;
    const here: LoopHere = {
      plan: planFor(loop),
      state: UNKNOWN,
      entries: [],
      keys: new Map(),
      newest: new Map(),
      proposals: 0,
      caps: undefined,
      limit: undefined,
      stopsInARow: 0,
      lastExpected: undefined,
      allStopped: false,
    };
    world.loops.set(loop, here);
    return here;
  }

  /** Runs have no records here. */
  function momentOf(loop: string): number {
    const { newest, plan } = loopOf(loop);
    if (world.runs.has(loop)) return Number.NEGATIVE_INFINITY;
    return firstLook({ newest: [...newest.values()], setBack, slots: plan.slots, expect: plan.expect });
  }

  function isStill(loop: string, version: Version, lines: readonly WakingLine[]): boolean {
    const here = loopOf(loop);
    const { own, home } = here.state.version;
    return own === version.own && home === version.home && lines.every(({ key, instead }) => (here.keys.get(key) ?? 0) === (instead ?? 0));
  }

  /** As the locks of the machine say, whichever daemon asks. */
  function busyWith({ target, writes, maker }: Needs): "target" | "machine" | "maker" | undefined {
    const working = [...world.runs.values()].filter((run) => run.daemon !== undefined);
    if (writes && working.filter((run) => run.writes && run.target === target).length >= world.limits.writersPerTarget) return "target";
    if (working.length >= world.limits.runs) return "machine";
    const most = world.limits.perMaker[maker] ?? Number.POSITIVE_INFINITY;
    return working.filter((run) => run.maker === maker).length >= most ? "maker" : undefined;
  }

  return world;
}

const pick = ({ loop, target, writes, maker, account, spare, priority }: Needs): Needs => ({
  loop,
  target,
  writes,
  maker,
  account,
  spare,
  priority,
});

const wakingAt = ({ entries }: LoopHere, key: string): Waking | undefined =>
  entries.flatMap(({ run, record }) => (run === key && record.kind === "waking" ? [record] : [])).at(-1);

export function machineOf(world: World): Machine {
  return { limits: () => world.limits, headRoom: async () => world.headRoom };
}

export async function daemonOf(world: World, daemon = 1, sees: "own" | "all" = "own"): Promise<Scheduler> {
  const scheduler = newScheduler({ book: world.book(), hands: world.hands(daemon, sees), machine: machineOf(world) });
  await scheduler.begin();
  return scheduler;
}

/** Every slot of a loop that has a record in force, with its fate; stretches are taken apart by the triggers that the loop had. */
export function fatesOf(world: World, loop: string, triggers: readonly (Slots | undefined)[]): ReadonlyMap<number, string> {
  const fates = new Map<number, string>();
  for (const { record } of world.loops.get(loop)?.entries ?? []) {
    if (record.kind === "clock-set-back") {
      for (const [slot, fate] of fates) if (slot > Date.parse(record.to) && !fate.startsWith("ran")) fates.delete(slot);
    }
    if (record.kind !== "waking" || record.cause.kind !== "slot") continue;
    for (const slot of slotsIn(record, triggers, fates)) {
      if (fates.has(slot)) throw new Error(`${slotKey(loop, slot)} has two records: ${fates.get(slot)}, ${record.fate}`);
      fates.set(slot, record.fate === "ran" ? "ran" : `${record.fate} ${record.reason}`);
    }
  }
  return fates;
}

function slotsIn(
  { cause, covers }: Waking,
  triggers: readonly (Slots | undefined)[],
  known: ReadonlyMap<number, string>,
): readonly number[] {
  if (cause.kind !== "slot") return [];
  const last = Date.parse(cause.slot);
  if (!covers) return [last];
  const first = Date.parse(covers.first);
  for (const slots of triggers) {
    const all = slots?.due(first - 1, last, 100_000).newest.filter((slot) => !known.has(slot)) ?? [];
    if (all.length === covers.count + 1 && all.at(-1) === last && (all[0] === first || known.has(first))) return all;
  }
  throw new Error(`no trigger names the ${covers.count + 1} slots from ${covers.first} to ${cause.slot}`);
}

export const webhook = (delivery: string): Cause => ({
  kind: "git",
  ref: delivery,
  from: null,
  to: delivery,
});
