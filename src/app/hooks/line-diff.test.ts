import { expect, it } from "vitest";
import { lineDiff } from "./line-diff.ts";

it("says nothing about two equal texts", () => {
  expect(lineDiff("a\n", "a\n")).toEqual([]);
});

it("shows what came between with three lines around it", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n";

  expect(lineDiff(before, before.replace("5\n", "five\nand a half\n"))).toEqual([
    "@@ -2,7 +2,8 @@",
    " 2",
    " 3",
    " 4",
    "-5",
    "+five",
    "+and a half",
    " 6",
    " 7",
    " 8",
  ]);
});

it("shows a new and a removed file", () => {
  expect(lineDiff("", "a\nb\n")).toEqual(["@@ -0,0 +1,2 @@", "+a", "+b"]);
  expect(lineDiff("a\nb\n", "")).toEqual(["@@ -1,2 +0,0 @@", "-a", "-b"]);
});

it("counts a missing last line break as a difference", () => {
  expect(lineDiff("a", "a\n")).toEqual(["@@ -1,1 +1,1 @@", "-a", "\\ No newline at end of file", "+a"]);
});
