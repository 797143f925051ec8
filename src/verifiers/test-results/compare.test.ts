import { expect, it } from "vitest";
import type { TestOutcome } from "../../std/test-results.ts";
import { compareTests } from "./compare.ts";

const tests = (of: { readonly [id: string]: TestOutcome }) => Object.entries(of).map(([id, outcome]) => ({ id, outcome }));

it("says what became of every test", () => {
  const before = tests({
    kept: "passed",
    broken: "passed",
    gone: "passed",
    gone2: "failed",
    shy: "passed",
    lazy: "failed",
    fixed: "failed",
    bad: "failed",
    old: "skipped",
  });
  const now = tests({
    kept: "passed",
    broken: "failed",
    shy: "skipped",
    lazy: "todo",
    fixed: "passed",
    bad: "failed",
    n1: "passed",
    n2: "failed",
    n3: "skipped",
  });

  expect(compareTests(before, now)).toEqual({
    kept: ["kept"],
    broken: ["broken"],
    gone: ["gone", "gone2"],
    dodged: ["shy", "lazy"],
    fixed: ["fixed"],
    stillFailing: ["bad"],
    fresh: { passed: ["n1"], failed: ["n2"], notRun: ["n3"] },
  });
});

it("does not miss what failed as a whole, once it does no more", () => {
  const before = tests({ "a.ts :: (as a whole)": "failed", "b.ts": "failed", "c.ts": "failed", "d.ts": "passed" });
  const now = tests({ "a.ts :: x": "passed", "b.ts > y :: z": "passed", "d.ts :: w": "passed" });

  expect(compareTests(before, now).gone).toEqual(["c.ts", "d.ts"]);
});

it("knows a test again whose file was renamed, if it passes now, and only once; one that was red is not gone, and shows itself anew", () => {
  const before = tests({ "tests.price :: reads": "passed", "tests.cart :: adds": "passed", "tests.cart :: rounds": "failed" });
  const now = tests({ "tests.money :: reads": "passed", "tests.money :: adds": "failed", "tests.money :: rounds": "passed" });

  expect(compareTests(before, now)).toEqual({
    kept: ["tests.price :: reads"],
    broken: [],
    gone: ["tests.cart :: adds"],
    dodged: [],
    fixed: [],
    stillFailing: [],
    fresh: { passed: ["tests.money :: rounds"], failed: ["tests.money :: adds"], notRun: [] },
  });
});
