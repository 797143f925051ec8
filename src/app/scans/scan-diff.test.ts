import { expect, it } from "vitest";
import { scanDiff } from "../open-scans.ts";

const weakened = [
  "diff --git a/src/sum.test.ts b/src/sum.test.ts",
  "index 1111111..2222222 100644",
  "--- a/src/sum.test.ts",
  "+++ b/src/sum.test.ts",
  "@@ -3,4 +3,4 @@",
  ' it("adds", () => {',
  "   const total = sum(1, 2);",
  "-  expect(total).toBe(3);",
  "+  expect(total).toBeDefined();",
  " });",
  "",
].join("\n");

it("finds in a diff what weakens a test, with the line where it stands", async () => {
  const { verdict, files, findings } = await scanDiff(weakened);

  expect([verdict === "suspect" || verdict === "tampering", files]).toEqual([true, 1]);
  expect(findings.map(({ file, line }) => [file, line])).toContainEqual(["src/sum.test.ts", 5]);
});

it("finds nothing in a change of words", async () => {
  const words = "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-Hello.\n+Hello there.\n";

  expect(await scanDiff(words)).toEqual({ verdict: "clean", findings: [], files: 1 });
});
