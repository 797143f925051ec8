import { expect, it } from "vitest";
import { every } from "./every.ts";

it("is due at once the first time, and then one interval after the last waking", () => {
  const nextDue = every.configure({ interval: "1h30m" });

  expect(nextDue(undefined)).toEqual({ kind: "at-once" });
  expect(nextDue(new Date("2024-01-01T12:00:00Z"))).toEqual({ kind: "at", time: new Date("2024-01-01T13:30:00Z") });
});

it("refuses an interval that is none, or too long to come round", () => {
  for (const options of [{}, { interval: "0s" }, { interval: "often" }, { interval: "367d" }, { interval: `${"9".repeat(400)}d` }])
    expect(() => every.configure(options)).toThrow();
});
