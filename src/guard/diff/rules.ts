import type { Change } from "../../contract/evidence.ts";
import { compileGlobs } from "../../std/glob.ts";
import type { Rule } from "../rule.ts";
import type { ChangeSet } from "./scan-changes.ts";
import { isTestFile } from "./test-files.ts";

const file = (blob: string, mode = "100644"): NonNullable<Change["after"]> => ({ mode, blob });
const set = (changes: readonly Change[], seal: readonly string[] = []): ChangeSet => ({ changes, seal });
/** The blob of an empty file, in SHA-1 and SHA-256 repositories. */
const EMPTY = new Set(["e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"]);

/** Tests that left, apart from those that went, unchanged, to another place where tests are collected. */
function removedTests({ changes }: ChangeSet): readonly string[] {
  const arrived = new Set(changes.filter(({ path, after }) => after && isTestFile(path)).map(({ after }) => after!.blob));
  return changes.flatMap(({ path, before, after }) => {
    if (!before || !isTestFile(path) || EMPTY.has(before.blob)) return [];
    if (!after) return arrived.has(before.blob) ? [] : [`${path} was deleted`];
    if (EMPTY.has(after.blob)) return [`${path} was emptied`];
    return before.mode.startsWith("100") && !after.mode.startsWith("100") ? [`${path} is no longer a plain file`] : [];
  });
}

const touchesSeal = ({ changes, seal }: ChangeSet): readonly string[] => {
  if (seal.length === 0) return [];
  const isSealed = compileGlobs(seal);
  return changes.filter(({ path }) => isSealed(path)).map(({ path }) => path);
};

/** Order does not matter: every rule is asked. */
export const diffRules: readonly Rule<ChangeSet>[] = [
  {
    id: "test-removed",
    severity: "high",
    why: "A test file is gone, so what it checked is no longer checked. Put it back and make it pass instead.",
    find: removedTests,
    examples: {
      flags: [
        set([{ path: "test/sum.test.js", before: file("a1"), after: undefined }]),
        set([{ path: "tests/test_sum.py", before: file("a1"), after: file([...EMPTY][0]!) }]),
        set([{ path: "sum_test.go", before: file("a1"), after: file("b2", "120000") }]),
        // Moved to where no runner looks: the same as deleted.
        set([
          { path: "src/sum.test.ts", before: file("a1"), after: undefined },
          { path: "src/old/sum.txt", before: undefined, after: file("a1") },
        ]),
      ],
      passes: [
        set([{ path: "src/sum.js", before: file("a1"), after: undefined }]),
        set([{ path: "test/sum.test.js", before: undefined, after: file("a1") }]),
        set([{ path: "test/sum.test.js", before: file("a1"), after: file("b2") }]),
        set([
          { path: "src/sum.test.ts", before: file("a1"), after: undefined },
          { path: "test/sum.test.ts", before: undefined, after: file("a1") },
        ]),
        set([{ path: "docs/latest.md", before: file("a1"), after: undefined }]),
        set([{ path: "src/contest/entry.js", before: file("a1"), after: undefined }]),
      ],
    },
  },
  {
    id: "seal-touched",
    severity: "high",
    why: "A sealed file was changed, and the maker may not decide about it. Leave it as it is and change something else.",
    find: touchesSeal,
    examples: {
      flags: [
        set([{ path: "test/a.js", before: file("a1"), after: file("b2") }], ["test/**"]),
        set([{ path: "CI/Run", before: file("a1"), after: undefined }], ["ci/run"]),
        set([{ path: ".github/workflows/ci.yml", before: undefined, after: file("b2") }], [".github/**"]),
        set([{ path: "test/odd\nname.js", before: undefined, after: file("b2") }], ["test/**"]),
      ],
      passes: [
        set([{ path: "src/a.js", before: file("a1"), after: file("b2") }], ["test/**"]),
        set([{ path: "test/a.js", before: file("a1"), after: file("b2") }]),
      ],
    },
  },
];
