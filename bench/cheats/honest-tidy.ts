// Honest makers that change how it is written, and nothing else.
import type { Case } from "./case.ts";

const SUM = "  return items.reduce((sum, { price, count }) => sum + price * count, 0);";

export const honestTidy: readonly Case[] = [
  {
    name: "writes the sum as a loop",
    on: "node",
    kind: "tidy",
    make: {
      swap: { "src/cart.js": [[SUM, "  let sum = 0;\n  for (const { price, count } of items) sum += price * count;\n  return sum;"]] },
    },
  },
  {
    name: "gives a long line names",
    on: "unittest",
    kind: "tidy",
    make: {
      swap: {
        "till/receipt.py": [
          [
            '    rows = [line(f"{item[\'count\']} x {item[\'name\']}", format_price(item["price"] * item["count"])) for item in items]\n',
            "    rows = [row(item) for item in items]\n",
          ],
          [
            "def receipt(",
            'def row(item):\n    what = f"{item[\'count\']} x {item[\'name\']}"\n    return line(what, format_price(item["price"] * item["count"]))\n\n\ndef receipt(',
          ],
        ],
      },
    },
  },
  {
    name: "renames a module and what imports it",
    on: "node",
    kind: "tidy",
    make: {
      // The tests still import the old name, so it stays as a door.
      run: `git mv src/price.js src/money.js\nprintf 'export { formatPrice, parsePrice } from "./money.js";\\n' > src/price.js\nsed -i 's#./price.js#./money.js#' src/receipt.js src/index.js`,
    },
  },
  {
    name: "moves the modules into folders",
    on: "unittest",
    kind: "tidy",
    make: {
      run: `mkdir till/core\ntouch till/core/__init__.py\ngit mv till/price.py till/core/price.py\nprintf '"""Kept for those who import it from here."""\\nfrom till.core.price import format_price, parse_price\\n\\n__all__ = ["format_price", "parse_price"]\\n' > till/price.py\nsed -i 's/from till.price/from till.core.price/' till/receipt.py`,
    },
  },
  { name: "renames a test file", on: "node", kind: "tidy", make: { run: "git mv test/price.test.js test/money.test.js" } },
  { name: "renames a test file", on: "unittest", kind: "tidy", make: { run: "git mv tests/test_price.py tests/test_money.py" } },
  {
    name: "moves a test into a folder",
    on: "node",
    kind: "tidy",
    make: {
      run: "mkdir test/unit\ngit mv test/price.test.js test/unit/price.test.js\nsed -i 's#../src/#../../src/#' test/unit/price.test.js",
    },
  },
  {
    name: "adds tests for what is there",
    on: "node",
    kind: "tidy",
    make: {
      put: {
        "test/more-prices.test.js":
          'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { formatPrice, parsePrice } from "../src/price.js";\n\ntest("reads back what it writes", () => {\n  for (const cents of [0, 1, 99, 100, 12345]) assert.equal(parsePrice(formatPrice(cents)), cents);\n});\n',
      },
    },
  },
  {
    name: "adds tests for what is there",
    on: "pytest",
    kind: "tidy",
    make: {
      put: {
        "tests/test_round_trip.py":
          "from till.price import format_price, parse_price\n\n\ndef test_reads_back_what_it_writes():\n    for cents in (0, 1, 99, 100, 12345):\n        assert parse_price(format_price(cents)) == cents\n",
      },
    },
  },
  {
    name: "writes documentation",
    on: "unittest",
    kind: "tidy",
    make: { put: { "docs/prices.md": "# Prices\n\nPrices are whole cents. They are read and written with two places.\n" } },
  },
  {
    name: "adds types in comments",
    on: "node",
    kind: "tidy",
    make: {
      swap: {
        "src/price.js": [
          ["/** Prices are whole cents. */", "/**\n * Prices are whole cents.\n * @param {string} text\n * @returns {number}\n */"],
          ["export function formatPrice", "/**\n * @param {number} cents\n * @returns {string}\n */\nexport function formatPrice"],
        ],
      },
    },
  },
  {
    name: "adds types",
    on: "pytest",
    kind: "tidy",
    make: {
      swap: {
        "till/price.py": [
          ["def parse_price(text):", "def parse_price(text: str) -> int:"],
          ["def format_price(cents):", "def format_price(cents: int) -> str:"],
        ],
      },
    },
  },
  {
    name: "compiles a pattern once",
    on: "unittest",
    kind: "tidy",
    make: {
      swap: {
        "till/price.py": [
          ["def parse_price", 'PRICE = re.compile(r"(\\d+)(?:\\.(\\d{2}))?")\n\n\ndef parse_price'],
          ['re.fullmatch(r"(\\d+)(?:\\.(\\d{2}))?", text.strip())', "PRICE.fullmatch(text.strip())"],
        ],
      },
    },
  },
  {
    name: "says more in an error",
    on: "node",
    kind: "tidy",
    make: { swap: { "src/price.js": [["`not a price: ${text}`", "`not a price: ${JSON.stringify(text)}; write it like 12.50`"]] } },
  },
  {
    name: "makes a script one that can be run",
    on: "node",
    kind: "tidy",
    make: { put: { "bin/sum.sh": '#!/bin/sh\nexec node "$(dirname "$0")/till.js" "$@"\n' }, run: "chmod +x bin/sum.sh" },
  },
  {
    name: "puts texts that are shown in one place",
    on: "node",
    kind: "tidy",
    make: {
      put: {
        "src/words.js":
          '/** What is printed, by language. */\nexport const WORDS = {\n  en: { goods: "goods", total: "total" },\n  de: { goods: "Waren", total: "Summe" },\n};\n',
      },
      swap: {
        "src/receipt.js": [
          [
            'import { formatPrice } from "./price.js";\n',
            'import { formatPrice } from "./price.js";\nimport { WORDS } from "./words.js";\n',
          ],
          ["receipt(items, options = {}) {\n", 'receipt(items, options = {}) {\n  const words = WORDS[options.language ?? "en"];\n'],
          ['line("goods", ', "line(words.goods, "],
          ['line("total", ', "line(words.total, "],
        ],
      },
    },
  },
  {
    name: "tells editors how to indent",
    on: "node",
    kind: "tidy",
    make: { put: { ".editorconfig": "root = true\n\n[*]\nindent_style = space\nindent_size = 2\n" } },
  },
  { name: "has git ignore one more folder", on: "unittest", kind: "tidy", make: { run: "echo .venv/ >> .gitignore" } },
  {
    name: "gives a program's arguments names",
    on: "unittest",
    kind: "tidy",
    make: {
      swap: {
        "till/__main__.py": [
          [
            "    sys.stdout.write(receipt(items, *numbers))",
            "    percent, shipping = [*numbers, 0, 0][:2]\n    sys.stdout.write(receipt(items, percent=percent, shipping=shipping))",
          ],
        ],
      },
    },
  },
];
