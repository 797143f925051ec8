import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeFile, decodeText } from "./decode-text.ts";

it("reads UTF-8 as what it is", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => decodeText(Buffer.from(text)) === text));
});

it("reads what is no UTF-8 byte for byte", () => {
  expect(decodeText(Uint8Array.of(0x61, 0x80, 0xff))).toBe("a\u0080\u00ff");
  expect(decodeText(new Uint8Array(20_000).fill(0xff))).toBe("\u00ff".repeat(20_000));
});

it.each([
  ["UTF-8", Buffer.from("\ufeffa=1")],
  ["UTF-16, little end first", Buffer.from("\ufeffa=1", "utf16le")],
  ["UTF-16, big end first", Buffer.from("\ufeffa=1", "utf16le").swap16()],
  ["UTF-32, little end first", Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0, 0x3d, 0, 0, 0, 0x31, 0, 0, 0])],
  ["UTF-32, big end first", Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x61, 0, 0, 0, 0x3d, 0, 0, 0, 0x31])],
])("reads a file with the mark of %s", (_name, bytes) => expect(decodeFile(bytes)).toBe("a=1"));

it("takes a file with a NUL near its start for no text", () => {
  expect(decodeFile(Uint8Array.of(0x61, 0))).toBeUndefined();
  expect(decodeFile(Uint8Array.from({ length: 9_001 }, (_, index) => (index === 9_000 ? 0 : 0x61)))).toBe(`${"a".repeat(9_000)}\0`);
});
