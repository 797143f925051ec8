import { expect, it } from "vitest";
import { cappedLevel, taintOf } from "./taint.ts";

it("is clean as long as nobody from outside was read", () => {
  expect(taintOf([])).toEqual({ kind: "clean" });
  expect(
    taintOf([
      { source: "the spec", trust: "owner" },
      { source: "round 1", trust: "machine" },
    ]),
  ).toEqual({ kind: "clean" });
});

it("names every outsider once", () => {
  const read = [
    { source: "issue 7", trust: "outsider" as const },
    { source: "review", trust: "member" as const },
    { source: "issue 7", trust: "outsider" as const },
  ];

  expect(taintOf(read)).toEqual({ kind: "tainted", by: ["issue 7"] });
});

it("caps the level of a tainted run, and raises none", () => {
  const tainted = taintOf([{ source: "issue 7", trust: "outsider" }]);

  expect(cappedLevel("L3", "L1", tainted)).toBe("L1");
  expect(cappedLevel("L1", "L2", tainted)).toBe("L1");
  expect(cappedLevel("L3", "L1", { kind: "clean" })).toBe("L3");
});
