import { beforeAll, expect, it } from "vitest";
import type { Syntax } from "../../contract/syntax.ts";
import { loadSyntax } from "../../world/machine/syntax.ts";
import { conditionsOf, withQuestions } from "./ask-conditions.ts";
import type { Played } from "./note-calls.ts";

let syntax: Syntax;
beforeAll(async () => {
  syntax = await loadSyntax(["javascript", "python", "go"]);
});

const asked = (language: Played, text: string, before = ""): readonly string[] =>
  conditionsOf(language, [{ path: "a", text, before }], syntax).map((condition) => condition.text);
const written = (language: Played, text: string): string => {
  const source = { path: "a", text, before: "" };
  const asker = { language, word: "qq", recorder: "R", module: "m" };
  return withQuestions(asker, source, conditionsOf(language, [source], syntax));
};

it("finds comparisons, and what `if` goes by, part by part", () => {
  expect(asked("javascript", "function f(a, b) { if (a > 3 && !b.ok) return a === 2 ? 1 : 2; return b.n < 4; }\n")).toEqual([
    "a > 3",
    "b.ok",
    "a === 2",
    "b.n < 4",
  ]);
  expect(
    asked("python", "def f(a, b):\n    if (m := g(a)) and not b:\n        return 1 if a in b else 2\n    return [x for x in b if x.ok]\n"),
  ).toEqual(["m := g(a)", "b", "a in b", "x.ok"]);
  expect(
    asked("go", "package a\n\nfunc F(a int) bool {\n\tif m, ok := z[a]; ok && (a > 3) {\n\t\treturn a == 2\n\t}\n\treturn false\n}\n"),
  ).toEqual(["ok", "a > 3", "a == 2"]);
});

it("leaves heads of loops, constants, and texts with expressions in them alone", () => {
  expect(asked("javascript", "for (let i = 0; i < 3; i++) {}\nwhile (a < 3) {}\n")).toEqual([]);
  expect(asked("python", 'while a < 3:\n    b = f"{a < 3}"\n')).toEqual([]);
  expect(asked("go", "package a\n\nconst c = 1 < 2\n\nfunc F() {\n\tfor i := 0; i < 3; i++ {\n\t}\n}\n")).toEqual([]);
});

it("asks only what the change brought, and not what it moved", () => {
  const before = "function f(a) {\n  if (a > 3) return 1;\n  return 2;\n}\n";

  expect(asked("javascript", before.replace("return 2", "return a < 9 ? 2 : 3"), before)).toEqual(["a < 9"]);
  expect(asked("javascript", `const more = 1;\nfunction g(a) {\n  if (a  >  3) return 1;\n}\n`, before)).toEqual([]);
});

it("writes questions around questions so that each stays in its place", () => {
  expect(written("javascript", "if (f(a < 2)) g();\n")).toBe("if (R.took(0, (f(R.took(1, (a < 2)))))) g();\n");
  expect(written("python", "x = 1 if a < 2 else 3\n")).toBe("x = 1 if R.took(0, (a < 2)) else 3\n");
  expect(written("go", "package a\n\nvar X = a < b\n")).toBe(
    'package a; import qqtook "m/testdata/qqtook"\n\nvar X = qqtook.Took(0, (a < b))\n',
  );
});
