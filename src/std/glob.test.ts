import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { yardsticksOf } from "../../test/support/yardstick.ts";
import { compileAllowing, compileGlobs, globProblem } from "./glob.ts";

describe("compileAllowing", () => {
  it("allows only in the case that was written, and nothing that is too long to be looked at", () => {
    const isAllowed = compileAllowing(["docs/**", "*.md"]);

    expect(["docs/a.md", "README.md", "DOCS/a.md", "readme.MD", `docs/${"x".repeat(300)}`, "src/a.md"].map(isAllowed)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it("never allows what the same globs would not deny", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "B", "*", "**", "a*", "[ab]"), { minLength: 1, maxLength: 4 }),
        fc.string(),
        (parts, path) => {
          const glob = parts.join("/");

          expect(compileAllowing([glob])(path) && !compileGlobs([glob])(path)).toBe(false);
        },
      ),
    );
  });
});

describe("compileGlobs", () => {
  it.each([
    ["test/**", "test/a/b.ts"],
    ["test/**", "test"],
    ["test/**", "TEST/A.ts"],
    ["test", "test/deep/inside.ts"],
    ["test/", "test/deep/inside.ts"],
    ["./test/**", "test/a"],
    ["a//b", "a/b"],
    ["**/*.test.*", "x.test.ts"],
    ["**/*.test.*", "a/b/x.test.ts"],
    ["a/**/b", "a/b"],
    ["a/**/b", "a/x/y/b"],
    ["{src,lib}/*.{ts,js}", "lib/x.js"],
    [".env*", ".env.local"],
    ["**", ".git/config"],
    ["**", "line\nbreak"],
    ["[!a].txt", "b.txt"],
    ["app/(auth)/**", "app/(auth)/page.tsx"],
    ["app/\\[id\\]", "app/[id]/page.tsx"],
    ["a+b|c", "a+b|c"],
    ["caf\u00e9", "cafe\u0301"],
  ])("lets %s name %j", (pattern, path) => {
    expect(compileGlobs([pattern])(path)).toBe(true);
  });

  it.each([
    ["test/**", "src/test.ts"],
    ["test", "tests/a"],
    ["*.md", "docs/a.md"],
    ["*", "a/b"],
    ["a.b", "axb"],
    ["a\\*b", "axb"],
    ["[!a].txt", "a.txt"],
    ["a/**/b", "a/x/c"],
    ["app/(auth)/**", "app/auth/page.tsx"],
  ])("does not let %s name %j", (pattern, path) => {
    expect(compileGlobs([pattern])(path)).toBe(false);
  });

  it("names nothing when there are no patterns", () => {
    expect(["a", "x".repeat(5000)].map(compileGlobs([]))).toEqual([false, false]);
  });

  it("names every path that is too long to be looked at", () => {
    expect(["x".repeat(256), "a/".repeat(3000)].map(compileGlobs(["test/**"]))).toEqual([true, true]);
  });

  it("throws on a pattern that was not checked", () => {
    expect(() => compileGlobs(["ok", "../x"])).toThrow('the glob "../x" leads out of the repository with its two dots');
  });

  it.each([
    ["**/*a*a*b", `${`${"a".repeat(250)}/`.repeat(16)}c`],
    ["**/*a*a*b/".repeat(49), `${`${"a".repeat(250)}/`.repeat(16)}c`],
    [`${"**/a/".repeat(99)}b*`, `${"a/".repeat(2040)}c`],
    [`${"{a,aa}".repeat(6)}b`, "a".repeat(255)],
  ])("answers in bounded time for %.20s", (pattern, path) => {
    expect(compileGlobs([pattern])(path)).toBe(false);
    expect(yardsticksOf(() => compileGlobs([pattern])(path), 100)).toBeLessThan(100);
  });
});

describe("globProblem", () => {
  it.each([
    ["", "is empty"],
    ["  ", "is empty"],
    ["a".repeat(501), "is longer than 500 characters"],
    ["a\u0000b", "contains control characters"],
    ["a\nb", "contains control characters"],
    ["/etc/passwd", "is absolute: it must start inside the repository"],
    ["~/x", "is absolute: it must start inside the repository"],
    ["C:\\x", "is absolute: it must start inside the repository"],
    ["../x", "leads out of the repository with its two dots"],
    ["a/../b", "leads out of the repository with its two dots"],
    ["{..,a}/x", "leads out of the repository with its two dots"],
    ["./", "names nothing"],
    ["!src/**", "begins with !, and there are no exceptions"],
    ["@(a|b)", "uses an extended form such as @(a|b): write {a,b}"],
    ["+(a|aa)b", "uses an extended form such as @(a|b): write {a,b}"],
    ["{a,{b,c}}", "has braces that are nested or not closed: write one glob for each case"],
    ["a{b", "has braces that are nested or not closed: write one glob for each case"],
    ["{1..9}", "has braces that are not of the form {a,b}"],
    ["{a,aa}".repeat(80), "stands for more than 100 globs: write fewer braces"],
    ["src/**.ts", "has ** beside other letters: write **/ before them"],
    ["*a*a*a*b", "has more than 3 stars between two slashes"],
    ["[z-a]", "does not compile: put \\ before brackets that are part of a name"],
    ["a[", "does not compile: put \\ before brackets that are part of a name"],
    ["a\\", "does not compile: put \\ before brackets that are part of a name"],
  ])("says what is wrong with %.30j", (pattern, problem) => {
    expect(globProblem(pattern)).toBe(problem);
  });

  it.each(["test/**", "**/*.test.{ts,tsx}", ".github/workflows/*", "a..b", "dots...", "package.json", "[a-z]?/x"])(
    "finds nothing wrong with %s",
    (pattern) => {
      expect(globProblem(pattern)).toBeUndefined();
    },
  );

  it("answers for any text, and what it lets through compiles and answers for any path", () => {
    const nasty = fc.array(
      fc.constantFrom("*", "**", "/", "{", ",", "}", "[", "]", "!", "^", "(", "|", ")", "+", "?", "\\", ".", "a", "-", '"', "é"),
      { maxLength: 12 },
    );

    fc.assert(
      fc.property(
        fc.oneof(
          nasty.map((all) => all.join("")),
          fc.string(),
        ),
        fc.string(),
        (pattern, path) => {
          if (globProblem(pattern) !== undefined) return;
          expect(typeof compileGlobs([pattern])(path)).toBe("boolean");
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("lets every plain path name itself", () => {
    const name = fc
      .string({ minLength: 1, maxLength: 8 })
      .filter((text) => /^[^/*?[\]{}\\!~\0-\x1f\x7f]+$/.test(text) && !/^\.{1,2}$/.test(text) && text.trim() !== "" && !text.includes("("));
    const path = fc
      .array(name, { minLength: 1, maxLength: 4 })
      .map((names) => names.join("/"))
      .filter((text) => !/^[a-z]:/i.test(text));

    fc.assert(
      fc.property(path, (text) => {
        const [last, inFolder, longer] = [compileGlobs([text]), compileGlobs([`${text}/*`]), compileGlobs([`?${text}*`])];

        expect([globProblem(text), last(text), inFolder(`${text}/x`), longer(`x${text}`)]).toEqual([undefined, true, true, true]);
      }),
      { numRuns: 1000 },
    );
  });
});
