import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeBytes } from "./decode-bytes.ts";

const bytes = (...codes: readonly number[]): Uint8Array => new Uint8Array(codes);

it("reads UTF-8, UTF-16 with a mark, and else what every byte can be", () => {
  expect(decodeBytes(Buffer.from("naïve"))).toEqual({ text: "naïve", encoding: "utf-8" });
  expect(decodeBytes(bytes(0xff, 0xfe, 0x68, 0, 0x69, 0))).toEqual({ text: "hi", encoding: "utf-16le" });
  expect(decodeBytes(bytes(0xfe, 0xff, 0, 0x68, 0, 0x69))).toEqual({ text: "hi", encoding: "utf-16be" });
  expect(decodeBytes(bytes(0x6e, 0xe9))).toEqual({ text: "né", encoding: "windows-1252" });
});

it("swallows nothing, and never throws", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (some) => {
      const { text, encoding } = decodeBytes(some);
      if (encoding === "windows-1252") expect(text).toHaveLength(some.length);
      expect(text.isWellFormed()).toBe(true);
    }),
  );
});
