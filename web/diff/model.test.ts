import fc from "fast-check";
import { expect, it } from "vitest";
import { colourLines } from "./colour.ts";
import { emphasisOf } from "./emphasis.ts";
import { looseNotes, pairedRows, readDiff, unifiedRows } from "./model.ts";
import { segmentsOf } from "./segments.ts";

const DIFF = `diff --git a/src/total.js b/src/total.js
index 1111111..2222222 100644
--- a/src/total.js
+++ b/src/total.js
@@ -4,4 +4,5 @@ export
 export function total(basket) {
-  const sum = basket.map(lineOf);
-  return sum;
+  const sum = basket.reduce(lineOf);
+  if (!sum) return 0;
+  return sum;
 }
@@ -90,2 +91,1 @@
 end
---- a/not-a-header
`;

it("numbers the lines of both sides, and takes no content for a header", () => {
  const [file] = readDiff(DIFF);

  expect(file).toEqual({
    path: "src/total.js",
    from: undefined,
    how: "changed",
    added: 3,
    removed: 3,
    hunks: [
      {
        oldStart: 4,
        nowStart: 4,
        lines: [
          { kind: "same", old: 4, now: 4, text: "export function total(basket) {" },
          { kind: "del", old: 5, now: undefined, text: "  const sum = basket.map(lineOf);" },
          { kind: "del", old: 6, now: undefined, text: "  return sum;" },
          { kind: "add", old: undefined, now: 5, text: "  const sum = basket.reduce(lineOf);" },
          { kind: "add", old: undefined, now: 6, text: "  if (!sum) return 0;" },
          { kind: "add", old: undefined, now: 7, text: "  return sum;" },
          { kind: "same", old: 7, now: 8, text: "}" },
        ],
      },
      {
        oldStart: 90,
        nowStart: 91,
        lines: [
          { kind: "same", old: 90, now: 91, text: "end" },
          { kind: "del", old: 91, now: undefined, text: "--- a/not-a-header" },
        ],
      },
    ],
  });
});

it("folds what is alike, and puts a finding under its line", () => {
  const [file] = readDiff(DIFF);
  const note = { file: "src/total.js", line: 6 };

  const rows = unifiedRows(file!, [note]).map((row) => {
    if (row.kind === "fold") return `fold ${row.alike}`;
    if (row.kind === "note") return "note";
    return row.kind === "line" ? `${row.line.kind} ${row.line.old ?? ""}/${row.line.now ?? ""}` : row.kind;
  });

  expect(rows).toEqual([
    "fold 3",
    "same 4/4",
    "del 5/",
    "del 6/",
    "add /5",
    "add /6",
    "note",
    "add /7",
    "same 7/8",
    "fold 82",
    "same 90/91",
    "del 91/",
  ]);
});

it("puts a finding whose line is not shown above its file, and one without a file above all", () => {
  const files = readDiff(DIFF);
  const [far, loose] = [
    { file: "src/total.js", line: 4000 },
    { file: undefined, line: undefined },
  ];

  expect(unifiedRows(files[0]!, [far, loose])[0]).toEqual({ kind: "note", note: far });
  expect(looseNotes(files, [far, loose])).toEqual([loose]);
});

it("sets side by side what was removed and what came in its place", () => {
  const [file] = readDiff(DIFF);

  const rows = pairedRows(file!, []).flatMap((row) => (row.kind === "pair" ? [[row.left?.old, row.right?.now]] : []));

  expect(rows).toEqual([
    [4, 4],
    [5, 5],
    [6, 6],
    [undefined, 7],
    [7, 8],
    [90, 91],
    [91, undefined],
  ]);
});

it("reads new, removed, renamed, binary and oddly named files", () => {
  const text = [
    'diff --git "a/\\303\\251\\n.js" "b/\\303\\251\\n.js"',
    "new file mode 100644",
    "--- /dev/null",
    '+++ "b/\\303\\251\\n.js"',
    "@@ -0,0 +1 @@",
    "+x",
    "\\ No newline at end of file",
    "diff --git a/old.js b/new.js",
    "similarity index 100%",
    "rename from old.js",
    "rename to new.js",
    "diff --git a/gone.js b/gone.js",
    "deleted file mode 100644",
    "--- a/gone.js",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "-x",
    "diff --git a/pic.png b/pic.png",
    "Binary files a/pic.png and b/pic.png differ",
  ].join("\n");

  expect(readDiff(text).map(({ path, how, from, added, removed }) => [path, how, from, added, removed])).toEqual([
    ["é\n.js", "added", undefined, 1, 0],
    ["new.js", "renamed", "old.js", 0, 0],
    ["gone.js", "removed", undefined, 0, 1],
    ["pic.png", "binary", undefined, 0, 0],
  ]);
});

it("reads anything without throwing", () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom("diff --git a/x b/x", "@@ -1,2 +1,2 @@", "+++ b/x", "--- a/x", "+", "-", " a", '+++ "b/\\', "diff --git"),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      for (const file of readDiff(lines.join("\n"))) unifiedRows(file, []);
    }),
  );
});

it("emphasises the words that differ, and nothing where two lines have little in common", () => {
  const was = "  return sum - voucher.amount;";
  const is = "  return Math.max(0, sum - voucher.amount);";

  expect(emphasisOf(is, was).map(({ from, to }) => is.slice(from, to))).toEqual(["Math.max(0,", ")"]);
  expect(emphasisOf(was, is)).toEqual([]);
  expect(emphasisOf("entirely other words here", "const a = 1;")).toEqual([]);
});

it("colours words, texts, numbers and comments, and follows a comment over lines", () => {
  const lines = ['const a = "b"; // c', "/* one", "two */ return 12;"];

  const told = colourLines("x.ts", lines).map((tokens, index) =>
    tokens.map(({ from, to, as }) => `${as}:${lines[index]!.slice(from, to)}`),
  );

  expect(told).toEqual([["k:const", 'q:"b"', "c:// c"], ["c:/* one"], ["c:two */", "k:return", "d:12"]]);
  expect(colourLines("x.unknown", ["const"])).toEqual([[]]);
  expect(colourLines("x.yaml", ["name: true # b"])[0]!.map(({ as }) => as)).toEqual(["k", "k", "c"]);
});

it("gives back the whole line in its segments, whatever is coloured", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, other) => {
      const [tokens] = colourLines("x.ts", [text]);
      const segments = segmentsOf(text, tokens ?? [], emphasisOf(text, other));
      expect(segments.map((segment) => segment.text).join("")).toBe(text);
    }),
  );
});

it("tells what is no line: modes, links, submodules and a missing line break", () => {
  const text = [
    "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755",
    "diff --git a/inner b/inner\nnew file mode 120000\n--- /dev/null\n+++ b/inner\n@@ -0,0 +1 @@\n+f.txt\n\\ No newline at end of file",
    "diff --git a/gone b/gone\ndeleted file mode 120000\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x",
    "diff --git a/sub b/sub\nnew file mode 160000\n--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit 1",
    "diff --git a/plain b/plain\nnew file mode 100644\n--- /dev/null\n+++ b/plain\n@@ -0,0 +1 @@\n+x",
  ].join("\n");

  expect(readDiff(text).map(({ path, marks }) => [path, marks])).toEqual([
    ["run.sh", ["mode was 100644", "mode is 100755: it can be run"]],
    ["inner", ["a link", "no line break at its end"]],
    ["gone", ["was a link"]],
    ["sub", ["a submodule"]],
    ["plain", undefined],
  ]);
});
