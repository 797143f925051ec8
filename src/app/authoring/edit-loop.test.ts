import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loosened } from "../../spec/loosened.ts";
import { readSpec } from "../../spec/read-spec.ts";
import { builtIn } from "../crew.ts";
import { makeLoop, readSetting } from "./edit-loop.ts";
import { BUILT_IN, mixOf, readOverlay } from "./overlays.ts";

const TEXT = `# yaml-language-server: $schema=x.json
# Keeps main green.
name: fix # ours
intent: Keep main green.
level: L2
maker: { use: claude-code }

verifiers:
  # the suite
  - use: command
    with: { run: npm test }
budget: { rounds: 3, usd: $0.20 } # little
`;
const NOTHING = { overlays: [], set: [], isMeant: false };
const specOf = (text: string) => {
  const reading = readSpec("x", text, builtIn);
  if (reading.kind === "refused") throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
};
const examples = readdirSync("examples")
  .filter((file) => file.endsWith(".loop.yaml"))
  .map((file) => ({ file, text: readFileSync(`examples/${file}`, "utf8") }))
  // One that calls others is read with the files beside it.
  .filter(({ text }) => !/\bloop: *\S+\.loop\.yaml/.test(text))
  .map(({ text }) => text);

it("forks a loop under another name, with its comments and in its order, and changes only what is said", () => {
  const {
    text,
    changed,
    loosened: wider,
  } = makeLoop("fix.loop.yaml", TEXT, { ...NOTHING, name: "docs", set: [readSetting("budget.rounds=2")] }, builtIn);

  expect(text).toBe(
    TEXT.replace("x.json\n", "x.json\n# Forked from fix (fix.loop.yaml).\n")
      .replace("name: fix", "name: docs")
      .replace("rounds: 3", "rounds: 2"),
  );
  expect({ changed, wider }).toEqual({ changed: ["name", "budget.rounds"], wider: [] });
});

it.each(["Fix issue #12 in the shop", 'Mend: "the" links', "true", "12", "Mend: links", "&a *b", "[docs] first"])(
  "takes %j for a text where the field is one",
  (task) => {
    const { spec } = makeLoop("x", TEXT, { ...NOTHING, set: [readSetting(`task=${task}`), readSetting("budget.rounds=2")] }, builtIn);

    expect([spec.task, spec.budget.rounds]).toEqual([task, 2]);
  },
);

it("names the flag that makes a loop unsound, and no line of the file", () => {
  expect(() => makeLoop("fix.loop.yaml", TEXT, { ...NOTHING, set: [readSetting("budget.rounds=many")] }, builtIn)).toThrow(
    /^--set budget\.rounds=many: budget\.rounds /,
  );
});

it("lays overlays over a loop: maps are gone into, lists are added to, and all comments stay", () => {
  const { text, changed } = makeLoop("x", TEXT, { ...NOTHING, overlays: mixOf(["careful", "nightly"], BUILT_IN) }, builtIn);
  const spec = specOf(text);

  expect(text.match(/# .*/g)).toEqual(TEXT.match(/# .*/g));
  expect(spec.verifiers.map(({ use }) => use)).toEqual(["command", "scope"]);
  expect([spec.box.maker.when, spec.trigger.use, spec.wake?.wip, spec.budget.usd]).toEqual(["required", "daily", 1, "$0.20"]);
  expect(changed).toContain("trigger");
  expect(makeLoop("x", text, { ...NOTHING, overlays: mixOf(["careful", "nightly"], BUILT_IN) }, builtIn).text).toBe(text);
});

it("leaves what an overlay would loosen as it is, and says so, until somebody means it", () => {
  const overlays = mixOf(["cheap"], BUILT_IN);
  const shy = makeLoop("x", TEXT, { ...NOTHING, overlays }, builtIn);
  const meant = makeLoop("x", TEXT, { ...NOTHING, overlays, isMeant: true }, builtIn);

  expect([specOf(shy.text).budget.usd, specOf(shy.text).budget.rounds]).toEqual(["$0.20", 2]);
  expect(shy.left).toEqual([{ path: "budget.usd", says: "goes from $0.20 to $0.50" }]);
  expect({ left: meant.left, loosened: meant.loosened }).toEqual({ left: [], loosened: shy.left });
});

describe("no overlay of ours loosens any example without being told to", () => {
  it.each(BUILT_IN)("$name", ({ name }) => {
    for (const text of examples) {
      const before = specOf(text);
      // What checks changes has nothing to look at in a report.
      if (name === "careful" && before.level === "L1") continue;
      const { spec } = makeLoop("x", text, { ...NOTHING, overlays: mixOf([name], BUILT_IN) }, builtIn);

      expect(loosened(before, spec)).toEqual([]);
    }
  });
});

it.each([
  ["level=L3", "level"],
  ["budget.usd=$9.00", "budget.usd"],
  ["budget.usd=unlimited", "budget.usd"],
  ["budget.loop={day: {usd: $1.00}}", "budget.loop.day.tokens"],
  ["verifiers=[{use: command, with: {run: npm run lint}}]", "verifiers"],
  ["unseal=[test/**]", "unseal"],
  ["box={maker: {when: 'off'}}", "box.maker.when"],
  ["box={verifiers: {network: open}}", "box.verifiers.network"],
  ["outsiders={network: open}", "outsiders.network"],
  ["act=[{use: merge}]", "act"],
  ["baseline={when: 'off'}", "baseline.when"],
  ["gate={tampering: retry}", "gate.tampering"],
  ["maker={use: shell, with: {run: x, inherit: [TOKEN]}}", "maker"],
])("says that %s loosens it", (written, path) => {
  const { loosened: wider } = makeLoop("x", TEXT, { ...NOTHING, set: [readSetting(written)] }, builtIn);

  expect(wider.map((one) => one.path)).toContain(path);
});

it.each(["budget.usd=$0.10", "seal=[src/**]", "box={maker: {when: required, network: closed}}", "wake={wip: 1}", "task=Mend it."])(
  "says nothing of %s, which is stricter or only other",
  (written) => expect(makeLoop("x", TEXT, { ...NOTHING, set: [readSetting(written)] }, builtIn).loosened).toEqual([]),
);

it("refuses to make what is no sound loop, and settings and overlays that say nothing", () => {
  expect(() => makeLoop("x", TEXT, { ...NOTHING, set: [readSetting("level=L9")] }, builtIn)).toThrow("unknown value");
  expect(() => makeLoop("x", TEXT, { ...NOTHING, name: "fix" }, builtIn)).toThrow("already");
  expect(() => readSetting("budget")).toThrow("says nothing to --set");
  expect(() => readOverlay("o.yaml", "o", "name: x\n")).toThrow("a loop's own");
  expect(() => readOverlay("o.yaml", "o", "a: [")).toThrow("o.yaml:");
  expect(() => mixOf(["carefull"], BUILT_IN)).toThrow("there is no overlay called carefull");
});

it("knows recipes: overlays that are mixed of others, and none of itself", () => {
  const night = readOverlay("o/night.yaml", "night", "# every night, carefully\nmix: [careful, nightly]\nbudget: { rounds: 2 }\n");
  const round = readOverlay("o/round.yaml", "round", "mix: [round]\n");

  expect(night.about).toBe("every night, carefully");
  expect(mixOf(["night"], [...BUILT_IN, night]).map(({ name }) => name)).toEqual(["careful", "nightly", "night"]);
  expect(() => mixOf(["round"], [round])).toThrow("mixed of itself");
});

it.each(["verifiers[9].with.run=x", "verifiers[2]=x", "verifiers.first=x"])("refuses to set %s, for which there is no place", (set) => {
  expect(() => makeLoop("fix.loop.yaml", TEXT, { ...NOTHING, set: [readSetting(set)] }, builtIn)).toThrow(
    /there is no (9|2|first) in verifiers/,
  );
});
