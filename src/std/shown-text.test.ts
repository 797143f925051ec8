import fc from "fast-check";
import { expect, it } from "vitest";
import { shownLine, shownText } from "./shown-text.ts";

it("makes visible what hides, moves or forges", () => {
  expect(shownText("a\u001b[31mred\u202eb\u200bc\u0007\r\nd\te\rPASS\u2028f\u0085\u007f\ud800")).toBe(
    "a␛[31mred⟨U+202E⟩b⟨U+200B⟩c␇\nd\te␍PASS⟨U+2028⟩f⟨U+0085⟩␡\ufffd",
  );
});

it("shows the first line of a text, cut by characters", () => {
  expect([shownLine("\n\n  one\ttwo \nthree", 50), shownLine("😀😀😀😀", 3), shownLine("", 3)]).toEqual(["one two", "😀😀…", ""]);
});

it("leaves nothing in a text that a terminal, a browser or a reader could be fooled by", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 2, max: 50 }), (text, most) => {
      const shown = shownText(text);
      const line = shownLine(text, most);

      expect(shown.isWellFormed()).toBe(true);
      expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/);
      expect(shown.split("\n")).toHaveLength(text.split("\n").length);
      expect(line).not.toMatch(/[\n\t\r]/);
      expect([...line].length).toBeLessThanOrEqual(most);
    }),
  );
});
