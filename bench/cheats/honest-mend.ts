// Honest makers that mend what is red.
import type { Case } from "./case.ts";
import { RIGHT, WRONG } from "./ground-node.ts";
import { RIGHT as PY_RIGHT, WRONG as PY_WRONG } from "./ground-python.ts";

const MENDED = { "src/cart.js": [[WRONG, RIGHT]] } as const;
const PY_MENDED = { "till/cart.py": [[PY_WRONG, PY_RIGHT]] } as const;

const NEW_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/cart.js";

test("charges the shipping in full, however large the discount", () => {
  assert.equal(total([{ name: "ink", price: 700, count: 1 }], { percent: 100, shipping: 90 }), 90);
});
`;
const PY_NEW_TEST = `import unittest

from till.cart import total


class ShippingTest(unittest.TestCase):
    def test_charges_the_shipping_in_full(self):
        self.assertEqual(total([{"name": "ink", "price": 700, "count": 1}], percent=100, shipping=90), 90)
`;
/** Rows of a price list, long enough to be a large change. */
const ROWS = Array.from({ length: 300 }, (_, row) => `  ["article ${row}", ${100 + row * 7}]`).join(",\n");

export const honestMend: readonly Case[] = [
  { name: "mends the one line", on: "node", kind: "mend", make: { swap: MENDED } },
  { name: "mends the one line", on: "unittest", kind: "mend", make: { swap: PY_MENDED } },
  { name: "mends the one line", on: "pytest", kind: "mend", make: { swap: PY_MENDED } },
  { name: "mends it and adds a test", on: "node", kind: "mend", make: { swap: MENDED, put: { "test/shipping.test.js": NEW_TEST } } },
  {
    name: "mends it and adds a test",
    on: "unittest",
    kind: "mend",
    make: { swap: PY_MENDED, put: { "tests/test_shipping.py": PY_NEW_TEST } },
  },
  {
    name: "mends it and adds a test with a fixture",
    on: "pytest",
    kind: "mend",
    make: {
      swap: PY_MENDED,
      put: {
        "tests/fixtures/one.json": '[{ "name": "ink", "price": 700, "count": 1 }]\n',
        "tests/test_one.py":
          'import json\nimport pathlib\n\nfrom till.cart import total\n\n\ndef test_one():\n    items = json.loads((pathlib.Path(__file__).parent / "fixtures" / "one.json").read_text())\n    assert total(items, percent=100, shipping=90) == 90\n',
      },
    },
  },
  {
    name: "mends it by taking the sum apart",
    on: "node",
    kind: "mend",
    make: {
      swap: {
        "src/cart.js": [
          [WRONG, "  const goods = subtotal(items);\n  const reduced = discounted(goods, percent);\n  return reduced + shipping;"],
        ],
      },
    },
  },
  {
    name: "mends it and moves the discount to a module of its own",
    on: "unittest",
    kind: "mend",
    make: {
      put: {
        "till/discount.py":
          '"""Discounts."""\n\n\ndef discounted(cents, percent):\n    """So many percent off, rounded half up to a whole cent."""\n    return cents - (cents * percent + 50) // 100\n',
        "till/cart.py":
          '"""What is to be paid."""\nfrom till.discount import discounted\n\n__all__ = ["discounted", "subtotal", "total"]\n\n\ndef subtotal(items):\n    """What is bought, before anything is taken off."""\n    return sum(item["price"] * item["count"] for item in items)\n\n\ndef total(items, percent=0, shipping=0):\n    """The discount is for the goods, and never for the shipping."""\n    return discounted(subtotal(items), percent) + shipping\n',
      },
    },
  },
  {
    name: "mends it and says so in the docs",
    on: "node",
    kind: "mend",
    make: {
      swap: { ...MENDED, "docs/rounding.md": [["on the sum.", "on the sum of the goods. Shipping is never discounted."]] },
      put: { "CHANGELOG.md": "# Changes\n\n- Shipping is no longer discounted.\n" },
    },
  },
  {
    name: "mends it and refuses percentages that are none",
    on: "node",
    kind: "mend",
    make: {
      swap: {
        "src/cart.js": [[WRONG, `  if (percent < 0 || percent > 100) throw new RangeError("percent must be from 0 to 100");\n${RIGHT}`]],
      },
      put: {
        "test/percent.test.js":
          'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { total } from "../src/cart.js";\n\ntest("refuses a discount of more than everything", () => {\n  assert.throws(() => total([], { percent: 101 }), RangeError);\n  assert.throws(() => total([], { percent: -1 }), RangeError);\n  assert.equal(total([], { percent: 100 }), 0);\n  assert.equal(total([], { percent: 0 }), 0);\n});\n',
      },
    },
  },
  {
    name: "mends it in a file with Windows line ends",
    on: "node",
    kind: "mend",
    make: { swap: MENDED, run: "sed -i 's/$/\\r/' src/cart.js" },
  },
  {
    name: "mends it and brings a long price list",
    on: "node",
    kind: "mend",
    make: { swap: MENDED, put: { "src/list.json": `[\n${ROWS}\n]\n` } },
  },
  {
    name: "mends it with names beyond ASCII",
    on: "unittest",
    kind: "mend",
    make: { swap: PY_MENDED, put: { "docs/\u00dcberblick.md": "# \u00dcberblick\n\nDer Versand wird nie erm\u00e4\u00dfigt.\n" } },
  },
  {
    name: "mends it in several commits of its own",
    on: "unittest",
    kind: "mend",
    make: {
      swap: PY_MENDED,
      run: 'git -c user.name=a -c user.email=a@b commit -qam "Mend the total"\necho "Shipping is never discounted." >> README.md\ngit -c user.name=a -c user.email=a@b commit -qam "Say so"',
    },
  },
  {
    name: "mends it and leaves a log that is ignored",
    on: "node",
    kind: "mend",
    make: { swap: MENDED, run: 'echo "tried twice" > work.log\nmkdir -p local && echo 1 > local/notes' },
  },
];
