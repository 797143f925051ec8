// Tests that left, were switched off, or were hidden from the runner.
import type { DiffRule, Sighting } from "../rule.ts";
import { isNamedTest, isTestFile } from "../test-files.ts";
import { type TestDelta, testDeltas } from "../tests/compare.ts";
import type { Disabling, Test } from "../tests/inventory.ts";
import { explanationsOf, namesVanished } from "../tests/words.ts";
import { type ChangeView, type FileView, piecesOf } from "../view.ts";

const firstLine = (raw: string): string => raw.split("\n")[0]!.trim().slice(0, 300);

const confidenceOf = ({ by }: TestDelta): Sighting["confidence"] => (by === "syntax" ? "high" : "low");

function removedTests(view: ChangeView): readonly Sighting[] {
  const isExplained = explanationsOf(view);
  return testDeltas(view).flatMap((delta) => (delta.file.after ? removedFrom(delta, isExplained) : []));
}

function removedFrom(delta: TestDelta, isExplained: (test: string) => boolean): readonly Sighting[] {
  const { file, lostTests } = delta;
  return lostTests
    .filter(({ kind }) => kind === "test")
    .map((test) => {
      const isMild = isReplaced(test, delta) || isExplained(`${test.test} ${test.raw}`);
      return {
        file: file.path,
        line: test.line,
        severity: isMild ? "low" : "high",
        confidence: isMild ? "low" : confidenceOf(delta),
        what: `the test ${JSON.stringify(test.test.slice(0, 120))} is gone`,
        before: firstLine(test.raw),
      };
    });
}

/** As many tests came in its place as went, or a test beside it now asserts as much more. */
function isReplaced(test: Test, { lostTests, gainedTests, gainedAssertions, rewritten, hunkOf }: TestDelta): boolean {
  const hunk = hunkOf("before", test.line);
  const lost = lostTests.filter(({ kind, line }) => kind === "test" && hunkOf("before", line) === hunk).length;
  const gained = gainedTests.filter(({ kind, line }) => kind === "test" && hunkOf("after", line) === hunk).length;
  const fresh = new Set(gainedTests.map((one) => one.test));
  const more = [...gainedAssertions, ...rewritten.map((pair) => pair.gained)].filter(
    (one) => !fresh.has(one.test) && hunkOf("after", one.line) === hunk,
  ).length;
  return gained >= lost || (test.assertions > 0 && more > 2 * test.assertions);
}

function removedFiles(view: ChangeView): readonly Sighting[] {
  const isExplained = explanationsOf(view);
  const speaksOfVanished = namesVanished(view);
  const arrived = view.files.filter(({ after, path }) => after && isTestFile(path));
  return testDeltas(view).flatMap(({ file, lostTests, lostAssertions, by }): readonly Sighting[] => {
    if (!isTestFile(file.oldPath ?? file.path) || !file.before) return [];
    if (file.after && file.oldPath && !isTestFile(file.path)) return [wholeFile(file, "was moved to where no runner looks", "high")];
    if (file.after && file.oldPath && hasCollectedName(file.oldPath) && !hasCollectedName(file.path))
      return [wholeFile(file, `was renamed to ${file.path}, which runners do not collect`, "high")];
    if (file.after) return [];
    const text = piecesOf(file, "before")
      .map((piece) => piece.text)
      .join("\n");
    const name = file.path.split("/").at(-1);
    if (text.trim() === "" || arrived.some(({ path }) => path.split("/").at(-1) === name)) return [];
    const lost = lostTests.filter(({ kind }) => kind === "test");
    const isMild =
      lost.length === 0
        ? speaksOfVanished(text) || (by === "syntax" && lostAssertions.length === 0 && !isNamedTest(file.path))
        : lost.filter(({ test, raw }) => isExplained(`${test} ${raw}`)).length * 2 > lost.length;
    return [wholeFile(file, "was deleted", isMild ? "low" : "high")];
  });
}

/** In these languages a runner goes by the file's own name, whatever folder it is in. */
const BY_NAME = /\.(?:py|go|rb)$/;
const COLLECTED = /(?:^|\/)(?:test_[^/]*\.(?:py|rb)|[^/]*_test\.(?:py|go|rb)|[^/]*_spec\.rb|conftest\.py)$/;
const hasCollectedName = (path: string): boolean => !BY_NAME.test(path) || COLLECTED.test(path);

const wholeFile = (file: FileView, what: string, severity: "high" | "low"): Sighting => ({
  file: file.oldPath ?? file.path,
  line: undefined,
  severity,
  confidence: severity === "high" ? "high" : "low",
  what,
});

/** A condition that names a platform, a version or a missing tool is how maintainers skip; it still leaves a test unrun. */
function disabledTests(view: ChangeView): readonly Sighting[] {
  return [...view.files.flatMap(constrainedFile), ...disabledOnes(view)];
}

/** A build constraint takes a whole file of tests out of the ordinary run. */
function constrainedFile({ path, before, added, removed }: FileView): readonly Sighting[] {
  if (!path.endsWith("_test.go") || !before || removed.some(({ text }) => CONSTRAINT.test(text))) return [];
  const line = added.find(({ text }) => CONSTRAINT.test(text));
  return line
    ? [
        {
          file: path,
          line: line.after,
          confidence: "high",
          what: "a whole file of tests runs only under a condition now",
          after: line.text.trim(),
        },
      ]
    : [];
}

const CONSTRAINT = /^\/\/(?:go:build| \+build)\b/;

function disabledOnes(view: ChangeView): readonly Sighting[] {
  return testDeltas(view).flatMap((delta) => {
    const { file, disablings, enablings, oldTests } = delta;
    return disablings.flatMap((one): readonly Sighting[] => {
      if (enablings.some(({ kind, test }) => kind === one.kind && test === one.test)) return [];
      const isOld = file.before !== undefined && (oldTests.has(one.test) || one.test.startsWith("#") || one.kind === "focus");
      return [disabledAt(file, one, isOld, delta)];
    });
  });
}

function disabledAt(file: FileView, one: Disabling, isOld: boolean, delta: TestDelta): Sighting {
  const what =
    one.kind === "focus"
      ? "only this test runs now"
      : one.kind === "skip"
        ? "a test is switched off"
        : "a test runs only under a condition now";
  return {
    file: file.path,
    line: one.line,
    severity: one.kind === "focus" ? "high" : isOld ? (one.kind === "skip" ? "high" : "medium") : one.kind === "skip" ? "medium" : "low",
    confidence: confidenceOf(delta),
    what,
    after: firstLine(one.raw),
  };
}

function uncollectedTests(view: ChangeView): readonly Sighting[] {
  return testDeltas(view).flatMap((delta) =>
    delta.uncollected
      .filter(({ lost }) => lost.kind === "test" || delta.file.language === "python")
      .map(
        ({ lost, helper }): Sighting => ({
          file: delta.file.path,
          line: helper.line,
          confidence: confidenceOf(delta),
          what: `the test ${JSON.stringify(lost.test.slice(0, 120))} is no longer one that a runner collects`,
          before: firstLine(lost.raw),
          after: firstLine(helper.raw),
        }),
      ),
  );
}

/** Lines that were code and are now the same line in a comment. */
function commentedOut(view: ChangeView): readonly Sighting[] {
  const isExplained = namesVanished(view);
  return view.files.flatMap((file): readonly Sighting[] => {
    if (file.role !== "test" && file.role !== "harness") return [];
    const removed = new Map(file.removed.map((line) => [squeezed(line.text), line]));
    const hidden = file.added.flatMap((line) => {
      const inner = COMMENTED.exec(line.text.slice(0, 2_000))?.[1];
      const was = inner === undefined ? undefined : removed.get(squeezed(inner));
      return was && squeezed(was.text).length > 3 && !isComment(was.text) ? [{ line, was }] : [];
    });
    const blocks = blockComments(file);
    const telling = hidden.filter(({ was }) => TELLING.test(was.text));
    if (telling.length === 0 && blocks.length === 0) return [];
    const first = hidden[0]?.line ?? blocks[0]!;
    return [
      {
        file: file.path,
        line: first.after,
        severity: hidden.length > 0 && isExplained(hidden.map(({ was }) => was.text).join("\n")) ? "low" : "high",
        confidence: "high",
        what:
          telling.length > 0
            ? `${hidden.length} lines of test code are now comments`
            : "test code now stands in a comment or in an `#if 0`",
        before: hidden[0]?.was.text.trim().slice(0, 300) ?? "",
        after: first.text.trim().slice(0, 300),
      },
    ];
  });
}

const COMMENTED = /^\s*(?:\/\/+|#+|--|;+|\*)\s?(.*)$/;
const isComment = (text: string): boolean => /^\s*(?:\/\/|#(?!\[|include|if|define)|\*|\/\*)/.test(text);
const squeezed = (text: string): string => text.replace(/\s+/g, "");
/** Worth a finding when hidden: a test, an assertion, a call. */
const TELLING =
  /\b(?:assert|expect|should|test|it|describe|def|func|fn|check|verify|require|raise|throw|fail)\w*\s*[!(.\s]|@Test|#\[test\]|==/i;

/** A comment opened by itself before lines that were there already. */
function blockComments(file: FileView) {
  return file.hunks.flatMap(({ lines }) =>
    lines.filter((line, index) => {
      if (
        line.kind !== "added" ||
        !/^\s*(?:\/\*+\s*$|\/\*(?!.*\*\/)|#if 0\b|#if false\b|"""\s*$|'''\s*$|=begin\b|if False:|if \(false\) \{)/i.test(line.text)
      )
        return false;
      const next = lines.slice(index + 1).find(({ kind }) => kind !== "removed");
      return (
        next?.kind === "same" &&
        TELLING.test(
          lines
            .slice(index + 1)
            .filter(({ kind }) => kind === "same")
            .map(({ text }) => text)
            .join("\n"),
        )
      );
    }),
  );
}

export const testRules: readonly DiffRule[] = [
  {
    id: "test-removed",
    severity: "high",
    why: "A test is gone, so what it checked is no longer checked. Put it back and make it pass instead.",
    find: removedTests,
    examples: {
      flags: [
        {
          "tests/test_sum.py": [
            "def test_sum():\n    assert sum_of(1, 2) == 3\n\ndef test_zero():\n    assert sum_of(0, 0) == 0\n",
            "def test_zero():\n    assert sum_of(0, 0) == 0\n",
          ],
        },
        {
          "sum_test.go": [
            'func TestSum(t *testing.T) {\n\tif Sum(1, 2) != 3 {\n\t\tt.Error("no")\n\t}\n}\n\nfunc TestZero(t *testing.T) {\n}\n',
            "func TestZero(t *testing.T) {\n}\n",
          ],
        },
        {
          "test/sum.test.js": [
            'it("adds", () => {\n  expect(sum(1, 2)).toBe(3);\n});\nit("keeps zero", () => {\n  expect(sum(0, 0)).toBe(0);\n});\n',
            'it("keeps zero", () => {\n  expect(sum(0, 0)).toBe(0);\n});\n',
          ],
        },
      ],
      passes: [
        // Moved to another file, with its assertions.
        {
          "tests/test_sum.py": ["def test_sum():\n    assert sum_of(1, 2) == 3\n", ""],
          "tests/test_math.py": ["", "def test_sum():\n    assert sum_of(1, 2) == 3\n"],
        },
        // Renamed.
        {
          "tests/test_sum.py": [
            "def test_sum():\n    assert sum_of(1, 2) == 3\n",
            "def test_sum_of_two():\n    assert sum_of(1, 2) == 3\n",
          ],
        },
        // Its subject left with it.
        {
          "src/old.py": ["def legacy_total(a):\n    return a\n", undefined],
          "tests/test_old.py": [
            "def test_legacy():\n    assert legacy_total(1) == 1\n\ndef test_other():\n    assert other() == 1\n",
            "def test_other():\n    assert other() == 1\n",
          ],
        },
        {
          "tests/test_sum.py": [
            "def test_sum():\n    assert sum_of(1, 2) == 3\n",
            "def test_sum():\n    assert sum_of(1, 2) == 3\n\ndef test_more():\n    assert sum_of(2, 2) == 4\n",
          ],
        },
      ],
    },
  },
  {
    id: "test-file-removed",
    severity: "high",
    why: "A test file is gone, so what it checked is no longer checked. Put it back and make it pass instead.",
    find: removedFiles,
    examples: {
      flags: [
        { "test/sum.test.js": ['it("adds", () => {\n  expect(sum(1, 2)).toBe(3);\n});\n', undefined] },
        { "tests/basic.bats": ['@test "adds" {\n  [ 1 = 1 ]\n}\n', undefined] },
      ],
      passes: [
        { "src/sum.js": ["export const a = 1;\n", undefined] },
        { "tests/fixtures-ts/run.ts": ["export const a = 1;\n", undefined] },
        { "test/sum.test.js": [undefined, 'it("adds", () => {\n  expect(sum(1, 2)).toBe(3);\n});\n'] },
        { "docs/latest.md": ["words\n", undefined] },
        {
          "src/legacy-total.js": ["export function legacyTotal() {\n  return 1;\n}\n", undefined],
          "test/legacy-total.test.js": ['it("adds", () => {\n  expect(legacyTotal()).toBe(1);\n});\n', undefined],
        },
      ],
    },
  },
  {
    id: "test-disabled",
    severity: "high",
    why: "A test no longer runs, or keeps the others from running. Let it run, and make it pass.",
    find: disabledTests,
    examples: {
      flags: [
        {
          "tests/test_a.py": [
            "def test_a():\n    assert f() == 1\n",
            '@pytest.mark.skip(reason="flaky")\ndef test_a():\n    assert f() == 1\n',
          ],
        },
        { "tests/test_a.py": ["def test_a():\n    assert f() == 1\n", "@unittest.expectedFailure\ndef test_a():\n    assert f() == 1\n"] },
        { "tests/test_a.py": ["def test_a():\n    assert f() == 1\n", 'def test_a():\n    pytest.skip("later")\n    assert f() == 1\n'] },
        { "a.test.ts": ['it("a", () => {\n  expect(f()).toBe(1);\n});\n', 'it.skip("a", () => {\n  expect(f()).toBe(1);\n});\n'] },
        { "a.test.ts": ['it("a", () => {\n  expect(f()).toBe(1);\n});\n', 'xit("a", () => {\n  expect(f()).toBe(1);\n});\n'] },
        { "a.test.ts": ['it("a", () => {\n  expect(f()).toBe(1);\n});\n', 'it.only("a", () => {\n  expect(f()).toBe(1);\n});\n'] },
        {
          "a.test.mjs": [
            'test("a", () => {\n  assert.equal(f(), 1);\n});\n',
            'test("a", { skip: true }, () => {\n  assert.equal(f(), 1);\n});\n',
          ],
        },
        {
          "a_test.go": [
            "func TestA(t *testing.T) {\n\tcheck(t, f())\n}\n",
            'func TestA(t *testing.T) {\n\tt.Skip("later")\n\tcheck(t, f())\n}\n',
          ],
        },
        { "tests/a.rs": ["#[test]\nfn a() {\n    assert_eq!(f(), 1);\n}\n", "#[test]\n#[ignore]\nfn a() {\n    assert_eq!(f(), 1);\n}\n"] },
        {
          "src/test/java/ATest.java": [
            "class ATest {\n  @Test\n  void a() {\n    assertEquals(1, f());\n  }\n}\n",
            "class ATest {\n  @Test\n  @Disabled\n  void a() {\n    assertEquals(1, f());\n  }\n}\n",
          ],
        },
        { "spec/a_spec.rb": ['it "adds" do\n  expect(f).to eq(1)\nend\n', 'it "adds" do\n  skip "later"\n  expect(f).to eq(1)\nend\n'] },
        {
          "tests/ATest.php": [
            "<?php\nclass ATest extends TestCase {\n  public function testA() {\n    $this->assertSame(1, f());\n  }\n}\n",
            "<?php\nclass ATest extends TestCase {\n  public function testA() {\n    $this->markTestSkipped();\n    $this->assertSame(1, f());\n  }\n}\n",
          ],
        },
        {
          "A.Tests/ATests.cs": [
            "class ATests {\n  [Fact]\n  public void A() {\n    Assert.Equal(1, F());\n  }\n}\n",
            'class ATests {\n  [Fact(Skip = "later")]\n  public void A() {\n    Assert.Equal(1, F());\n  }\n}\n',
          ],
        },
        {
          "src/test/kotlin/ATest.kt": [
            "@Test\nfun testA() {\n  assertEquals(1, f())\n}\n",
            "@Test\n@Ignore\nfun testA() {\n  assertEquals(1, f())\n}\n",
          ],
        },
      ],
      passes: [
        { "a.test.ts": ['it.skip("a", () => {\n  expect(f()).toBe(1);\n});\n', 'it("a", () => {\n  expect(f()).toBe(1);\n});\n'] },
        {
          "src/a.rs": [
            "fn a(v: Vec<u8>) -> usize {\n    v.iter().count()\n}\n",
            "fn a(v: Vec<u8>) -> usize {\n    v.iter().skip(1).count()\n}\n",
          ],
        },
        { "docs/testing.md": ["Use it.\n", "Use xfail and it.skip sparingly.\n"] },
      ],
    },
  },
  {
    id: "test-uncollected",
    severity: "high",
    why: "A test was renamed or stripped of its mark so that no runner finds it. Give it back its name.",
    find: uncollectedTests,
    examples: {
      flags: [
        {
          "tests/test_a.py": [
            "def test_total(cart):\n    cart.add(3)\n    assert cart.total() == 3\n",
            "def check_total(cart):\n    cart.add(3)\n    assert cart.total() == 3\n",
          ],
        },
        {
          "a_test.go": [
            'func TestTotal(t *testing.T) {\n\tif Total() != 3 {\n\t\tt.Error("no")\n\t}\n}\n',
            'func testTotal(t *testing.T) {\n\tif Total() != 3 {\n\t\tt.Error("no")\n\t}\n}\n',
          ],
        },
        {
          "tests/test_a.py": [
            "class TestTotal:\n    def test_total(self):\n        assert total([1, 2]) == 3\n",
            "class Total:\n    def test_total(self):\n        assert total([1, 2]) == 3\n",
          ],
        },
        { "tests/a.rs": ["#[test]\nfn total() {\n    assert_eq!(sum(1, 2), 3);\n}\n", "fn total() {\n    assert_eq!(sum(1, 2), 3);\n}\n"] },
      ],
      passes: [{ "tests/test_a.py": ["def helper():\n    return 1\n", "def other_helper():\n    return 1\n"] }],
    },
  },
  {
    id: "test-commented-out",
    severity: "high",
    why: "Test code was turned into a comment, so it no longer checks anything. Take the comment marks away and make it pass.",
    find: commentedOut,
    examples: {
      flags: [
        { "tests/test_a.py": ["def test_a():\n    x = f()\n    assert x == 1\n", "def test_a():\n    x = f()\n    # assert x == 1\n"] },
        { "a.test.ts": ['it("a", () => {\n  expect(f()).toBe(1);\n});\n', '// it("a", () => {\n//   expect(f()).toBe(1);\n// });\n'] },
        { "test/a_test.cc": ["TEST(A, B) {\n  EXPECT_EQ(f(), 1);\n}\n", "#if 0\nTEST(A, B) {\n  EXPECT_EQ(f(), 1);\n}\n#endif\n"] },
      ],
      passes: [
        {
          "a.test.ts": [
            '// adds\nit("a", () => {\n  expect(f()).toBe(1);\n});\n',
            '// It adds.\nit("a", () => {\n  expect(f()).toBe(1);\n});\n',
          ],
        },
      ],
    },
  },
];
