import { expect, it } from "vitest";
import { createMemoryHouse } from "../../../test/support/memory-house.ts";
import type { LoopRecord, RunOpened } from "../../contract/record.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import type { Waker } from "../../contract/trigger.ts";
import type { Rest } from "../../contract/verdict.ts";
import { foldRun } from "../../journal/fold.ts";
import type { LastRun } from "../../journal/loop-facts.ts";
import { planResuming, planWaking, REFEREE_GONE } from "./plan-waking.ts";

const { spec } = createMemoryHouse();
const SPEC = spec().spec;
const NOW = new Date("2026-01-05T08:00:00.000Z");
const LATER = new Date("2026-01-05T09:00:00.000Z");

interface About {
  readonly rest?: Rest;
  readonly damaged?: readonly number[];
  readonly opened?: Partial<RunOpened>;
}

function lastRun({ rest, damaged = [], opened = {} }: About = {}): LastRun {
  const record: RunOpened = {
    kind: "run-opened",
    number: 1,
    spec: SPEC,
    specHash: "same",
    specPath: "/s",
    folder: "/",
    repo: "/repo",
    base: { ref: "main", commit: "b" },
    cursors: {},
    version: "0",
    ...opened,
  };
  const place = { loop: "fix", run: "fix-1", at: NOW.toISOString(), prev: "", hash: "" };
  const rested: LoopRecord[] = rest ? [{ kind: "run-rested", rest, report: { sha256: "", bytes: 0, truncated: false } }] : [];
  const entries = [record, ...rested].map((one, index) => ({ ...place, seq: index + 1, record: one }));
  return { loop: "fix", run: "fix-1", opened: record, openedAt: place.at, story: { entries, damaged }, state: foldRun(entries), damaged };
}

/** Names one instant, whatever it is asked. */
const nextAt = (time: Date | undefined): Waker => ({
  slots: { zone: "UTC", due: () => ({ newest: [], ...(time ? { next: time.getTime() } : {}) }) },
  hears: [],
});

const plan = (last: LastRun | undefined, more: { readonly spec?: LoopSpec; readonly hash?: string; readonly waker?: Waker } = {}) =>
  planWaking({
    last,
    spec: more.spec ?? SPEC,
    hashes: [more.hash ?? "same"],
    wishes: { onlyIfDue: more.waker !== undefined, again: false },
    waker: more.waker ?? { hears: [] },
    now: NOW,
  });

const accepted: Rest = { kind: "accept", action: "propose" };
const spent: Rest = { kind: "halt", because: "budget", reason: "all is spent" };
const other = { ...SPEC, intent: "Something else." };
const cheaper = { ...SPEC, budget: { ...SPEC.budget, rounds: 1 } };

it("opens a run where there was none, or the last came to rest", () => {
  expect([plan(undefined), plan(lastRun({ rest: accepted }))]).toEqual([
    { kind: "open", givesUp: undefined },
    { kind: "open", givesUp: undefined },
  ]);
});

it("finishes what is open and the same but for its budget", () => {
  const last = lastRun();

  expect(plan(last)).toEqual({ kind: "finish", last, budget: undefined });
  expect(plan(last, { spec: cheaper, hash: "cheaper" })).toEqual({ kind: "finish", last, budget: { budget: cheaper.budget } });
});

it("gives up what is open and of another spec, or damaged, before it opens another", () => {
  const damaged = lastRun({ damaged: [2, 5] });

  expect(plan(lastRun(), { spec: other, hash: "other" })).toMatchObject({ kind: "open", givesUp: { rest: { because: "stopped" } } });
  expect(plan(damaged)).toEqual({
    kind: "open",
    givesUp: {
      last: damaged,
      rest: { kind: "halt", because: "cannot-verify", reason: "records 2, 5 of this run are damaged, so it cannot go on" },
    },
  });
});

it("finishes what is open also where the loop is not due, and gives up what cannot go on", () => {
  const waker = nextAt(LATER);

  expect(plan(lastRun(), { waker }).kind).toBe("finish");
  expect(plan(lastRun(), { waker, spec: other, hash: "other" })).toMatchObject({
    kind: "not-due",
    givesUp: { rest: { because: "stopped" } },
  });
});

it.each<readonly [string, LastRun | undefined, Waker, object]>([
  ["later, and it never ran", undefined, nextAt(LATER), { kind: "open" }],
  ["now", lastRun({ rest: accepted }), nextAt(NOW), { kind: "open" }],
  ["later", lastRun({ rest: accepted }), nextAt(LATER), { kind: "not-due", nextDue: LATER.toISOString() }],
  ["never again", lastRun({ rest: accepted }), nextAt(undefined), { kind: "not-due", nextDue: "never: its times are over" }],
  ["nothing of time", undefined, { hears: [] }, { kind: "not-due", nextDue: "never: its trigger names no time" }],
])("goes by the trigger that says %s", (_, last, waker, expected) => {
  expect(plan(last, { waker })).toMatchObject(expected);
});

it("resumes what is open or lacked a budget, and nothing else", () => {
  const [open, broke] = [lastRun(), lastRun({ rest: spent })];

  expect([planResuming(undefined), planResuming(lastRun({ rest: accepted }))]).toEqual([undefined, undefined]);
  expect([planResuming(open), planResuming(broke)]).toEqual([
    { kind: "finish", last: open },
    { kind: "finish", last: broke },
  ]);
});

it("does not resume a referee, nor what is damaged", () => {
  const refereed = lastRun({ opened: { referee: { of: "work-tree", tree: "t", by: "ada" } } });

  expect(planResuming(refereed)).toEqual({ kind: "give-up", last: refereed, rest: REFEREE_GONE });
  expect(planResuming(lastRun({ damaged: [3] }))).toMatchObject({ kind: "give-up", rest: { because: "cannot-verify" } });
});
