import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Flake } from "../contract/baseline.ts";
import type { BaselineTaken, Entry } from "../contract/record.ts";
import { foldFlakes, isInQuarantine, quarantineAfter } from "./flakes.ts";

const DAY_MS = 86_400_000;
const at = (day: number): Date => new Date(Date.UTC(2026, 0, 1) + day * DAY_MS);
const flake = (id: string, more: Partial<Flake> = {}): Flake => ({
  id,
  matter: "m",
  verifier: "command",
  firstSeen: at(0).toISOString(),
  lastSeen: at(0).toISOString(),
  until: at(7).toISOString(),
  runs: 2,
  failed: 1,
  ...more,
});
const seen = (id: string, matter = "m") => ({ id, matter, verifier: "command", runs: 2, failed: 1 });

const entry = <R extends Entry["record"]>(seq: number, record: R): Entry<R> => ({
  seq,
  at: "",
  loop: "l",
  run: "r",
  record,
  prev: "",
  hash: "",
});
const looked = (seq: number, quarantine: readonly Flake[]): Entry<BaselineTaken> =>
  entry(seq, { kind: "baseline-taken", baseline: { tree: "t", checks: [], quarantine }, tookMs: 1 });
const forgotten = (seq: number, id: string) => entry(seq, { kind: "flake-forgotten" as const, id, by: "lw" });

describe("a loop's quarantine", () => {
  it("is that of its last look, without what was ended since", () => {
    expect(foldFlakes(looked(5, [flake("a"), flake("b"), flake("c")]), [forgotten(6, "b"), forgotten(4, "c")]).map(({ id }) => id)).toEqual(
      ["a", "c"],
    );
  });

  it("runs out, and a time that cannot be read has run out", () => {
    expect([6, 7, 8].map((day) => isInQuarantine(flake("a"), at(day)))).toEqual([true, false, false]);
    expect(isInQuarantine({ until: "soon" }, at(0))).toBe(false);
  });

  it("takes in a test for as long as the spec says, and again when it is seen again", () => {
    const first = quarantineAfter([], [seen("a")], { at: at(0), lastsMs: 7 * DAY_MS });
    const second = quarantineAfter(first, [seen("a")], { at: at(3), lastsMs: 7 * DAY_MS });

    expect(first).toEqual([flake("a")]);
    expect(second).toEqual([flake("a", { lastSeen: at(3).toISOString(), until: at(10).toISOString(), runs: 4, failed: 2 })]);
  });

  it("keeps what was not seen again until its time, and no longer", () => {
    const old = [flake("a")];

    expect(quarantineAfter(old, [], { at: at(6), lastsMs: DAY_MS })).toEqual(old);
    expect(quarantineAfter(old, [], { at: at(7), lastsMs: DAY_MS })).toEqual([]);
  });

  it("starts anew with a test that had run out", () => {
    expect(quarantineAfter([flake("a")], [seen("a")], { at: at(9), lastsMs: DAY_MS })).toEqual([
      flake("a", { firstSeen: at(9).toISOString(), lastSeen: at(9).toISOString(), until: at(10).toISOString() }),
    ]);
  });

  it("tells tests of the same name in two checks apart", () => {
    expect(quarantineAfter([flake("a")], [seen("a", "other")], { at: at(1), lastsMs: DAY_MS }).map(({ matter }) => matter)).toEqual([
      "m",
      "other",
    ]);
  });

  it("holds each test once, all of them in force, whatever was seen when", () => {
    const looks = fc.array(
      fc.record({ day: fc.nat(30), ids: fc.uniqueArray(fc.constantFrom<string>("a", "b", "c")), days: fc.integer({ min: 1, max: 9 }) }),
    );
    fc.assert(
      fc.property(looks, (all) => {
        let quarantine: readonly Flake[] = [];
        for (const { day, ids, days } of [...all].sort((a, b) => a.day - b.day)) {
          const before = quarantine;
          quarantine = quarantineAfter(
            before,
            ids.map((id) => seen(id)),
            { at: at(day), lastsMs: days * DAY_MS },
          );
          expect(new Set(quarantine.map(({ id }) => id)).size).toBe(quarantine.length);
          expect(quarantine.every((one) => isInQuarantine(one, at(day)))).toBe(true);
          // Only base puts one in: what is there now was there before, or was just seen.
          expect(quarantine.every(({ id }) => ids.includes(id) || before.some((one) => one.id === id))).toBe(true);
        }
      }),
    );
  });
});
