import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Usd } from "../contract/spec.ts";
import { formatUsd, parseUsd } from "./usd.ts";

const almost = fc.array(fc.constantFrom("$", "0", "1", "25", ".", "-", " ", "\n"), { maxLength: 6 }).map((all) => all.join(""));

describe("parseUsd", () => {
  it.each([
    ["$2.50", 2.5],
    ["$5", 5],
    ["$0.0001", 0.0001],
    [`$${"9".repeat(400)}`, Number.MAX_SAFE_INTEGER],
  ])("reads %j as %d dollars", (text, usd) => {
    expect(parseUsd(text)).toBe(usd);
  });

  it.each(["", "$", "2.50", "$0", "$0.00", "$-1", "$1.", "$.5", "$1.00001", "$1,000", "$1 ", "2$"])("refuses %j", (text) => {
    expect(parseUsd(text)).toBeUndefined();
  });

  it("reads exactly what the spec's schema accepts, as an amount above zero", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          almost,
          almost.map((text) => `$${text}`),
          fc.string(),
        ),
        (text) => {
          const usd = parseUsd(text);

          expect(usd !== undefined).toBe(Usd.safeParse(text).success);
          if (usd !== undefined) expect(Number.isFinite(usd) && usd > 0).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("reads back every amount that formatUsd writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), (parts) => {
        const usd = parts / 10_000;

        expect(parseUsd(formatUsd(usd))).toBe(usd);
      }),
    );
  });
});

describe("formatUsd", () => {
  it.each([
    [0, "$0.00"],
    [2.5, "$2.50"],
    [0.125, "$0.125"],
    [0.0042, "$0.0042"],
    [1234, "$1234.00"],
  ])("says %d as %s", (usd, text) => {
    expect(formatUsd(usd)).toBe(text);
  });
});
