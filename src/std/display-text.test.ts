import fc from "fast-check";
import { expect, it } from "vitest";
import { displayLine, firstLine, visibleText } from "./display-text.ts";

it("leaves out what a reader could not see", () => {
  expect(visibleText("a\u001b[31mred\u001b[0m\u202eb\u200bc\u{e0041}d\u0007e\r\nf\tg")).toBe("aredbcde\nf\tg");
});

it("puts all of a text on one line", () => {
  expect(displayLine("one\ntwo\u2028three\u0085four\u001b[1m five", 100)).toBe("one two three four five");
});

it("shows the first line of a text", () => {
  expect(firstLine("\n  failed: 1\n  at x.js", 100)).toBe("failed: 1");
});

it("cuts by characters and says so", () => {
  expect([displayLine("😀😀😀😀", 3), firstLine("abcdef", 4)]).toEqual(["😀😀…", "abc…"]);
});

it("never shows more than it may, nor a line break, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 2, max: 50 }), (text, most) => {
      for (const line of [displayLine(text, most), firstLine(text, most)]) {
        expect([...line].length).toBeLessThanOrEqual(most);
        expect(line).not.toMatch(/[\n\r\u2028\u2029\u0085\u001b]/);
      }
    }),
  );
});
