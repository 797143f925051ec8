import { expect, it } from "vitest";
import { DAY, daemonOf, HOUR, MINUTE, newWorld, planFor, SECOND, slotsEvery, type World } from "../../test/support/schedule-world.ts";
import { isLong } from "../../test/support/tries.ts";
import type { Untrusted } from "../contract/text.ts";
import type { Slots } from "../contract/trigger.ts";
import { type Cause, filesKey, gitKey, handKey, recordKey, type Waking, webhookKey } from "../contract/waking.ts";
import { cron } from "../triggers/cron.ts";
import { daily } from "../triggers/daily.ts";
import { triggers } from "../triggers/index.ts";
import { weekly } from "../triggers/weekly.ts";
import { LONGEST_CHAIN } from "./chains.ts";
import type { LoopPlan } from "./ports.ts";
import type { Scheduler } from "./scheduler.ts";

/** The same numbers every time. */
function chances(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago"];
const START = Date.parse("2026-01-01T00:00:00Z");
/** All of them take a minute of one core: every change tries an eightieth, `LOOPWRIGHT_FUZZ=long` the whole. */
const LOOPS = isLong ? 10_000 : 125;
const DAYS = 730;
const MOST_TICKS_AN_HOUR = 3_000;
const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** Most loops wake monthly, weekly or daily; a few each hour, and some only by what happens. */
function slotsFor(number: number, chance: (below: number) => number): Slots | undefined {
  const zone = ZONES[chance(ZONES.length)];
  const hour = chance(24);
  const minute = chance(12) * 5;
  const at = `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
  if (number % 4000 === 0) return cron.configure({ schedule: `${minute} * * * *`, zone }).slots;
  if (number % 4000 === 1) return slotsEvery(2 * HOUR, START + minute * MINUTE);
  if (number % 100 === 2) return undefined;
  if (number % 100 === 3) return daily.configure({ at, zone }).slots;
  if (number % 100 === 5) return anySlots([daily, { at, zone }], [weekly, { on: [WEEKDAYS[chance(7)]], at: "12:00", zone: "UTC" }]);
  if (number % 10 === 4) return weekly.configure({ on: WEEKDAYS[chance(7)], at, zone }).slots;
  if (number % 2 === 1) return cron.configure({ schedule: `${minute} ${hour} ${1 + chance(31)} * *`, zone }).slots;
  return cron.configure({ schedule: `${minute} ${hour} L * *`, zone }).slots;
}

/** Some of its times are times of both. */
function anySlots(...of: readonly (readonly [{ readonly name: string }, object])[]): Slots | undefined {
  return triggers.find(({ name }) => name === "any")?.configure({ of: of.map(([{ name }, options]) => ({ use: name, with: options })) })
    .slots;
}

/** One of everything that can happen to a loop, by its own kind of key. */
function happening(loop: string, number: number, chance: (below: number) => number): { readonly key: string; readonly cause: Cause } {
  const [id, run, by] = [String(number), `other-${number}`, "ann"];
  const chain = Array.from({ length: chance(20) === 0 ? LONGEST_CHAIN + 1 : 1 }, () => "other");
  const all: readonly { readonly key: string; readonly cause: Cause }[] = [
    { key: gitKey(loop, "main", number), cause: { kind: "git", ref: "main", from: null, to: id } },
    { key: filesKey(loop, number), cause: { kind: "files", changed: [id as Untrusted], count: 1, state: id } },
    {
      key: webhookKey(loop, "fix", id),
      cause: { kind: "webhook", address: "fix", delivery: id, sha256: id, event: "push" as Untrusted, ref: null, subject: null },
    },
    { key: recordKey(loop, number), cause: { kind: "loop", loop: "other", run, ending: "proven", chain } },
    { key: recordKey(loop, number), cause: { kind: "inbox", run, what: "decided", by } },
    { key: handKey(loop, id), cause: { kind: "hand", by } },
  ];
  return all[chance(all.length)]!;
}

const MISSED: readonly LoopPlan["missed"][] = ["once", "once", "skip", { all: 3 }];

function planOf(number: number, chance: (below: number) => number): LoopPlan {
  const loop = `loop-${String(number).padStart(5, "0")}`;
  return planFor(loop, {
    slots: slotsFor(number, chance),
    target: `target-${chance(3000)}`,
    missed: MISSED[chance(MISSED.length)] ?? "once",
    overlap: { slots: (["skip", "skip", "queue", "stop"] as const)[chance(4)] ?? "skip", events: "queue" },
    jitterMs: chance(10) === 0 ? 10 * MINUTE : 0,
    priority: chance(5) - 2,
    wip: chance(10) === 0 ? 2 : undefined,
  });
}

/** During which time which trigger counted: known from what was done, not from what the scheduler made of it. */
interface Stretch {
  from: number;
  to: number;
  readonly slots: Slots | undefined;
}

interface Account {
  readonly fates: Map<string, Map<number, Waking["fate"]>>;
  readonly stretches: Map<string, Stretch[]>;
  readonly heard: Map<string, Waking["fate"] | undefined>;
  /** What may never be. */
  readonly broken: string[];
  records: number;
}

/** Keeps the account of every record as it is written. */
function keepAccount(world: World): Account {
  const account: Account = { fates: new Map(), stretches: new Map(), heard: new Map(), broken: [], records: 0 };
  world.keepsEntries = false;
  world.onEntry = (loop, { run: key, record }) => {
    if (record.kind === "heard") account.heard.set(key, undefined);
    if (record.kind === "clock-set-back") setBack(account, loop, Date.parse(record.to));
    if (record.kind !== "waking") return;
    account.records++;
    const here = world.loops.get(loop);
    const wip = here?.plan.wip;
    if (record.fate === "ran" && wip !== undefined && here && here.proposals >= wip) account.broken.push(`${key} ran over its wip`);
    if (record.cause.kind !== "slot") {
      if (account.heard.get(key) !== undefined) account.broken.push(`${key} was answered twice`);
      account.heard.set(key, record.fate);
      return;
    }
    const fates = account.fates.get(loop) ?? new Map<number, Waking["fate"]>();
    account.fates.set(loop, fates);
    for (const slot of slotsOf(record, account.stretches.get(loop) ?? [], fates)) {
      if (fates.has(slot)) account.broken.push(`${key} has two records`);
      fates.set(slot, record.fate);
    }
  };
  return account;
}

function setBack({ fates, stretches }: Account, loop: string, to: number): void {
  const known = fates.get(loop);
  for (const [slot, fate] of known ?? []) if (slot > to && fate !== "ran") known?.delete(slot);
  const all = stretches.get(loop) ?? [];
  for (const [index, stretch] of all.entries()) {
    stretch.from = Math.min(stretch.from, to);
    if (index < all.length - 1 || stretch.to < Number.POSITIVE_INFINITY) stretch.to = Math.min(stretch.to, to);
  }
}

function slotsOf({ cause, covers }: Waking, stretches: readonly Stretch[], known: ReadonlyMap<number, unknown>): readonly number[] {
  if (cause.kind !== "slot") return [];
  const last = Date.parse(cause.slot);
  if (!covers) return [last];
  for (const { slots } of stretches.toReversed()) {
    const all = slots?.due(Date.parse(covers.first) - 1, last, 100_000).newest.filter((slot) => !known.has(slot)) ?? [];
    if (all.length === covers.count + 1 && all.at(-1) === last) return all;
  }
  return [last, Number.NaN];
}

/** Slots that should have a record by then and have none, and those that have one although no trigger named them. */
function wrongSlots({ fates, stretches }: Account, upTo: number): readonly string[] {
  const wrong: string[] = [];
  for (const [loop, all] of stretches) {
    const known = fates.get(loop) ?? new Map<number, Waking["fate"]>();
    const named = new Set<number>();
    for (const { from, to, slots } of all)
      for (const slot of slots?.due(from, Math.min(to, upTo), 1_000_000).newest ?? []) {
        named.add(slot);
        if (!known.has(slot)) wrong.push(`${loop} ${new Date(slot).toISOString()} has no record`);
      }
    for (const [slot, fate] of known)
      if (slot <= upTo && fate !== "ran" && !named.has(slot))
        wrong.push(`${loop} ${new Date(slot).toISOString()} has a record and no name`);
  }
  return wrong;
}

it("keeps account of thousands of loops over two years, whatever happens to them", async () => {
  const chance = chances(20);
  const world = newWorld({ runs: 40 });
  world.now = START;
  const account = keepAccount(world);
  const daemons = new Map<number, Scheduler>();
  const removed = new Set<string>();
  const ends = new Map<string, number>();
  let [born, heard, waiting] = [0, 0, 0];
  const kinds = new Set<Cause["kind"]>();

  const bear = async (): Promise<void> => {
    const number = ++born;
    daemons.set(number, await daemonOf(world, number, "all"));
  };
  const notice = (loop: string): void => {
    for (const daemon of daemons.values()) daemon.noticed(loop);
  };
  const know = (plan: LoopPlan): void => {
    const all = account.stretches.get(plan.loop) ?? [];
    const before = all.at(-1);
    if (before && before.slots !== plan.slots) before.to = Math.min(before.to, world.now);
    if (!before || before.slots !== plan.slots || removed.has(plan.loop))
      all.push({ from: world.now, to: Number.POSITIVE_INFINITY, slots: plan.slots });
    account.stretches.set(plan.loop, all);
    removed.delete(plan.loop);
    world.know(plan);
    notice(plan.loop);
  };
  const plans = Array.from({ length: LOOPS }, (_, number) => planOf(number, chance));
  for (const plan of plans) know(plan);
  await bear();

  const tick = async (): Promise<void> => {
    for (const [loop, end] of ends)
      if (end <= world.now) {
        ends.delete(loop);
        world.rest(loop);
        notice(loop);
      }
    // In between, ticks found nothing to do.
    if (world.ticks && isUp) world.ticks = { ...world.ticks, last: Math.max(world.ticks.last, world.now - 15 * SECOND) };
    isUp = true;
    const ticked = await Promise.all([...daemons.values()].map((daemon) => daemon.tick(world.now)));
    for (const daemon of daemons.values()) await daemon.settled();
    waiting = Math.max(...ticked.map((one) => one.waiting.length));
    for (const { problems } of ticked) for (const { loop, error } of problems) account.broken.push(`${loop}: ${String(error)}`);
    for (const loop of world.runs.keys()) if (!ends.has(loop)) ends.set(loop, world.now + (1 + chance(20)) * MINUTE);
    for (const [loop, { isAskedToStop }] of world.runs) if (isAskedToStop) ends.set(loop, Math.min(ends.get(loop) ?? world.now, world.now));
    const targets = [...world.runs.values()].map(({ target }) => target);
    if (new Set(targets).size < targets.length) account.broken.push(`two writers at ${world.now}`);
    if (targets.length > world.limits.runs) account.broken.push(`too many runs at ${world.now}`);
  };
  let isUp = true;
  const someLoop = (): LoopPlan => plans[chance(LOOPS)]!;
  const happen = async (): Promise<void> => {
    const kind = chance(1000);
    const loop = someLoop().loop;
    if (kind < 4) {
      // All daemons die, and it takes a while until one is there again.
      for (const number of daemons.keys()) world.died(number);
      daemons.clear();
      world.now += [5 * SECOND, 40 * SECOND, 10 * MINUTE, 5 * HOUR, 2 * DAY][chance(5)]!;
      isUp = false;
      await bear();
    } else if (kind < 9) {
      world.now += [20 * SECOND, 3 * HOUR, DAY, -30 * SECOND, -2 * HOUR, -2 * DAY][chance(6)]!;
      isUp = false;
    } else if (kind < 12 && daemons.size === 1) await bear();
    else if (kind < 80 && daemons.size === 2) {
      const [first] = daemons.keys();
      world.died(first!);
      daemons.delete(first!);
      for (const run of world.runs.keys()) notice(run);
    } else if (kind < 250) {
      const number = chance(LOOPS);
      plans[number] = planOf(number, chance);
      know(plans[number]);
    } else if (kind < 330) {
      const all = account.stretches.get(loop);
      const last = all?.at(-1);
      if (last && !removed.has(loop)) last.to = Math.min(last.to, world.now);
      removed.add(loop);
      world.remove(loop);
      notice(loop);
    } else if (kind < 480) {
      world.pause(loop);
      notice(loop);
    } else if (kind < 560) {
      if (!removed.has(loop)) world.wrong(loop);
      notice(loop);
    } else if (kind < 700) world.loops.get(loop)!.proposals = chance(3);
    else {
      const { key, cause } = happening(loop, ++heard, chance);
      kinds.add(cause.kind);
      await [...daemons.values()][0]?.hear(loop, key, cause, world.now);
    }
  };

  const end = START + DAYS * DAY;
  let happensAt = START + HOUR;
  let [hour, ticksInHour] = [0, 0];
  while (world.now < end) {
    // Whoever looks again in each second at what it cannot change would go on for ever.
    const hourNow = Math.floor(world.now / HOUR);
    ticksInHour = hourNow === hour ? ticksInHour + 1 : 0;
    hour = hourNow;
    if (ticksInHour > MOST_TICKS_AN_HOUR) throw new Error(`it ticks in each second of ${new Date(world.now).toISOString()}`);
    const nextEnd = waiting > 0 ? Math.min(...ends.values()) : Number.POSITIVE_INFINITY;
    const next = Math.min(...[...daemons.values()].map((daemon) => daemon.next() ?? Number.POSITIVE_INFINITY), nextEnd, happensAt);
    world.now = Math.max(world.now + SECOND, Math.ceil(next / SECOND) * SECOND);
    if (world.now >= happensAt) {
      await happen();
      happensAt = world.now + (1 + chance(8 * 60)) * MINUTE;
      // What is paused or wrong comes right again after a while.
      if (chance(40) === 0) {
        for (const [loop, { state }] of world.loops) {
          if (state.standing) world.resume(loop);
          if (state.wrong) know(world.loops.get(loop)!.plan);
          if (state.standing || state.wrong) notice(loop);
        }
        world.forget(world.now - 5 * DAY);
      }
    }
    await tick();
  }
  // Everything is free again, and time enough for all that waits.
  for (const [loop, { state }] of world.loops) {
    if (state.standing) world.resume(loop);
    if (state.wrong) know(world.loops.get(loop)!.plan);
    world.loops.get(loop)!.proposals = 0;
    notice(loop);
  }
  for (let minute = 0; minute < 2 * 24 * 60; minute++) {
    world.now += MINUTE;
    await tick();
  }

  expect(account.records).toBeGreaterThan(LOOPS * 40);
  expect(account.broken).toEqual([]);
  expect([...kinds].sort()).toEqual(["files", "git", "hand", "inbox", "loop", "webhook"]);
  expect(wrongSlots(account, world.now - 25 * HOUR)).toEqual([]);
  expect([...account.heard].filter(([, fate]) => fate === undefined)).toEqual([]);
});
