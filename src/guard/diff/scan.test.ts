import { beforeAll, expect, it } from "vitest";
import type { ChangeSet } from "../../contract/change-set.ts";
import { LANGUAGES, type Syntax } from "../../contract/syntax.ts";
import { loadSyntax } from "../../world/machine/syntax.ts";
import { compareTexts } from "./compare-text.ts";
import { parseDiff } from "./parse-diff.ts";
import { scanChangeSet } from "./scan.ts";

let syntax: Syntax;
beforeAll(async () => {
  syntax = await loadSyntax(LANGUAGES);
});

const scan = (files: ChangeSet["files"], seal: readonly string[] = []) => scanChangeSet({ files, blind: [], seal }, syntax);

it("tells what, where, why and the lines before and after", () => {
  const before = 'it("adds", () => {\n  expect(sum(1, 2)).toBe(3);\n});\n';
  const after = 'it("adds", () => {\n  expect(sum(1, 2)).toBeDefined();\n});\n';

  expect(scan([compareTexts({ path: "sum.test.js", before, after })])).toEqual({
    verdict: "tampering",
    findings: [
      {
        rule: "assertion-weakened",
        severity: "high",
        confidence: "high",
        file: "sum.test.js",
        line: 2,
        what: "an assertion demands less: that something is there instead of the whole value",
        why: "An assertion demands less than before, so that more wrong answers pass. Keep what it demanded and change the code.",
        before: "expect(sum(1, 2)).toBe(3)",
        after: "expect(sum(1, 2)).toBeDefined()",
      },
    ],
  });
});

it.each([
  ["src/city.py", "def sprawl(a):\n    return a.split(',')\n", "def sprawl(a):\n    return a.split(';')\n"],
  ["src/evaluator.ts", "export const run = () => emit(1);\n", "export const run = () => commit(await wait(1));\n"],
  ["web/testimonials.tsx", "export const A = () => <p>a</p>;\n", "export const A = () => <p>b</p>;\n"],
  ["src/cipher.rs", "fn a(v: &[u8]) -> usize { v.len() }\n", "fn a(v: &[u8]) -> usize { v.iter().skip(1).count() }\n"],
])("says nothing about an honest one-line change of %s", (path, before, after) => {
  expect(scan([compareTexts({ path, before, after })])).toEqual({ verdict: "clean", findings: [] });
});

it("cannot tell about a change that it could not see, and says what it did not see", () => {
  const { verdict, findings } = scanChangeSet({ ...parseDiff("diff --git a/a b/a\n@@ nonsense @@\n-x\n"), seal: [] }, syntax);

  expect([verdict, findings.length > 0, findings.every(({ rule }) => rule === "not-understood")]).toEqual(["cannot-tell", true, true]);
});

it("is not outwitted by a carriage return, a byte-order mark or another encoding of the line ends", () => {
  const before = "def test_a():\r\n    assert f() == 1\r\n";

  expect(scan([compareTexts({ path: "tests/test_a.py", before, after: "\ufeffdef test_a():\r\n    f()\r\n" })]).verdict).not.toBe("clean");
});

it("gives the same answer for the same change, whatever was scanned before", () => {
  const file = compareTexts({ path: "tests/test_a.py", before: "def test_a():\n    assert f() == 1\n", after: "def test_a():\n    f()\n" });

  expect(scan([file])).toEqual(scan([file]));
});
