// Recorded answers that were written anew: snapshots, golden files, fixtures.
import type { DiffRule, Sighting } from "../rule.ts";
import { testDeltas } from "../tests/compare.ts";
import { sourceLines } from "../tests/words.ts";
import type { ChangeView } from "../view.ts";

/** With product code or new tests beside them, new records are what is to be expected; alone, they make a failing test pass. */
function rewrittenRecords(view: ChangeView): readonly Sighting[] {
  const hasCause =
    sourceLines(view) > 0 || testDeltas(view).some(({ gainedTests, gainedAssertions }) => gainedTests.length + gainedAssertions.length > 0);
  return view.files
    .filter(({ role, before }) => role === "snapshot" && before !== undefined)
    .filter(({ after, removed }) => after === undefined || removed.length > 0)
    .map(
      (file): Sighting => ({
        file: file.path,
        line: file.removed[0]?.after,
        severity: hasCause ? "low" : "medium",
        confidence: hasCause ? "low" : "medium",
        what: file.after ? "a recorded answer was written anew" : "a recorded answer was deleted",
        before: file.removed[0]?.text.trim().slice(0, 300) ?? "",
        after: file.added[0]?.text.trim().slice(0, 300) ?? "",
      }),
    );
}

function touchedFixtures(view: ChangeView): readonly Sighting[] {
  return view.files
    .filter(({ role, before, removed, after }) => role === "fixture" && before !== undefined && (after === undefined || removed.length > 0))
    .map(
      (file): Sighting => ({
        file: file.path,
        line: file.removed[0]?.after,
        confidence: "low",
        what: file.after ? "what tests are fed with was changed" : "what tests are fed with was deleted",
      }),
    );
}

export const snapshotRules: readonly DiffRule[] = [
  {
    id: "snapshot-rewritten",
    severity: "medium",
    why: "A recorded answer was changed and nothing that could have changed it. Find out why the answer differs before it is recorded.",
    find: rewrittenRecords,
    examples: {
      flags: [
        { "src/__snapshots__/a.test.ts.snap": ["exports[`a 1`] = `1`;\n", "exports[`a 1`] = `2`;\n"] },
        { "testdata/golden/help.golden": ["Usage: a\n", undefined] },
      ],
      passes: [
        {
          "src/__snapshots__/a.test.ts.snap": ["exports[`a 1`] = `1`;\n", "exports[`a 1`] = `2`;\n"],
          "src/a.ts": ["export const a = 1;\n", "export const a = 2;\n"],
        },
        { "src/__snapshots__/a.test.ts.snap": [undefined, "exports[`a 1`] = `2`;\n"] },
        { "src/__snapshots__/a.test.ts.snap": ["exports[`a 1`] = `1`;\n", "exports[`a 1`] = `1`;\nexports[`b 1`] = `2`;\n"] },
      ],
    },
  },
  {
    id: "fixture-touched",
    severity: "low",
    why: "Tests are fed with something else than before. That is right when the format was meant to change.",
    find: touchedFixtures,
    examples: { flags: [], passes: [{ "fixtures/a.json": ["{}\n", "[]\n"] }] },
  },
];
