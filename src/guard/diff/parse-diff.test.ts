import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createYard, type TestRepo } from "../../../test/support/git-repo.ts";
import { tries } from "../../../test/support/tries.ts";
import type { ChangedFile } from "../../contract/change-set.ts";
import { parseDiff } from "./parse-diff.ts";

const { newRepo, clear } = createYard();
afterEach(clear);

const diff = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;
const whys = (text: string): readonly string[] => parseDiff(text).blind.map(({ why }) => why);
const HEAD = ["diff --git a/src/a.js b/src/a.js", "index 1111111..2222222 100644", "--- a/src/a.js", "+++ b/src/a.js"];
const CHANGE = [...HEAD, "@@ -3,3 +3,3 @@ function f() {", " one", "-two", "+2", " three"];

describe("a diff that is understood", () => {
  it("gives both sides in pieces, and every line with its numbers", () => {
    expect(parseDiff(diff(...CHANGE))).toEqual({
      files: [
        {
          path: "src/a.js",
          oldPath: undefined,
          before: { mode: "100644", content: { kind: "text", pieces: [{ line: 3, text: "one\ntwo\nthree" }] } },
          after: { mode: "100644", content: { kind: "text", pieces: [{ line: 3, text: "one\n2\nthree" }] } },
          hunks: [
            {
              lines: [
                { kind: "same", text: "one", before: 3, after: 3 },
                { kind: "removed", text: "two", before: 4, after: 4 },
                { kind: "added", text: "2", before: 5, after: 4 },
                { kind: "same", text: "three", before: 5, after: 5 },
              ],
            },
          ],
          scope: "hunks",
        },
      ],
      blind: [],
    });
  });

  it("knows a new file to its last line", () => {
    const text = diff(
      "diff --git a/x b/x",
      "new file mode 100755",
      "index 0000000..1",
      "--- /dev/null",
      "+++ b/x",
      "@@ -0,0 +1,2 @@",
      "+a",
      "+b",
    );

    expect(parseDiff(text.replace("0000000..1", "0000000..1111111"))).toEqual({
      files: [
        {
          path: "x",
          oldPath: undefined,
          before: undefined,
          after: { mode: "100755", content: { kind: "text", pieces: [{ line: 1, text: "a\nb" }] } },
          hunks: [
            {
              lines: [
                { kind: "added", text: "a", before: 1, after: 1 },
                { kind: "added", text: "b", before: 1, after: 2 },
              ],
            },
          ],
          scope: "whole",
        },
      ],
      blind: [],
    });
  });

  it("knows a deleted file, an empty one, a new mode, a rename and a binary", () => {
    const { files, blind } = parseDiff(
      diff(
        ...[
          "diff --git a/gone b/gone",
          "deleted file mode 100644",
          "index 1111111..0000000",
          "--- a/gone",
          "+++ /dev/null",
          "@@ -1 +0,0 @@",
          "-a",
        ],
        ...["diff --git a/empty b/empty", "new file mode 100644", "index 0000000..e69de29"],
        ...["diff --git a/tool b/tool", "old mode 100644", "new mode 100755"],
        ...["diff --git a/old name b/new name", "similarity index 100%", "rename from old name", "rename to new name"],
        ...["diff --git a/p.png b/p.png", "index 1111111..2222222 100644", "Binary files a/p.png and b/p.png differ"],
        ...[
          "diff --git a/q b/q",
          "index 1111111..2222222 100644",
          "GIT binary patch",
          "literal 3",
          "KcmZQzWME(b0ssI2",
          "",
          "literal 3",
          "KcmZQzWME(b0ssI2",
          "",
        ],
      ),
    );

    expect(blind).toEqual([]);
    const empty = { kind: "text", pieces: [] };
    expect(files.map(({ path, oldPath, before, after, scope }) => ({ path, oldPath, before, after, scope }))).toEqual([
      {
        path: "gone",
        oldPath: undefined,
        before: { mode: "100644", content: { kind: "text", pieces: [{ line: 1, text: "a" }] } },
        after: undefined,
        scope: "whole",
      },
      { path: "empty", oldPath: undefined, before: undefined, after: { mode: "100644", content: empty }, scope: "whole" },
      {
        path: "tool",
        oldPath: undefined,
        before: { mode: "100644", content: empty },
        after: { mode: "100755", content: empty },
        scope: "hunks",
      },
      {
        path: "new name",
        oldPath: "old name",
        before: { mode: undefined, content: empty },
        after: { mode: undefined, content: empty },
        scope: "hunks",
      },
      {
        path: "p.png",
        oldPath: undefined,
        before: { mode: "100644", content: { kind: "binary" } },
        after: { mode: "100644", content: { kind: "binary" } },
        scope: "hunks",
      },
      {
        path: "q",
        oldPath: undefined,
        before: { mode: "100644", content: { kind: "binary" } },
        after: { mode: "100644", content: { kind: "binary" } },
        scope: "hunks",
      },
    ]);
  });

  it("knows where a link leads and which commit a submodule is at", () => {
    const { files, blind } = parseDiff(
      diff(
        ...[
          "diff --git a/l b/l",
          "new file mode 120000",
          "index 0000000..1111111",
          "--- /dev/null",
          "+++ b/l",
          "@@ -0,0 +1 @@",
          "+../x",
          "\\ No newline at end of file",
        ],
        ...[
          "diff --git a/s b/s",
          "index 1111111..2222222 160000",
          "--- a/s",
          "+++ b/s",
          "@@ -1 +1 @@",
          `-Subproject commit ${"1".repeat(40)}`,
          `+Subproject commit ${"2".repeat(40)}`,
        ],
      ),
    );

    expect(blind).toEqual([]);
    expect(files.map(({ before, after }) => [before?.content, after?.content])).toEqual([
      [undefined, { kind: "link", target: "../x" }],
      [
        { kind: "submodule", commit: "1".repeat(40) },
        { kind: "submodule", commit: "2".repeat(40) },
      ],
    ]);
  });

  it("takes a copy for a new file, from which nothing was removed", () => {
    const { files, blind } = parseDiff(
      diff(
        ...["diff --git a/one b/two", "similarity index 90%", "copy from one", "copy to two", "index 1111111..2222222 100644"],
        ...["--- a/one", "+++ b/two", "@@ -1,2 +1,2 @@", " a", "-b", "+c"],
      ),
    );

    expect(blind).toEqual([]);
    expect(files.map(({ path, oldPath, before }) => ({ path, oldPath, before }))).toEqual([
      { path: "two", oldPath: undefined, before: undefined },
    ]);
    expect(files[0]!.hunks[0]!.lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual(["added a", "added c"]);
  });

  it("counts lines, so that no content can pass for a header", () => {
    const { files, blind } = parseDiff(
      diff(...HEAD, "@@ -1,4 +1,4 @@", "--- a/x", "+++ b/x", "-@@ -1 +1 @@", "+diff --git a/y b/y", " diff --git a/z b/z", "--- ", "+-- "),
    );

    expect(blind).toEqual([]);
    expect(files.map(({ path, hunks }) => [path, hunks.flatMap(({ lines }) => lines).map(({ text }) => text)])).toEqual([
      ["src/a.js", ["-- a/x", "++ b/x", "@@ -1 +1 @@", "diff --git a/y b/y", "diff --git a/z b/z", "-- ", "-- "]],
    ]);
  });

  it.each([
    [
      "git's own quoting",
      '"a/\\303\\244 \\"q\\"\\n.txt" "b/\\303\\244 \\"q\\"\\n.txt"',
      '"a/\\303\\244 \\"q\\"\\n.txt"',
      '"b/\\303\\244 \\"q\\"\\n.txt"',
      'ä "q"\n.txt',
    ],
    ["bytes that are no UTF-8", '"a/\\377" "b/\\377"', '"a/\\377"', '"b/\\377"', "ÿ"],
    ["blanks", "a/x b/x b/x b/x", "a/x b/x\t", "b/x b/x\t", "x b/x"],
    ["no prefix", "a/x a/x", "a/x", "a/x", "a/x"],
    ["mnemonic prefixes", "i/x w/x", "i/x", "w/x", "x"],
    ["prefixes of one's own", "old/x new/x", "old/x", "new/x", "x"],
  ])("reads names with %s", (_what, inHead, before, after, path) => {
    const { files, blind } = parseDiff(
      diff(`diff --git ${inHead}`, "index 1111111..2222222 100644", `--- ${before}`, `+++ ${after}`, "@@ -1 +1 @@", "-a", "+b"),
    );

    expect(blind).toEqual([]);
    expect(files.map((file) => [file.path, file.oldPath])).toEqual([[path, undefined]]);
  });

  it("reads plain diffs with times, folders and command lines", () => {
    const { files, blind } = parseDiff(
      diff(
        ...[
          "diff -ru orig/a.py new/a.py",
          "--- orig/a.py\t2024-01-01 00:00:00.0 +0000",
          "+++ new/a.py\t2024-01-02 00:00:00.0 +0000",
          "@@ -1 +1 @@",
          "-a",
          "+b",
        ],
        ...["Index: b.py", "=".repeat(67), "--- b.py\t(revision 1)", "+++ b.py\t(working copy)", "@@ -1 +1 @@", "-a", "+b"],
        ...["--- c.py.orig", "+++ c.py", "@@ -1 +1 @@", "-a", "+b", "--- /dev/null", "+++ b/d.py", "@@ -0,0 +1 @@", "+a"],
      ),
    );

    expect(blind).toEqual([]);
    expect(files.map(({ path, oldPath }) => [path, oldPath])).toEqual([
      ["a.py", undefined],
      ["b.py", undefined],
      ["c.py", undefined],
      ["d.py", undefined],
    ]);
  });

  it("reads mailed patches and logs, one after the other, and keeps a file that comes twice", () => {
    const mail = [
      `From ${"1".repeat(40)} Mon Sep 17 00:00:00 2001`,
      "From: Ada <ada@example.com>",
      "Subject: [PATCH] x",
      "",
      "- a list",
      "+ of things",
      "---",
      " src/a.js | 2 +-",
    ];
    const log = [`commit ${"2".repeat(40)}`, "Author: Ada", "", "    - a list", ""];

    const { files, blind } = parseDiff(
      diff(...mail, "", ...CHANGE, "-- ", "2.40.0", "", ...mail, "", ...CHANGE, "-- ", "2.40.0", "", ...log, ...CHANGE),
    );

    expect(blind).toEqual([]);
    expect(files.map(({ path }) => path)).toEqual(["src/a.js", "src/a.js", "src/a.js"]);
  });

  it("does not care for carriage returns, lost blanks and a missing last line end", () => {
    const text = [...HEAD, "@@ -1,3 +1,3 @@", " a", "", "-b", "+c", "\\ No newline at end of file"].join("\r\n");

    const { files, blind } = parseDiff(text);

    expect(blind).toEqual([]);
    expect(files[0]!.hunks[0]!.lines.map(({ text }) => text)).toEqual(["a", "", "b", "c"]);
  });

  it("finds nothing in nothing", () => expect(parseDiff(" \n")).toEqual({ files: [], blind: [] }));
});

describe("what is not understood is said", () => {
  it.each([
    ["a hunk that ends too early", [...CHANGE.slice(0, -1)], ["the diff ends inside a hunk (line 8 of the diff)"]],
    [
      "a hunk with too few lines",
      [...CHANGE.slice(0, -1), ...CHANGE],
      ["a hunk has other lines than its header counts (line 9 of the diff)"],
    ],
    ["a hunk with too many lines", [...CHANGE, "+four"], ["a hunk has more lines than its header counts (line 10 of the diff)"]],
    ["a hunk header that makes no sense", [...CHANGE, "@@ nonsense @@"], ["a hunk header cannot be read (line 10 of the diff)"]],
    ["hunks over each other", [...CHANGE, "@@ -4 +4 @@", "-x", "+y"], ["a hunk begins before the one above it ends (line 10 of the diff)"]],
    ["text between files", [...CHANGE, "oops", ...CHANGE], ["there is text between files that is no part of a diff (line 10 of the diff)"]],
    ["a hunk without a file", ["@@ -1 +1 @@", "-a", "+b"], ["a hunk belongs to no file (line 1 of the diff)"]],
    ["lines without a hunk", ["+a"], ["changed lines stand outside of every hunk (line 1 of the diff)"]],
    ["a text that is no diff", ["hello"], ["there is no diff in this text (line 1 of the diff)"]],
    [
      "names that disagree",
      ["diff --git a/x b/x", "--- a/y", "+++ b/y", "@@ -1 +1 @@", "-a", "+b"],
      ["the names in the head of a file do not agree (line 1 of the diff)"],
    ],
    ["a head without names", ["diff --git", "--- a/y", "--- b"], ["changed lines stand outside of every hunk (line 2 of the diff)"]],
    [
      "a head without hunks",
      ["diff --git a/x b/x", "index 1111111..2222222 100644"],
      ["the file is said to have changed, but its lines are not shown (line 1 of the diff)"],
    ],
    [
      "a path that leads out",
      ["--- a/../x", "+++ b/../x", "@@ -1 +1 @@", "-a", "+b"],
      ["a name leads out of the repository (line 1 of the diff)"],
    ],
    [
      "an absolute path",
      ["--- /tmp/x", "+++ /tmp/x", "@@ -1 +1 @@", "-a", "+b"],
      ["a name leads out of the repository (line 1 of the diff)"],
    ],
    [
      "a merge against several parents",
      ["diff --cc x", "index 1,2..3", "--- a/x", "+++ b/x", "@@@ -1,1 -1,1 +1,1 @@@", "- a", " +b"],
      ["a merge is shown against several parents at once, which cannot be told apart (line 1 of the diff)"],
    ],
    [
      "a new file with old lines",
      ["diff --git a/x b/x", "new file mode 100644", "--- /dev/null", "+++ b/x", "@@ -1 +1 @@", "-a", "+b"],
      ["the file is said to be new and yet has old lines (line 1 of the diff)"],
    ],
    [
      "a file that is new in one line only",
      ["diff --git a/x b/x", "new file mode 100644", "--- a/x", "+++ b/x", "@@ -0,0 +1 @@", "+b"],
      ["it is not clear whether the file is new (line 1 of the diff)"],
    ],
    ["a NUL", [...HEAD, "@@ -1 +1 @@", "-a", "+b\0"], ["there is a NUL in what should be text (line 7 of the diff)"]],
    [
      "a binary patch that is none",
      ["diff --git a/x b/x", "GIT binary patch", "literal 3", "+evil"],
      ["a binary patch cannot be read (line 4 of the diff)"],
    ],
    ["a file on one side only", ["Only in b: x.py"], ["a file is named that is on one side only, without its lines (line 1 of the diff)"]],
  ])("%s", (_what, lines, said) => {
    const { blind } = parseDiff(diff(...lines));

    expect(blind.map(({ why }) => why)).toEqual(said);
    expect(blind.every(({ line }) => line !== undefined)).toBe(true);
  });

  it("goes on with the next file, and keeps what it has read of the broken one", () => {
    const { files } = parseDiff(
      diff(...HEAD, "@@ -1,9 +1,9 @@", "-a", "+b", "nonsense", ...CHANGE.map((line) => line.replaceAll("a.js", "b.js"))),
    );

    expect(files.map(({ path, hunks }) => [path, hunks.flatMap(({ lines }) => lines).length])).toEqual([
      ["src/a.js", 2],
      ["src/b.js", 4],
    ]);
  });

  it("cuts lines without end, and says so where they may hold code", () => {
    const long = "x".repeat(1_000_000);
    const of = (path: string): string => diff(`--- a/${path}`, `+++ b/${path}`, "@@ -1 +1 @@", "-a", `+${long}`);

    expect(whys(of("src/a.js"))).toEqual(["a line is longer than 20000 characters and was not looked at to its end (line 5 of the diff)"]);
    expect(whys(of("data.csv"))).toEqual([]);
    expect(parseDiff(of("data.csv")).files[0]!.hunks[0]!.lines[1]!.text).toHaveLength(20_000);
  });

  it("stops at a million lines", () => {
    const count = 1_100_000;
    const text = `--- a/x\n+++ b/x\n@@ -0,0 +1,${count} @@\n${"+a\n".repeat(count)}`;

    const { blind } = parseDiff(text);

    expect(blind.map(({ why }) => why)).toEqual([
      "the diff ends inside a hunk (line 1000000 of the diff)",
      "the diff is too large: from here on nothing was looked at (line 1000001 of the diff)",
    ]);
  });
});

/** Lines that look like something else. */
const nasty = fc.constantFrom(
  "",
  "a",
  "b",
  "-- a/x",
  "++ b/x",
  "@@ -1,1 +1,1 @@",
  "diff --git a/x b/x",
  "\\ No newline",
  "index 1..2",
  "+",
  "tab\t",
  "é",
  "x\r",
);
const content = fc.array(nasty, { maxLength: 12 }).map((lines) => lines.map((line) => `${line}\n`).join(""));
const name = fc.constantFrom("x", "b.js", "a b", "ä", 'q"q', "new\nline", "tab\t", " lead", "b/b", "trail ");
const tree = fc.uniqueArray(
  fc.record({ name, before: fc.option(content, { nil: undefined }), after: fc.option(content, { nil: undefined }) }),
  {
    selector: ({ name }) => name,
    maxLength: 6,
  },
);
const OPTIONS = [
  ["-U3"],
  ["-U0"],
  ["--no-prefix"],
  ["-M"],
  ["-C", "--find-copies-harder"],
  ["--src-prefix=i/", "--dst-prefix=w/"],
  ["--binary", "--full-index"],
  ["-R"],
];

describe("what git prints", () => {
  it("is understood without doubt, and its hunks lead from one side to the other", () => {
    const repo = newRepo();
    fc.assert(
      fc.property(tree, fc.constantFrom(...OPTIONS), (files, options) => {
        const text = gitDiff(repo, files, options);

        const read = parseDiff(text);

        expect(read.blind).toEqual([]);
        const isBack = options.includes("-R");
        const [from, to] = isBack ? (["after", "before"] as const) : (["before", "after"] as const);
        const old = new Map(files.map((file) => [`d/${file.name}`, file[from]]));
        const now = new Map(files.map((file) => [`d/${file.name}`, file[to]]));
        for (const [path, text] of now) {
          const changed = read.files.find((file) => file.path === path && (file.after || text === undefined));
          if (text === undefined && read.files.some(({ oldPath }) => oldPath === path)) continue;
          if (!changed) expect(old.get(path)).toEqual(text);
          // A copy shows only pieces of the new file.
          else if (changed.before || changed.scope === "whole")
            expect(apply(changed, old.get(changed.oldPath ?? path))).toEqual(withoutReturns(text));
        }
      }),
      tries(15),
    );
  });
});

function gitDiff(
  repo: TestRepo,
  files: readonly { name: string; before: string | undefined; after: string | undefined }[],
  options: readonly string[],
): string {
  const bytesOf = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const commitOf = (side: "before" | "after"): string => {
    const entries = files.flatMap((file) => (file[side] === undefined ? [] : [[JSON.stringify(`d/${file.name}`), file[side]] as const]));
    const written = entries.map(([path, text]) => `M 100644 inline ${path}\n${bytesOf(text)}`).join("");
    return `commit refs/heads/${side}\ncommitter a <a@localhost> 0 +0000\n${bytesOf("")}deleteall\n${written}\n`;
  };
  const place = join(repo.dir, ".git", "made.diff");
  repo.feed(commitOf("before") + commitOf("after"), "fast-import", "--quiet", "--force");
  repo.git("diff", `--output=${place}`, ...options, "refs/heads/before", "refs/heads/after");
  return readFileSync(place, "utf8");
}

function apply({ hunks, after }: ChangedFile, before = ""): string | undefined {
  if (!after) return undefined;
  const old = before
    .split("\n")
    .slice(0, -1)
    .map((line) => line.replace(/\r$/, ""));
  const made: string[] = [];
  let at = 0;
  for (const { lines } of hunks) {
    const start = lines[0]!.before - 1;
    made.push(...old.slice(at, start));
    at = start;
    for (const { kind, text } of lines) {
      if (kind !== "added") expect(old[at++]).toBe(text);
      if (kind !== "removed") made.push(text);
    }
  }
  return [...made, ...old.slice(at)].map((line) => `${line}\n`).join("");
}

const withoutReturns = (text: string | undefined): string | undefined => text?.replaceAll("\r\n", "\n");

describe("a diff that somebody damaged", () => {
  const printed = fc
    .array(
      fc.tuple(
        fc.constantFrom("a.js", "b/c.py", "d e.go"),
        fc.array(fc.tuple(fc.constantFrom(" ", "-", "+"), nasty), { minLength: 1, maxLength: 9 }),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((files) => files.flatMap(([path, lines]) => print(path, lines)));
  const damage = fc.oneof(
    fc.record({ do: fc.constant("drop" as const), at: fc.nat() }),
    fc.record({ do: fc.constant("double" as const), at: fc.nat() }),
    fc.record({ do: fc.constant("end" as const), at: fc.nat() }),
    fc.record({ do: fc.constant("garble" as const), at: fc.nat(), by: nasty }),
    fc.record({
      do: fc.constant("insert" as const),
      at: fc.nat(),
      by: fc.oneof(
        nasty,
        fc.constantFrom(
          "-evil",
          "+evil",
          " evil",
          "@@ -1 +1 @@",
          "--- a/x",
          "+++ b/x",
          "Binary files a and b differ",
          "new file mode 100644",
        ),
      ),
    }),
    fc.record({ do: fc.constant("swap" as const), at: fc.nat() }),
  );

  it("never throws, and never passes for whole while a changed line is lost", () => {
    fc.assert(
      fc.property(printed, fc.array(damage, { maxLength: 4 }), (lines, damages) => {
        const text = damages.reduce(hurt, lines).join("\n");

        const { files, blind } = parseDiff(text);

        if (blind.length > 0) return;
        const kept = files.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines)).filter(({ kind }) => kind !== "same").length;
        const heads = 2 * files.filter(({ hunks }) => hunks.length > 0).length;
        expect(kept + heads).toBe(text.split("\n").filter((line) => /^[-+]/.test(line)).length);
      }),
      tries(500),
    );
  });

  it("never throws on a text of any kind", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => void parseDiff(text)));
    fc.assert(fc.property(fc.array(nasty, { maxLength: 30 }), (lines) => void parseDiff(lines.join("\n"))));
  });

  type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

  function hurt(lines: readonly string[], how: Damage): readonly string[] {
    if (lines.length === 0) return lines;
    const at = how.at % lines.length;
    switch (how.do) {
      case "drop":
        return lines.toSpliced(at, 1);
      case "double":
        return lines.toSpliced(at, 0, lines[at]!);
      case "end":
        return lines.slice(0, at);
      case "garble":
        return lines.with(at, how.by);
      case "insert":
        return lines.toSpliced(at, 0, how.by);
      case "swap":
        return lines.with(at, lines[(at + 1) % lines.length]!).with((at + 1) % lines.length, lines[at]!);
    }
  }

  function print(path: string, lines: readonly (readonly [string, string])[]): readonly string[] {
    const count = (other: string): number => lines.filter(([mark]) => mark !== other).length;
    const head = [`diff --git a/${path} b/${path}`, "index 1111111..2222222 100644", `--- a/${path}`, `+++ b/${path}`];
    return [...head, `@@ -1,${count("+")} +1,${count("-")} @@`, ...lines.map(([mark, text]) => `${mark}${text}`)];
  }
});
