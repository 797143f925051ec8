import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { closest } from "./closest.ts";

const KEYS = ["name", "intent", "level", "target", "task", "trigger", "gather", "maker", "verifiers", "seal", "budget", "gate", "notify"];

describe("closest", () => {
  it.each([
    ["taks", "task"],
    ["NAME", "name"],
    ["verifier", "verifiers"],
    ["verfires", "verifiers"],
    ["buget", "budget"],
    ["gat", "gate"],
    ["tigger", "trigger"],
  ])("hears %s as %s", (word, meant) => {
    expect(closest(word, KEYS)).toBe(meant);
  });

  it.each(["colour", "x", "", "steps", "L4", "__proto__", "n".repeat(300_000)])("does not guess at %.20s", (word) => {
    expect(closest(word, KEYS)).toBeUndefined();
  });

  it("prefers the nearest, and of equally near ones the first", () => {
    expect(closest("abcdez", ["abcxyz", "abcdef", "abcdeg"])).toBe("abcdef");
  });

  it("knows nothing when there is nothing to know", () => {
    expect(closest("task", [])).toBeUndefined();
  });

  it("finds every word of six letters or more again after one slip", () => {
    const slip = fc.tuple(
      fc.constantFrom(...KEYS.filter((key) => key.length >= 6)),
      fc.nat(4),
      fc.constantFrom("drop", "double", "swap", "change"),
    );

    fc.assert(
      fc.property(slip, ([word, at, kind]) => {
        expect(closest(slipped(word, at, kind), KEYS)).toBe(word);
      }),
    );
  });
});

function slipped(word: string, at: number, kind: "drop" | "double" | "swap" | "change"): string {
  const [head, here, next, tail] = [word.slice(0, at), word.charAt(at), word.charAt(at + 1), word.slice(at + 2)];
  switch (kind) {
    case "drop":
      return head + next + tail;
    case "double":
      return head + here + here + next + tail;
    case "swap":
      return head + next + here + tail;
    case "change":
      return `${head}q${next}${tail}`;
  }
}
