import { expect, it } from "vitest";
import { dayIn, isDay, isZone } from "./day.ts";

it.each([
  ["UTC", "2026-03-28T23:59:59.999Z", "2026-03-28"],
  ["UTC", "2026-03-29T00:00:00.000Z", "2026-03-29"],
  // Clocks go forward in Berlin on this day at 01:00 UTC, and back on the other.
  ["Europe/Berlin", "2026-03-28T22:59:59.999Z", "2026-03-28"],
  ["Europe/Berlin", "2026-03-28T23:00:00.000Z", "2026-03-29"],
  ["Europe/Berlin", "2026-03-29T21:59:59.999Z", "2026-03-29"],
  ["Europe/Berlin", "2026-03-29T22:00:00.000Z", "2026-03-30"],
  ["Europe/Berlin", "2026-10-25T22:59:59.999Z", "2026-10-25"],
  ["Europe/Berlin", "2026-10-25T23:00:00.000Z", "2026-10-26"],
  ["Pacific/Apia", "2026-01-01T10:00:00.000Z", "2026-01-01"],
  ["America/St_Johns", "2026-01-01T03:29:59.000Z", "2025-12-31"],
])("in %s at %s it is %s", (zone, at, day) => {
  expect(dayIn(zone, new Date(at))).toBe(day);
});

it("takes only days that the calendar has", () => {
  expect(["2026-11-19", "2024-02-29", "2026-02-29", "2026-13-45", "2026-1-1", "yesterday"].filter(isDay)).toEqual([
    "2026-11-19",
    "2024-02-29",
  ]);
});

it("knows zones from other words", () => {
  expect(["UTC", "Asia/Tokyo", "Mars/Olympus", ""].map(isZone)).toEqual([true, true, false, false]);
});
