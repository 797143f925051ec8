import { expect, it } from "vitest";
import type { ChangedFile, ChangeSet } from "../../contract/change-set.ts";
import { boundWork } from "./bound-work.ts";
import { compareTexts } from "./compare-text.ts";

const long = (changed: string): string =>
  Array.from({ length: 100 }, (_, index) => (index === 50 ? `${changed}\n` : `x = ${index}\n`)).join("");
const changed = (path: string): ChangedFile => compareTexts({ path, before: long("a = 1"), after: long("b = 2") });
const setOf = (...files: readonly ChangedFile[]): ChangeSet => ({ files, blind: [], seal: [] });
const seen = ({ files }: ChangeSet): readonly string[] =>
  files.map(({ path, after, scope }) => `${path} ${after?.content.kind === "text" ? scope : after?.content.kind}`);

it("leaves a change of ordinary size as it is", () => {
  const set = setOf(changed("src/a.py"));

  expect(boundWork(set)).toBe(set);
});

it("looks at tests whole, at the rest near its changes while there is room, and says what is left", () => {
  const set = setOf(changed("src/a.py"), changed("src/b.py"), changed("tests/test_a.py"), changed("docs/a.md"));

  expect(seen(boundWork(set, 1_600))).toEqual(["src/a.py hunks", "src/b.py unread", "tests/test_a.py whole", "docs/a.md whole"]);
});

it("keeps the lines near the changes with their numbers", () => {
  const [file] = boundWork(setOf(changed("src/a.py")), 200).files;

  expect(file?.before?.content).toEqual({
    kind: "text",
    pieces: [{ line: 48, text: "x = 47\nx = 48\nx = 49\na = 1\nx = 51\nx = 52\nx = 53" }],
  });
  expect(file?.after?.content).toEqual({
    kind: "text",
    pieces: [{ line: 48, text: "x = 47\nx = 48\nx = 49\nb = 2\nx = 51\nx = 52\nx = 53" }],
  });
});

it("has no nearer look at a new file than the whole of it", () => {
  const set = setOf(compareTexts({ path: "src/a.py", before: undefined, after: long("a") }));

  expect(seen(boundWork(set, 100))).toEqual(["src/a.py unread"]);
});
