// What a scan could not look at, and what it was told that nobody but a human may change.
import { compileGlobs } from "../../../std/glob.ts";
import type { DiffRule, Sighting } from "../rule.ts";
import { type ChangeView, type FileView, piecesOf } from "../view.ts";
import { LONGEST_LINE } from "./side-lines.ts";

/** Roles whose content decides what is checked and how. */
const DECIDING = new Set(["test", "source", "ci", "settings", "harness"]);

function notUnderstood(view: ChangeView): readonly Sighting[] {
  return [
    ...view.set.blind.map(
      ({ file, line, why }): Sighting => ({ file: file ?? "(the change)", line, confidence: "high", what: `was not understood: ${why}` }),
    ),
    ...view.files.flatMap(unread),
    ...view.files.flatMap(longLines),
    ...view.files.flatMap(unparsed),
  ];
}

/** Code too large or too deeply nested for its grammar: what tests hold in there was not counted. */
function unparsed(file: FileView): readonly Sighting[] {
  if (!file.language || (file.role !== "test" && file.role !== "harness" && file.role !== "source")) return [];
  const isCut = (["before", "after"] as const).some((side) => {
    const trees = file.trees(side);
    return trees.length < piecesOf(file, side).length || trees.some(({ tree }) => !tree.isComplete);
  });
  return isCut
    ? [{ file: file.path, line: undefined, confidence: "high", what: "is too large or too deeply nested to be read to its end" }]
    : [];
}

function unread({ path, before, after }: FileView): readonly Sighting[] {
  const content = [after, before].map((side) => side?.content).find((side) => side?.kind === "unread");
  return content?.kind === "unread" ? [{ file: path, line: undefined, confidence: "high", what: `was not read: ${content.why}` }] : [];
}

/** Rules about settings and pipelines read only the beginning of a line. */
function longLines({ path, role, added }: FileView): readonly Sighting[] {
  if (role !== "ci" && role !== "settings") return [];
  const long = added.find(({ text }) => text.length > LONGEST_LINE);
  return long
    ? [
        {
          file: path,
          line: long.after,
          confidence: "high",
          what: `has a line of ${long.text.length} characters, of which ${LONGEST_LINE} were read`,
        },
      ]
    : [];
}

/** Code that became bytes which no rule and no reviewer can read. */
function turnedBinary(view: ChangeView): readonly Sighting[] {
  return view.files.flatMap(({ path, role, before, after }) => {
    if (!DECIDING.has(role) || after?.content.kind !== "binary") return [];
    const what = before?.content.kind === "text" ? "was text and is binary now" : "is binary, so that nobody sees what it does";
    return [{ file: path, line: undefined, confidence: "high" as const, what }];
  });
}

function emptied(view: ChangeView): readonly Sighting[] {
  return view.files.flatMap((file) => {
    const { path, role, before, after, hunks, removed, added } = file;
    if (!DECIDING.has(role) || before?.content.kind !== "text" || after?.content.kind !== "text") return [];
    const isEmpty = added.every(({ text }) => text.trim() === "") && hunks.every(({ lines }) => lines.every(({ kind }) => kind !== "same"));
    const lost = removed.filter(({ text }) => text.trim() !== "");
    // A diff without context shows no unchanged lines even where there are some: then the first lost line is seldom the first of the file.
    if (!isEmpty || lost.length === 0 || removed[0]!.before > 1) return [];
    const severity = role === "source" && lost.length < 3 ? ("low" as const) : ("medium" as const);
    return [
      { file: path, line: 1, severity, confidence: "high" as const, what: "is there and holds nothing any more", before: lost[0]!.text },
    ];
  });
}

function touchesSeal({ files, set }: ChangeView): readonly Sighting[] {
  if (set.seal.length === 0) return [];
  const isSealed = compileGlobs(set.seal);
  return files.flatMap(({ path, oldPath, added, removed }) => {
    const sealed = [path, oldPath].find((name) => name !== undefined && isSealed(name));
    if (sealed === undefined) return [];
    return [{ file: sealed, line: added[0]?.after ?? removed[0]?.before, confidence: "high" as const, what: "is sealed and was changed" }];
  });
}

export const unseenRules: readonly DiffRule[] = [
  {
    id: "not-understood",
    severity: "medium",
    why: "Part of the change could not be read, so nobody can say that it is harmless. Make the change again in a form that can be read.",
    find: notUnderstood,
    examples: {
      flags: [{ "package.json": ["{}\n", `{ "a": "${"x".repeat(2_100)}" }\n`] }],
      passes: [{ "src/a.js": ["a\n", `${"x".repeat(3_000)}\n`] }],
    },
  },
  {
    id: "turned-binary",
    severity: "medium",
    why: "Code or settings became binary, so that what they do cannot be seen. Keep them as text.",
    find: turnedBinary,
    examples: { flags: [], passes: [{ "src/a.js": ["a\n", "b\n"] }] },
  },
  {
    id: "file-emptied",
    severity: "medium",
    why: "A file was emptied and left in place, so that it still seems to be there. Put back what it held, or delete it openly.",
    find: emptied,
    examples: {
      flags: [
        { ".github/workflows/ci.yml": ["on: push\njobs:\n  a:\n", ""] },
        { "src/check.py": ["def a():\n    b()\n    return 1\n", "\n"] },
      ],
      passes: [
        { "src/a/__init__.py": ["from .b import c\n", ""] },
        { "src/a.py": ["a = 1\n", undefined] },
        { "README.md": ["# A\n\nb\n\nc\n", ""] },
      ],
    },
  },
  {
    id: "seal-touched",
    severity: "high",
    why: "A sealed file was changed, and the maker may not decide about it. Leave it as it is and change something else.",
    find: touchesSeal,
    // Which files are sealed is not in the files: `unseen.test.ts` shows it.
    examples: { flags: [], passes: [{ "src/a.js": ["a\n", "b\n"] }] },
  },
];
