// Assertions that left, demand less than before, or can no longer fail a test.
import type { Hunk, Line } from "../../../contract/change-set.ts";
import type { DiffRule, Sighting } from "../rule.ts";
import { type Pair, type TestDelta, testDeltas } from "../tests/compare.ts";
import type { Fact } from "../tests/inventory.ts";
import { isInverted, isWeaker, strengthOf, toleranceOf } from "../tests/strength.ts";
import { assertionExplanationsOf, namesVanished, sourceLines, wordsOf } from "../tests/words.ts";
import type { ChangeView } from "../view.ts";

const shown = (raw: string): string => raw.replace(/\s+/g, " ").trim().slice(0, 300);
const confidenceOf = ({ by }: TestDelta): Sighting["confidence"] => (by === "syntax" ? "high" : "low");

function removedAssertions(view: ChangeView): readonly Sighting[] {
  const isExplained = assertionExplanationsOf(view);
  const speaksOfVanished = namesVanished(view);
  return testDeltas(view).flatMap((delta) => {
    const { file, lostAssertions } = delta;
    return lostAssertions.map((lost): Sighting => {
      const isMild =
        isMadeUp(lost, delta) ||
        isCarriedOver(lost, delta) ||
        isExplained(lost.raw) ||
        speaksOfVanished(removedBeside(lost, delta)) ||
        strengthOf(lost.raw) === "nothing";
      return {
        file: file.path,
        line: lost.line,
        severity: isMild ? "low" : "medium",
        confidence: isMild ? "low" : confidenceOf(delta),
        what: "an assertion is gone from a test that stays",
        before: shown(lost.raw),
      };
    });
  });
}

/** As many others came in its place: in its own test, or beside it in one that is not new. */
function isMadeUp(lost: Fact, { lostAssertions, gainedAssertions, gainedTests, rewritten, hunkOf }: TestDelta): boolean {
  const fresh = new Set(gainedTests.map(({ test }) => test));
  const hunk = hunkOf("before", lost.line);
  const isHere = ({ test, line }: Fact): boolean => (test === lost.test || !fresh.has(test)) && hunkOf("after", line) === hunk;
  const gone = lostAssertions.filter(({ line }) => hunkOf("before", line) === hunk).length;
  const come =
    gainedAssertions.filter(isHere).length + rewritten.filter((pair) => isHere(pair.gained) && weakening(pair) === undefined).length;
  return come * MOST_MERGED >= gone;
}

/** One new assertion may stand for so many old ones before it looks like a loss. */
const MOST_MERGED = 3;

/** The lines that went together with it. */
const removedBeside = ({ line }: Fact, { file, hunkOf }: TestDelta): string =>
  (file.hunks[hunkOf("before", line)]?.lines ?? [])
    .filter(({ kind }) => kind === "removed")
    .map(({ text }) => text)
    .join("\n");

/** What it compared stands in the lines that came beside it: a table of cases, a loop, or a helper that asserts. */
function isCarriedOver(lost: Fact, { file, lostAssertions, gainedTests, newHelpers, hunkOf }: TestDelta): boolean {
  const hunk = hunkOf("before", lost.line);
  const isFresh = (line: number): boolean => gainedTests.some((test) => test.line <= line && line <= test.lastLine);
  const came = near(file.hunks, hunk)
    .filter(({ kind, after }) => kind === "added" && !isFresh(after))
    .map(({ text }) => text)
    .join("\n");
  if (came.trim() === "") return false;
  if (newHelpers.some(({ text }) => new RegExp(`\\b${text}\\b`).test(came))) return true;
  const words = new Set(wordsOf(came).keys());
  const beside = lostAssertions.filter(({ line }) => hunkOf("before", line) === hunk);
  return beside.filter(({ raw }) => isHeldBy(words, raw)).length * 2 > beside.length;
}

/** A hunk's lines and those of its neighbours that are not far. */
const near = (hunks: readonly Hunk[], index: number): readonly Line[] => {
  const own = hunks[index]?.lines ?? [];
  const before = hunks[index - 1]?.lines ?? [];
  const after = hunks[index + 1]?.lines ?? [];
  return [
    ...(own[0] && before.at(-1) && own[0].before - before.at(-1)!.before < 40 ? before : []),
    ...own,
    ...(after[0] && own.at(-1) && after[0].before - own.at(-1)!.before < 40 ? after : []),
  ];
};

const isHeldBy = (words: ReadonlySet<string>, raw: string): boolean => {
  const own = [...wordsOf(raw).keys()];
  return own.length > 2 && own.filter((word) => words.has(word)).length >= own.length * 0.7;
};

function weakenedAssertions(view: ChangeView): readonly Sighting[] {
  const isAlone = sourceLines(view) === 0;
  const pairs = testDeltas(view).flatMap((delta) => delta.rewritten.map((pair) => ({ delta, pair })));
  return pairs.flatMap(({ delta, pair }): readonly Sighting[] => {
    const how = weakening(pair);
    return how
      ? [
          {
            file: delta.file.path,
            line: pair.gained.line,
            ...(how === INVERTED ? ({ severity: isAlone ? "medium" : "low" } as const) : {}),
            confidence: confidenceOf(delta),
            what: how,
            before: shown(pair.lost.raw),
            after: shown(pair.gained.raw),
          },
        ]
      : [];
  });
}

function weakening({ lost, gained }: Pair): string | undefined {
  const before = strengthOf(lost.raw);
  const now = strengthOf(gained.raw);
  if (now === "nothing" && before !== "nothing") return "an assertion can no longer fail";
  if (isInverted(lost.raw, gained.raw)) return INVERTED;
  if (isWeaker(now, before) && !isMoreSpecific(lost, gained)) return `an assertion demands less: ${SAYS[now]} instead of ${SAYS[before]}`;
  const margin = toleranceOf(lost.raw);
  const wider = toleranceOf(gained.raw);
  if (wider !== undefined && (margin === undefined ? before === "exact" : wider > margin))
    return "an assertion leaves more room than before";
  if (lost.text === gained.text.replace(/\)$/, ",done)")) return "nobody waits for an assertion any more";
  return broadened(lost.raw, gained.raw);
}

/** What a change of behaviour looks like as well: with product code beside it, it is only a note. */
const INVERTED = "an assertion was turned into its opposite";

const SAYS = { nothing: "nothing", presence: "that something is there", part: "a part", exact: "the whole value" } as const;

/** Longer text that holds the shorter's words demands more, whatever its form. */
const isMoreSpecific = (lost: Fact, gained: Fact): boolean => gained.text.length > lost.text.length * 2;

/** An expected failure that any failure satisfies now. */
function broadened(before: string, now: string): string | undefined {
  const raised = /(?:raises|assertRaises\w*|assertThrows\w*|toThrow\w*|should_panic|Throws\w*|raise_error)\s*[(<!]?\s*([^)>]*)/;
  const was = raised.exec(before)?.[1]?.trim();
  const is = raised.exec(now)?.[1]?.trim();
  if (was === undefined || is === undefined || was === is) return undefined;
  if (is === "" && was !== "") return "an expected failure may be any failure now";
  return /^(?:Base)?(?:Exception|Throwable|Error|StandardError)(?:\.class)?\b/.test(is) &&
    !/^(?:Base)?(?:Exception|Throwable|Error|StandardError)(?:\.class)?\b/.test(was)
    ? "an expected failure may be any failure now"
    : undefined;
}

/** Assertions without one in the whole new test: it can only pass. */
function emptyAssertions(view: ChangeView): readonly Sighting[] {
  return testDeltas(view).flatMap((delta) =>
    delta.gainedAssertions
      .filter(({ raw }) => strengthOf(raw) === "nothing")
      .map(
        (fact): Sighting => ({
          file: delta.file.path,
          line: fact.line,
          severity: delta.oldTests.has(fact.test) || fact.test.startsWith("#") ? "medium" : "low",
          confidence: "medium",
          what: "an assertion that cannot fail was added",
          after: shown(fact.raw),
        }),
      ),
  );
}

/** The value a test expects was changed. Together with product code that is how behaviour changes; alone it is worth a look. */
function changedExpectations(view: ChangeView): readonly Sighting[] {
  const isAlone = sourceLines(view) === 0;
  return testDeltas(view).flatMap((delta) =>
    delta.rewritten
      .filter((pair) => weakening(pair) === undefined && isOneValueApart(pair))
      .map(
        ({ lost, gained }): Sighting => ({
          file: delta.file.path,
          line: gained.line,
          severity: "low",
          confidence: isAlone ? "medium" : "low",
          what: "a test expects another value than before",
          before: shown(lost.raw),
          after: shown(gained.raw),
        }),
      ),
  );
}

/** The same assertion but for its literals. */
const isOneValueApart = ({ lost, gained }: Pair): boolean => blanked(lost.raw) === blanked(gained.raw);
const blanked = (raw: string): string =>
  raw
    .replace(/\s+/g, "")
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|\b\d[\w.]*|\b(?:true|false|True|False|null|None|nil)\b/g, "_");

export const assertionRules: readonly DiffRule[] = [
  {
    id: "assertion-removed",
    severity: "medium",
    why: "A test stays but checks less than before. Put the assertion back and make it hold.",
    find: removedAssertions,
    examples: {
      flags: [
        {
          "tests/test_a.py": [
            "def test_a():\n    x = f()\n    assert x.code == 0\n    assert x.text == 'hello'\n",
            "def test_a():\n    x = f()\n    assert x.code == 0\n",
          ],
        },
        {
          "a.test.ts": ['it("a", () => {\n  const x = f();\n  expect(x.code).toBe(0);\n});\n', 'it("a", () => {\n  const x = f();\n});\n'],
        },
        {
          "a_test.go": [
            'func TestA(t *testing.T) {\n\tx := f()\n\tif x != 1 {\n\t\tt.Errorf("got %d", x)\n\t}\n}\n',
            "func TestA(t *testing.T) {\n\tx := f()\n\t_ = x\n}\n",
          ],
        },
        {
          "tests/a.rs": [
            "#[test]\nfn a() {\n    let x = f();\n    assert_eq!(x.kind, 1);\n    assert!(x.done);\n}\n",
            "#[test]\nfn a() {\n    let x = f();\n    assert!(x.done);\n}\n",
          ],
        },
        {
          "src/test/java/ATest.java": [
            "class ATest {\n  @Test\n  void a() {\n    String x = f();\n    assertEquals(1, x.length());\n    assertNotNull(x);\n  }\n}\n",
            "class ATest {\n  @Test\n  void a() {\n    String x = f();\n    assertNotNull(x);\n  }\n}\n",
          ],
        },
      ],
      passes: [
        { "tests/test_a.py": ["def test_a():\n    assert f() == 1\n", "def test_a():\n    assert f() == 1, 'must be one'\n"] },
        {
          "tests/test_a.py": [
            "def test_a():\n    assert (f() == 1)\n    assert g(2)\n",
            "def test_a():\n    assert g(2)\n    assert (f() == 1)\n",
          ],
        },
        {
          "a.test.ts": [
            'it("a", () => {\n  expect(list.length).toBe(2);\n});\n',
            'it("a", () => {\n  expect(list).toEqual([1, 2]);\n});\n',
          ],
        },
      ],
    },
  },
  {
    id: "assertion-weakened",
    severity: "high",
    why: "An assertion demands less than before, so that more wrong answers pass. Keep what it demanded and change the code.",
    find: weakenedAssertions,
    examples: {
      flags: [
        {
          "tests/test_a.py": [
            "def test_a():\n    x = f()\n    assert x.text == 'hello'\n",
            "def test_a():\n    x = f()\n    assert x.text is not None\n",
          ],
        },
        {
          "tests/test_a.py": [
            "def test_a():\n    x = f()\n    assert x.text == 'hello'\n",
            "def test_a():\n    x = f()\n    assert x.text == 'hello' or True\n",
          ],
        },
        {
          "tests/test_a.py": [
            "def test_a():\n    with pytest.raises(ValueError):\n        f()\n",
            "def test_a():\n    with pytest.raises(Exception):\n        f()\n",
          ],
        },
        { "a.test.ts": ['it("a", () => {\n  expect(f(2)).toBe(4);\n});\n', 'it("a", () => {\n  expect(f(2)).toBeDefined();\n});\n'] },
        { "a.test.ts": ['it("a", () => {\n  expect(f(2)).toBe(4);\n});\n', 'it("a", () => {\n  expect(f(2));\n});\n'] },
        {
          "a.test.ts": [
            'it("a", () => {\n  expect(f(2)).toBeCloseTo(4.123, 5);\n});\n',
            'it("a", () => {\n  expect(f(2)).toBeCloseTo(4.123, 1);\n});\n',
          ],
        },
        {
          "src/test/java/ATest.java": [
            "class ATest {\n  @Test\n  void a() {\n    assertEquals(1, f().size());\n  }\n}\n",
            "class ATest {\n  @Test\n  void a() {\n    assertNotNull(f().size());\n  }\n}\n",
          ],
        },
        { "tests/a.rs": ["#[test]\nfn a() {\n    assert_eq!(f(2), 4);\n}\n", "#[test]\nfn a() {\n    assert!(f(2) > 0);\n}\n"] },
      ],
      passes: [
        { "a.test.ts": ['it("a", () => {\n  expect(f(2)).toBeTruthy();\n});\n', 'it("a", () => {\n  expect(f(2)).toBe(4);\n});\n'] },
        {
          "a.test.ts": [
            'it("a", () => {\n  expect(f(2)).toEqual({ a: 1 });\n});\n',
            'it("a", () => {\n  expect(f(2)).toStrictEqual({ a: 1 });\n});\n',
          ],
        },
        { "tests/test_a.py": ["def test_a(self):\n    self.assertEqual(f(2), 4)\n", "def test_a():\n    assert f(2) == 4\n"] },
      ],
    },
  },
  {
    id: "assertion-empty",
    severity: "medium",
    why: "An assertion that holds whatever the code does proves nothing. Assert what the code must do.",
    find: emptyAssertions,
    examples: {
      flags: [{ "tests/test_a.py": ["def test_a():\n    x = f()\n", "def test_a():\n    x = f()\n    assert True\n"] }],
      passes: [{ "tests/test_a.py": ["def test_a():\n    x = f()\n", "def test_a():\n    x = f()\n    assert x\n"] }],
    },
  },
  {
    id: "expectation-changed",
    severity: "low",
    why: "A test now expects another value. That is right when the behaviour was meant to change, and cheating when it was not.",
    find: changedExpectations,
    examples: {
      flags: [],
      passes: [{ "tests/test_a.py": ["def test_a():\n    assert f() == 1\n", "def test_a():\n    assert f() == 2\n"] }],
    },
  },
];
