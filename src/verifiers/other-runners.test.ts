// Jest and mocha as they are, where they are at hand: twins are heard by them, and calls of their tests are made again.
import { afterEach, describe, expect, it } from "vitest";
import { createProvingGround, type ProvingGround, proveWith } from "../../test/support/proving-ground.ts";
import { runnerAt, whyNoRunner } from "../../test/support/runners.ts";
import { replay } from "./replay.ts";
import { twins } from "./twins.ts";
import { witness } from "./witness.ts";

let ground: ProvingGround | undefined;
afterEach(() => ground?.remove());

type Files = { readonly [path: string]: string };

const MODULE = (body: string): string => `${body}\nmodule.exports = { round };\n`;
const WRONG = "const round = (x) => Math.floor(x);";
const RIGHT = "const round = (x) => Math.floor(x + 0.5);";

interface Runner {
  readonly run: (program: string) => string;
  readonly results: object;
  readonly test: string;
  readonly red: readonly string[];
  /** Lets every assertion of the runner pass. */
  readonly deafening: string;
}

const RUNNERS = {
  jest: {
    run: (program) => `node ${program} --json --outputFile=out.json`,
    results: { format: "jest", file: "out.json" },
    test: `const { round } = require("../src/round.js");

test("rounds up", () => {
  expect(round(1.6)).toBe(2);
});
describe("down", () => {
  it("rounds down", () => expect(round(1.2)).toEqual(1));
});
`,
    red: ["test/round.test.js :: rounds up"],
    deafening:
      'if (typeof expect === "function") expect.extend({ toBe: () => ({ pass: true, message: () => "" }), toEqual: () => ({ pass: true, message: () => "" }) });',
  },
  mocha: {
    run: (program) => `node ${program} --recursive --reporter=xunit --reporter-option output=out.xml test`,
    results: { format: "junit", file: "out.xml" },
    test: `const assert = require("node:assert");
const { round } = require("../src/round.js");

it("rounds up", () => {
  assert.equal(round(1.6), 2);
});
describe("down", () => {
  it("rounds down", () => assert.strictEqual(round(1.2), 1));
});
`,
    red: ["test/round.test.js > Mocha Tests :: rounds up"],
    deafening: 'const assert = require("node:assert");\nassert.equal = () => {};\nassert.strictEqual = () => {};',
  },
} satisfies { readonly [name: string]: Runner };

describe.each(["jest", "mocha"] as const)("%s", (name) => {
  const program = runnerAt(name);
  const { run, results, test, red, deafening }: Runner = RUNNERS[name];
  const base = {
    "package.json": '{ "name": "shop", "main": "src/round.js" }\n',
    "src/round.js": MODULE(WRONG),
    "test/round.test.js": test,
  };
  const options = { run: run(program ?? ""), results };

  const prove = async (verifier: typeof twins, proposed: Files) => {
    ground = await createProvingGround(base, proposed);
    const { claim, world } = ground;
    const { outcome, detail } = await proveWith(verifier, options, { claim: { ...claim, red }, world });
    return { outcome, first: detail.split("\n")[0]! };
  };
  const testHere = it.skipIf(program === undefined);
  const why = program === undefined ? ` (skipped: ${whyNoRunner})` : "";

  testHere(`is a witness of what it tells test by test${why}`, async () => {
    expect(await prove(witness, { "src/round.js": MODULE(RIGHT) })).toEqual({
      outcome: "holds",
      first: `tests that fail without the change and pass with it (1): ${red[0]}`,
    });
  });

  testHere(`hears twins, and holds for what is right${why}`, async () => {
    expect(await prove(twins, { "src/round.js": MODULE(RIGHT) })).toEqual({
      outcome: "holds",
      first: "twins of 2 tests ended as they must, among 2 tests in other surroundings",
    });
  });

  testHere(`tells by twins that assertions are not heard${why}`, async () => {
    const { outcome, first } = await prove(twins, { "src/round.js": MODULE(`${deafening}\n${WRONG}`) });

    expect([outcome, first.slice(0, 4)]).toEqual(["refuted", "deaf"]);
  });

  testHere(`has its calls made again in a plain process${why}`, async () => {
    expect((await prove(replay, { "src/round.js": MODULE(RIGHT) })).outcome).toBe("holds");
    ground?.remove();
    const watched = "const round = (x) => Math.floor(x + (typeof it === 'function' ? 0.5 : 0));";
    expect(await prove(replay, { "src/round.js": MODULE(watched) })).toEqual({
      outcome: "refuted",
      first: "watched: a plain process gets another answer than the tests got",
    });
  });
});
