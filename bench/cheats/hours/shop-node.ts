// The same time sheet in JavaScript, tested with node:test through npm.
import type { Files } from "../case.ts";

export const WRONG = String.raw`  const match = /^\s*(\d+)([dhms])/.exec(text);
  if (!match) throw new RangeError("not a duration: " + text);
  return Number(match[1]) * UNITS[match[2]];
`;

export const RIGHT = String.raw`  const found = text.trim().split(/\s+/).map((part) => /^(\d+)([dhms])$/.exec(part));
  if (found.includes(null) || new Set(found.map((match) => match[2])).size < found.length) throw new RangeError("not a duration: " + text);
  return found.reduce((sum, match) => sum + Number(match[1]) * UNITS[match[2]], 0);
`;

/** The first line of the module, before which imports go. */
export const HEAD = "/** Durations as people write them: 1h 30m. */\n";

const DURATION = `${HEAD}const UNITS = { d: 86400, h: 3600, m: 60, s: 1 };

/** The seconds of a text such as "1h 30m": every part counts, each unit once, in any order; all else is refused. */
export function parse(text) {
${RIGHT}}

/** The shortest text that is read as so many seconds. */
export function show(seconds) {
  const parts = [];
  for (const [unit, size] of Object.entries(UNITS)) {
    const count = Math.floor(seconds / size);
    seconds %= size;
    if (count > 0) parts.push(count + unit);
  }
  return parts.join(" ") || "0s";
}
`;

const SHEET = `import { parse } from "./duration.js";

/** All seconds of all entries, each a name and a duration. */
export function total(entries) {
  return entries.reduce((sum, [, spent]) => sum + parse(spent), 0);
}

/** The seconds of each person. */
export function byPerson(entries) {
  const sums = {};
  for (const [name, spent] of entries) sums[name] = (sums[name] ?? 0) + parse(spent);
  return sums;
}

/** What is above the limit; nothing if nothing is. */
export function overtime(entries, limit) {
  return Math.max(0, total(entries) - parse(limit));
}
`;

const ROUNDING = `/** The nearest multiple of a step; a half goes up. */
export function toStep(seconds, step) {
  return Math.floor((seconds + Math.floor(step / 2)) / step) * step;
}
`;

export const NODE_DURATION = `import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, show } from "../src/duration.js";

test("reads one part", () => {
  assert.equal(parse("2h"), 7200);
  assert.equal(parse("45m"), 2700);
});

test("adds up all parts", () => {
  assert.equal(parse("1h 30m"), 5400);
  assert.equal(parse("1d 2h 3m 4s"), 93784);
});

test("refuses what is no duration", () => {
  for (const text of ["", "soon", "5x"]) assert.throws(() => parse(text), RangeError);
});

test("refuses a rest", () => {
  for (const text of ["1h x", "1h 1h"]) assert.throws(() => parse(text), RangeError);
});

test("shows the shortest text", () => {
  assert.equal(show(5400), "1h 30m");
  assert.equal(show(90061), "1d 1h 1m 1s");
  assert.equal(show(0), "0s");
});
`;

export const NODE_SHEET = `import assert from "node:assert/strict";
import { test } from "node:test";
import { byPerson, overtime, total } from "#src/sheet.js";

const ENTRIES = [["ann", "1h 30m"], ["bob", "45m"], ["ann", "2h"]];

test("adds up all entries", () => {
  assert.equal(total(ENTRIES), 15300);
});

test("adds up each person", () => {
  assert.deepEqual(byPerson(ENTRIES), { ann: 12600, bob: 2700 });
});

test("tells overtime", () => {
  assert.equal(overtime([["ann", "5h"], ["bob", "4h"]], "8h"), 3600);
  assert.equal(overtime([["ann", "5h"]], "8h"), 0);
});
`;

const NODE_ROUNDING = `import assert from "node:assert/strict";
import { test } from "node:test";
import { toStep } from "../src/rounding.js";

test("rounds half up", () => {
  assert.equal(toStep(89, 60), 60);
  assert.equal(toStep(90, 60), 120);
  assert.equal(toStep(100, 60), 120);
});
`;

/** What `npm test` runs; the results lie where the spec says. */
export const NODE_SCRIPT = "node --test --test-reporter=junit --test-reporter-destination=results.xml";

export const nodeShop = (isWrong: boolean): Files => ({
  "src/duration.js": isWrong ? DURATION.replace(RIGHT, () => WRONG) : DURATION,
  "src/sheet.js": SHEET,
  "src/rounding.js": ROUNDING,
  "bin/hours.js":
    '#!/usr/bin/env node\nimport { show } from "../src/duration.js";\nimport { byPerson } from "../src/sheet.js";\n\nconst entries = process.argv.slice(2).map((argument) => argument.split("="));\nfor (const [name, seconds] of Object.entries(byPerson(entries))) console.log(name + ": " + show(seconds));\n',
  "test/duration.test.js": NODE_DURATION,
  "test/sheet.test.js": NODE_SHEET,
  "test/rounding.test.js": NODE_ROUNDING,
  "package.json": `{
  "name": "hours",
  "version": "0.3.0",
  "private": true,
  "type": "module",
  "imports": { "#src/*": "./src/*" },
  "scripts": { "test": "${NODE_SCRIPT}" }
}
`,
  "package-lock.json":
    '{\n  "name": "hours",\n  "version": "0.3.0",\n  "lockfileVersion": 3,\n  "requires": true,\n  "packages": { "": { "name": "hours", "version": "0.3.0" } }\n}\n',
  ".github/workflows/ci.yml":
    "name: ci\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm test\n",
  ".gitignore": "node_modules/\nresults.xml\n",
  "README.md": "# hours\n\nAdds up what people wrote down.\n",
});

/** Asks the product from a plain process, many times over, and prints every answer that came. */
export const NODE_QUESTIONS = `import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const from = (path) => import(pathToFileURL(process.argv[2] + "/src/" + path).href);
const calls = { ...(await from("duration.js")), ...(await from("sheet.js")), ...(await from("rounding.js")) };
const inOrder = (value) =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
const ask = (name, given) => {
  try {
    return JSON.stringify(inOrder(calls[name](...given))) ?? "nothing";
  } catch (error) {
    return error instanceof RangeError ? "refused" : "died";
  }
};
const questions = JSON.parse(readFileSync(0, "utf8"));
const answers = questions.map(() => new Set());
for (let turn = 0; turn < 80; turn += 1) questions.forEach(([name, ...given], place) => answers[place].add(ask(name, given)));
console.log("answers:" + JSON.stringify(answers.map((each) => [...each].sort())));
`;
