import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineReader } from "./lines.ts";

const read = (pieces: readonly Uint8Array[], most = 1000): readonly string[] => {
  const reader = createLineReader(most);
  return [...pieces.flatMap((piece) => reader.add(piece)), ...reader.end()];
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("createLineReader", () => {
  it("gives the same lines however the bytes were cut, also inside a character", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme" }).map((line) => line.replace(/[\r\n\ufeff]/g, ""))),
        fc.array(fc.nat(7)),
        (lines, cuts) => {
          const all = bytes(lines.map((line) => `${line}\n`).join(""));
          const pieces: Uint8Array[] = [];
          let at = 0;
          for (const size of cuts) {
            pieces.push(all.subarray(at, at + size));
            at += size;
          }
          pieces.push(all.subarray(at));

          expect(read(pieces)).toEqual(lines);
        },
      ),
    );
  });

  it("holds no more of a line without end than it may, and is well again at the next", () => {
    expect(read([bytes("x".repeat(500)), bytes("y".repeat(500)), bytes("\nshort\n")], 600)).toEqual([
      "x".repeat(500) + "y".repeat(100),
      "short",
    ]);
  });

  it("takes any bytes at all", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (pieces) => {
        for (const line of read(pieces, 10)) expect(line.length).toBeLessThanOrEqual(10);
      }),
    );
  });

  it("gives the last line although it has no end, and knows other systems' ends", () => {
    expect(read([bytes("one\r\ntwo")])).toEqual(["one", "two"]);
  });
});
