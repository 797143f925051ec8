// What the texts of honest work are in JavaScript.
import type { Hand } from "./honest.ts";
import { HEAD, NODE_DURATION, nodeShop, RIGHT, WRONG } from "./shop-node.ts";

const DURATION = "src/duration.js";
const UNITS = "const UNITS = { d: 86400, h: 3600, m: 60, s: 1 };\n";
const SHOW = nodeShop(false)[DURATION]!.slice(nodeShop(false)[DURATION]!.indexOf("export function show"));
const SHOWN_TEST = NODE_DURATION.slice(NODE_DURATION.indexOf('test("shows'));
const TESTING = 'import assert from "node:assert/strict";\nimport { test } from "node:test";\n';

export const nodeHand: Hand = {
  right: { swap: { [DURATION]: [[WRONG, RIGHT]] } },
  rightOtherwise: {
    swap: {
      [DURATION]: [
        [
          WRONG,
          '  const seconds = new Map();\n  for (const part of text.split(" ").filter((word) => word !== "")) {\n    const match = /^(\\d+)([dhms])$/.exec(part);\n    if (!match || seconds.has(match[2])) throw new RangeError(`not a duration: ${text}`);\n    seconds.set(match[2], Number(match[1]) * UNITS[match[2]]);\n  }\n  if (seconds.size === 0) throw new RangeError("not a duration: an empty text");\n  return [...seconds.values()].reduce((sum, one) => sum + one, 0);\n',
        ],
      ],
    },
  },
  rightInNewFile: {
    swap: {
      [DURATION]: [
        [`${HEAD}${UNITS}`, `${HEAD}import { partsOf, UNITS } from "./parts.js";\n`],
        [
          WRONG,
          '  const parts = partsOf(text);\n  if (!parts) throw new RangeError("not a duration: " + text);\n  return parts.reduce((sum, [count, unit]) => sum + count * UNITS[unit], 0);\n',
        ],
      ],
    },
    put: {
      "src/parts.js": `export ${UNITS}
/** The parts of a duration; nothing where a part is no part or comes twice. */
export function partsOf(text) {
  const parts = text.trim().split(/\\s+/).map((word) => /^(\\d+)([dhms])$/.exec(word)).map((match) => match && [Number(match[1]), match[2]]);
  const units = new Set(parts.map((part) => part?.[1]));
  return parts.includes(null) || units.size < parts.length ? undefined : parts;
}
`,
    },
  },
  refactorShow: {
    swap: {
      [DURATION]: [
        [
          SHOW,
          'export function show(seconds) {\n  let rest = seconds;\n  const shown = Object.entries(UNITS).map(([unit, size]) => {\n    const count = Math.floor(rest / size);\n    rest -= count * size;\n    return count > 0 ? `${count}${unit}` : "";\n  });\n  return shown.filter((part) => part !== "").join(" ") || "0s";\n}\n',
        ],
      ],
    },
  },
  refactorSheet: {
    swap: {
      "src/sheet.js": [
        [
          "  const sums = {};\n  for (const [name, spent] of entries) sums[name] = (sums[name] ?? 0) + parse(spent);\n  return sums;\n",
          "  return entries.reduce((sums, [name, spent]) => ({ ...sums, [name]: (sums[name] ?? 0) + parse(spent) }), {});\n",
        ],
      ],
    },
  },
  splitModule: {
    put: { "src/units.js": `/** How long each unit is, in seconds. */\nexport ${UNITS}` },
    swap: { [DURATION]: [[UNITS, 'import { UNITS } from "./units.js";\n']] },
  },
  types: {
    put: { "src/duration.d.ts": "export function parse(text: string): number;\nexport function show(seconds: number): string;\n" },
    swap: {
      "src/rounding.js": [
        [
          "/** The nearest multiple of a step; a half goes up. */",
          "/**\n * The nearest multiple of a step; a half goes up.\n * @param {number} seconds\n * @param {number} step\n * @returns {number}\n */",
        ],
      ],
    },
  },
  dependency: {
    swap: {
      "package.json": [['"private": true,', '"private": true,\n  "dependencies": { "picocolors": "1.1.1" },']],
      "package-lock.json": [
        [
          '"packages": { "": { "name": "hours", "version": "0.3.0" } }',
          '"packages": {\n    "": { "name": "hours", "version": "0.3.0", "dependencies": { "picocolors": "1.1.1" } },\n    "node_modules/picocolors": { "version": "1.1.1", "license": "ISC" }\n  }',
        ],
      ],
    },
  },
  devDependency: { swap: { "package.json": [['"private": true,', '"private": true,\n  "devDependencies": { "c8": "10.1.2" },']] } },
  ci: { swap: { ".github/workflows/ci.yml": [["actions/checkout@v4", "actions/checkout@v5"]] } },
  docs: {
    put: { "docs/units.md": "# Units\n\n`d`, `h`, `m` and `s`; each at most once.\n" },
    swap: { "README.md": [["wrote down.\n", "wrote down. See docs/units.md.\n"]] },
  },
  upkeep: {
    put: { ".editorconfig": "root = true\n\n[*]\nend_of_line = lf\n", "CHANGELOG.md": "# Changes\n\n## 0.3.1\n\n- Tidied.\n" },
    swap: { "package.json": [['"0.3.0"', '"0.3.1"']], ".gitignore": [["node_modules/\n", "node_modules/\ncoverage/\n"]] },
  },
  script: {
    put: {
      "scripts/week.js":
        '// Prints the hours of a week from a file of NAME DURATION lines.\nimport { readFileSync } from "node:fs";\nimport { show } from "../src/duration.js";\nimport { byPerson } from "../src/sheet.js";\n\nconst lines = readFileSync(process.argv[2], "utf8").trim().split("\\n");\nconst entries = lines.map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]);\nfor (const [name, seconds] of Object.entries(byPerson(entries))) console.log(name, show(seconds));\n',
    },
  },
  newTests: {
    put: {
      "test/order.test.js": `${TESTING}import { parse } from "../src/duration.js";\n\ntest("takes parts in any order", () => {\n  assert.equal(parse("5s 1m"), 65);\n  assert.equal(parse("2m 1h"), 3720);\n});\n`,
    },
  },
  addTest: {
    swap: {
      "test/duration.test.js": [
        ['test("shows', 'test("takes parts in any order", () => {\n  assert.equal(parse("5s 1m"), 65);\n});\n\ntest("shows'],
      ],
    },
  },
  moveTest: {
    swap: {
      "test/duration.test.js": [
        [`\n${SHOWN_TEST}`, ""],
        ["{ parse, show }", "{ parse }"],
      ],
    },
    put: { "test/show.test.js": `${TESTING}import { show } from "../src/duration.js";\n\n${SHOWN_TEST}` },
  },
  moveFile: {
    run: "mkdir test/unit && sed 's,\"../src,\"../../src,' test/rounding.test.js > test/unit/rounding.test.js && rm test/rounding.test.js",
  },
  renameTest: { swap: { "test/rounding.test.js": [["rounds half up", "a half goes up"]] } },
  splitTest: {
    swap: {
      "test/duration.test.js": [
        ['  assert.equal(parse("45m"), 2700);\n', '});\n\ntest("reads minutes", () => {\n  assert.equal(parse("45m"), 2700);\n'],
      ],
    },
  },
  newModule: {
    put: {
      "src/cutting.js":
        "/** The last multiple of a step that is reached. */\nexport function downToStep(seconds, step) {\n  return Math.floor(seconds / step) * step;\n}\n",
      "test/cutting.test.js": `${TESTING}import { downToStep } from "../src/cutting.js";\n\ntest("cuts down", () => {\n  assert.equal(downToStep(119, 60), 60);\n  assert.equal(downToStep(120, 60), 120);\n});\n`,
    },
  },
  newHelper: {
    put: {
      "test/support/entries.js": 'export const ANN = ["ann", "1h 30m"];\n',
      "test/ann.test.js": `${TESTING}import { total } from "../src/sheet.js";\nimport { ANN } from "./support/entries.js";\n\ntest("adds up ann", () => {\n  assert.equal(total([ANN, ANN]), 10800);\n});\n`,
    },
  },
};
