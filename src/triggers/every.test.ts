import { expect, it } from "vitest";
import { every } from "./every.ts";

const at = (text: string): number => Date.parse(text);

it("names fixed instants that do not move, whenever it is asked", () => {
  const { slots, hears } = every.configure({ interval: "1h30m", from: "2024-01-01T12:00:00Z" });

  expect(hears).toEqual([]);
  expect(slots?.due(at("2023-01-01T00:00:00Z"), at("2024-01-01T16:40:00Z"), 2)).toEqual({
    newest: [at("2024-01-01T15:00:00Z"), at("2024-01-01T16:30:00Z")],
    older: { first: at("2024-01-01T12:00:00Z"), last: at("2024-01-01T13:30:00Z"), count: 2 },
    next: at("2024-01-01T18:00:00Z"),
  });
  expect(slots?.due(at("2024-01-01T12:00:00Z"), at("2024-01-01T12:00:00Z"), 10)).toEqual({ newest: [], next: at("2024-01-01T13:30:00Z") });
});

it("counts from the beginning of 1970 where no beginning is named", () => {
  const { slots } = every.configure({ interval: "1d" });

  expect(slots?.due(at("2024-05-05T05:00:00Z"), at("2024-05-06T05:00:00Z"), 5).newest).toEqual([at("2024-05-06T00:00:00Z")]);
});

it("refuses an interval that is none, too short, or too long to come round, and a beginning that is no time", () => {
  for (const options of [
    {},
    { interval: "0s" },
    { interval: "999ms" },
    { interval: "often" },
    { interval: "367d" },
    { interval: `${"9".repeat(400)}d` },
    { interval: "1h", from: "2024-02-30T00:00:00Z" },
    { interval: "1h", from: "noon" },
  ])
    expect(() => every.configure(options)).toThrow();
});
