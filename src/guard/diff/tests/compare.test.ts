import { beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES, type Syntax } from "../../../contract/syntax.ts";
import { loadSyntax } from "../../../world/machine/syntax.ts";
import { compareTexts } from "../compare-text.ts";
import { parseDiff } from "../parse-diff.ts";
import type { DiffExample } from "../rule.ts";
import { viewChanges } from "../view.ts";
import { testDeltas } from "./compare.ts";

let syntax: Syntax;
beforeAll(async () => {
  syntax = await loadSyntax(LANGUAGES);
});

const whole = (files: DiffExample) =>
  testDeltas(
    viewChanges(
      { files: Object.entries(files).map(([path, [before, after]]) => compareTexts({ path, before, after })), blind: [], seal: [] },
      syntax,
    ),
  );
const torn = (diff: string) => testDeltas(viewChanges({ ...parseDiff(diff), seal: [] }, syntax));

const names = (facts: readonly { readonly test: string }[]): readonly string[] => facts.map(({ test }) => test);

describe("whole files", () => {
  it("takes a test that moved to another file for moved, with its assertions", () => {
    const test = "def test_total():\n    assert total([1]) == 1\n    assert ok\n";

    const deltas = whole({
      "tests/test_a.py": [`${test}\ndef test_b():\n    assert b\n`, "def test_b():\n    assert b\n"],
      "tests/test_c.py": ["", test],
    });

    expect(deltas.flatMap(({ lostTests, lostAssertions }) => [...lostTests, ...lostAssertions])).toEqual([]);
  });

  it("takes a test with another name and the same body for renamed", () => {
    const [delta] = whole({
      "a.test.ts": [
        'it("adds", () => {\n  const sum = add(1, 2);\n  expect(sum).toBe(3);\n});\n',
        'it("adds two numbers", () => {\n  const sum = add(1, 2);\n  expect(sum).toBe(3);\n});\n',
      ],
    });

    expect({
      lost: delta!.lostTests,
      renamed: delta!.renamed.map(({ lost, gained }) => [lost.test, gained.test]),
      assertions: delta!.lostAssertions,
    }).toEqual({
      lost: [],
      renamed: [["adds", "adds two numbers"]],
      assertions: [],
    });
  });

  it("does not let the same assertion in a new test stand for one that was removed", () => {
    const check = 'if out != want {\n\t\tt.Error("no")\n\t}\n';
    const [delta] = whole({
      "a_test.go": [
        `func TestA(t *testing.T) {\n\tout := f()\n\t${check}}\n`,
        `func TestA(t *testing.T) {\n\tout := f()\n\t_ = out\n}\n\nfunc TestB(t *testing.T) {\n\tout := g()\n\t${check}}\n`,
      ],
    });

    expect(names(delta!.lostAssertions)).toEqual(["TestA"]);
  });

  it("leaves an assertion alone whose line stayed, though it stands in another test now", () => {
    const [delta] = whole({
      "tests/test_a.py": [
        "def test_a():\n    x = f()\n    y = g()\n    assert y == 2\n",
        "def test_a():\n    x = f()\n    assert x == 1\n\ndef test_b():\n    y = g()\n    assert y == 2\n",
      ],
    });

    expect(delta!.lostAssertions).toEqual([]);
  });

  it("sees what follows a return as switched off", () => {
    const [delta] = whole({
      "tests/test_a.py": ["def test_a():\n    x = f()\n    assert x == 1\n", "def test_a():\n    x = f()\n    return\n    assert x == 1\n"],
    });

    expect(delta!.disablings.map(({ kind, line }) => [kind, line])).toEqual([["skip", 3]]);
  });

  it("reads a language without a grammar by its lines, and says so", () => {
    const [delta] = whole({
      "src/test/kotlin/ATest.kt": ["@Test\nfun testA() {\n  assertEquals(1, f())\n}\n", "@Test\nfun testA() {\n  f()\n}\n"],
    });

    expect([delta!.by, names(delta!.lostAssertions)]).toEqual(["lines", ["testA"]]);
  });
});

describe("torn pieces", () => {
  it("sees an assertion that went, in the middle of a test that starts elsewhere", () => {
    const [delta] = torn(
      "--- a/tests/test_a.py\n+++ b/tests/test_a.py\n@@ -20,7 +20,6 @@\n         pass\n \n     result = run()\n-    assert result.code == 0\n     assert result.text == 'x'\n \n \n",
    );

    expect(delta!.lostAssertions.map(({ line, raw }) => [line, raw])).toEqual([[23, "assert result.code == 0"]]);
  });

  it("sees a skip between the end of one template and the start of another", () => {
    const [delta] = torn(
      '--- a/a.test.ts\n+++ b/a.test.ts\n@@ -713,7 +713,7 @@\n     `);\n   });\n \n-  test("arrays", () => {\n+  test.skip("arrays", () => {\n     expect(f()).toMatchInlineSnapshot(`\n       {\n         "a": 1,\n',
    );

    expect(delta!.disablings.map(({ kind }) => kind)).toEqual(["skip"]);
  });

  it("sees a decorator whose function is cut off", () => {
    const [delta] = torn(
      '--- a/tests/test_a.py\n+++ b/tests/test_a.py\n@@ -3,5 +3,6 @@\n \n \n+@pytest.mark.skip(reason="later")\n @pytest.mark.parametrize(\n     "a", [1, 2]\n )\n',
    );

    expect(delta!.disablings.map(({ kind }) => kind)).toEqual(["skip"]);
  });

  it("sees a mark that was taken from a test whose name stays", () => {
    const [delta] = torn(
      "--- a/src/test/java/ATest.java\n+++ b/src/test/java/ATest.java\n@@ -10,6 +10,5 @@\n     }\n \n-    @Test\n     void testA() {\n         assertEquals(1, f());\n     }\n",
    );

    expect(delta!.uncollected.map(({ lost }) => lost.test)).toEqual(["testA"]);
  });
});
