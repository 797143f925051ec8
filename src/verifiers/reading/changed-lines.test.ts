import fc from "fast-check";
import { expect, it } from "vitest";
import { changedLines, linesOf } from "./changed-lines.ts";

it.each([
  ["", "", [], 0],
  ["a\nb\n", "a\nb\n", [], 0],
  ["", "a\nb\n", [1, 2], 0],
  ["a\nb\n", "", [], 2],
  ["a\nb\nc\nd\n", "a\nX\nc\nY\nd\n", [2, 4], 1],
  ["a\nb\n", "b\na\n", [2], 1],
  ["a\nb", "a\nb\n", [2], 1],
])("from %j to %j adds lines %j and removes %i", (before, after, added, removed) => {
  expect(changedLines(before, after)).toEqual({ added, removed });
});

it("counts so that the rest of both versions is the same", () => {
  const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n"), { maxLength: 12 }).map((lines) => lines.join(""));

  fc.assert(
    fc.property(text, text, (before, after) => {
      const { added, removed } = changedLines(before, after);

      expect(linesOf(after).length - added.length).toBe(linesOf(before).length - removed);
    }),
  );
});

it("takes everything for changed rather than to think for ever", () => {
  const many = (mark: string) => Array.from({ length: 3000 }, (_, n) => `${mark}${n}\n`).join("");

  expect(changedLines(`${many("a")}same\n`, `${many("b")}same\n`)).toMatchObject({ removed: 3000 });
});
