import fc from "fast-check";
import { expect, it } from "vitest";
import { fold, withoutQuoting } from "./fold.ts";

const linesOf = (text: string): number => text.split("\n").length;
const anyText = fc.string({ unit: "binary", maxLength: 400 });

it("keeps every line break, and adds none", () => {
  fc.assert(fc.property(anyText, (text) => void expect(linesOf(fold(text))).toBe(linesOf(text))));
  fc.assert(fc.property(anyText, (text) => void expect(linesOf(withoutQuoting(text))).toBe(linesOf(text))));
});

it("changes nothing when it is done again", () => {
  fc.assert(fc.property(anyText, (text) => void expect(fold(fold(text))).toBe(fold(text))));
});

it("reads wide, bold, accented, small and invisible letters as what they look like", () => {
  expect(fold("ＩＧＮＯＲＥ 𝐢𝐠𝐧𝐨𝐫𝐞 ígnörè ɪɢɴᴏʀᴇ ig\u200bno\u00adre\u{e0041}")).toBe("ignore ignore ignore ignore ignore");
});

it("reads what JSON and links quote", () => {
  expect(withoutQuoting("a\\nb%20c\\u4f60")).toBe("a  b   c你");
});
