import fc from "fast-check";
import { expect, it } from "vitest";
import { haltAfter, type RunEnd } from "./halts.ts";

const well: RunEnd = { kind: "well" };
const bad = (reason: string, because = "check-failed"): RunEnd => ({ kind: "badly", because, reason });
const why = (...ends: readonly RunEnd[]): string | undefined => haltAfter(ends)?.because;

it("halts after the same failure three times in a row, whatever numbers and ids are in it", () => {
  expect([why(bad("a 1"), bad("a 2")), why(bad("a 1 deadbeef01"), bad("a 2 deadbeef02"), bad("a 31 0123456789"))]).toEqual([
    undefined,
    "same-failure",
  ]);
});

it("halts when two failures take turns, and not when work that ends well does (strive 24H)", () => {
  const [a, b] = [bad("a"), bad("b")];

  expect([why(a, b, a, b), why(a, b, a), why(well, a, well, a), why(a, well, a, well, a, well)]).toEqual([
    "oscillation",
    undefined,
    undefined,
    undefined,
  ]);
});

it("halts when nothing comes of it for long, however it fails", () => {
  expect([
    why(...["a", "b", "c", "d", "e", "f"].map((reason) => bad(reason))),
    why(...["a", "b", "c", "d", "e"].map((reason) => bad(reason))),
  ]).toEqual(["no-progress", undefined]);
});

it("halts at once on runaway spending and on a bug of ours", () => {
  expect([why(bad("too fast", "runaway")), why(bad("stack", "bug"))]).toEqual(["runaway", "bug"]);
});

it("never halts a loop whose last run ended well", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(well, bad("a"), bad("b"), bad("x", "runaway"))), (ends) => {
      expect(haltAfter([well, ...ends])).toBeUndefined();
    }),
  );
});
