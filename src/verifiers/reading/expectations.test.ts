import { expect, it } from "vitest";
import { expectationsOf } from "./expectations.ts";

it.each([
  ["cart.test.js", "  assert.equal(total(basket), 3740);", "  assert.equal(total(basket), 83740);"],
  ["cart.test.js", '  expect(price(5)).toBe("0.05");', '  expect(price(5)).toBe("~~0.05");'],
  ["cart.test.ts", 'test("none", () => assert.equal(total([]), 0));', 'test("none", () => assert.equal(total([]), 80));'],
  ["test_cart.py", "        self.assertEqual(subtotal([]), 0)", "        self.assertEqual(subtotal([]), 80)"],
  ["test_cart.py", "    assert total(basket) == -12", "    assert total(basket) == -812"],
  ["test_cart.py", "    assert is_open(shop) == True", "    assert is_open(shop) == False"],
  ["cart_test.go", "\tif got != 12 {", "\tif got != 812 {"],
  ["tests/cart.rs", "    assert_eq!(total(&[]), 0);", "    assert_eq!(total(&[]), 80);"],
  ["CartTest.java", "    assertEquals(12, total(basket));", "    assertEquals(812, total(basket));"],
])("makes what %s expects wrong: %s", (path, line, wrong) => {
  expect(expectationsOf(path, `// above\n${line}\n`)).toEqual([
    { path, line: 2, what: expect.stringContaining(" becomes "), result: wrong },
  ]);
});

it.each([
  ["cart.test.js", "  assert.notEqual(total(basket), 3740);"],
  ["cart.test.js", "  expect(total(basket)).not.toBe(3740);"],
  ["cart.test.js", "  // assert.equal(total(basket), 3740);"],
  ["cart.test.js", "  const text = `\n  assert.equal(total(basket), 3740);\n`;"],
  ["cart.test.js", "  assert.throws(() => total(3));"],
  ["cart.test.js", "  assert.equal(total(basket), expected);"],
  ["test_cart.py", "    with self.assertRaises(ValueError): parse(3)"],
  ["notes.md", "assert total(basket) == 12"],
])("leaves alone what expects nothing that could be made wrong in %s: %s", (path, text) => {
  expect(expectationsOf(path, `${text}\n`)).toEqual([]);
});
