import { expect, it } from "vitest";
import {
  DAY,
  daemonOf,
  fatesOf,
  HOUR,
  MINUTE,
  machineOf,
  NOON,
  newWorld,
  planFor,
  SECOND,
  slotsEvery,
  type World,
  webhook,
} from "../../test/support/schedule-world.ts";
import { gitKey, slotKey, type Waking } from "../contract/waking.ts";
import type { LoopPlan } from "./ports.ts";
import { newScheduler, type Scheduler } from "./scheduler.ts";

const at = (text: string): number => Date.parse(`2026-01-${text}Z`);
/** Every day at that time of UTC. */
const daily = (hour: number) => slotsEvery(DAY, hour * HOUR);

async function tickAt(world: World, daemon: Scheduler, now: number): Promise<void> {
  world.now = now;
  await daemon.tick(now);
  await daemon.settled();
}

/** Ticks all along, as a daemon does. */
async function liveUntil(world: World, daemon: Scheduler, until: number, everyMs = 15 * SECOND): Promise<void> {
  for (let now = world.now + everyMs; now < until; now += everyMs) await tickAt(world, daemon, now);
  await tickAt(world, daemon, until);
}

async function living(plan: LoopPlan): Promise<{ readonly world: World; readonly daemon: Scheduler }> {
  const world = newWorld();
  const daemon = await daemonOf(world);
  await tickAt(world, daemon, NOON);
  world.know(plan);
  daemon.noticed(plan.loop);
  return { world, daemon };
}

const wakingsOf = (world: World, loop: string): readonly Waking[] =>
  (world.loops.get(loop)?.entries ?? []).flatMap(({ record }) => (record.kind === "waking" ? [record] : []));

/** `fate reason`, of each record in its order. */
const toldOf = (world: World, loop: string): readonly string[] => wakingsOf(world, loop).map(({ fate, reason }) => `${fate} ${reason}`);

const ran = (world: World, loop: string): readonly string[] =>
  wakingsOf(world, loop).flatMap(({ fate, cause }) => (fate === "ran" && cause.kind === "slot" ? [cause.slot] : []));

it("1: added in the afternoon, a daily loop does not wake before its time", async () => {
  const { world, daemon } = await living(planFor("a", { slots: daily(2) }));

  await liveUntil(world, daemon, at("06T01:59:59"), 50 * SECOND);
  expect(wakingsOf(world, "a")).toEqual([]);

  await tickAt(world, daemon, at("06T02:00:00"));
  expect(ran(world, "a")).toEqual(["2026-01-06T02:00:00.000Z"]);
});

it("2: paused over its time and freed later, nothing runs", async () => {
  const { world, daemon } = await living(planFor("a", { slots: daily(2) }));
  world.pause("a");
  daemon.noticed("a");
  await liveUntil(world, daemon, at("08T12:00:00"), 55 * SECOND);

  world.resume("a");
  daemon.noticed("a");
  await liveUntil(world, daemon, at("08T13:00:00"), 55 * SECOND);

  expect(ran(world, "a")).toEqual([]);
  expect([...fatesOf(world, "a", [world.loops.get("a")?.plan.slots]).values()]).toEqual(Array(3).fill("skipped paused"));
});

it("3, 4: edited, it wakes at the next of its new times, and at none that is over", async () => {
  const { world, daemon } = await living(planFor("a", { slots: daily(23) }));
  world.know(planFor("a", { slots: daily(5) }));
  daemon.noticed("a");

  await liveUntil(world, daemon, at("06T06:00:00"), 55 * SECOND);

  expect(ran(world, "a")).toEqual(["2026-01-06T05:00:00.000Z"]);
});

it("5: saved again while it waits for its jitter, it still runs", async () => {
  const plan = planFor("a", { jitterMs: 30 * MINUTE });
  const { world, daemon } = await living(plan);
  await liveUntil(world, daemon, at("05T13:00:10"), 55 * SECOND);
  expect(wakingsOf(world, "a")).toEqual([]);

  world.know(plan);
  daemon.noticed("a");
  await liveUntil(world, daemon, at("05T13:40:00"), 55 * SECOND);

  expect(ran(world, "a")).toEqual(["2026-01-05T13:00:00.000Z"]);
});

it("6: paused for 150 of its times, it goes on", async () => {
  const { world, daemon } = await living(planFor("a", { slots: slotsEvery(MINUTE) }));
  world.pause("a");
  await liveUntil(world, daemon, NOON + 150 * MINUTE, 50 * SECOND);
  world.resume("a");
  daemon.noticed("a");
  await liveUntil(world, daemon, NOON + 151 * MINUTE);

  expect(toldOf(world, "a")).toEqual(["skipped paused", "ran on-time"]);
});

it("7: off for 8 hours with a slot each minute, it runs once, and two records tell of all", async () => {
  const { world } = await living(planFor("a", { slots: slotsEvery(MINUTE) }));
  await tickAt(world, await daemonOf(world, 2), NOON + 8 * HOUR);

  expect(toldOf(world, "a")).toEqual(["coalesced joined", "ran on-time"]);
  expect(fatesOf(world, "a", [slotsEvery(MINUTE)]).size).toBe(480);
});

it("8: with `missed: skip` nothing runs for a time in which the machine slept", async () => {
  const { world, daemon } = await living(planFor("a", { slots: slotsEvery(10 * SECOND, 5 * SECOND), missed: "skip" }));
  await tickAt(world, daemon, NOON + 78 * MINUTE);

  const fates = [...fatesOf(world, "a", [slotsEvery(10 * SECOND, 5 * SECOND)]).values()];
  expect(fates.filter((fate) => fate === "missed nothing-was-running")).toHaveLength(462);
  expect(fates.length).toBe(468);
});

it("9, 12: four minutes asleep are a gap, fifteen seconds are none", async () => {
  const short = await living(planFor("a", { slots: slotsEvery(MINUTE), missed: "skip" }));
  await tickAt(short.world, short.daemon, NOON + 50 * SECOND);
  await tickAt(short.world, short.daemon, NOON + 65 * SECOND);
  const long = await living(planFor("a", { slots: slotsEvery(MINUTE), missed: "skip" }));
  await tickAt(long.world, long.daemon, NOON + 4 * MINUTE + 30 * SECOND);

  expect(toldOf(short.world, "a")).toEqual(["ran on-time"]);
  expect(toldOf(long.world, "a")).toEqual(["missed nothing-was-running", "ran on-time"]);
});

it("11: two hundred late loops keep to the limits of the machine", async () => {
  const world = newWorld({ runs: 3 });
  for (let number = 0; number < 200; number++) world.know(planFor(`loop-${number}`));
  const daemon = await daemonOf(world);
  await tickAt(world, daemon, NOON + 5 * HOUR);

  expect(world.runs.size).toBe(3);
});

it("13: up for four hours a day, every six hours still comes", async () => {
  const { world } = await living(planFor("a", { slots: slotsEvery(6 * HOUR) }));
  for (let day = 1; day <= 3; day++) {
    const daemon = await daemonOf(world, day + 1);
    world.rest("a");
    world.now = NOON + day * DAY + HOUR;
    await liveUntil(world, daemon, NOON + day * DAY + 4 * HOUR, 50 * SECOND);
  }

  expect(ran(world, "a")).toEqual(["2026-01-06T12:00:00.000Z", "2026-01-07T12:00:00.000Z", "2026-01-08T12:00:00.000Z"]);
});

it("14: a restart before its time moves nothing", async () => {
  const { world } = await living(planFor("a", { slots: daily(14) }));
  for (let minute = 1; minute <= 125; minute++) await tickAt(world, await daemonOf(world, minute + 1), NOON + minute * MINUTE);

  expect(ran(world, "a")).toEqual(["2026-01-05T14:00:00.000Z"]);
});

it("22: with the clock an hour back nothing runs twice, and it goes on", async () => {
  const { world, daemon } = await living(planFor("a", { slots: slotsEvery(10 * MINUTE) }));
  for (const now of [NOON, NOON - HOUR])
    for (let minute = 1; minute <= 60; minute++) {
      world.rest("a");
      daemon.noticed("a");
      await tickAt(world, daemon, now + minute * MINUTE);
    }
  await liveUntil(world, daemon, NOON + 15 * MINUTE, 50 * SECOND);
  world.rest("a");
  daemon.noticed("a");
  await liveUntil(world, daemon, NOON + 75 * MINUTE, 50 * SECOND);

  const slots = ran(world, "a");
  expect(new Set(slots).size).toBe(slots.length);
  expect(slots.at(-1)).toBe("2026-01-05T13:10:00.000Z");
});

it("22: what was heard before the clock was set back comes before the slots after that, in the order in which it was heard", async () => {
  const { world, daemon } = await living(planFor("a", { slots: slotsEvery(MINUTE), missed: { all: 3 } }));
  world.pause("a");
  for (const number of [9, 10]) await world.book().hear("a", gitKey("a", "main", number), webhook(String(number)), NOON);
  world.resume("a");
  await tickAt(world, daemon, NOON - 2 * HOUR - SECOND);
  world.rest("a");

  for (let minute = 0; minute < 4; minute++) {
    daemon.noticed("a");
    await tickAt(world, daemon, NOON - 2 * HOUR + minute * MINUTE);
    world.rest("a");
  }

  const causes = wakingsOf(world, "a").flatMap(({ fate, cause }) => (fate === "ran" ? [cause.kind === "git" ? cause.to : cause.kind] : []));
  expect(causes).toEqual(["9", "10", "slot", "slot", "slot"]);
});

it("23: with the clock a year ahead and then right again, it goes on", async () => {
  const { world, daemon } = await living(planFor("a"));
  await tickAt(world, daemon, NOON + 365 * DAY);
  world.rest("a");
  daemon.noticed("a");
  await tickAt(world, daemon, NOON + MINUTE);
  await liveUntil(world, daemon, NOON + 61 * MINUTE, 50 * SECOND);

  expect(ran(world, "a")).toEqual(["2027-01-05T12:00:00.000Z", "2026-01-05T13:00:00.000Z"]);
});

it("23: added and woken by hand while the clock was a year ahead, with nobody there to see it, it goes on when the clock is right", async () => {
  const world = newWorld();
  world.now = NOON + 365 * DAY;
  world.know(planFor("a", { slots: slotsEvery(5 * MINUTE) }));
  await world.book().hear("a", gitKey("a", "main", 1), webhook("1"), world.now);

  world.now = NOON;
  const daemon = await daemonOf(world);
  await tickAt(world, daemon, NOON);
  world.rest("a");
  await liveUntil(world, daemon, NOON + 6 * MINUTE);

  expect(toldOf(world, "a")).toEqual(["ran on-time", "ran on-time"]);
});

it("answers what was heard of a loop when it was being removed, also where the daemon died before", async () => {
  const { world, daemon } = await living(planFor("a", { slots: slotsEvery(HOUR) }));
  await tickAt(world, daemon, NOON + MINUTE);
  world.remove("a");
  daemon.noticed("a");
  await tickAt(world, daemon, NOON + 2 * MINUTE);
  await world.book().hear("a", gitKey("a", "main", 1), webhook("1"), world.now);

  const next = await daemonOf(world, 2);
  await tickAt(world, next, NOON + 3 * MINUTE);

  expect(toldOf(world, "a")).toEqual(["skipped removed"]);
});

it("26: two daemons whose clocks are two seconds apart wake it once, and keep its next time", async () => {
  const { world, daemon } = await living(planFor("a"));
  const other = await daemonOf(world, 2);
  for (let now = NOON; now < NOON + 125 * MINUTE; now += 15 * SECOND) {
    if (now === NOON + 90 * MINUTE) world.rest("a");
    world.now = now;
    await Promise.all([daemon.tick(now), other.tick(now - 2 * SECOND)]);
    await Promise.all([daemon.settled(), other.settled()]);
  }

  expect(ran(world, "a")).toEqual(["2026-01-05T13:00:00.000Z", "2026-01-05T14:00:00.000Z"]);
});

it("27: when one daemon dies the other goes on, and takes up what was left", async () => {
  const { world, daemon } = await living(planFor("a"));
  const other = await daemonOf(world, 2);
  await liveUntil(world, daemon, NOON + HOUR, 50 * SECOND);
  world.died(1);
  other.noticedAll();
  await liveUntil(world, other, NOON + 2 * HOUR + MINUTE, 50 * SECOND);

  expect(world.runs.get("a")?.daemon).toBe(2);
  expect(toldOf(world, "a")).toEqual(["ran on-time", "skipped overlap"]);
});

it("28, 29: behind a slow run one waits, and all others join it", async () => {
  const { world, daemon } = await living(planFor("a", { slots: slotsEvery(MINUTE), overlap: { slots: "queue", events: "queue" } }));
  await liveUntil(world, daemon, NOON + 42 * MINUTE);
  world.rest("a");
  daemon.noticed("a");
  await tickAt(world, daemon, NOON + 42 * MINUTE + SECOND);

  const fates = [...fatesOf(world, "a", [slotsEvery(MINUTE)]).values()];
  expect(fates.filter((fate) => fate === "ran")).toHaveLength(2);
  expect(fates.filter((fate) => fate === "coalesced joined")).toHaveLength(40);
});

it("30: of 24 missed ones the newest 10 are made up for, one after the other", async () => {
  const { world } = await living(planFor("a", { missed: { all: 10 } }));
  const daemon = await daemonOf(world, 2);
  await tickAt(world, daemon, NOON + 24 * HOUR + 30 * MINUTE);
  for (let number = 1; number < 15; number++) {
    world.rest("a");
    daemon.noticed("a");
    await tickAt(world, daemon, NOON + 24 * HOUR + 30 * MINUTE + number * SECOND);
  }

  expect(ran(world, "a")).toEqual(Array.from({ length: 10 }, (_, index) => new Date(NOON + (15 + index) * HOUR).toISOString()));
  expect([...fatesOf(world, "a", [slotsEvery(HOUR)]).values()].filter((fate) => fate === "missed more-than-kept")).toHaveLength(14);
});

it("31: a loop that throws in every possible place changes nothing for the others", async () => {
  const world = newWorld();
  for (const loop of ["a", "b", "c"]) world.know(planFor(loop));
  const book = world.book();
  const hands = world.hands(1);
  for (const method of ["plan", "facts", "write", "start"] as const) {
    /** Throws for one loop in one place, and is as before everywhere else. */
    const breaking =
      <A extends readonly unknown[], T>(where: typeof method, loopOf: (...args: A) => string, work: (...args: A) => Promise<T>) =>
      async (...args: A): Promise<T> => {
        if (where === method && loopOf(...args) === "a") throw new Error("broken");
        return work(...args);
      };
    const daemon = newScheduler({
      book: {
        ...book,
        plan: breaking("plan", (loop) => loop, book.plan),
        facts: breaking("facts", (loop) => loop, book.facts),
        write: breaking("write", (loop) => loop, book.write),
      },
      hands: { ...hands, start: breaking("start", ({ loop }) => loop, hands.start) },
      machine: machineOf(world),
    });
    await daemon.begin();
    for (const loop of ["a", "b", "c"]) world.rest(loop);
    const before = ran(world, "b").length;
    await tickAt(world, daemon, world.now + HOUR);

    expect({ method, b: ran(world, "b").length - before, c: ran(world, "c").length - before }).toEqual({ method, b: 1, c: 1 });
  }
});

it("32: a store that fails for one tick is asked again at the next", async () => {
  const { world } = await living(planFor("a"));
  const book = world.book();
  let fails = true;
  const daemon = newScheduler({
    book: { ...book, ticks: async () => (fails ? Promise.reject(new Error("disk full")) : book.ticks()) },
    hands: world.hands(1),
    machine: machineOf(world),
  });
  await daemon.begin();
  await expect(tickAt(world, daemon, NOON + HOUR)).rejects.toThrow("disk full");
  fails = false;
  await tickAt(world, daemon, NOON + HOUR + 15 * SECOND);

  expect(ran(world, "a")).toEqual(["2026-01-05T13:00:00.000Z"]);
});

it("33: a start that fails again and again is failed after five tries, and one that cannot succeed at once", async () => {
  const later = await living(planFor("a", { slots: daily(13) }));
  let tries = 0;
  later.world.answer = () => {
    tries++;
    return { kind: "failed", retry: "later", says: "no route to the host" };
  };
  await liveUntil(later.world, later.daemon, NOON + 4 * HOUR);
  const never = await living(planFor("a", { slots: daily(13) }));
  never.world.answer = () => ({ kind: "failed", retry: "never", says: "its target is no repository" });
  await liveUntil(never.world, never.daemon, NOON + HOUR + MINUTE);

  expect(tries).toBe(5);
  expect(toldOf(later.world, "a")).toEqual(["failed cannot-start"]);
  expect(toldOf(never.world, "a")).toEqual(["failed cannot-start"]);
});

it("34, 36: deliveries of one key wake it once, and the fate is told to who delivers again", async () => {
  const { world, daemon } = await living(planFor("a", { slots: undefined }));
  const key = gitKey("a", "main", 1);
  const answers = await Promise.all([1, 2, 3].map(() => daemon.hear("a", key, webhook("x"), NOON)));
  await tickAt(world, daemon, NOON + SECOND);
  const again = await daemon.hear("a", key, webhook("x"), NOON + MINUTE);

  expect(answers.map(({ kind }) => kind)).toEqual(["heard", "known", "known"]);
  expect(again).toMatchObject({ kind: "known", waking: { fate: "ran" } });
  expect(toldOf(world, "a")).toEqual(["ran on-time"]);
});

it("37: after an account's reset one run tries it, and the others follow", async () => {
  const world = newWorld();
  const daemon = await daemonOf(world);
  await tickAt(world, daemon, NOON);
  const limit = { account: "claude", until: NOON + 3 * HOUR };
  const loops = Array.from({ length: 30 }, (_, number) => `loop-${number}`);
  for (const loop of loops) {
    world.know(planFor(loop, { account: "claude", patienceMs: 5 * HOUR, slots: daily(13) }));
    world.loops.get(loop)!.limit = limit;
    daemon.noticed(loop);
  }
  await liveUntil(world, daemon, NOON + 3 * HOUR - SECOND, 55 * SECOND);
  expect(world.runs.size).toBe(0);

  await liveUntil(world, daemon, NOON + 3 * HOUR + 6 * MINUTE, 15 * SECOND);
  expect(world.runs.size).toBe(1);

  for (const loop of loops) {
    world.loops.get(loop)!.limit = undefined;
    daemon.noticed(loop);
  }
  await tickAt(world, daemon, NOON + 3 * HOUR + 7 * MINUTE);
  expect(world.runs.size).toBe(30);
});

it("38: endless high priority does not keep a low one away for longer than the bound", async () => {
  const world = newWorld({ runs: 1 });
  const daemon = await daemonOf(world);
  await tickAt(world, daemon, NOON);
  const slots = slotsEvery(5 * MINUTE);
  for (const loop of ["high-1", "high-2"]) world.know(planFor(loop, { slots, priority: 10, overlap: { slots: "queue", events: "queue" } }));
  world.know(planFor("low", { slots: daily(13), priority: -10, overlap: { slots: "queue", events: "queue" } }));
  daemon.noticedAll();
  for (const loop of ["high-1", "high-2", "low"]) daemon.noticed(loop);
  let started: number | undefined;
  for (let now = NOON; now < NOON + 6 * HOUR && started === undefined; now += MINUTE) {
    for (const [loop, run] of world.runs)
      if (now - run.openedAt >= 4 * MINUTE) {
        world.rest(loop);
        daemon.noticed(loop);
      }
    await tickAt(world, daemon, now);
    if (world.runs.has("low")) started = now;
  }

  expect(started).toBeLessThanOrEqual(NOON + HOUR + 200 * MINUTE + 10 * MINUTE);
});

it("38: who waited an hour for two things keeps the one that comes free", async () => {
  const world = newWorld({ runs: 2 });
  const daemon = await daemonOf(world);
  await tickAt(world, daemon, NOON);
  world.know(planFor("long", { slots: daily(13), target: "shared" }));
  world.know(planFor("needs-both", { slots: slotsEvery(DAY, 13 * HOUR + MINUTE), target: "shared" }));
  world.know(planFor("busy", { slots: slotsEvery(MINUTE) }));
  world.know(planFor("busy-too", { slots: slotsEvery(MINUTE) }));
  for (const loop of world.loops.keys()) daemon.noticed(loop);
  const restBusy = (): void => {
    for (const loop of ["busy", "busy-too"]) {
      world.rest(loop);
      daemon.noticed(loop);
    }
  };
  for (let now = NOON; now < NOON + 140 * MINUTE; now += 30 * SECOND) {
    restBusy();
    await tickAt(world, daemon, now);
  }
  restBusy();
  await tickAt(world, daemon, world.now + 15 * SECOND);
  expect([...world.runs.keys()]).toEqual(["long"]);

  world.rest("long");
  daemon.noticed("long");
  await tickAt(world, daemon, world.now + 15 * SECOND);
  expect(world.runs.has("needs-both")).toBe(true);
});

it("40: `stop` asks the open run to stop, and the third time in a row pauses the loop instead", async () => {
  const { world, daemon } = await living(planFor("a", { slots: slotsEvery(5 * MINUTE), overlap: { slots: "stop", events: "queue" } }));
  await liveUntil(world, daemon, NOON + 5 * MINUTE);
  for (let stops = 0; stops < 2; stops++) {
    await liveUntil(world, daemon, world.now + 5 * MINUTE);
    expect(world.stops).toHaveLength(stops + 1);
    world.rest("a");
    world.loops.get("a")!.stopsInARow = stops + 1;
    daemon.noticed("a");
    await tickAt(world, daemon, world.now + SECOND);
  }
  await liveUntil(world, daemon, world.now + 6 * MINUTE);

  expect(world.stops).toHaveLength(2);
  expect(world.loops.get("a")?.state.standing).toMatchObject({ reason: "paused" });
});

it("lets a spare loop run when nobody waits, and stops it first", async () => {
  const world = newWorld({ runs: 1 });
  const daemon = await daemonOf(world);
  await tickAt(world, daemon, NOON);
  world.know(planFor("spare", { slots: daily(13), spare: true }));
  world.know(planFor("other", { slots: slotsEvery(DAY, 13 * HOUR + MINUTE) }));
  for (const loop of world.loops.keys()) daemon.noticed(loop);
  await liveUntil(world, daemon, NOON + HOUR + MINUTE);

  expect(world.stops).toEqual([{ loop: "spare", run: "spare-1", why: "spare" }]);
});

it("tells once that what is expected did not come", async () => {
  const { world, daemon } = await living(planFor("a", { slots: undefined, expect: { ending: "proven", withinMs: 2 * HOUR } }));
  await liveUntil(world, daemon, NOON + 6 * HOUR, 50 * SECOND);

  expect(world.absences).toEqual([
    {
      loop: "a",
      base: NOON,
      deadline: NOON + 2 * HOUR,
      ending: "proven",
      says: "it was to have come to rest proven by 2026-01-05T14:00:00.000Z",
    },
  ]);
});

it("keeps the slots that everything was stopped for from running afterwards", async () => {
  const { world, daemon } = await living(planFor("a"));
  world.loops.get("a")!.allStopped = true;
  await liveUntil(world, daemon, NOON + 150 * MINUTE, 50 * SECOND);
  world.loops.get("a")!.allStopped = false;
  await liveUntil(world, daemon, NOON + 3 * HOUR, 50 * SECOND);

  expect(toldOf(world, "a")).toEqual(["skipped all-stopped", "skipped all-stopped", "ran on-time"]);
});

it("resumes an interrupted run before anything else of its loop, and not before its time", async () => {
  const { world, daemon } = await living(planFor("a"));
  await liveUntil(world, daemon, NOON + HOUR, 50 * SECOND);
  world.died(1);
  world.runs.get("a")!.notBefore = NOON + 2 * HOUR;
  const next = await daemonOf(world, 2);
  await tickAt(world, next, NOON + HOUR + 10 * SECOND);
  expect(world.runs.get("a")?.daemon).toBeUndefined();

  await liveUntil(world, next, NOON + 2 * HOUR, 50 * SECOND);
  expect(world.runs.get("a")?.daemon).toBe(2);
  expect(world.runs.get("a")?.key).toBe(slotKey("a", NOON + HOUR));
});

it.each(["stop", "skip"] as const)(
  "looks again at a loop that it heard of while it was being started, with `overlap: %s`",
  async (slots) => {
    const { world, daemon } = await living(planFor("a", { slots: slotsEvery(10 * SECOND), overlap: { slots, events: "queue" } }));
    const { letGo } = world.holdStarts();
    world.now = NOON + 10 * SECOND;
    await daemon.tick(world.now);
    daemon.noticed("a");
    await daemon.tick(world.now + SECOND);
    letGo();
    await daemon.settled();

    await liveUntil(world, daemon, NOON + 21 * SECOND, SECOND);

    expect(world.stops.map(({ why }) => why)).toEqual(slots === "stop" ? ["overlap"] : []);
    expect(toldOf(world, "a")).toEqual(slots === "stop" ? ["ran on-time"] : ["ran on-time", "skipped overlap"]);
  },
);
