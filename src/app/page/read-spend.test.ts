import { expect, it } from "vitest";
import { forecastOf } from "./read-spend.ts";

it("forecasts a month from its days so far, and says that it is a forecast", () => {
  const perDay = new Map([
    ["2026-01-31", 99_000_000],
    ["2026-02-01", 1_000_000],
    ["2026-02-02", 3_000_000],
    ["2026-02-04", 4_000_000],
  ]);

  expect(forecastOf("2026-02-04", perDay)).toEqual({
    month: "2026-02",
    microUsd: 56_000_000,
    soFar: 8_000_000,
    because: "a forecast: the mean of the 4 day(s) so far, for all 28 days",
  });
  expect(forecastOf("2026-01-31", perDay)).toBe(null);
});
