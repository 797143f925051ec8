import fc from "fast-check";
import { expect, it } from "vitest";
import { cutLongLine, plainly, shown } from "./shown.ts";

it("shows markup as the text that it is", () => {
  expect(shown("<img src=x onerror=alert(1)>", "line")).toEqual([{ kind: "text", text: "<img src=x onerror=alert(1)>" }]);
});

it("makes chips of escapes, of what turns text around, and of what has no width", () => {
  expect(shown("\u001b[31mfix\u202Egnp\u200B", "line")).toEqual([
    { kind: "chip", label: "ESC", name: "escape, U+001B" },
    { kind: "text", text: "[31mfix" },
    { kind: "chip", label: "RLO", name: "right-to-left override, U+202E" },
    { kind: "text", text: "gnp" },
    { kind: "chip", label: "ZWSP", name: "zero-width space, U+200B" },
  ]);
});

it("keeps new lines in a block, and shows them as chips within a sentence", () => {
  expect(shown("a\nb\tc", "block")).toEqual([{ kind: "text", text: "a\nb\tc" }]);
  expect(shown("a\nb", "line")).toEqual([
    { kind: "text", text: "a" },
    { kind: "chip", label: "LF", name: "new line, U+000A" },
    { kind: "text", text: "b" },
  ]);
});

it("shows a carriage return even in a block, since it would hide what stands before it", () => {
  expect(shown("safe\revil", "block")).toEqual([
    { kind: "text", text: "safe" },
    { kind: "chip", label: "CR", name: "carriage return, U+000D" },
    { kind: "text", text: "evil" },
  ]);
});

it("makes one chip of a million of the same", () => {
  expect(shown("\0".repeat(1_000_000), "line")).toEqual([{ kind: "chip", label: "NUL ×1000000", name: "null, U+0000, 1000000 times" }]);
});

it("makes a chip of half a character, of tags, and of piles of marks", () => {
  expect(shown(`\ud800${String.fromCodePoint(0xe0041)}e${"\u0301".repeat(9)}`, "line")).toEqual([
    { kind: "chip", label: "D800", name: "half of a character, U+D800" },
    { kind: "chip", label: "TAG A", name: "tag character, U+E0041" },
    { kind: "text", text: `e${"\u0301".repeat(4)}` },
    { kind: "chip", label: "5 marks", name: "combining marks, from U+0301" },
  ]);
});

it("leaves what is plain as it is, and no hidden character in any text", () => {
  const hides = /[\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const pieces = shown(text, "line");
      expect(pieces.filter((piece) => piece.kind === "text" && hides.test(piece.text))).toEqual([]);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."abc <>&\"'/é中") }), (text) => {
      expect(plainly(text)).toBe(text);
    }),
  );
});

it("cuts a line that is too long, and says how much is left", () => {
  expect(cutLongLine(`short\n${"a".repeat(3000)}\nafter`)).toEqual({ text: `short\n${"a".repeat(2000)}`, left: 1006 });
  expect(cutLongLine("short\nlines\n")).toEqual({ text: "short\nlines\n", left: 0 });
});

it("does not cut a character in two", () => {
  expect(cutLongLine("aaa😀b", 4)).toEqual({ text: "aaa", left: 3 });
});
