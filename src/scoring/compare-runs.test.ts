import { describe, expect, it } from "vitest";
import { compareRuns, type RunFigures } from "./compare-runs.ts";

const runs = (count: number, of: (index: number) => Partial<RunFigures>): readonly RunFigures[] =>
  Array.from({ length: count }, (_, index) => ({
    run: `r${index}`,
    isProven: true,
    score: 90 + index / 10,
    cost: 0.05 + index / 1000,
    time: 10 + index,
    rounds: 1,
    ...of(index),
  }));

const verdicts = (a: readonly RunFigures[], b: readonly RunFigures[]): readonly string[] => {
  const { proven, figures } = compareRuns(a, b);
  return [proven, ...figures].map(({ name, verdict }) => `${name} ${verdict}`);
};

describe("the runs of two", () => {
  it("are told apart where chance could hardly have done it, and the better is named by what is better", () => {
    const good = runs(8, () => ({}));
    const bad = runs(8, (index) => ({ isProven: false, score: 12 + index, cost: 0.5 + index / 100 }));

    const { verdict } = compareRuns(good, bad);

    expect(verdicts(good, bad)).toEqual(["proven a-higher", "score a-higher", "cost b-higher", "time cannot-tell", "rounds same"]);
    expect(verdict).toBe("A is better in proven, score, cost.");
    expect(compareRuns(bad, good).verdict).toBe("B is better in proven, score, cost.");
  });

  it("cannot be told apart by few of them, however clear it looks, and it says how clear it could have been", () => {
    const { proven, figures, verdict } = compareRuns(
      runs(3, () => ({})),
      runs(3, () => ({ isProven: false, score: 5 })),
    );

    expect(verdict).toBe("Cannot tell which is better.");
    expect([proven.verdict, proven.why]).toEqual([
      "cannot-tell",
      "too few runs: chance alone makes even the clearest difference once in 10",
    ]);
    expect(figures[0]).toMatchObject({ name: "score", verdict: "cannot-tell", interval: null, a: { runs: 3 }, b: { median: 5 } });
  });

  it("tell nothing of a figure that one of them does not have, and nothing at all of none", () => {
    const { figures } = compareRuns(
      runs(6, () => ({ cost: undefined })),
      runs(6, () => ({})),
    );

    expect(figures[1]).toMatchObject({
      name: "cost",
      verdict: "cannot-tell",
      p: null,
      difference: null,
      why: "it is not known of one of them",
    });
    expect(new Set(verdicts([], [])).size).toBe(5);
    expect(verdicts([], []).every((one) => one.endsWith("cannot-tell"))).toBe(true);
  });

  it("are seldom told apart where there is no difference, over all five rows together", () => {
    let state = 7;
    const chance = (): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state / 2_147_483_648;
    };
    const drawn = () =>
      runs(8, () => ({ isProven: chance() < 0.5, score: chance(), cost: chance(), time: chance(), rounds: Math.ceil(chance() * 4) }));
    const wrong = Array.from({ length: 120 }, () => verdicts(drawn(), drawn())).filter((rows) =>
      rows.some((row) => row.endsWith("-higher")),
    );

    expect(wrong.length / 120).toBeLessThan(0.05);
  });
});
