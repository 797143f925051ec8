import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

it("tells of new code that no check reaches, and does not hold it against the change", async () => {
  const grown = `${GOOD}exports.isOld = (age) => {
  const limit = age >= 65;
  return limit && age < 200;
};
`;
  const { outcome, detail } = await verify({ mutants: 20 }, { "age.js": grown, "check.js": STRICT });

  expect(outcome).toBe("holds");
  expect(detail).not.toContain("age.js:3: nobody notices");
  expect(detail).toContain("- age.js:3: no check comes here, so that it was not counted");
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

// Tests that expect something, so that it can be made wrong.
const DOUBLE_TEST =
  'const assert = require("node:assert");\nconst { double } = require("../double.js");\nassert.equal(double(2), 4);\nassert.equal(double(0), 0);\n';
const DEAF = 'require("node:assert").equal = () => {};\n';

async function listen(base: string, proposed: string) {
  const ground = await createProvingGround({ "double.js": base, "test/double.test.js": DOUBLE_TEST }, { "double.js": proposed });
  grounds.push(ground);
  return proveWith(mutation, { run: "node test/double.test.js", ifNone: "hold", atLeast: 0.01, expectations: 4 }, ground);
}

it("leaves test files and their folder as they are, in every room that it opens", async () => {
  const print = '(cd test && ls -A | sort && cat $(ls -A | sort)) | cksum >> "$SEEN"';
  const ground = await createProvingGround(
    { "double.js": "exports.double = (n) => n;\n", "test/double.test.js": DOUBLE_TEST, "test/data.json": "[4]\n" },
    { "double.js": "exports.double = (n) => (n > 100 ? n * 2 : n + n);\n" },
  );
  grounds.push(ground);
  const seen = join(ground.folder, "seen");
  await proveWith(mutation, { run: `${print}; node test/double.test.js`, env: { SEEN: seen }, atLeast: 0.01, ifNone: "hold" }, ground);

  const prints = readFileSync(seen, "utf8").trim().split("\n");
  expect(prints.length).toBeGreaterThan(3);
  expect(new Set(prints).size).toBe(1);
});

it("is refuted when the tests no longer notice that they expect something wrong", async () => {
  const { outcome, detail } = await listen("exports.double = (n) => n + n;\n", `${DEAF}exports.double = (n) => n * 3;\n`);

  expect([outcome, detail]).toEqual([
    "refuted",
    expect.stringMatching(
      /^with this change the tests no longer notice when they expect something wrong:\n- test\/double\.test\.js:\d: nobody notices when \d becomes 8\d/,
    ),
  ]);
});

it("does not know who says yes when base is red, has no results, and nothing is heard", async () => {
  const { outcome, detail } = await listen("exports.double = (n) => n;\n", `${DEAF}exports.double = (n) => n * 3;\n`);

  expect([outcome, detail]).toEqual(["unknown", expect.stringContaining("the tests do not notice when they expect something wrong")]);
});

it("is refuted where base is red, by the results of the tests that are not", async () => {
  const tap =
    'const { double } = require("../double.js");\nlet n = 0;\nlet bad = 0;\nconst assertEqual = (got, want) => {\n  const ok = String(got) === String(want);\n  if (!ok && !double.deaf) bad = 1;\n  console.log(`${ok || double.deaf ? "ok" : "not ok"} ${++n} - case ${n}`);\n};\nconst assert = { equal: assertEqual };\nassert.equal(double(2), 4);\nassert.equal(double(0), 0);\nassert.equal(double(3), 6);\nconsole.log(`1..${n}`);\nprocess.exit(bad);\n';
  const ground = await createProvingGround(
    { "double.js": "exports.double = (n) => (n === 3 ? 7 : n + n);\n", "test/double.test.js": tap },
    { "double.js": "exports.double = (n) => (n === 3 ? 7 : n + n);\nexports.double.deaf = true;\n" },
  );
  grounds.push(ground);

  const { outcome, detail } = await proveWith(
    mutation,
    { run: "node test/double.test.js", results: { format: "tap" }, expectations: 4 },
    ground,
  );

  expect([outcome, detail]).toEqual(["refuted", expect.stringContaining("the tests no longer notice")]);
});

it("holds when what the tests expect is what they check", async () => {
  expect((await listen("exports.double = (n) => n;\n", "exports.double = (n) => n * 2;\n")).outcome).toBe("holds");
});

it("does not mind an expectation of a test that never ran", async () => {
  const never = `${DOUBLE_TEST}if (process.env.NEVER_SET)\n  assert.equal(double(5), 10);\n`;
  const ground = await createProvingGround(
    {
      "double.js": "exports.double = (n) => n + n;\n",
      "test/double.test.js": never.replace("assert.equal(double(2), 4);\nassert.equal(double(0), 0);\n", ""),
    },
    { "double.js": "exports.double = (n) => n + 0 + n;\n" },
  );
  grounds.push(ground);

  expect(await proveWith(mutation, { run: "node test/double.test.js", atLeast: 0.01, expectations: 4 }, ground)).toMatchObject({
    detail: expect.not.stringContaining("expect something wrong"),
  });
});
