import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, expect, it } from "vitest";
import { loadSpec } from "../../src/app/open-specs.ts";
import { makersOf } from "../../src/contract/spec.ts";
import { builtIn, findHome, openHouse, runSpec, viewOf } from "../../src/index.ts";
import { createRepo, type TestRepo } from "../support/git-repo.ts";

let repo: TestRepo;
let folder: string;

afterEach(() => {
  repo.remove();
  rmSync(folder, { recursive: true, force: true });
});

const MENDED = "export const total = (prices) => prices.reduce((sum, price) => sum + price, 0);\n";

/** A small package whose test fails until its source is mended. */
function makeShop(): TestRepo {
  const shop = createRepo();
  shop.commit("A shop with a bug", {
    at: new Date().toISOString(),
    files: {
      "package.json": '{ "name": "shop", "type": "module", "private": true, "scripts": { "test": "node --test", "format": "true" } }\n',
      "src/total.js": MENDED.replace(", 0)", ")"),
      "test/total.test.js":
        'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { total } from "../src/total.js";\ntest("empty", () => assert.equal(total([]), 0));\n',
    },
  });
  return shop;
}

it.each(readdirSync("examples").filter((file) => file.endsWith(".loop.yaml")))(
  "the example %s is sound and goes all the way through",
  async (file) => {
    repo = makeShop();
    folder = mkdtempSync(join(tmpdir(), "lw-examples-"));
    const loading = await loadSpec(file, resolve("examples"), builtIn);
    if (loading.kind !== "loaded") throw new Error(JSON.stringify(loading.problems));
    const reading = loading.loaded;
    const isReport = makersOf(reading.spec)[0]?.use === "triage";
    const scripted = { use: "scripted", with: { scenes: [{ write: { "src/total.js": MENDED } }] } };
    const spec = {
      ...reading.spec,
      target: { repo: repo.dir, base: "main" },
      maker: isReport || reading.spec.team ? reading.spec.maker : scripted,
    };
    const house = await openHouse(findHome(join(folder, "home"), { get: () => undefined }, process.platform, folder), "test");

    const result = await runSpec(
      house,
      { ...reading, spec, folder: spec.team ? reading.folder : folder },
      { onlyIfDue: false, again: false },
      () => {},
    );

    const run = result.kind === "ran" ? result.run : "none";
    const view = await viewOf(house, run);
    house.close();
    expect(view.rest).toEqual({ kind: "accept", action: isReport ? "report" : "propose" });
    expect(view.rounds.at(-1)?.evidence?.proofs.map(({ verifier, outcome }) => [verifier, outcome])).toEqual(
      reading.spec.verifiers.map(({ use }) => [use, "holds"]),
    );
  },
);
