import fc from "fast-check";
import { expect, it } from "vitest";
import type { Range } from "../contract/record.ts";
import { joined, without } from "./ranges.ts";

const anyRanges = () =>
  fc.array(
    fc.tuple(fc.nat(30), fc.nat(5)).map(([from, more]): Range => ({ from, to: from + more })),
    { maxLength: 8 },
  );
const numbers = (ranges: readonly Range[]) =>
  new Set(ranges.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index)));

it("joins ranges that meet or touch, and keeps every number", () => {
  fc.assert(
    fc.property(anyRanges(), (ranges) => {
      const result = joined(ranges);
      expect(numbers(result)).toEqual(numbers([...ranges].sort((a, b) => a.from - b.from)));
      expect(result.every(({ from }, index) => index === 0 || from > result[index - 1]!.to + 1)).toBe(true);
    }),
  );
});

it("takes away what is in other ranges, and nothing else", () => {
  fc.assert(
    fc.property(anyRanges(), anyRanges(), (ranges, those) => {
      const gone = numbers(those);
      expect(numbers(without(ranges, those))).toEqual(new Set([...numbers(ranges)].filter((number) => !gone.has(number))));
    }),
  );
});
