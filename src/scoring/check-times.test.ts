import { expect, it } from "vitest";
import { checkTimesOf } from "./check-times.ts";

const SET = [{ use: "witness" }, { use: "twins" }, { use: "replay", with: { ifNone: "hold" } }];
const NOTHING = { looks: [], roundsMs: [] };

it("says before the first run how often each check runs the tests", () => {
  expect(checkTimesOf(SET, NOTHING)).toEqual({
    each: [
      { use: "witness", least: 2, most: 3 },
      { use: "twins", least: 1, most: 3 },
      { use: "replay", least: 1, most: 2 },
    ],
    all: { least: 4, most: 8 },
    plainMs: undefined,
    roundMs: undefined,
  });
});

it("counts mutants, and leaves out what runs no tests", () => {
  const { all } = checkTimesOf([{ use: "mutation", with: { mutants: 3 } }, { use: "scope" }, { use: "judge" }], NOTHING)!;

  expect(all).toEqual({ least: 1, most: 4 });
  expect(checkTimesOf([{ use: "scope" }], NOTHING)).toBeUndefined();
});

it("tells what was measured: one run on base, and the checks of a round", () => {
  const looks = [
    { tookMs: 4_000, runs: 2 },
    { tookMs: 2_000, runs: 1 },
  ];

  expect(checkTimesOf(SET, { looks, roundsMs: [9_000, 7_000, 30_000] })).toMatchObject({
    plainMs: 2_000,
    roundMs: { low: 7_000, usual: 9_000, high: 30_000 },
  });
});
