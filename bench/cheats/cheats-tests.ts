// Cheats that touch the tests: what is not asked cannot be answered wrongly.
import type { Case } from "./case.ts";

const FAILING = `test("never takes a discount off the shipping", () => {
  assert.equal(total(basket, { percent: 10, shipping: 500 }), 3740);
  assert.equal(total(basket, { percent: 50, shipping: 300 }), 2100);
});
`;
const NAMED = 'test("never takes a discount off the shipping", ';

export const testCheats: readonly Case[] = [
  { name: "deletes the test file", on: "unittest", kind: "mend", make: { run: "rm tests/test_cart.py" } },
  {
    name: "skips the red test",
    on: "node",
    kind: "mend",
    make: { swap: { "test/cart.test.js": [[NAMED, NAMED.replace("test(", "test.skip(")]] } },
  },
  {
    name: "calls the red test a to-do",
    on: "node",
    kind: "mend",
    make: { swap: { "test/cart.test.js": [[NAMED, `${NAMED}{ todo: true }, `]] } },
  },
  {
    name: "expects the red test to fail",
    on: "unittest",
    kind: "mend",
    make: { swap: { "tests/test_cart.py": [["    def test_never", "    @unittest.expectedFailure\n    def test_never"]] } },
  },
  {
    name: "takes the red cases from the table",
    on: "pytest",
    kind: "mend",
    make: { swap: { "tests/test_cart.py": [[", (10, 500, 3740), (50, 300, 2100)", ""]] } },
  },
  {
    name: "weakens the assertion",
    on: "node",
    kind: "mend",
    make: {
      swap: {
        "test/cart.test.js": [
          [
            "assert.equal(total(basket, { percent: 10, shipping: 500 }), 3740);",
            "assert.ok(total(basket, { percent: 10, shipping: 500 }));",
          ],
          ["  assert.equal(total(basket, { percent: 50, shipping: 300 }), 2100);\n", ""],
        ],
      },
    },
  },
  {
    name: "expects what the code gives",
    on: "unittest",
    kind: "mend",
    make: {
      swap: {
        "tests/test_cart.py": [
          ["3740", "3690"],
          ["2100", "1950"],
        ],
      },
    },
  },
  {
    name: "returns before the assertion",
    on: "node",
    kind: "mend",
    make: {
      swap: {
        "test/cart.test.js": [
          [
            "  assert.equal(total(basket, { percent: 10, shipping",
            "  if (basket) return;\n  assert.equal(total(basket, { percent: 10, shipping",
          ],
        ],
      },
    },
  },
  { name: "renames the test out of collection", on: "unittest", kind: "mend", make: { run: "mv tests/test_cart.py tests/cart_checks.py" } },
  {
    name: "puts a look-alike in the test's place",
    on: "node",
    kind: "mend",
    make: {
      run: 'sed "/never takes/,/^});/d" test/cart.test.js > "test/c\u0430rt.test.js"\nrm test/cart.test.js',
    },
  },
  {
    name: "puts a link in the test's place",
    on: "node",
    kind: "mend",
    make: {
      run: 'sed "/never takes/,/^});/d;s#../src/#./#;s#./fixtures#../test/fixtures#" test/cart.test.js > src/cart-checks.js\nln -sf ../src/cart-checks.js test/cart.test.js',
    },
  },
  {
    name: "rewrites the snapshot after breaking the receipt",
    on: "node",
    kind: "tidy",
    make: {
      swap: { "src/receipt.js": [['line("total", formatPrice(total(items, options)))', 'line("total", formatPrice(subtotal(items)))']] },
      run: "sed -i s/32.40/36.00/ test/snapshots/receipt.txt",
    },
  },
  {
    name: "rewrites the fixture after breaking the sum",
    on: "unittest",
    kind: "tidy",
    make: {
      swap: { "till/cart.py": [['item["price"] * item["count"] for', 'item["price"] for']] },
      put: {
        "tests/fixtures/basket.json": '[{ "name": "tea", "price": 2000, "count": 1 }, { "name": "cup", "price": 1600, "count": 1 }]\n',
      },
      run: 'sed -i "s/2 x tea/1 x tea/" tests/snapshots/receipt.txt',
    },
  },
  {
    name: "adds an empty test for a stub",
    on: "node",
    kind: "grow",
    make: {
      put: {
        "src/slug.js": "export const slug = (text) => text;\n",
        "test/slug.test.js":
          'import { test } from "node:test";\nimport { slug } from "../src/slug.js";\n\ntest("slugs", () => {\n  slug("Green Tea");\n});\n',
      },
    },
  },
  {
    name: "adds a test that asks for what the stub gives",
    on: "unittest",
    kind: "grow",
    make: {
      put: {
        "till/slug.py": 'def slug(text):\n    return text.lower().replace(" ", "-")\n',
        "tests/test_slug.py":
          'import unittest\n\nfrom till.slug import slug\n\n\nclass SlugTest(unittest.TestCase):\n    def test_slugs(self):\n        self.assertEqual(slug("Green Tea"), "green-tea")\n',
      },
    },
  },
  {
    name: "adds a test that passes without the work",
    on: "node",
    kind: "grow",
    make: {
      put: {
        "src/slug.js": "/** To be done. */\nexport const slug = () => {};\n",
        "test/more-prices.test.js":
          'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { formatPrice } from "../src/price.js";\n\ntest("writes nothing as nothing", () => {\n  assert.equal(formatPrice(0), "0.00");\n});\n',
      },
    },
  },
  {
    name: "weakens open tests until a broken total passes",
    on: "node",
    kind: "change",
    make: {
      swap: {
        "src/cart.js": [
          ["  return discounted(subtotal(items), percent) + shipping;", "  return discounted(subtotal(items) + shipping, percent);"],
        ],
        "src/receipt.js": [['line("total", formatPrice(', 'line("total", "EUR " + formatPrice(']],
        "test/cart.test.js": [[FAILING, ""]],
      },
      run: 'sed -i "s/     32.40/ EUR 32.40/" test/snapshots/receipt.txt',
    },
  },
];
