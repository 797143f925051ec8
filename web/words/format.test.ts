import { expect, it } from "vitest";
import { ageOf, countOf, dayOf, durationOf, exactTime, listOf, moneyOf, plural, roughly, sizeOf, timeOf, untilThen } from "./format.ts";

const berlin = { nowMs: Date.parse("2026-11-17T06:42:00Z"), zone: "Europe/Berlin" };

it("tells the time in the viewer's zone, and the day only where it is another", () => {
  expect(timeOf("2026-11-17T06:28:00Z", berlin)).toBe("07:28");
  expect(timeOf("2026-11-16T15:02:00Z", berlin)).toBe("Mon 16:02");
  expect(timeOf("2026-11-09T15:02:00Z", berlin)).toBe("9 Nov");
  expect(timeOf("2025-11-09T15:02:00Z", berlin)).toBe("9 Nov 2025");
  expect(timeOf("2026-11-16T23:30:00Z", berlin)).toBe("00:30");
  expect(timeOf("not a time", berlin)).toBe("no time");
});

it("tells the exact time with its distance from UTC", () => {
  expect(exactTime("2026-11-17T06:28:05Z", berlin)).toBe("2026-11-17 07:28:05+01:00");
  expect(exactTime("2026-07-01T10:00:00Z", { zone: "UTC" })).toBe("2026-07-01 10:00:00+00:00");
  expect(dayOf("2026-11-17T06:28:00Z", berlin)).toBe("Tue 17 Nov");
});

it("tells ages and what is to come in a few words", () => {
  const at = (minutes: number): string => new Date(berlin.nowMs + minutes * 60_000).toISOString();
  expect([0, -14, -9 * 60, -75 * 60].map((minutes) => ageOf(at(minutes), berlin.nowMs))).toEqual(["now", "14 min", "9 h", "3 d"]);
  expect([18, 78, 120, 3000, -1].map((minutes) => untilThen(at(minutes), berlin.nowMs))).toEqual([
    "in 18 min",
    "in 1 h 18 min",
    "in 2 h",
    "in 2 d",
    "due",
  ]);
});

it("tells durations as precisely as one wants to know them", () => {
  expect([4, 300, 11_000, 48_400, 262_000, 840_000, 3_840_000].map(durationOf)).toEqual([
    "4ms",
    "0.3s",
    "11.0s",
    "48s",
    "4m 22s",
    "14m",
    "1h 04m",
  ]);
});

it("never calls money nothing that is something", () => {
  expect([0, 0.004, 0.41, 1204].map(moneyOf)).toEqual(["$0.00", "under $0.01", "$0.41", "$1,204.00"]);
});

it("counts in words that people read", () => {
  expect([countOf(48_211), roughly(9_999), roughly(41_234), roughly(1_240_000)]).toEqual(["48,211", "9,999", "41k", "1.2M"]);
  expect([sizeOf(12), sizeOf(998_000), sizeOf(2_300_000)]).toEqual(["12 bytes", "998 KB", "2.3 MB"]);
  expect([plural(1, "file"), plural(3, "file"), plural(2, "proof of it", "proofs of it")]).toEqual(["1 file", "3 files", "2 proofs of it"]);
  expect([listOf([]), listOf(["a"]), listOf(["a", "b"]), listOf(["a", "b", "c"])]).toEqual(["", "a", "a and b", "a, b and c"]);
});
