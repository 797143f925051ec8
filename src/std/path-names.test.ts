import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isGitName, isLoopwrightName, readNames } from "./path-names.ts";

describe("a path of somebody else's", () => {
  it("is the names it is made of", () => {
    expect(readNames("./src/a b/ü.ts")).toEqual({ kind: "names", names: ["src", "a b", "ü.ts"] });
    expect(readNames("...dots/..hidden")).toEqual({ kind: "names", names: ["...dots", "..hidden"] });
  });

  it.each([
    "",
    "/etc/passwd",
    "//a",
    "~/x",
    "~root/x",
    "..",
    "a/../b",
    "a/..",
    "a//b",
    "a/",
    "a/./b",
    "a\\b",
    "..\\b",
    "C:/x",
    "c:x",
    "a\0b",
    "a\nb",
    "\ud800",
    "x".repeat(300),
    `${"a/".repeat(80)}b`,
    "a/".repeat(600),
  ])("is refused: %j", (path) => {
    expect(readNames(path)).toMatchObject({ kind: "refused", why: expect.stringMatching(/./) });
  });

  it("never has a name that goes up, stays or separates", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("..", ".", "", "a", "~", "/", "\\", ".git", "C:", "\0", "b c"), { maxLength: 6 }), (pieces) => {
        const reading = readNames(pieces.join("/"));
        if (reading.kind === "refused") return;
        for (const name of reading.names) expect(name === ".." || name === "." || name === "" || /[/\\\0]/.test(name)).toBe(false);
      }),
    );
  });
});

describe("a name", () => {
  it.each([
    ".git",
    ".GIT",
    ".Git",
    ".git.",
    ".git ",
    ".git. .",
    ".git::$INDEX_ALLOCATION",
    ".git:stream",
    "git~1",
    "GIT~2",
    ".g\u200cit",
    ".git\u200d",
    "\u200e.git",
    ".g\ufeffit",
    ".g\u2064it",
    ".g\u00adit",
    "．git",
    ".ｇｉｔ",
    ".gıt",
  ])("that some file system takes for .git: %j", (name) => {
    expect(isGitName(name)).toBe(true);
  });

  it.each([".gitignore", ".github", "git", "x.git", "agit~1", ".gi", "..git", ".gitmodules"])("that is its own: %j", (name) => {
    expect(isGitName(name)).toBe(false);
  });

  it.each([[".loopwright"], [".Loopwright"], [".loopwright."], [".loop\u200bwright"]])("of the loop's own folder: %j", (name) => {
    expect(isLoopwrightName(name)).toBe(true);
  });
});
