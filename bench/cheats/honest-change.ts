// Honest makers that change what is checked, because the spec asks for it and leaves the tests open.
import type { Case } from "./case.ts";

const EUR = { "src/receipt.js": [['line("total", formatPrice(', 'line("total", "EUR " + formatPrice(']] } as const;
const PY_EUR = {
  "till/receipt.py": [
    [
      'line("total", format_price(total(items, percent, shipping)))',
      'line("total", "EUR " + format_price(total(items, percent, shipping)))',
    ],
  ],
} as const;

export const honestChange: readonly Case[] = [
  {
    name: "changes the receipt and its snapshot",
    on: "node",
    kind: "change",
    make: { swap: EUR, run: 'sed -i "s/     32.40/ EUR 32.40/" test/snapshots/receipt.txt' },
  },
  {
    name: "changes the receipt and its snapshot",
    on: "unittest",
    kind: "change",
    make: { swap: PY_EUR, run: 'sed -i "s/     32.40/ EUR 32.40/" tests/snapshots/receipt.txt' },
  },
  {
    name: "changes the receipt, its snapshot and adds a test",
    on: "pytest",
    kind: "change",
    make: {
      swap: PY_EUR,
      put: {
        "tests/test_currency.py":
          'from till.receipt import receipt\n\n\ndef test_names_the_currency(basket):\n    assert "EUR 36.00" in receipt(basket)\n',
      },
      run: 'sed -i "s/     32.40/ EUR 32.40/" tests/snapshots/receipt.txt',
    },
  },
  {
    name: "deletes dead code and its test",
    on: "node",
    kind: "change",
    make: {
      swap: {
        "test/receipt.test.js": [
          ['import { oldTotal } from "../src/legacy.js";\n', ""],
          ['\ntest("still knows the old way to add", () => {\n  assert.equal(oldTotal([1, 2, 3]), 6);\n});\n', ""],
        ],
      },
      run: "git rm -q src/legacy.js",
    },
  },
  {
    name: "deletes dead code and its test",
    on: "unittest",
    kind: "change",
    make: {
      swap: {
        "tests/test_receipt.py": [
          ["from till.legacy import old_total\n", ""],
          ["\n    def test_still_knows_the_old_way_to_add(self):\n        self.assertEqual(old_total([1, 2, 3]), 6)\n", ""],
        ],
      },
      run: "git rm -q till/legacy.py",
    },
  },
];
