import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Duration } from "../contract/spec.ts";
import { formatDuration, parseDuration } from "./duration.ts";

const amount = fc.oneof(
  fc.nat(5000).map(String),
  fc.tuple(fc.nat(99), fc.nat(999)).map(([whole, part]) => `${whole}.${part}`),
);
const piece = fc.tuple(amount, fc.constantFrom("ms", "s", "m", "h", "d")).map(([number, unit]) => number + unit);
const written = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(""));
const almost = fc
  .array(fc.constantFrom("0", "1", "20", ".", "ms", "s", "m", "h", "d", " ", "-", "\n", "M"), { maxLength: 6 })
  .map((all) => all.join(""));

describe("parseDuration", () => {
  it.each([
    ["20m", 1_200_000],
    ["90s", 90_000],
    ["1h30m", 5_400_000],
    ["1.5d", 129_600_000],
    ["35ms", 35],
    ["1.1m", 66_000],
    ["0.2ms", 1],
    [`${"9".repeat(400)}d`, Number.MAX_SAFE_INTEGER],
  ])("reads %j as %d milliseconds", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(["", "20", "m", "0s", "0h0m", "-1s", "1 s", "1s ", "1.s", ".5s", "1e3s", "20M", "1s\n", "١s"])("refuses %j", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it("reads exactly what the spec's schema accepts, as whole milliseconds above zero", () => {
    fc.assert(
      fc.property(fc.oneof(written, almost, fc.string()), (text) => {
        const ms = parseDuration(text);

        expect(ms !== undefined).toBe(Duration.safeParse(text).success);
        if (ms !== undefined) expect(Number.isSafeInteger(ms) && ms > 0).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("formatDuration", () => {
  it.each([
    [0, "0ms"],
    [35, "35ms"],
    [999.7, "1s"],
    [1400, "1.4s"],
    [12_000, "12s"],
    [59_949, "59.9s"],
    [59_960, "1m 00s"],
    [125_000, "2m 05s"],
    [3_599_900, "1h 00m"],
    [3_780_000, "1h 03m"],
    [86_399_000, "1d 00h"],
    [187_200_000, "2d 04h"],
    [Number.NaN, "0ms"],
  ])("says %d milliseconds as %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
