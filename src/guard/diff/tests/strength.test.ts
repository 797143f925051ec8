import { describe, expect, it } from "vitest";
import { isInverted, strengthOf, toleranceOf } from "./strength.ts";

describe("what an assertion demands", () => {
  it.each([
    ["expect(f(2)).toBe(4);", "exact"],
    ["assert f(2) == 4", "exact"],
    ["assertEquals(4, f(2));", "exact"],
    ["assert_eq!(f(2), 4);", "exact"],
    ["assert.deepStrictEqual(f(2), [4])", "exact"],
    ["if got != want", "part"],
    ["expect(list).toContain(4)", "part"],
    ["assert 'a' in text", "part"],
    ["assert!(f(2) > 0)", "part"],
    ["expect(text.includes('a')).toBe(true)", "part"],
    ["expect(() => f()).toThrow()", "presence"],
    ["expect(f(2)).toBeDefined()", "presence"],
    ["expect(f(2)).toEqual(expect.anything())", "presence"],
    ["expect(f(2)).toMatchObject({})", "presence"],
    ["expect(f(2)).toEqual({})", "exact"],
    ["expect(f).to be_truthy", "presence"],
    ["expect.assertions(0)", "nothing"],
    ["assert f(2)", "presence"],
    ["assert client.get('/1,2,3').data", "presence"],
    ["assertNotNull(f(2));", "presence"],
    ["expect(f(2));", "nothing"],
    ["assert True", "nothing"],
    ["assert f() == 1 or True", "nothing"],
    ["expect(true).toBe(true);", "nothing"],
    ["assertEquals(1, 1);", "nothing"],
    ["assert x == x", "nothing"],
  ])("%s: %s", (raw, strength) => expect(strengthOf(raw)).toBe(strength));
});

it.each([
  ["assert x is None", "assert x is not None"],
  ["expect(f()).toBe(1)", "expect(f()).not.toBe(1)"],
  ["assert!(m.has())", "assert!(!m.has())"],
  ["self.assertTrue(x)", "self.assertFalse(x)"],
])("%s is the opposite of %s", (one, other) => {
  expect([isInverted(one, other), isInverted(other, one), isInverted(one, one)]).toEqual([true, true, false]);
});

it.each([
  ["expect(x).toBeCloseTo(1.5, 3)", 0.001],
  ["assert x == pytest.approx(1.5, abs=0.5)", 0.5],
  ["assertEquals(1.5, x, 0.01);", 0.01],
  ["expect(x).toBe(1)", undefined],
])("%s leaves a margin of %s", (raw, margin) => expect(toleranceOf(raw)).toBe(margin));
