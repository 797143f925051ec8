import fc from "fast-check";
import { expect, it } from "vitest";
import { readRange } from "./byte-range.ts";

it.each([
  [undefined, 10, { kind: "all" }],
  ["bytes=0-", 10, { kind: "part", from: 0, to: 10 }],
  ["bytes=2-3", 10, { kind: "part", from: 2, to: 4 }],
  ["bytes=2-99", 10, { kind: "part", from: 2, to: 10 }],
  ["bytes=-3", 10, { kind: "part", from: 7, to: 10 }],
  ["bytes=-99", 10, { kind: "part", from: 0, to: 10 }],
  ["bytes=-0", 10, { kind: "none" }],
  ["bytes=10-", 10, { kind: "none" }],
  ["bytes=0-", 0, { kind: "none" }],
  ["bytes=3-2", 10, { kind: "all" }],
  ["bytes=1-2,4-5", 10, { kind: "all" }],
  ["lines=1-2", 10, { kind: "all" }],
])("reads %s of %d bytes", (header, size, range) => {
  expect(readRange(header, size)).toEqual(range);
});

it("never asks for what is not there, whatever the header", () => {
  const header = fc.oneof(
    fc.string(),
    fc.tuple(fc.nat(), fc.nat()).map(([from, to]) => `bytes=${from}-${to}`),
    fc.nat().map((from) => `bytes=${from}-`),
  );
  fc.assert(
    fc.property(header, fc.nat({ max: 1000 }), (text, size) => {
      const range = readRange(text, size);
      if (range.kind === "part") expect(0 <= range.from && range.from < range.to && range.to <= size).toBe(true);
    }),
  );
});
