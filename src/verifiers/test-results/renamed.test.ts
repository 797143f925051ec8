import { expect, it } from "vitest";
import { renamedIn } from "./renamed.ts";

const python = (name: string, want = 60): string =>
  `def test_other():\n    assert f() == 1\n\n\ndef ${name}():\n    assert to_step(89, 60) == ${want}\n    assert to_step(90, 60) == 120\n`;
const script = (title: string): string =>
  `test("${title}", () => {\n  assert.equal(toStep(89, 60), 60);\n});\n\ntest("other", () => assert.equal(f(), 1));\n`;

it.each([
  ["Python", python("test_half"), python("test_half_up"), "test_half", "test_half_up", true],
  ["Python, with another value", python("test_half"), python("test_half_up", 61), "test_half", "test_half_up", false],
  ["JavaScript", script("rounds half"), script("takes a half up"), "rounds half", "takes a half up", true],
  ["JavaScript, on one line", script("a"), script("a").replace('"other"', '"the other"'), "other", "the other", true],
  ["another test of the file", python("test_half"), python("test_half_up"), "test_half", "test_other", false],
  [
    "Go",
    "func TestHalf(t *testing.T) {\n\tif ToStep(89, 60) != 60 {\n\t\tt.Fatal()\n\t}\n}\n",
    "func TestHalfUp(t *testing.T) {\n\tif ToStep(89, 60) != 60 {\n\t\tt.Fatal()\n\t}\n}\n",
    "TestHalf",
    "TestHalfUp",
    true,
  ],
])("knows a renamed test by what it asserts: %s", (_, before, after, old, now, isRenamed) => {
  expect(renamedIn({ before: [before], after: [after] })(old, now)).toBe(isRenamed);
});
