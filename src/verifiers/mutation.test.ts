import { readdirSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { createProvingGround, type ProvingGround, proveWith } from "../../test/support/proving-ground.ts";
import { mutation } from "./mutation.ts";

const grounds: ProvingGround[] = [];

afterEach(() => {
  for (const ground of grounds.splice(0)) ground.remove();
});

const GOOD = "exports.isAdult = (age) => age >= 18 && age < 200;\n";
const STRICT =
  'const { isAdult } = require("./age.js");\nconst got = [17, 18, 199, 200].map(isAdult).join();\nif (got !== "false,true,true,false") process.exit(1);\n';
const LAX = 'require("./age.js");\n';

async function verify(options: object, files: { readonly [path: string]: string }) {
  const ground = await createProvingGround({ "age.js": "exports.isAdult = () => {};\n", "README.md": "x\n" }, files);
  grounds.push(ground);
  const { outcome, detail } = await proveWith(mutation, { run: "node check.js", ...options }, ground);
  return { outcome, detail, place: ground.copies };
}

it("holds when the check notices mistakes in the changed lines", async () => {
  const { outcome, detail, place } = await verify({}, { "age.js": GOOD, "check.js": STRICT });

  expect(outcome).toBe("holds");
  expect(detail).toMatch(/^\d of \d mutants were noticed, at least 60% must be/);
  expect(readdirSync(place).filter((name) => name.includes("room"))).toEqual([]);
});

it("is refuted when nobody notices, and says where and what", async () => {
  const { outcome, detail } = await verify({ mutants: 3 }, { "age.js": GOOD, "check.js": LAX });

  expect(outcome).toBe("refuted");
  expect(detail).toContain("0 of ");
  expect(detail).toMatch(/- age\.js:1: nobody notices when .+ becomes .+/);
});

it("chooses the same mutants for the same tree", async () => {
  const [one, two] = [
    await verify({ mutants: 2 }, { "age.js": GOOD, "check.js": LAX }),
    await verify({ mutants: 2 }, { "age.js": GOOD, "check.js": LAX }),
  ];

  expect(one.detail).toBe(two.detail);
});

it("is refuted when the change itself does not pass", async () => {
  expect(await verify({}, { "age.js": GOOD, "check.js": "process.exit(1)\n" })).toMatchObject({
    outcome: "refuted",
    detail: expect.stringContaining("the change itself does not pass"),
  });
});

it("does not know when nothing can be mutated, unless that is said to be enough", async () => {
  const files = { "README.md": "a === b\n" };

  expect((await verify({}, files)).outcome).toBe("unknown");
  expect((await verify({ ifNone: "hold" }, files)).outcome).toBe("holds");
});

it("does not count a mutant that its own time limit cut short", async () => {
  const { outcome, detail } = await verify(
    { time: "200ms", run: 'grep -q "age >= 18 && age < 200" age.js || sleep 20' },
    { "age.js": GOOD, "check.js": LAX },
  );

  expect([outcome, detail]).toEqual(["unknown", "no mutant could be tried within 200ms"]);
});
