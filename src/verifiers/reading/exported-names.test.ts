import { expect, it } from "vitest";
import { yardsticksOf } from "../../../test/support/yardstick.ts";
import { exportedNames } from "./exported-names.ts";

it.each([
  [
    "a.ts",
    'export const a = 1;\nexport async function b() {}\nexport default class C {}\nexport { d, e as f } from "./d";\nexport type { T };\nexport * from "./g";\nexport * as ns from "./h";\n// export const no = 1;\n/* export const\nexport const neither = 2; */\nconst inner = 3;\n  export interface I {}\n',
    ["a", "b", "I", "d", "f", "T", "ns", "* of ./g", "default"],
  ],
  ["a.cjs", "exports.a = 1;\nmodule.exports.b = 2;\n", ["a", "b"]],
  ["a.js", "module.exports = { a, b: 2, async c() {} };\n", ["a", "b", "c"]],
  [
    "a.py",
    "__all__ = ['x', \"y\"]\ndef f():\n    def inner(): pass\nasync def g(): pass\nclass K: pass\ndef _hidden(): pass\n# def no(): pass\n",
    ["f", "g", "K", "x", "y"],
  ],
  [
    "a.go",
    "package a\nfunc Do() {}\nfunc no() {}\nfunc (s *Server) Run() {}\ntype Server struct{}\nconst (\n\tOne = 1\n\ttwo = 2\n)\n",
    ["Do", "Server", "One", "Server.Run"],
  ],
  [
    "a.rs",
    "pub fn a() {}\nfn no() {}\npub(crate) fn neither() {}\npub async fn b() {}\npub struct S;\npub const N: u8 = 1;\npub use crate::x::Y;\n",
    ["a", "b", "S", "N", "use crate::x::Y"],
  ],
  [
    "A.java",
    "public class A {\n  public static final int N = 1;\n  public int get(int x) { return x; }\n  private void no() {}\n}\n",
    ["A", "get()", "N"],
  ],
])("finds what %s gives to others", (path, text, names) => {
  expect([...(exportedNames(path, text) ?? [])].sort()).toEqual([...names].sort());
});

it("knows nothing of other languages", () => {
  expect([exportedNames("a.txt", "export const a = 1;"), exportedNames("constructor", ""), exportedNames("x.constructor", "")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it.each([
  "/*",
  "export {\n",
  "public a ",
  "public \n",
  "const (\n",
  "__all__ = [\n",
  "module.exports = {\n",
  "pub use \n",
  "\n",
  "export const ",
  "func (a ",
])("takes no long time over a text full of %j", (piece) => {
  const text = piece.repeat(Math.floor((512 * 1024) / piece.length));
  const readAll = (): void => ["a.ts", "a.py", "a.go", "a.rs", "a.java"].forEach((path) => void exportedNames(path, text));

  expect(yardsticksOf(readAll, 500)).toBeLessThan(500);
});
