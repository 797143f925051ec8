import { describe, expect, it } from "vitest";
import { yardsticksOf } from "../../../test/support/yardstick.ts";
import { maskCode } from "./mask-code.ts";
import { mutantsOf, withMutant } from "./mutants.ts";

const madeOf = (path: string, line: string) => mutantsOf(path, `first\n${line}\nlast`, [2]).map(({ what, result }) => `${what}: ${result}`);

describe("in scripts", () => {
  it.each([
    ["return a === b;", ["=== becomes !==: return a !== b;", "nothing is returned: return undefined;"]],
    [
      "if (a < 10 && ok) run();",
      [
        "< becomes <=: if (a <= 10 && ok) run();",
        "&& becomes ||: if (a < 10 || ok) run();",
        "10 becomes 11: if (a < 11 && ok) run();",
        "the condition is negated: if (!(a < 10 && ok)) run();",
      ],
    ],
    ["const x = a + b;", ["+ becomes -: const x = a - b;"]],
    ["  this.total += n;", ["+= becomes -=:   this.total -= n;", "the statement is left out:   ;"]],
    ["let done = true;", ["true becomes false: let done = false;"]],
    ["  save(user, 'x === y');", ["the statement is left out:   ;"]],
    ["const f = (a: Map<string, number>) => a;", []],
    ['import { a } from "b"; // a === b', []],
    ["// a === b", []],
    ["  const text = 'a === b && 1';", []],
    ["return undefined;", []],
    ["return [", []],
    ["", []],
  ])("%j", (line, mutants) => {
    expect(madeOf("a.ts", line)).toEqual(mutants);
  });
});

describe("in Python", () => {
  it.each([
    ["    return a == b", ["== becomes !=:     return a != b", "nothing is returned:     return None"]],
    [
      "    if a > 1 and b:",
      [
        "> becomes >=:     if a >= 1 and b:",
        "1 becomes 2:     if a > 2 and b:",
        "and becomes or:     if a > 1 or b:",
        "the condition is negated:     if not (a > 1 and b):",
      ],
    ],
    ["    x = True", ["True becomes False:     x = False", "the statement is left out:     pass"]],
    ["# x = True", []],
    ["from a import b", []],
  ])("%j", (line, mutants) => {
    expect(madeOf("a.py", line)).toEqual(mutants);
  });
});

it("leaves alone what only the compiler would notice in other languages", () => {
  expect(madeOf("a.go", "\treturn a + 1")).toEqual(["+ becomes -: \treturn a - 1", "1 becomes 2: \treturn a + 2"]);
  expect(madeOf("a.rs", "    let x: &'a str = f('=', b);")).toEqual([]);
  expect(madeOf("README.md", "a === b")).toEqual([]);
});

it("keeps the rest of the file byte for byte", () => {
  const text = "a\r\nb = c + d;\r\ne";

  expect(mutantsOf("a.js", text, [2]).map((mutant) => withMutant(text, mutant))).toEqual(["a\r\nb = c - d;\r\ne", "a\r\n;\r\ne"]);
});

it("knows comments and strings that go over lines", () => {
  const text = "/* a\n x === y\n*/\nconst t = `\n x === y\n`;\n";

  expect(mutantsOf("a.js", text, [1, 2, 3, 4, 5, 6])).toEqual([]);
  expect(maskCode('"""\nx == y\n"""\nz == 1', "python").replaceAll("\u0000", "_")).toBe("___\n______\n___\nz == 1");
});

it.each(["/*", '"', "`", "'''", "if (\n", "return (\n", "a(\n", "\n"])("takes no long time over a text full of %j", (piece) => {
  const text = piece.repeat(Math.floor((512 * 1024) / piece.length));
  const readAll = (): void => ["a.ts", "a.py", "a.go", "a.rs", "a.java"].forEach((path) => void mutantsOf(path, text, [1, 2, 3]));

  expect(yardsticksOf(readAll, 500)).toBeLessThan(500);
});
