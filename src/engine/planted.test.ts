import { describe, expect, it } from "vitest";
import { neutralOf, suspectsOf, weighPlant } from "./planted.ts";

const ran = (read: readonly string[], outcomes = "same") => ({ read: new Set(read), outcomes });

describe("new files on base", () => {
  it("are suspected when they are read, or when the tests end otherwise though none is", () => {
    const added = ["src/round", "docs/a.md"];

    expect([
      suspectsOf(added, ran(["src/round"]), { outcomes: "same" }),
      suspectsOf(added, ran([]), { outcomes: "same" }),
      suspectsOf(added, ran([], "other"), { outcomes: "same" }),
      suspectsOf(added, ran([], "other"), {}),
    ]).toEqual([["src/round"], [], added, []]);
  });

  it("shadow what is no longer read, and are dropped", () => {
    const { found, findings } = weighPlant(
      [{ path: "src/round", neutral: "src/n1", standing: "product" }],
      ran(["src/round", "test/a.test.js"]),
      ran(["src/round.js", "test/a.test.js"]),
    );

    expect([found, findings.map(({ rule, severity, where }) => [rule, severity, where])]).toEqual([
      ["src/round"],
      [["shadows-file", "high", "src/round is read in the place of src/round.js"]],
    ]);
  });

  it("decide how work is checked when they are found by their names, and nothing had to give way", () => {
    const { found, findings } = weighPlant(
      [{ path: "tests/helper/index.js", neutral: "tests/n1/index.js", standing: "other" }],
      ran(["tests/helper/index.js"]),
      ran([]),
    );

    expect([found, findings.map(({ rule, severity }) => [rule, severity])]).toEqual([
      ["tests/helper/index.js"],
      [["decides-checks", "medium"]],
    ]);
  });

  it("are source where their folder is read as a whole", () => {
    expect(
      weighPlant([{ path: "cmd/new.go", neutral: "cmd/n1.go", standing: "product" }], ran(["cmd/new.go"]), ran(["cmd/n1.go"])),
    ).toEqual({
      found: [],
      findings: [],
    });
  });

  it("are source where base's tests ask for them, or nobody can tell what is source", () => {
    const asked = { path: "src/slug.js", neutral: "src/n1.js", standing: "product" } as const;
    const unknown = { path: "slug.js", neutral: "n1.js", standing: "unknown" } as const;

    expect(weighPlant([asked, unknown], ran(["src/slug.js", "slug.js"], "green"), ran([], "red"))).toEqual({ found: [], findings: [] });
  });

  it("are dropped where they are not read and yet the tests end otherwise, which a neutral file does not do", () => {
    const one = { path: "settings.local", neutral: "n1.local", standing: "other" } as const;

    expect([weighPlant([one], ran([], "other"), ran([])).found, weighPlant([one], ran([], "other"), ran([], "other")).found]).toEqual([
      ["settings.local"],
      [],
    ]);
  });
});

it("lays a neutral file into the same folder with the same ending, or into a new one beside what is there", () => {
  const folders = new Set(["src"]);

  expect(
    [
      ["src/round", ""],
      ["src/.npmrc", ""],
      [".env.test", "A=1"],
      ["decimal.py", "import x"],
      ["src/package.json", "{}"],
      ["shop/__init__.py", "x"],
      ["src/a/b/new.go", "// Text.\npackage b\n\nfunc F() {}\n"],
    ].map(([path, text]) => Object.values(neutralOf(path!, text!, "n1", folders))),
  ).toEqual([
    ["src/n1", ""],
    ["src/.n1", ""],
    [".n1.test", ""],
    ["n1.py", ""],
    ["src/n1.json", "{}\n"],
    ["n1/__init__.py", ""],
    ["src/n1/b/new.go", "package b\n"],
  ]);
});
