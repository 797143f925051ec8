// Rows of tables that feed a test: each is a case, and a case that is gone is no longer checked.
import type { Hunk, Line } from "../../../contract/change-set.ts";
import type { DiffRule, Sighting } from "../rule.ts";
import { normalised } from "../tests/inventory.ts";
import { explanationsOf, likeness, wordsOf } from "../tests/words.ts";
import type { ChangeView, FileView } from "../view.ts";

/** A line that is one value in brackets, with a literal in it, and a comma. */
const ROW = /^\s*(?:[&*]?[\w.]*)?[{([].*["'`\d].*[})\]],?\s*$/;

function removedCases(view: ChangeView): readonly Sighting[] {
  const isExplained = explanationsOf(view);
  const arrived = new Set(view.files.flatMap(({ added }) => added.map(({ text }) => normalised(text))));
  return view.files.flatMap((file): readonly Sighting[] => {
    if (file.role !== "test" || !file.before || !file.after) return [];
    return [
      ...file.hunks
        .flatMap((hunk) => lostRows(hunk, arrived))
        .filter(({ text }) => !isExplained(text))
        .map((line) => rowAt(file, line)),
      ...lostParameters(file),
    ];
  });
}

const rowAt = (file: FileView, line: Line): Sighting => ({
  file: file.path,
  line: line.before,
  confidence: "medium",
  what: "a case is gone from a table that feeds a test",
  before: line.text.trim().slice(0, 300),
});

/** Rows that left a table of which other rows stayed, and that nothing like them took the place of. */
function lostRows({ lines }: Hunk, arrived: ReadonlySet<string>): readonly Line[] {
  const added = lines.filter(({ kind }) => kind === "added");
  if (added.length > 0) return [];
  const isRowAt = (index: number): boolean => lines[index]?.kind === "same" && ROW.test(lines[index]!.text.slice(0, 1_000));
  return lines.filter((line, index) => {
    if (line.kind !== "removed" || !ROW.test(line.text.slice(0, 1_000)) || arrived.has(normalised(line.text))) return false;
    const before = lines.slice(0, index).findLastIndex(({ kind }) => kind === "same");
    const after = lines.findIndex(({ kind }, at) => at > index && kind === "same");
    return [before, after].some(
      (at) => at !== -1 && isRowAt(at) && likeness(wordsOf(shape(lines[at]!.text)), wordsOf(shape(line.text))) > 0.6,
    );
  });
}

/** Rows of one table look alike but for their values. */
const shape = (text: string): string => text.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, " text ").replace(/\d+/g, " 11 ");

/** `parametrize("a", [1, 2, 3])` on one line, with fewer values than before. */
function lostParameters(file: FileView): readonly Sighting[] {
  return file.removed.flatMap((line): readonly Sighting[] => {
    const before = parametersOf(line.text);
    const now = before && file.added.find(({ text }) => parametersOf(text)?.name === before.name);
    if (!before || !now || parametersOf(now.text)!.values >= before.values) return [];
    return [
      {
        file: file.path,
        line: now.after,
        confidence: "high",
        what: "a test is fed with fewer cases than before",
        before: line.text.trim().slice(0, 300),
        after: now.text.trim().slice(0, 300),
      },
    ];
  });
}

function parametersOf(text: string): { readonly name: string; readonly values: number } | undefined {
  const match = /(?:parametrize|\.each|@ValueSource|@CsvSource|test_case)\(\s*(["'][\w, ]*["'])?,?\s*[[{](.*)[\]}]/.exec(
    text.slice(0, 2_000),
  );
  if (!match) return undefined;
  let depth = 0;
  let values = 1;
  for (const sign of match[2]!) {
    if ("([{".includes(sign)) depth += 1;
    else if (")]}".includes(sign)) depth -= 1;
    else if (sign === "," && depth === 0) values += 1;
  }
  return { name: match[1] ?? "", values };
}

export const caseRules: readonly DiffRule[] = [
  {
    id: "test-case-removed",
    severity: "medium",
    why: "A case that a test was fed with is gone, so that it is no longer checked. Put it back and make it pass.",
    find: removedCases,
    examples: {
      flags: [
        { "a_test.go": ["var cases = []pair{\n\t{1, 2},\n\t{3, 4},\n\t{5, 6},\n}\n", "var cases = []pair{\n\t{1, 2},\n\t{3, 4},\n}\n"] },
        {
          "tests/test_a.py": [
            '@pytest.mark.parametrize("a,b", [(1, 2), (3, 4), (5, 6)])\ndef test_a(a, b):\n    assert f(a) == b\n',
            '@pytest.mark.parametrize("a,b", [(1, 2), (3, 4)])\ndef test_a(a, b):\n    assert f(a) == b\n',
          ],
        },
      ],
      passes: [
        { "a_test.go": ["var cases = []pair{\n\t{1, 2},\n\t{3, 4},\n}\n", "var cases = []pair{\n\t{1, 2},\n\t{3, 4},\n\t{5, 6},\n}\n"] },
        { "a_test.go": ["var cases = []pair{\n\t{1, 2},\n\t{3, 4},\n}\n", "var cases = []pair{\n\t{1, 2},\n\t{3, 5},\n}\n"] },
        { "src/a.go": ["var cases = []pair{\n\t{1, 2},\n\t{3, 4},\n}\n", "var cases = []pair{\n\t{1, 2},\n}\n"] },
      ],
    },
  },
];
