import { expect, it } from "vitest";
import { HOUR, MINUTE, NOON, planFor, SECOND } from "../../test/support/schedule-world.ts";
import { type Cause, gitKey, slotKey } from "../contract/waking.ts";
import { type Decision, decideWaking, type Situation, waitsUntil } from "./decide-waking.ts";
import type { Due, TickTime } from "./due.ts";
import type { LoopFacts, LoopPlan } from "./ports.ts";

const NOW = NOON + 10 * SECOND;
const time: TickTime = { now: NOW, last: NOON - 5 * SECOND, awake: NOON - HOUR, lateUpTo: Number.NEGATIVE_INFINITY };

const slot = (wishes: Partial<Omit<Due, "slot">> & { readonly slot?: Partial<Due["slot"]> } = {}): Due => ({
  key: slotKey("a", NOON),
  cause: { kind: "slot", slot: new Date(NOON).toISOString(), local: "2026-01-05T12:00 UTC" },
  dueAt: NOON,
  age: "new",
  ...wishes,
  slot: { at: NOON, periodMs: HOUR, wasOpen: false, isKept: false, ...wishes.slot },
});

const event = (cause: Cause = { kind: "git", ref: "main", from: null, to: "abc" }, barred?: "own-work"): Due => {
  const key = gitKey("a", "main", 1);
  return { key, cause, dueAt: NOON, age: "new", event: { seq: 1, key, cause, at: NOON, ...(barred ? { barred } : {}) } };
};

const FACTS: LoopFacts = {
  version: { own: 1, home: 0 },
  life: "known",
  since: NOON - HOUR,
  open: [],
  taken: [],
  barred: undefined,
  closings: [],
  events: [],
  lastRan: undefined,
  begunAt: NOON - HOUR,
  absenceTold: undefined,
  withdrawn: new Map(),
  openRun: undefined,
  proposals: 0,
  sameWork: undefined,
  caps: undefined,
  limit: undefined,
  stopsInARow: 0,
  lastExpected: undefined,
};

const OPEN_RUN = {
  run: "a-1",
  needs: { target: "a", writes: true, maker: "scripted" },
  openedAt: NOON - MINUTE,
  isWorkedOn: true,
  notBefore: undefined,
  isAskedToStop: false,
} as const;

const SHUT = { isOpen: () => false, shuts: () => undefined, opens: () => NOON + HOUR };

const situation = (facts: Partial<LoopFacts> = {}, plan: Partial<LoopPlan> = {}, more: Partial<Situation> = {}): Situation => ({
  plan: planFor("a", plan),
  facts: { ...FACTS, ...facts },
  time,
  joins: new Map(),
  keeps: new Set(),
  line: [],
  places: 1,
  mayStart: false,
  expires: false,
  ...more,
});

const skipped = (reason: string, says: string): unknown => ({ kind: "record", fate: "skipped", reason, says });
const late = slot({ age: "late" });
const gap: TickTime = { ...time, last: NOON - HOUR, lateUpTo: NOW - MINUTE };
const barred = (reason: NonNullable<LoopFacts["barred"]>["reason"]) => ({ barred: { reason, says: "why", since: NOON - HOUR } });
const queue = { overlap: { slots: "queue", events: "queue" } } as const;
const limit = { account: "claude", until: NOON + 2 * HOUR };
const LIMITED = "the account claude is used up until 2026-01-05T14:00:00.000Z";

/** One or more for every row of the table, as it is numbered there. */
const ROWS: readonly (readonly [row: string, due: Due, situation: Situation, becomes: unknown])[] = [
  ["2", event(), situation({ life: "removed" }), skipped("removed", "the loop was removed")],
  ["3", slot(), situation(barred("not-valid")), skipped("not-valid", "why")],
  ["4", slot(), situation(barred("paused")), skipped("paused", "why")],
  ["4", event(), situation(barred("halted")), skipped("halted", "why")],
  ["4", slot(), situation(barred("all-stopped")), skipped("all-stopped", "why")],
  [
    "5a",
    late,
    situation({}, { missed: "skip" }, { time: gap }),
    {
      kind: "record",
      fate: "missed",
      reason: "nothing-was-running",
      says: "nothing was running from 2026-01-05T11:00:00.000Z to 2026-01-05T12:00:10.000Z",
    },
  ],
  [
    "5b",
    late,
    situation({}, {}, { joins: new Map([[late.key, "a/slot/later"]]) }),
    { kind: "record", fate: "coalesced", reason: "joined", says: "joined a/slot/later", into: "a/slot/later" },
  ],
  ["5b, the one that stays", late, situation(), { kind: "run", reason: "late", says: "late by 10s" }],
  [
    "5c",
    late,
    situation({}, { missed: { all: 2 } }),
    { kind: "record", fate: "missed", reason: "more-than-kept", says: "more were missed than are made up for, which is 2" },
  ],
  [
    "5c, one that is made up for",
    late,
    situation({}, { missed: { all: 2 } }, { keeps: new Set([late.key]) }),
    { kind: "run", reason: "late", says: "late by 10s" },
  ],
  ["6", event(undefined, "own-work"), situation(), skipped("own-work", "it is the loop's own work that it would be woken by")],
  [
    "6",
    event({ kind: "loop", loop: "b", run: "b-1", ending: "proven", chain: ["b", "c", "d", "e", "f", "g", "h", "i", "j"] }),
    situation(),
    skipped("chain", "loops woke one another 9 times in a row, and 8 is the most: b → c → d → e → f → g → h → i → j"),
  ],
  ["7", slot(), situation({}, { windows: SHUT }), skipped("window", "its window was shut")],
  [
    "7, at its start",
    slot({ age: "pending" }),
    situation({}, { windows: SHUT }, { mayStart: true }),
    skipped("window", "its window was shut"),
  ],
  [
    "7",
    event(),
    situation({}, { windows: SHUT }),
    { kind: "wait", for: "window", says: "its window is shut", isInLine: false, until: NOON + HOUR },
  ],
  ["8", slot(), situation({ openRun: OPEN_RUN }), skipped("overlap", "the run a-1 was still open")],
  [
    "8, but made up for",
    slot({ slot: { isKept: true } }),
    situation({ openRun: OPEN_RUN }),
    { kind: "wait", for: "overlap", says: "the run a-1 is still open", isInLine: true },
  ],
  ["9", slot(), situation({ sameWork: "the same waits" }), skipped("wip", "the same waits")],
  ["9", event({ kind: "hand", by: "ada" }), situation({ sameWork: "the same waits" }), skipped("wip", "the same waits")],
  [
    "9",
    event(),
    situation({ sameWork: "the same waits" }),
    { kind: "wait", for: "wip", says: "the same waits", isInLine: false, until: time.now + MINUTE },
  ],
  ["9", slot(), situation({ proposals: 1 }, { wip: 1 }), skipped("wip", "1 of its proposals waits for a person, and 1 may")],
  [
    "9",
    event(),
    situation({ proposals: 3 }, { wip: 2 }),
    { kind: "wait", for: "wip", says: "3 of its proposals wait for a person, and 2 may", isInLine: false },
  ],
  ["10", slot(), situation({ caps: { says: "the day is spent", until: undefined } }), skipped("budget", "the day is spent")],
  [
    "10",
    event(),
    situation({ caps: { says: "the day is spent", until: NOON + HOUR } }),
    { kind: "wait", for: "budget", says: "the day is spent", isInLine: false, until: NOON + HOUR },
  ],
  [
    "11",
    slot(),
    situation({}, {}, { line: ["a/slot/before"] }),
    { kind: "record", fate: "coalesced", reason: "joined", says: "joined a/slot/before", into: "a/slot/before" },
  ],
  [
    "12",
    slot(),
    situation({ openRun: OPEN_RUN }, queue),
    { kind: "wait", for: "overlap", says: "the run a-1 is still open", isInLine: true },
  ],
  [
    "12, asked to stop",
    slot(),
    situation({ openRun: OPEN_RUN }, { overlap: { slots: "stop", events: "queue" } }),
    { kind: "wait", for: "overlap", says: "the run a-1 is still open", isInLine: true, asksToStop: true },
  ],
  [
    "12, asked to stop before",
    slot(),
    situation({ openRun: { ...OPEN_RUN, isAskedToStop: true } }, { overlap: { slots: "stop", events: "queue" } }),
    { kind: "wait", for: "overlap", says: "the run a-1 is still open", isInLine: true },
  ],
  ["13, beyond its patience", slot(), situation({ limit }), skipped("limit", `${LIMITED}, which is longer than its patience`)],
  [
    "14",
    slot(),
    situation({}, {}, { room: { for: "collision", says: "another run writes to a" } }),
    { kind: "wait", for: "collision", says: "another run writes to a", isInLine: true },
  ],
  [
    "15, for too long",
    slot({ age: "pending", dueAt: NOON - 2 * HOUR }),
    situation({}, {}, { time: { ...time, awake: NOON - 3 * HOUR }, room: { for: "machine", says: "no room" }, expires: true }),
    skipped("machine", "no room, and it was not worth waiting for any longer"),
  ],
  ["16", slot(), situation(), { kind: "run", reason: "on-time", says: "on time" }],
  ["16", slot({ age: "pending", dueAt: NOW - 2 * HOUR }), situation(), { kind: "run", reason: "late", says: "late by 2h 00m" }],
  ["16", event({ kind: "hand", by: "ann" }), situation(), { kind: "run", reason: "by-hand", says: "asked for by ann" }],
];

it.each(ROWS)("goes by row %s", (_, due, given, becomes) => {
  expect(decideWaking(due, given)).toEqual(becomes);
});

it("13: waits for an account within its patience, and a little longer that is always the same", () => {
  const decision = decideWaking(slot(), situation({ limit }, { patienceMs: 3 * HOUR }));
  const until = decision.kind === "wait" ? (decision.until ?? 0) : 0;

  expect(decision).toEqual({ kind: "wait", for: "limit", says: LIMITED, until, isInLine: true } satisfies Decision);
  expect(until - limit.until).toBeGreaterThanOrEqual(0);
  expect(until - limit.until).toBeLessThan(5 * MINUTE);
  expect(decideWaking(slot(), situation({ limit }, { patienceMs: 3 * HOUR }))).toEqual(decision);
});

it("takes the first row that applies", () => {
  const all = situation(
    { ...barred("paused"), openRun: OPEN_RUN, proposals: 9, caps: { says: "spent", until: undefined } },
    { windows: SHUT, wip: 1 },
    { line: ["x"] },
  );

  expect(decideWaking(slot(), all)).toMatchObject({ reason: "paused" });
  expect(decideWaking(slot(), { ...all, facts: { ...all.facts, barred: undefined } })).toMatchObject({ reason: "window" });
});

it("lets a slot that waits be, until it would start", () => {
  const waiting = slot({ age: "pending" });

  expect(decideWaking(waiting, situation({ proposals: 9 }, { wip: 1 })).kind).toBe("run");
  expect(decideWaking(waiting, situation({ proposals: 9 }, { wip: 1 }, { mayStart: true }))).toMatchObject({ reason: "wip" });
});

it("waits for its period, for an hour at least and a day at most, and no longer than since something runs again", () => {
  const until = (periodMs: number, awake = NOON - HOUR): number | undefined => waitsUntil(slot({ slot: { periodMs } }), { awake });

  expect(until(MINUTE)).toBe(NOON + HOUR);
  expect(until(5 * HOUR)).toBe(NOON + 5 * HOUR);
  expect(until(100 * HOUR)).toBe(NOON + 24 * HOUR);
  expect(until(MINUTE, NOON + 3 * HOUR)).toBe(NOON + 4 * HOUR);
  expect(waitsUntil(slot({ slot: { isKept: true } }), { awake: NOON })).toBeUndefined();
  expect(waitsUntil(event(), { awake: NOON })).toBeUndefined();
});
