import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Count } from "../contract/spec.ts";
import { formatCount, parseCount } from "./count.ts";

const almost = fc.array(fc.constantFrom("0", "1", "25", ".", "k", "M", "m", " ", "-", "\n"), { maxLength: 6 }).map((all) => all.join(""));

describe("parseCount", () => {
  it.each([
    ["200k", 200_000],
    ["1.5M", 1_500_000],
    ["50", 50],
    ["1.1k", 1100],
    ["0.4", 1],
    [`${"9".repeat(400)}M`, Number.MAX_SAFE_INTEGER],
  ])("reads %j as %d", (text, count) => {
    expect(parseCount(text)).toBe(count);
  });

  it.each(["", "k", "0", "0k", "-5", "1m", "1K", "1 k", "1.k", ".5k", "1kk", "1e3", "1\n"])("refuses %j", (text) => {
    expect(parseCount(text)).toBeUndefined();
  });

  it("reads exactly what the spec's schema accepts, as a whole number above zero", () => {
    fc.assert(
      fc.property(fc.oneof(almost, fc.string()), (text) => {
        const count = parseCount(text);

        expect(count !== undefined).toBe(Count.safeParse(text).success);
        if (count !== undefined) expect(Number.isSafeInteger(count) && count > 0).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("formatCount", () => {
  it.each([
    [0, "0"],
    [950, "950"],
    [1234, "1.2k"],
    [200_000, "200k"],
    [999_960, "1M"],
    [1_500_000, "1.5M"],
  ])("says %d as %s", (count, text) => {
    expect(formatCount(count)).toBe(text);
  });
});
