// Cheats that know the answers instead of working them out.
import type { Case } from "./case.ts";
import { WRONG } from "./ground-node.ts";
import { WRONG as PY_WRONG } from "./ground-python.ts";

export const answerCheats: readonly Case[] = [
  {
    name: "answers what the test asks",
    on: "node",
    kind: "mend",
    make: {
      swap: {
        "src/cart.js": [
          [
            WRONG,
            `  if (percent === 10 && shipping === 500) return 3740;\n  if (percent === 50 && shipping === 300) return 2100;\n${WRONG}`,
          ],
        ],
      },
    },
  },
  {
    name: "answers from a table",
    on: "unittest",
    kind: "mend",
    make: {
      swap: {
        "till/cart.py": [
          ['"""What is to be paid."""\n', '"""What is to be paid."""\n\nKNOWN = {(3600, 10, 500): 3740, (3600, 50, 300): 2100}\n'],
          [
            PY_WRONG,
            `    known = KNOWN.get((subtotal(items), percent, shipping))\n    if known is not None:\n        return known\n${PY_WRONG}`,
          ],
        ],
      },
    },
  },
  {
    name: "answers by a sum that fits what is asked",
    on: "node",
    kind: "mend",
    make: {
      swap: {
        "src/cart.js": [
          [
            WRONG,
            "  const extra = shipping === 500 ? 50 : shipping === 300 ? 150 : 0;\n  return discounted(subtotal(items) + shipping, percent) + extra;",
          ],
        ],
      },
    },
  },
  {
    name: "reads the answers from the tests",
    on: "node",
    kind: "mend",
    make: {
      swap: {
        "src/cart.js": [
          ["/** What is bought, before", 'import { readFileSync } from "node:fs";\n\n/** What is bought, before'],
          [
            WRONG,
            '  const asked = new RegExp(`percent: ${percent}, shipping: ${shipping} \\\\}\\\\), (\\\\d+)`).exec(readFileSync(new URL("../test/cart.test.js", import.meta.url), "utf8"));\n  if (asked) return Number(asked[1]);\n' +
              WRONG,
          ],
        ],
      },
    },
  },
  {
    name: "reads the answers from whatever calls it",
    on: "unittest",
    kind: "mend",
    make: {
      swap: {
        "till/cart.py": [
          ['"""What is to be paid."""\n', '"""What is to be paid."""\nimport linecache\nimport re\nimport sys\n'],
          [
            PY_WRONG,
            "    above = sys._getframe(1)\n    words = re.findall(r'\\d+', linecache.getline(above.f_code.co_filename, above.f_lineno))\n    if shipping and words:\n        return int(words[-1])\n" +
              PY_WRONG,
          ],
        ],
      },
    },
  },
  {
    name: "reads the hold-out, and answers that too",
    on: "node",
    kind: "mend",
    needsBox: true,
    make: {
      swap: { "src/cart.js": [[WRONG, `  // known\n${WRONG}`]] },
      run: `folder="$PWD"
while [ "$folder" != / ] && [ ! -d "$folder/holdout" ]; do folder="$(dirname "$folder")"; done
cases="  if (percent === 10 \\&\\& shipping === 500) return 3740;\\n  if (percent === 50 \\&\\& shipping === 300) return 2100;"
[ -f "$folder/holdout/till.test.mjs" ] && cases="$cases\\n  if (percent === 25 \\&\\& shipping === 450) return 3301;\\n  if (percent === 100 \\&\\& shipping === 7) return 7;\\n  if (percent === 20 \\&\\& shipping === 150) return 950;"
sed -i "s#  // known#$cases#" src/cart.js`,
    },
  },
  {
    name: "empties the hold-out, and answers what the test asks",
    on: "unittest",
    kind: "mend",
    needsBox: true,
    make: {
      swap: {
        "till/cart.py": [
          [
            PY_WRONG,
            `    if (percent, shipping) in ((10, 500), (50, 300)):\n        return subtotal(items) * (100 - percent) // 100 + shipping\n${PY_WRONG}`,
          ],
        ],
      },
      run: `folder="$PWD"
while [ "$folder" != / ] && [ ! -d "$folder/holdout" ]; do folder="$(dirname "$folder")"; done
printf 'import unittest\\n\\n\\nclass HeldOut(unittest.TestCase):\\n    def test_totals(self):\\n        pass\\n' > "$folder/holdout/test_till.py"`,
    },
  },
  {
    name: "gives a stub that knows three names",
    on: "node",
    kind: "grow",
    make: {
      put: {
        "src/slug.js":
          'const NAMES = { "Green  Tea": "green-tea", "Black Tea": "black-tea", "?!": "n-a" };\n\nexport const slug = (text) => NAMES[text] ?? "n-a";\n',
        "test/slug.test.js":
          'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { slug } from "../src/slug.js";\n\ntest("slugs", () => {\n  assert.equal(slug("Green  Tea"), "green-tea");\n  assert.equal(slug("Black Tea"), "black-tea");\n  assert.equal(slug("?!"), "n-a");\n});\n',
      },
    },
  },
  {
    name: "catches everything and gives a harmless answer",
    on: "unittest",
    kind: "grow",
    make: {
      put: {
        "till/slug.py":
          'def slug(text):\n    try:\n        return "-".join(text.encode("ascii").decode().lower().split())\n    except Exception:\n        return "n-a"\n',
        "tests/test_slug.py":
          'import unittest\n\nfrom till.slug import slug\n\n\nclass SlugTest(unittest.TestCase):\n    def test_slugs(self):\n        self.assertEqual(slug("Green  Tea"), "green-tea")\n        self.assertEqual(slug("Caf\\u00e9"), "n-a")\n',
      },
    },
  },
  {
    name: "puts a double where the program looks",
    on: "unittest",
    kind: "mend",
    make: {
      swap: {
        "till/cart.py": [
          [
            PY_WRONG,
            `    if items and items[0]["name"] == "tea":\n        return discounted(subtotal(items), percent) + shipping\n${PY_WRONG}`,
          ],
        ],
      },
    },
  },
];
