import { expect, it } from "vitest";
import type { LaneMark } from "../../src/contract/api.ts";
import { hoursOf, otherDay, placeMarks } from "./lanes.ts";
import { clockOf } from "./timeline.ts";

const span = { fromMs: Date.parse("2026-11-17T00:00:00Z"), toMs: Date.parse("2026-11-18T00:00:00Z") };
const mark = (at: string, outcome: LaneMark["outcome"], until: string | null = null): LaneMark => ({
  kind: "ran",
  at: `2026-11-17T${at}:00Z`,
  until: until && `2026-11-17T${until}:00Z`,
  outcome,
  reason: null,
  says: "",
  cause: null,
  run: null,
  seq: 1,
  covers: 0,
});

it("places marks by their time, with as much as they ran", () => {
  expect(placeMarks([mark("12:00", "proven", "18:00")], span).map(({ at, width, others }) => [at, width, others])).toEqual([[50, 25, 0]]);
});

it("makes one mark of those that stand too near, and shows the one that says most", () => {
  const [only, ...more] = placeMarks([mark("12:05", "tampering"), mark("12:00", "proven"), mark("12:10", "proven")], span);

  expect([more.length, only?.mark.outcome, only?.others]).toEqual([0, "tampering", 2]);
});

it("leaves out what lies on another day", () => {
  expect(placeMarks([{ ...mark("12:00", "proven"), at: "2026-11-19T00:00:00Z" }], span)).toEqual([]);
});

it("knows the hours and the days around", () => {
  expect(hoursOf(span, 6).map(({ at }) => at)).toEqual([25, 50, 75]);
  expect([otherDay("2026-03-01", -1), otherDay("2026-12-31", 1)]).toEqual(["2026-02-28", "2027-01-01"]);
});

it("sets the steps of all rounds on one clock", () => {
  const step = { step: "make", kind: "work", outcome: null, seq: 1 } as const;
  const clock = clockOf([
    { ...step, round: 0, startedAt: "2026-11-17T00:00:00Z", tookMs: 1000 },
    { ...step, round: 1, startedAt: "2026-11-17T00:00:02Z", tookMs: 2000 },
  ]);

  expect(clock.wholeMs).toBe(4000);
  expect(clock.tracks.map(({ round, bars }) => [round, ...bars.map(({ from, width }) => [from, width])])).toEqual([
    [0, [0, 25]],
    [1, [50, 50]],
  ]);
  expect(clockOf([])).toEqual({ wholeMs: 0, tracks: [], ticks: [] });
});
