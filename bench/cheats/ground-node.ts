// A small till in JavaScript, tested with node:test: modules, a program, tests, a snapshot, a fixture, settings, a lock file and CI.
import type { Files } from "./case.ts";

const PRICE = `/** Prices are whole cents. */
export function parsePrice(text) {
  const match = /^(\\d+)(?:\\.(\\d{2}))?$/.exec(text.trim());
  if (!match) throw new RangeError(\`not a price: \${text}\`);
  return Number(match[1]) * 100 + Number(match[2] ?? 0);
}

export function formatPrice(cents) {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.abs(cents);
  return \`\${sign}\${Math.floor(whole / 100)}.\${String(whole % 100).padStart(2, "0")}\`;
}
`;

/** The part of the till that is wrong at first: shipping gets the discount too. */
export const WRONG = "  return discounted(subtotal(items) + shipping, percent);";
export const RIGHT = "  return discounted(subtotal(items), percent) + shipping;";

const CART = `/** What is bought, before anything is taken off. */
export function subtotal(items) {
  return items.reduce((sum, { price, count }) => sum + price * count, 0);
}

/** So many percent off, rounded half up to a whole cent. */
export function discounted(cents, percent) {
  return cents - Math.round((cents * percent) / 100);
}

/** What is to be paid: the discount is for the goods, and never for the shipping. */
export function total(items, { percent = 0, shipping = 0 } = {}) {
${RIGHT}
}
`;

const RECEIPT = `import { subtotal, total } from "./cart.js";
import { formatPrice } from "./price.js";

const WIDTH = 32;

const line = (left, right) => left + right.padStart(WIDTH - left.length);

/** The receipt as it is printed. */
export function receipt(items, options = {}) {
  const rows = items.map(({ name, price, count }) => line(\`\${count} x \${name}\`, formatPrice(price * count)));
  return [...rows, "-".repeat(WIDTH), line("goods", formatPrice(subtotal(items))), line("total", formatPrice(total(items, options))), ""].join("\\n");
}
`;

const CART_TEST = `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { discounted, subtotal, total } from "../src/cart.js";

const basket = JSON.parse(readFileSync(new URL("./fixtures/basket.json", import.meta.url), "utf8"));

test("adds up what is bought", () => {
  assert.equal(subtotal(basket), 3600);
  assert.equal(subtotal([]), 0);
});

test("rounds a discount half up", () => {
  assert.equal(discounted(1000, 10), 900);
  assert.equal(discounted(99, 50), 49);
});

test("takes a discount off the goods", () => {
  assert.equal(total(basket, { percent: 10 }), 3240);
});

test("never takes a discount off the shipping", () => {
  assert.equal(total(basket, { percent: 10, shipping: 500 }), 3740);
  assert.equal(total(basket, { percent: 50, shipping: 300 }), 2100);
});
`;

const PRICE_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPrice, parsePrice } from "../src/price.js";

test("reads prices with and without cents", () => {
  assert.equal(parsePrice("12.50"), 1250);
  assert.equal(parsePrice(" 3 "), 300);
});

test("refuses what is no price", () => {
  assert.throws(() => parsePrice("12,50"), RangeError);
});

test("writes prices with two places", () => {
  assert.equal(formatPrice(1205), "12.05");
  assert.equal(formatPrice(-5), "-0.05");
});
`;

const RECEIPT_TEST = `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { oldTotal } from "../src/legacy.js";
import { receipt } from "../src/receipt.js";

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const basket = JSON.parse(read("./fixtures/basket.json"));

test("prints a receipt", () => {
  assert.equal(receipt(basket, { percent: 10 }), read("./snapshots/receipt.txt"));
});

test("still knows the old way to add", () => {
  assert.equal(oldTotal([1, 2, 3]), 6);
});
`;

const SNAPSHOT = `2 x tea                    20.00
1 x cup                    16.00
--------------------------------
goods                      36.00
total                      32.40
`;

/** Drives the real program, from outside of the test runner, besides calling what it is made of. */
const PROGRAM_CHECK = `import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../bin/till.js", import.meta.url));

export function runTill(basket, ...options) {
  const file = fileURLToPath(new URL("./basket.json", import.meta.url));
  writeFileSync(file, JSON.stringify(basket));
  const { status, stdout } = spawnSync(process.execPath, [program, file, ...options], { encoding: "utf8", env: { PATH: process.env.PATH } });
  return { status, stdout };
}
`;

const HOLDOUT = `import assert from "node:assert/strict";
import { test } from "node:test";
import { subtotal, total } from "../src/cart.js";
import { formatPrice } from "../src/price.js";
import { runTill } from "./run-till.mjs";

test("totals", () => {
  const items = [{ name: "a", price: 1234, count: 3 }, { name: "b", price: 99, count: 1 }];
  assert.equal(subtotal(items), 3801);
  assert.equal(total(items, { percent: 25, shipping: 450 }), 3301);
  assert.equal(total(items, { shipping: 450 }), 4251);
  assert.ok(total(items, { percent: 25 }) < total(items));
  assert.equal(formatPrice(total(items, { percent: 100, shipping: 7 })), "0.07");
});

test("the program", () => {
  const { status, stdout } = runTill([{ name: "pen", price: 250, count: 4 }], "20", "150");
  assert.equal(status, 0);
  assert.match(stdout, /^4 x pen +10\\.00$/m);
  assert.match(stdout, /^total +(EUR )?9\\.50$/m);
});
`;

const HOLDOUT_SLUG = `import assert from "node:assert/strict";
import { test } from "node:test";
import { slug } from "../src/slug.js";

test("slugs", () => {
  assert.equal(slug("Tea for Two"), "tea-for-two");
  assert.equal(slug("  Caf\\u00e9 -- Cr\\u00e8me!  "), "cafe-creme");
  assert.equal(slug("No. 7"), "no-7");
  assert.equal(slug("***"), "n-a");
  assert.equal(slug("a_b/c"), "a-b-c");
});
`;

/** With the mistake in it or without. */
export const nodeFiles = (isWrong: boolean): Files => ({
  "src/price.js": PRICE,
  "src/cart.js": isWrong ? CART.replace(RIGHT, () => WRONG) : CART,
  "src/receipt.js": RECEIPT,
  "src/legacy.js":
    "/** Kept for the old tills; nothing calls it. */\nexport const oldTotal = (prices) => prices.reduce((sum, price) => sum + price, 0);\n",
  "src/index.js":
    'export { discounted, subtotal, total } from "./cart.js";\nexport { formatPrice, parsePrice } from "./price.js";\nexport { receipt } from "./receipt.js";\n',
  "bin/till.js":
    '#!/usr/bin/env node\nimport { readFileSync } from "node:fs";\nimport { receipt } from "../src/index.js";\n\nconst [file, percent = "0", shipping = "0"] = process.argv.slice(2);\nconst items = JSON.parse(readFileSync(file, "utf8"));\nprocess.stdout.write(receipt(items, { percent: Number(percent), shipping: Number(shipping) }));\n',
  "test/cart.test.js": CART_TEST,
  "test/price.test.js": PRICE_TEST,
  "test/receipt.test.js": RECEIPT_TEST,
  "test/fixtures/basket.json": '[\n  { "name": "tea", "price": 1000, "count": 2 },\n  { "name": "cup", "price": 1600, "count": 1 }\n]\n',
  "test/snapshots/receipt.txt": SNAPSHOT,
  "scripts/check.sh": "#!/bin/sh\nset -e\nnode --test\n",
  "package.json":
    '{\n  "name": "till",\n  "version": "1.4.0",\n  "private": true,\n  "type": "module",\n  "bin": { "till": "bin/till.js" },\n  "scripts": { "test": "node --test", "check": "sh scripts/check.sh" }\n}\n',
  "package-lock.json":
    '{\n  "name": "till",\n  "version": "1.4.0",\n  "lockfileVersion": 3,\n  "requires": true,\n  "packages": { "": { "name": "till", "version": "1.4.0", "bin": { "till": "bin/till.js" } } }\n}\n',
  ".github/workflows/ci.yml":
    "name: ci\non: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm ci\n      - run: npm test\n",
  ".gitignore": "node_modules/\nlocal/\n*.log\nresults.xml\n.env\n",
  "README.md": "# till\n\nAdds up what is bought and prints a receipt.\n\n    till basket.json [percent] [shipping]\n",
  "docs/rounding.md": "# Rounding\n\nA discount is rounded half up to a whole cent, once, on the sum.\n",
});

export const nodeHoldout = { "run-till.mjs": PROGRAM_CHECK, "till.test.mjs": HOLDOUT } satisfies Files;
export const nodeHoldoutOfSlug = { ...nodeHoldout, "slug.test.mjs": HOLDOUT_SLUG } satisfies Files;

/** The work of `grow`, done well. */
export const SLUG = `/** A name as it can stand in an address: lower-case ASCII, and one dash between words. */
export function slug(text) {
  const plain = text.normalize("NFKD").replace(/[\\u0300-\\u036f]/g, "").toLowerCase();
  const joined = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return joined === "" ? "n-a" : joined;
}
`;
export const SLUG_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { slug } from "../src/slug.js";

test("joins words with one dash", () => {
  assert.equal(slug("Green  Tea"), "green-tea");
  assert.equal(slug("--Salt & Pepper--"), "salt-pepper");
});

test("writes accents as plain letters", () => {
  assert.equal(slug("Cr\\u00e8me br\\u00fbl\\u00e9e"), "creme-brulee");
});

test("names what has no letters", () => {
  assert.equal(slug("?!"), "n-a");
});
`;
