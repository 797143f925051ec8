import { expect, it } from "vitest";
import { readAskedId } from "./read-asked-id.ts";

it("takes full ids and abbreviations, in either case", () => {
  expect(readAskedId("AB".repeat(20), 40, 7)).toEqual({ kind: "full", id: "ab".repeat(20) });
  expect(readAskedId("abcdef1", 40, 7)).toEqual({ kind: "short", prefix: "abcdef1" });
  expect(readAskedId("ab".repeat(20), 64, 7)).toEqual({ kind: "short", prefix: "ab".repeat(20) });
  expect(readAskedId("abcd", 40, 4)).toEqual({ kind: "short", prefix: "abcd" });
});

it("knows an id that is too long for the repository", () => {
  expect(readAskedId("a".repeat(64), 40, 7)).toEqual({ kind: "too-long" });
  expect(readAskedId("a".repeat(41), 40, 7)).toEqual({ kind: "too-long" });
});

it.each([
  "",
  "HEAD",
  "HEAD~3",
  "main",
  "--all",
  "-n1",
  "abcdef1^{commit}",
  ":path",
  "abcdef1:file",
  "abc def1",
  "abcdef1\n",
  "@",
  "abcdef",
  "a".repeat(65),
  "ａｂｃｄｅｆ１",
])("takes %j for no id", (text) => {
  expect(readAskedId(text, 40, 7).kind).toBe("malformed");
});
