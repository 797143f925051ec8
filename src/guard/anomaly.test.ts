import { describe, expect, it } from "vitest";
import { burnsInVain, isRunaway, type RoundMark } from "./anomaly.ts";

const minutes = (count: number): number => count * 60_000;

describe("a runaway", () => {
  const usual = { used: { tokens: 200_000 }, workedMs: minutes(10) };

  it.each([
    [
      "many times faster than ever before",
      { used: { tokens: 2_000_000 }, workedMs: minutes(5) },
      [usual, usual, usual],
      "this run uses 400000 tokens a minute; at their fastest, the 3 runs before it used 20000 tokens",
    ],
    ["but not while the loop is new", { used: { tokens: 9_000_000 }, workedMs: minutes(1) }, [usual, usual], undefined],
    [
      "nor below the floor, whatever the history",
      { used: { tokens: 90_000 }, workedMs: minutes(1) },
      [1, 1, 1].map((tokens) => ({ used: { tokens }, workedMs: minutes(9) })),
      undefined,
    ],
    ["nor by one large call at the start", { used: { tokens: 90_000 }, workedMs: 10 }, [usual, usual, usual], undefined],
    ["nor a little faster", { used: { tokens: 700_000 }, workedMs: minutes(10) }, [usual, usual, usual], undefined],
  ])("is %s", (_, now, history, why) => {
    expect(isRunaway(now, history)).toBe(why);
  });
});

describe("burning in vain", () => {
  const round = (about: Partial<RoundMark>): RoundMark => ({ tree: "t", failing: ["tests: 1 failed"], did: [], ...about });

  it.each<readonly [string, readonly RoundMark[], string | undefined]>([
    ["nothing yet", [], undefined],
    ["two rounds without a change", [round({ tree: undefined }), round({ tree: undefined })], "2 rounds in a row changed nothing"],
    ["the same change twice", [round({}), round({})], "2 rounds in a row proposed the same change"],
    [
      "the same tool calls and the same failure",
      [round({ tree: "1", did: ["a", "b"] }), round({ tree: "2", did: ["b", "a"] })],
      "2 rounds in a row made the same tool calls and failed in the same way",
    ],
    [
      "one failing set, four times",
      ["1", "2", "3", "4"].map((tree) => round({ tree })),
      "4 rounds in a row failed in exactly the same way",
    ],
    ["a failing set that changes", ["1", "2", "3", "4"].map((tree) => round({ tree, failing: [tree] })), undefined],
    ["a new try each time, three times", ["1", "2", "3"].map((tree) => round({ tree })), undefined],
    ["a change after an idle round", [round({ tree: undefined }), round({ tree: "2" })], undefined],
  ])("%s", (_, rounds, why) => {
    expect(burnsInVain(rounds)).toBe(why);
  });
});
