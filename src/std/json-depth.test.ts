import { expect, it } from "vitest";
import { isNestedDeeper } from "./json-depth.ts";

it.each([
  ["[[1]]", false],
  ["[[[1]]]", true],
  ['{"a":{"b":1}}', false],
  ['{"a":[{"b":1}]}', true],
  ["[1],[2],[3]", false],
  ['["[[["]', false],
  ['["\\"[[["]', false],
  ['["\\\\"],[[[1]]]', true],
  ['["[[[', false],
  ["", false],
])("tells of %j whether it is deeper than two: %j", (text, isDeeper) => {
  expect(isNestedDeeper(text, 2)).toBe(isDeeper);
});
