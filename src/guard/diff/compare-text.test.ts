import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alignLines, compareTexts, linesOf } from "./compare-text.ts";

const someLines = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 30 });

describe("alignLines", () => {
  it("gives both sides back, in order, each line with its number", () => {
    fc.assert(
      fc.property(someLines, someLines, (before, after) => {
        const lines = alignLines(before, after);

        const old = lines.filter(({ kind }) => kind !== "added");
        const now = lines.filter(({ kind }) => kind !== "removed");
        expect(old.map(({ text }) => text)).toEqual(before);
        expect(now.map(({ text }) => text)).toEqual(after);
        expect(old.map((line) => line.before)).toEqual(before.map((_, index) => index + 1));
        expect(now.map((line) => line.after)).toEqual(after.map((_, index) => index + 1));
      }),
      { numRuns: 2_000 },
    );
  });

  it("finds no fewer common lines than there are", () => {
    fc.assert(
      fc.property(someLines, someLines, (before, after) => {
        const same = alignLines(before, after).filter(({ kind }) => kind === "same").length;

        expect(same).toBe(longestCommon(before, after));
      }),
    );
  });

  it("gives both sides back when there is too much to compare", () => {
    const before = Array.from({ length: 3_000 }, (_, index) => `old ${index}`);
    const after = Array.from({ length: 3_000 }, (_, index) => `new ${index}`);

    const lines = alignLines(["head", ...before, "tail"], ["head", ...after, "tail"]);

    expect(lines.filter(({ kind }) => kind !== "added").map(({ text }) => text)).toEqual(["head", ...before, "tail"]);
    expect(lines.filter(({ kind }) => kind !== "removed").map(({ text }) => text)).toEqual(["head", ...after, "tail"]);
  });
});

describe("compareTexts", () => {
  it("shows every line that differs, with up to three lines around it", () => {
    fc.assert(
      fc.property(someLines, someLines, (before, after) => {
        const aligned = alignLines(before, after);
        const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

        const { hunks } = compareTexts({ path: "x", before: text(before), after: text(after) });

        const shown = hunks.flatMap(({ lines }) => lines);
        expect(shown.filter(({ kind }) => kind !== "same")).toEqual(aligned.filter(({ kind }) => kind !== "same"));
        expect(shown.every((line) => aligned.some((other) => JSON.stringify(other) === JSON.stringify(line)))).toBe(true);
      }),
    );
  });

  it("takes no notice of carriage returns", () => {
    expect(compareTexts({ path: "x", before: "a\r\nb\r\n", after: "a\nb\n" }).hunks).toEqual([]);
    expect(linesOf("a\r\nb\rc\n")).toEqual(["a", "b", "c"]);
  });
});

function longestCommon(before: readonly string[], after: readonly string[]): number {
  let row = new Array<number>(after.length + 1).fill(0);
  for (const line of before) {
    const next = [0];
    for (const [index, other] of after.entries()) next.push(line === other ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!));
    row = next;
  }
  return row.at(-1)!;
}
