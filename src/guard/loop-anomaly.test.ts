import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anomalyIn, type RunMark } from "./loop-anomaly.ts";

const IDLE: RunMark = { kind: "idle" };
const proven = (change: string, microUsd = 1_000_000, isRefused = false): RunMark => ({
  kind: "proven",
  change,
  isRefused,
  used: { microUsd },
});
const unproven = (reason: string, because = "check-failed", microUsd = 1_000_000): RunMark => ({
  kind: "unproven",
  because,
  reason,
  used: { microUsd },
});
const times = <T>(count: number, make: (index: number) => T): readonly T[] => Array.from({ length: count }, (_, index) => make(index));

/** Words apart by letters: numbers do not make a reason another one. */
const word = fc.stringMatching(/^[g-z]{6,12}$/);
const cost = fc.integer({ min: 1_000_000, max: 3_000_000 });

/** Something is proven again and again, each time something else; runs in vain between are few; idle ones are anywhere. */
const healthy = fc
  .array(
    fc.record({
      cost,
      change: fc.uuid(),
      failures: fc.array(word, { maxLength: 4 }),
      idleBefore: fc.nat({ max: 4 }),
      idleAfter: fc.nat({ max: 4 }),
      isRefused: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((parts) =>
    parts.flatMap(({ cost: microUsd, change, failures, idleBefore, idleAfter, isRefused }): readonly RunMark[] => {
      const share = Math.floor(microUsd / (failures.length + 1));
      return [
        ...times(idleAfter, () => IDLE),
        proven(change, share, isRefused),
        ...failures.map((reason) => unproven(reason, "check-failed", share)),
        ...times(idleBefore, () => IDLE),
      ];
    }),
  );

describe("a healthy loop", () => {
  it("is never an anomaly, at any moment of its history", () => {
    fc.assert(
      fc.property(healthy, (runs) => {
        const told = runs.map((_, from) => anomalyIn(runs.slice(from)));

        expect(told.filter((why) => why !== undefined)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it.each<readonly [string, readonly RunMark[]]>([
    ["finds something, finds nothing, finds something (strive 24H)", times(20, (index) => (index % 2 === 0 ? proven(`c${index}`) : IDLE))],
    ["finds nothing for ever", times(60, () => IDLE)],
    ["reports every time", times(40, () => ({ kind: "proven", change: undefined, isRefused: false, used: {} }))],
    ["makes the same kind of good change", times(40, (index) => proven(`update ${index}`))],
    ["succeeds and fails in turn", times(20, (index) => (index % 2 === 0 ? proven(`c${index}`) : unproven("1 test failed")))],
    ["once had a dear run", [proven("now"), proven("dear", 90_000_000), ...times(20, (index) => proven(`c${index}`))]],
    [
      "is cheap, and now only a little less so",
      [...times(3, (index) => proven(`n${index}`, 400_000)), ...times(20, (index) => proven(`c${index}`, 1))],
    ],
    ["is new and dear", times(10, (index) => proven(`c${index}`, index < 3 ? 90_000_000 : 1_000_000))],
    ["tries what was refused once more", [proven("a"), proven("a", 1, true), proven("a", 1, true)]],
  ])("that %s is none", (_, runs) => {
    expect(anomalyIn(runs)).toBeUndefined();
  });
});

describe("an anomaly", () => {
  it.each<readonly [string, readonly RunMark[], RegExp]>([
    [
      "the same refusal again and again, with idle runs between",
      times(9, (index) => (index % 2 === 0 ? unproven(`${index} tests failed`) : IDLE)),
      /^5 runs ended the same way/,
    ],
    [
      "two failures in turn, with idle runs between",
      times(12, (index) => (index % 2 === 1 ? IDLE : unproven(index % 4 === 0 ? "a" : "b"))),
      /between 2 failures: a; b$/,
    ],
    ["three failures in turn", times(6, (index) => unproven(["x", "y", "z"][index % 3]!)), /between 3 failures: x; y; z$/],
    [
      "nothing but escalations, each another",
      times(8, (index) => unproven("ghijklmn"[index]!.repeat(5), "cannot-verify")),
      /^8 runs came to something, and none/,
    ],
    ["a change and its opposite in turn", ["a", "b", "a", "b"].map((change) => proven(change)), /two changes in turn/],
    [
      "the same with idle and failed runs between",
      [proven("a"), IDLE, proven("b"), unproven("x"), proven("a"), IDLE, proven("b")],
      /two changes in turn/,
    ],
    ["what people refused three times", [proven("a"), ...times(3, () => proven("a", 1, true))], /refused 3 times already$/],
    [
      "changes that cost far more than they used to",
      [...times(3, (index) => proven(`n${index}`, 9_000_000)), ...times(8, (index) => proven(`c${index}`))],
      /^each of its last 3 proven changes cost \$9.00 or more; \$1.00 was usual$/,
    ],
    [
      "changes that take far more runs in vain",
      [
        ...times(3, (index) => [proven(`n${index}`), ...times(4, (turn) => unproven(`r${"gh"[turn % 2]}`, "gap", 2_000_000))]).flat(),
        ...times(8, (index) => proven(`c${index}`)),
      ],
      /^each of its last 3 proven changes cost \$9.00/,
    ],
  ])("is %s", (_, runs, why) => {
    expect(anomalyIn(runs)).toMatch(why);
  });

  it("that is planted is always found, whatever came before and however many idle runs are in it", () => {
    const planted = fc.oneof(
      word.map((reason) => times(5, () => unproven(reason))),
      fc.tuple(word, word).map(([a, b]) => times(6, (index) => unproven(index % 2 === 0 ? a : b))),
      fc.uniqueArray(word, { minLength: 8, maxLength: 12 }).map((reasons) => reasons.map((reason) => unproven(reason))),
      fc.tuple(fc.uuid(), fc.uuid()).map(([a, b]) => times(4, (index) => proven(index % 2 === 0 ? a : b))),
      fc.uuid().map((change) => times(4, (index) => proven(change, 1_000_000, index > 0))),
    );
    const idles = fc.array(fc.nat({ max: 3 }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(healthy, planted, idles, (before, signs, gaps) => {
        const runs = [...signs.flatMap((sign, index) => [sign, ...times(gaps[index] ?? 0, () => IDLE)]), ...before];

        expect(anomalyIn(runs)).toBeDefined();
      }),
    );
  });

  it("of cost is found whatever the history was, once there is enough of it", () => {
    fc.assert(
      fc.property(fc.array(cost, { minLength: 8, maxLength: 30 }), fc.integer({ min: 40, max: 100 }), (history, factor) => {
        const dear = times(3, (index) => proven(`n${index}`, factor * 1_000_000));
        const runs = [...dear, ...history.map((microUsd, index) => proven(`c${index}`, microUsd))];

        expect(anomalyIn(runs)).toBeDefined();
      }),
    );
  });
});
