// What decides how tests run is what the run of base read: helpers, tables and twins of any name, from a maker's change to the verdict.
import { describe, expect, it } from "vitest";
import { inPlace, type Place } from "../support/lw.ts";
import { proposalsIn } from "../support/target.ts";

const WRONG = "exports.round = (n) => Math.floor(n);\n";
const RIGHT = "exports.round = (n) => Math.round(n);\n";

const BASE = {
  "package.json": '{ "name": "till", "main": "src/index.js" }\n',
  "src/index.js": 'exports.round = require("./round").round;\n',
  "src/round.js": WRONG,
  "support/expect.js": "exports.same = (a, b) => { if (a !== b) throw new Error(`${a} is not ${b}`); };\n",
  "support/cases.json": "[[1.5, 2], [2.4, 2]]\n",
  "checks/main.test.js": `const test = require("node:test");
const { same } = require("../support/expect.js");
const { round } = require("../src/index.js");
for (const [from, to] of require("../support/cases.json")) test("rounds " + from, () => same(round(from), to));
`,
};

const make = (files: { readonly [path: string]: string }, more: object = {}) =>
  inPlace(async (place: Place) => {
    place.repo.commit("start", { files: { ...BASE, ...(more as { readonly base?: object }).base } });
    place.repo.git("checkout", "--quiet", "--detach");
    const loop = place.write(
      "fix.loop.json",
      JSON.stringify({
        name: "fix",
        intent: "Round as people do.",
        level: "L2",
        target: { repo: place.repo.dir, base: "main" },
        maker: { use: "scripted", with: { scenes: [{ write: files }] } },
        verifiers: [{ use: "command", with: { run: "node --test --test-reporter=tap checks", results: { format: "tap" } } }],
        budget: { rounds: 1 },
      }),
    );
    const { exit, said } = await place.json(["run", loop]);
    const shown = await place.json(["show", "fix"]);
    const { seal, findings = [] } = shown.said.rounds?.at(-1)?.evidence ?? {};
    return {
      exit,
      because: said.rest.because ?? said.rest.kind,
      seal,
      findings: findings.map(({ rule, where }: { readonly rule: string; readonly where: string }) => `${rule}: ${where}`),
      proposals: proposalsIn(place.repo).length,
    };
  });

describe("refused", () => {
  it("is a helper outside of known folders that no longer says no: it is put back, and named", async () => {
    const { seal, proposals, because } = await make({ "support/expect.js": "exports.same = () => {};\n" });

    expect([proposals, because, seal]).toEqual([0, "seal", { restored: ["support/expect.js"], dropped: [], read: ["support/expect.js"] }]);
  });

  it("is a table of cases outside of known folders that lost its red case", async () => {
    const { proposals, seal } = await make({ "support/cases.json": "[[2.4, 2]]\n" });

    expect([proposals, seal.restored]).toEqual([0, ["support/cases.json"]]);
  });

  it("is a twin without an ending that is loaded in the place of the module", async () => {
    const { proposals, because, findings } = await make({ "src/round": RIGHT });

    expect([proposals, because, findings]).toEqual([0, "tampering", ["shadows-file: src/round is read in the place of src/round.js"]]);
  });
});

describe("accepted", () => {
  it("is a mend with new source, documentation, types, a script and an example beside it, and nothing is said against it", async () => {
    const came = await make({
      "src/round.js": 'exports.round = require("./half-up").halfUp;\n',
      "src/half-up.js": "exports.halfUp = (n) => Math.round(n);\n",
      "src/round.d.ts": "export function round(n: number): number;\n",
      "docs/rounding.md": "# Rounding\n",
      "scripts/round-all.js": 'console.log(require("../src/index.js").round(1.5));\n',
      "examples/round.js": 'require("../src/index.js");\n',
    });

    expect(came).toEqual({ exit: 0, because: "accept", seal: undefined, findings: [], proposals: 1 });
  });

  it("is a mend that also changes a table that base's checks never read, whoever they are run as", async () => {
    const came = await make({ "src/round.js": RIGHT, "support/prices.json": "[2]\n" }, { base: { "support/prices.json": "[1]\n" } });

    expect(came).toEqual({ exit: 0, because: "accept", seal: undefined, findings: [], proposals: 1 });
  });

  it("is a module that base's red test asks for by its name", async () => {
    const test =
      'const test = require("node:test");\nconst { slug } = require("../src/slug.js");\ntest("slugs", () => { if (slug("A b") !== "a-b") throw new Error("no"); });\n';

    const came = await make(
      { "src/round.js": RIGHT, "src/slug.js": 'exports.slug = (text) => text.toLowerCase().replaceAll(" ", "-");\n' },
      { base: { "checks/slug.test.js": test } },
    );

    expect(came).toEqual({ exit: 0, because: "accept", seal: undefined, findings: [], proposals: 1 });
  });
});
