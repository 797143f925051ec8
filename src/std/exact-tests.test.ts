import { describe, expect, it } from "vitest";
import { rankSum, shareInterval, sharesDiffer } from "./exact-tests.ts";

const near = (value: number, digits = 4): number => Number(value.toFixed(digits));

describe("the rank sum test", () => {
  it("counts all ways: what textbooks print for few figures", () => {
    const apart = rankSum([1, 2, 3, 4], [5, 6, 7, 8], 0.05);
    const three = rankSum([1, 2, 3], [4, 5, 6], 0.05);
    const mixed = rankSum([0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46], [1.15, 0.88, 0.9, 0.74, 1.21], 0.05);

    expect([near(apart.p), near(apart.leastP), apart.estimate, apart.interval]).toEqual([0.0286, 0.0286, 4, [1, 7]]);
    expect([near(three.p), three.interval]).toEqual([0.1, null]);
    // R: wilcox.test of its own example, p = 0.2544 two-sided, interval -0.76 to 0.15.
    expect([near(mixed.p), mixed.interval?.map((end) => near(end))]).toEqual([0.2544, [-0.76, 0.15]]);
  });

  it("tells nothing from figures that are all the same, or from none", () => {
    const same = rankSum([1, 1, 1, 1, 1], [1, 1, 1, 1, 1], 0.05);

    expect([same.p, same.estimate]).toEqual([1, 0]);
    expect(rankSum([], [1, 2], 0.05)).toEqual({ p: 1, leastP: 1, estimate: 0, interval: null });
  });

  it("goes over to the normal curve without a step", () => {
    const figures = (count: number, shift: number) => Array.from({ length: count }, (_, index) => ((index * 37) % 101) + shift);
    const counted = rankSum(figures(30, 0), figures(30, 25), 0.05);
    const curved = rankSum(figures(31, 0), figures(31, 25), 0.05);

    expect(Math.abs(counted.p - curved.p)).toBeLessThan(0.01);
    expect(Math.abs(counted.interval![0] - curved.interval![0])).toBeLessThan(3);
  });
});

describe("shares", () => {
  it("are told apart by Fisher's exact test", () => {
    expect(near(sharesDiffer({ hits: 3, of: 4 }, { hits: 1, of: 4 }).p)).toBe(0.4857);
    expect(near(sharesDiffer({ hits: 5, of: 5 }, { hits: 0, of: 5 }).p)).toBe(0.0079);
    expect(near(sharesDiffer({ hits: 1, of: 2 }, { hits: 2, of: 2 }).leastP)).toBe(0.3333);
  });

  it("have exact intervals, wide where there is little to go by", () => {
    expect(shareInterval({ hits: 5, of: 5 }, 0.05).map((end) => near(end, 3))).toEqual([0.478, 1]);
    expect(shareInterval({ hits: 3, of: 10 }, 0.05).map((end) => near(end, 3))).toEqual([0.067, 0.652]);
    expect(shareInterval({ hits: 0, of: 0 }, 0.05)).toEqual([0, 1]);
  });
});
