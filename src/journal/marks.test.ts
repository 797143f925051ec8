import { expect, it } from "vitest";
import { readMarks, writeMark } from "./marks.ts";

const one = { seq: 7, hash: "a".repeat(64) };
const two = { seq: 12, hash: "b".repeat(64) };

it("reads the marks it wrote, oldest first", () => {
  expect(readMarks([writeMark(two), writeMark(one)])).toEqual([one, two]);
});

it.each([
  ["nothing", ""],
  ["garbage", "\u0000\u00ff garbage"],
  ["a mark cut short", writeMark(one).slice(0, -1)],
  ["a mark with the number of another", writeMark(one).replace(/^7/, "8")],
  ["a mark with half the hash of another", writeMark(one).replace("a".repeat(32), "b".repeat(32))],
  ["a number no journal gets to", `${"9".repeat(16)} ${writeMark(one).slice(2)}`],
])("passes over %s", (_, text) => {
  expect(readMarks([text, writeMark(two)])).toEqual([two]);
});
