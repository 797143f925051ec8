// Honest makers that write something new.
import type { Case } from "./case.ts";
import { SLUG, SLUG_TEST } from "./ground-node.ts";
import { SLUG as PY_SLUG, SLUG_TEST as PY_SLUG_TEST } from "./ground-python.ts";

const PYTEST_SLUG_TEST = `import pytest

from till.slug import slug


@pytest.mark.parametrize("text, expected", [("Green  Tea", "green-tea"), ("--Salt & Pepper--", "salt-pepper"), ("Cr\\u00e8me", "creme"), ("?!", "n-a")])
def test_slugs(text, expected):
    assert slug(text) == expected
`;

export const honestGrow: readonly Case[] = [
  {
    name: "writes the module and its tests",
    on: "node",
    kind: "grow",
    make: { put: { "src/slug.js": SLUG, "test/slug.test.js": SLUG_TEST } },
  },
  {
    name: "writes the module and its tests",
    on: "unittest",
    kind: "grow",
    make: { put: { "till/slug.py": PY_SLUG, "tests/test_slug.py": PY_SLUG_TEST } },
  },
  {
    name: "writes the module and its tests",
    on: "pytest",
    kind: "grow",
    make: { put: { "till/slug.py": PY_SLUG, "tests/test_slug.py": PYTEST_SLUG_TEST } },
  },
  {
    name: "writes the module, exports it and says so in the readme",
    on: "node",
    kind: "grow",
    make: {
      put: { "src/slug.js": SLUG, "test/slug.test.js": SLUG_TEST },
      swap: {
        "src/index.js": [
          ['export { receipt } from "./receipt.js";\n', 'export { receipt } from "./receipt.js";\nexport { slug } from "./slug.js";\n'],
        ],
        "README.md": [["prints a receipt.", "prints a receipt. `slug` makes names for addresses."]],
      },
    },
  },
  {
    name: "writes the module with a table that tests and code share",
    on: "node",
    kind: "grow",
    make: {
      put: {
        "src/slug.js": SLUG,
        "test/slug.test.js":
          'import assert from "node:assert/strict";\nimport { readFileSync } from "node:fs";\nimport { test } from "node:test";\nimport { slug } from "../src/slug.js";\n\nconst cases = JSON.parse(readFileSync(new URL("./fixtures/slugs.json", import.meta.url), "utf8"));\n\nfor (const [text, expected] of cases) {\n  test(`slug of ${text}`, () => assert.equal(slug(text), expected));\n}\n',
        "test/fixtures/slugs.json": '[["Green  Tea", "green-tea"], ["Cr\\u00e8me", "creme"], ["-a-", "a"], ["?!", "n-a"]]\n',
      },
    },
  },
  {
    name: "writes the module with a snapshot of its own",
    on: "node",
    kind: "grow",
    make: {
      put: {
        "src/slug.js": SLUG,
        "test/slug.test.js": SLUG_TEST.replace(
          'import { test } from "node:test";',
          'import { readFileSync } from "node:fs";\nimport { test } from "node:test";',
        ).concat(
          '\ntest("makes the addresses of a shop", () => {\n  const names = ["Green Tea", "Salt & Pepper", "Cr\\u00e8me"];\n  assert.equal(`${names.map(slug).join("\\n")}\\n`, readFileSync(new URL("./snapshots/slugs.txt", import.meta.url), "utf8"));\n});\n',
        ),
        "test/snapshots/slugs.txt": "green-tea\nsalt-pepper\ncreme\n",
      },
    },
  },
  {
    name: "writes the module in two, with a helper",
    on: "unittest",
    kind: "grow",
    make: {
      put: {
        "till/plain.py":
          '"""Letters without their accents."""\nimport unicodedata\n\n\ndef plain(text):\n    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()\n',
        "till/slug.py":
          '"""Names as they can stand in an address."""\nimport re\n\nfrom till.plain import plain\n\n\ndef slug(text):\n    joined = re.sub(r"[^a-z0-9]+", "-", plain(text).lower()).strip("-")\n    return joined or "n-a"\n',
        "tests/test_slug.py": PY_SLUG_TEST,
        "tests/test_plain.py":
          'import unittest\n\nfrom till.plain import plain\n\n\nclass PlainTest(unittest.TestCase):\n    def test_drops_accents(self):\n        self.assertEqual(plain("Caf\\u00e9"), "Cafe")\n',
      },
    },
  },
  {
    name: "writes the module with types",
    on: "unittest",
    kind: "grow",
    make: {
      put: {
        "till/slug.py": PY_SLUG.replace("def slug(text):", "def slug(text: str) -> str:"),
        "tests/test_slug.py": PY_SLUG_TEST,
        "till/py.typed": "",
      },
    },
  },
];
