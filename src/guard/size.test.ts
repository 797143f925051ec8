import { expect, it } from "vitest";
import { formatSize, parseSize } from "./size.ts";

it.each([
  ["2GB", 2e9],
  ["1.5MB", 1.5e6],
  ["1kB", 1000],
  ["0GB", undefined],
  ["5", undefined],
  ["-1GB", undefined],
  ["1e3GB", undefined],
])("reads %s", (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

it("writes sizes as people say them", () => {
  expect([0, 999, 1200, 2_340_000, 5e9].map(formatSize)).toEqual(["0 B", "999 B", "1.2 kB", "2.3 MB", "5 GB"]);
});
