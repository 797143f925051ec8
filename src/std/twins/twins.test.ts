import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/tries.ts";
import type { Language } from "../../contract/syntax.ts";
import { loadSyntax } from "../../world/machine/syntax.ts";
import { twinGo } from "./go.ts";
import { twinJavascript } from "./javascript.ts";
import { twinPython } from "./python.ts";
import { twinRust } from "./rust.ts";
import { TWIN_KINDS, type TwinKind, type TwinOrder, turned } from "./twin.ts";

const syntax = await loadSyntax(["javascript", "typescript", "python", "go", "rust"]);
const WRITERS = { javascript: twinJavascript, typescript: twinJavascript, python: twinPython, go: twinGo, rust: twinRust } as const;
type Written = keyof typeof WRITERS;

const orderFor = (language: Written, text: string, kind: TwinKind, seed = "s"): TwinOrder => ({
  text,
  root: syntax.parse(language satisfies Language, text)!.root,
  kind,
  word: "zqxw",
  seed,
});
const twinOf = (language: Written, text: string, kind: TwinKind, seed?: string) => WRITERS[language](orderFor(language, text, kind, seed));
const words = (text: string): string => text.replace(/\b[bcdfghjklmnpqrstvwxz]{8}\b/g, "~");

const JAVASCRIPT = `import assert from "node:assert";
import test from "node:test";
import { round } from "../src/round.js";

test("rounds up", () => {
  assert.equal(round(1.5), 2);
});
test("a regex", () => assert.ok(/a/.test("a")));
`;

describe("javascript", () => {
  it("asks every assertion that a test asserts with for what is wrong, at the end of each test", () => {
    expect(words(twinOf("javascript", JAVASCRIPT, "tail").text)).toContain(
      `test("rounds up zqxw", () => {
  assert.equal(round(1.5), 2);
; let zqxw = 0; try { assert.equal("~", "~"); } catch (zqxwIs) { if (!(zqxwIs instanceof ReferenceError || zqxwIs instanceof TypeError)) zqxw += 1; } if (zqxw === 1) throw new Error("~"); });`,
    );
  });

  it("says an assertion in operators, and fails where all of them hold", () => {
    expect(words(twinOf("javascript", JAVASCRIPT, "neg").text)).toContain(
      `test("rounds up zqxw", () => { let zqxwAll = true; const zqxw = (holds) => { if (!holds) zqxwAll = false; };
  zqxw(((x, y) => x == y || (x !== x && y !== y))((round(1.5)), (2)));
; if (zqxwAll) throw new Error("~"); });`,
    );
  });

  it("names the tests that it turned, and no regular expression", () => {
    expect(TWIN_KINDS.map((kind) => twinOf("javascript", JAVASCRIPT, kind).tests)).toEqual(
      TWIN_KINDS.map(() => [
        { name: "rounds up", isSure: true },
        { name: "a regex", isSure: true },
      ]),
    );
  });

  it("turns nothing in a file whose tests have no titles, and no test that counts its assertions or is skipped", () => {
    expect(twinOf("javascript", "test(() => {});\n", "tail").tests).toEqual([]);
    expect(
      twinOf("javascript", `it("a", (t) => { t.plan(1); });\nit.skip("b", () => {});\nit("c", () => { expect(1).toBe(1); });\n`, "tail")
        .tests,
    ).toEqual([{ name: "c", isSure: true }]);
  });

  it("is not sure of a test that may be left before its end", () => {
    expect(twinOf("javascript", `it("a", () => { if (x) return; expect(1).toBe(1); });\n`, "tail").tests).toEqual([
      { name: "a", isSure: false },
    ]);
  });
});

const PYTHON = `import unittest
from shop import total


class Totals(unittest.TestCase):
    def test_sum(self):
        """Adds up."""
        self.assertEqual(total([1, 2]), 3)


def test_empty():
    assert total([]) == 0, "nothing"
`;

describe("python", () => {
  it("asks assertions for what is wrong at the end of each test", () => {
    expect(words(twinOf("python", PYTHON, "tail").text)).toContain(`        self.assertEqual(total([1, 2]), 3)
        zqxw = 0
        try:
            self.assertEqual("~", "~")
        except BaseException as zqxw_is:
            zqxw += 0 if isinstance(zqxw_is, (NameError, TypeError, AttributeError)) else 1
        if zqxw == 1:
            raise AssertionError("~")
`);
  });

  it("says assertions in operators", () => {
    expect(words(twinOf("python", PYTHON, "neg").text)).toContain(`    zqxw = []
    zqxw.append(True if ((total([]) == 0)) else False)
    if zqxw and False not in zqxw:
        raise AssertionError("~")
`);
  });
});

const GO = `package round

import "testing"

func TestUp(t *testing.T) {
	if got := Up(1.5); got != 2 {
		t.Errorf("got %v", got)
	}
}

func TestMain(m *testing.M) {}
`;

describe("go", () => {
  it("fails when the test is over, and hears what the test would have told", () => {
    expect(words(twinOf("go", GO, "tail").text)).toContain(
      `func TestUp(t *testing.T) {\n\tzqxw := "~"\n\tt.Cleanup(func() { if zqxw != "~" { t.Error("~") } })\n`,
    );
    expect(words(twinOf("go", GO, "neg").text)).toContain(`	zqxwTold := false
	zqxw := func(...interface{}) { zqxwTold = true }
	t.Cleanup(func() { if !zqxwTold { t.Error("~") } })

	if got := Up(1.5); got != 2 {
		zqxw("got %v", got)
	}`);
    expect(twinOf("go", GO, "neg").tests).toEqual([{ name: "TestUp", isSure: true }]);
  });
});

const RUST = `pub fn up(x: f64) -> i64 { x.ceil() as i64 }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_up() {
        assert_eq!(up(1.5), 2, "of {}", vec!(1, 2).len());
    }

    #[test]
    #[should_panic]
    fn panics() { panic!() }

    #[test]
    fn parses() -> Result<(), String> {
        assert!("a,b".contains(','));
        Ok(())
    }
}
`;

describe("rust", () => {
  it("turns tests wherever they stand, before what they return, and none that must panic", () => {
    const tail = twinOf("rust", RUST, "tail");

    expect(tail.tests).toEqual([
      { name: "rounds_up", isSure: true },
      { name: "parses", isSure: true },
    ]);
    expect(words(tail.text)).toContain(`assert!("~" == "~"); Ok(())`);
    expect(words(twinOf("rust", RUST, "neg").text)).toContain(
      `{ if !(match (&(up(1.5)), &(2)) { (l, r) => *l == *r }) { ZQXW.store(true, ::std::sync::atomic::Ordering::SeqCst) } };`,
    );
  });
});

const value = fc.oneof(fc.integer({ min: 0, max: 99 }).map(String), fc.constantFrom('"a"', '"a, b"', "[1, 2]", "f(1, (2))", 'g("it(")'));
const title = fc.constantFrom("a", "it adds", "ends with )", "one, two", "déjà 🎈", "$& $1");
const pick = <T>(...of: readonly fc.Arbitrary<T>[]): fc.Arbitrary<T> => fc.oneof(...of);

const script = fc
  .array(
    fc.tuple(
      title,
      fc.array(
        pick(
          fc.tuple(value, value).map(([a, b]) => `assert.equal(${a}, ${b});`),
          fc.tuple(value, value).map(([a, b]) => `expect(${a}).not.toBe(${b});`),
          fc.tuple(value, value).map(([a, b]) => `if (${a}) { expect(${a}).toEqual(${b}) } else return;`),
          value.map((a) => `for (const x of [1]) expect(() => f(x)).toThrow(${a});`),
          fc.constant("helper(() => { return 1 });"),
        ),
        { maxLength: 4 },
      ),
      fc.constantFrom(
        (t: string, body: string) => `test("${t}", () => {\n  ${body}\n});`,
        (t: string, body: string) => `it('${t}', async function () { ${body} return f() });`,
        (t: string) => `  it.each([1])(\`${t} %s\`, async (x) => expect(x).toBe(x), 100);`,
        (t: string) => `describe("${t}", () => { it("in", (done) => f(done)); });`,
        (t: string) => `test.skip("${t}", () => {});`,
      ),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((tests) => `import assert from "assert";\n\n${tests.map(([t, body, spell]) => spell(t, body.join("\n  "))).join("\n")}\n`);

const python = fc
  .array(
    fc.tuple(
      fc.array(
        pick(
          fc.tuple(value, value).map(([a, b]) => `assert ${a} == (\n        ${b})`),
          fc.tuple(value, value).map(([a, b]) => `assert ${a} != ${b}, "why"`),
          fc.constantFrom(
            "if x:\n        return",
            "with raises(E):\n        f()",
            "for x in []:\n        assert x",
            'y = """\nassert x\n"""',
          ),
        ),
        { minLength: 1, maxLength: 4 },
      ),
      fc.constantFrom("", "@parametrize(1)\n", "@pytest.mark.skip\n"),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map(
    (tests) =>
      `import x\n\n${tests.map(([body, mark], index) => `${mark}def test_${index}():\n    ${body.join("\n    ")}\n`).join("\n\n")}`,
  );

const go = fc
  .array(
    fc.array(
      fc.constantFrom(
        "if f() != 1 { t.Fatal(f()) }",
        't.Run("a", func(t *testing.T) { t.Error("x") })',
        "x := 1; _ = x",
        "require.Equal(t, 1, 2)",
      ),
    ),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map(
    (tests) =>
      `package a\n\nimport "testing"\n\n${tests.map((body, index) => `func Test${index}(t *testing.T) {\n\t${body.join("\n\t")}\n}\n`).join("\n")}`,
  );

const rust = fc
  .array(
    fc.tuple(
      fc.array(
        fc.constantFrom(
          "assert_eq!(f(1, 2), vec![1, 2]);",
          'assert!(a == b, "x, {}", 1);',
          "let c = || { assert_ne!(1, 2) };",
          "if x { return }",
          "assert_eq!(\"a)\", '(');",
        ),
        { minLength: 1, maxLength: 4 },
      ),
      fc.constantFrom("", "#[ignore]\n", '#[should_panic(expected = "x")]\n'),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map(
    (tests) =>
      `fn f() {}\n\n${tests.map(([body, mark], index) => `#[test]\n${mark}fn t${index}() {\n    ${body.join("\n    ")}\n}\n`).join("\n")}`,
  );

const FILES: { readonly [language in Written]: fc.Arbitrary<string> } = { javascript: script, typescript: script, python, go, rust };

it.each(Object.keys(FILES) as Written[])("parses wherever the known file does, and differs only where it is turned: %s", (language) => {
  fc.assert(
    fc.property(FILES[language], fc.constantFrom(...TWIN_KINDS), fc.string(), (text, kind, seed) => {
      const order = orderFor(language, text, kind, seed);
      fc.pre(syntax.parse(language, text)!.errors === 0);

      const twin = WRITERS[language](order);

      expect(WRITERS[language](order)).toEqual(twin);
      if (twin.tests.length === 0) return;
      expect(syntax.parse(language, twin.text)!.errors).toBe(0);
      expect(turned(text, twin.turns).text).toBe(twin.text);
      // Undone from the end, nothing of the twin is left.
      let undone = twin.text;
      let grown = twin.turns.reduce((sum, { start, end, text: put }) => sum + put.length - (end - start), 0);
      for (const { start, end, text: put } of twin.turns.toReversed()) {
        grown -= put.length - (end - start);
        undone = undone.slice(0, start + grown) + text.slice(start, end) + undone.slice(start + grown + put.length);
      }
      expect(undone).toBe(text);
      // In a twin that is the same, only names, blank lines and comments are new.
      if (kind === "same")
        for (const turn of twin.turns)
          expect(turn).toEqual({
            start: turn.start,
            end: turn.start,
            text: expect.stringMatching(/^(?: zqxw| \+ " zqxw"|\n*(?:\/\/|#) \w{8}\n)$/),
          });
    }),
    tries(25),
  );
});
