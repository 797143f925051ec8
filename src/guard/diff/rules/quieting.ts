// Failures that are caught and dropped, and stand-ins for what a test is about.
import type { DiffRule, Sighting } from "../rule.ts";
import { type TestDelta, testDeltas } from "../tests/compare.ts";
import type { Fact } from "../tests/inventory.ts";
import type { ChangeView } from "../view.ts";

const shown = (raw: string): string => raw.replace(/\s+/g, " ").trim().slice(0, 300);

function swallowedFailures(view: ChangeView): readonly Sighting[] {
  return testDeltas(view).flatMap((delta) =>
    delta.swallows.map((one): Sighting => {
      const isOld = delta.oldTests.has(one.test) || (one.test.startsWith("#") && delta.file.before !== undefined);
      return {
        file: delta.file.path,
        line: one.line,
        severity: isOld ? "high" : "low",
        confidence: isOld ? "high" : "low",
        what: "a failure inside a test is caught and dropped",
        after: shown(one.raw),
      };
    }),
  );
}

function mockedUnits(view: ChangeView): readonly Sighting[] {
  return testDeltas(view).flatMap((delta) =>
    delta.mocks.map((one): Sighting => {
      const isOld = delta.oldTests.has(one.test) || (one.test.startsWith("#") && delta.file.before !== undefined);
      const isUnit = (isOld && isAboutReplaced(one, delta)) || (delta.file.before !== undefined && isOwnModule(one, delta));
      return {
        file: delta.file.path,
        line: one.line,
        severity: isUnit ? "high" : "low",
        confidence: isUnit ? "medium" : "low",
        what: isUnit ? "what the test is about is replaced by a stand-in" : "a stand-in was added",
        after: shown(one.raw),
      };
    }),
  );
}

/** `cart.test.ts` that mocks `./cart`: nothing of what it is about is left. */
function isOwnModule({ raw }: Fact, { file }: TestDelta): boolean {
  const module = /(?:mock|doMock|unstable_mockModule|proxyquire|replace)\(\s*["'`]([^"'`]+)["'`]\s*,/.exec(raw)?.[1];
  if (!module || !/^[.@~]/.test(module)) return false;
  const stem = (path: string): string =>
    path
      .split("/")
      .at(-1)!
      .replace(/\.[cm]?[jt]sx?$/, "");
  return stem(module) === stem(file.path).replace(/[._-](?:test|spec)s?$/i, "");
}

/** The name that is given something else: of `a.b.c = …`, `const c = …`, `setattr(a, "c", …)`, `stub(a, "c")`. */
const REPLACED =
  /^(?:const |let |var )?(?:[\w$]+\.)*([\w$]+)\s*=(?!=)|(?:setattr|spyOn|stub|replace|object|method)\(\s*[\w.$]+\s*,\s*["'`]([\w$]+)["'`]|patch\(\s*["'`](?:[\w.]+\.)?(\w+)["'`]/;
/** An answer that is the same whatever is asked. */
const FIXED =
  /=\s*lambda\b[^:]*:|mock(?:Return|Resolved)Value|mockImplementation|return_value\s*=|=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>|=\s*(?:\w+\.)*(?:Magic|Async)?Mock\(|\.(?:returns|resolves|fn|stub|fake)\(|,\s*lambda\b/;
/** Things of the outside world: to replace them is what stand-ins are for. */
const OUTSIDE =
  /\b(?:sys|os|console|process|logging|logger|time|datetime|Date|Math|random|socket|requests|http|https|fetch|fs|subprocess|window|document|global|globalThis|stdout|stderr|stdin|env|environ|platform|shutil|sleep|setTimeout|open|input|print)\b\s*[.,]/;

/** Lines that were there use its name, or nothing new does: the test now speaks of the stand-in. */
function isAboutReplaced({ raw, line }: Fact, { file }: TestDelta): boolean {
  const match = REPLACED.exec(raw.trim());
  const name = match?.[1] ?? match?.[2] ?? match?.[3];
  if (!name || name.length < 2 || !FIXED.test(raw) || OUTSIDE.test(raw.split(/=|lambda/)[0]!)) return false;
  const used = new RegExp(`(?<![\\w$])${name.replace(/\$/g, "\\$")}(?![\\w$])`);
  const after = file.hunks
    .flatMap(({ lines }) => lines)
    .filter((one) => one.kind !== "removed" && one.after > line && one.after < line + 25 && used.test(one.text));
  if (after.some(({ kind }) => kind === "same")) return true;
  return match?.[1] !== undefined && after.length === 0 && file.scope === "hunks";
}

export const quietingRules: readonly DiffRule[] = [
  {
    id: "failure-swallowed",
    severity: "high",
    why: "A failing assertion is caught and dropped, so the test cannot fail. Let it fail.",
    find: swallowedFailures,
    examples: {
      flags: [
        {
          "tests/test_a.py": [
            "def test_a():\n    assert f() == 1\n",
            "def test_a():\n    try:\n        assert f() == 1\n    except AssertionError:\n        pass\n",
          ],
        },
        {
          "a.test.ts": [
            'it("a", () => {\n  expect(f()).toBe(1);\n});\n',
            'it("a", () => {\n  try {\n    expect(f()).toBe(1);\n  } catch (e) {\n    // ignore\n  }\n});\n',
          ],
        },
        {
          "a_test.go": [
            "func TestA(t *testing.T) {\n\tcheckIt(t, f())\n}\n",
            "func TestA(t *testing.T) {\n\tdefer func() { _ = recover() }()\n\tcheckIt(t, f())\n}\n",
          ],
        },
        {
          "tests/a.rs": [
            "#[test]\nfn a() {\n    assert_eq!(f(), 1);\n}\n",
            "#[test]\nfn a() {\n    let _ = std::panic::catch_unwind(|| {\n        assert_eq!(f(), 1);\n    });\n}\n",
          ],
        },
        {
          "src/test/java/ATest.java": [
            "class ATest {\n  @Test\n  void a() {\n    assertEquals(1, f());\n  }\n}\n",
            "class ATest {\n  @Test\n  void a() {\n    try {\n      assertEquals(1, f());\n    } catch (Throwable t) {\n    }\n  }\n}\n",
          ],
        },
      ],
      passes: [
        {
          "a.test.ts": [
            'it("a", () => {\n  f();\n});\n',
            'it("a", () => {\n  try {\n    f();\n    assert.fail("must throw");\n  } catch (e) {\n    expect(e.code).toBe(2);\n  }\n});\n',
          ],
        },
      ],
    },
  },
  {
    id: "unit-mocked",
    severity: "high",
    why: "What the test is about was replaced by something that gives the wanted answer. Test the real thing.",
    find: mockedUnits,
    examples: {
      flags: [
        {
          "tests/test_a.py": [
            "import shop\n\ndef test_a():\n    assert shop.total([1]) == 1\n",
            "import shop\n\ndef test_a():\n    shop.total = lambda *a, **k: 1\n    assert shop.total([1]) == 1\n",
          ],
        },
        {
          "a.test.ts": [
            'it("a", () => {\n  expect(total([1])).toBe(1);\n});\n',
            'it("a", () => {\n  const total = vi.fn().mockReturnValue(1);\n  expect(total([1])).toBe(1);\n});\n',
          ],
        },
      ],
      passes: [
        {
          "a.test.ts": [
            'it("a", () => {\n  expect(total([1])).toBe(1);\n});\n',
            'it("a", () => {\n  expect(total([1])).toBe(1);\n});\nit("b", () => {\n  const send = vi.fn();\n  run(send);\n  expect(send).toHaveBeenCalledWith(1);\n});\n',
          ],
        },
      ],
    },
  },
];
