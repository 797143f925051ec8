import { expect, it } from "vitest";
import { parseMinute, weekTimeIn } from "./week-time.ts";

it("tells the day and the minute where somebody lives, also when clocks change", () => {
  const at = new Date("2026-03-29T01:30:00Z");

  expect([weekTimeIn("UTC", at), weekTimeIn("Europe/Berlin", at), weekTimeIn("Asia/Tokyo", at), weekTimeIn("Nowhere/Land", at)]).toEqual([
    { day: "sun", minute: 90 },
    { day: "sun", minute: 210 },
    { day: "sun", minute: 630 },
    undefined,
  ]);
});

it("reads times of the day, and nothing else", () => {
  expect(["00:00", "09:30", "24:00", "24:01", "9:30", "25:00", ""].map(parseMinute)).toEqual([
    0,
    570,
    1440,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
