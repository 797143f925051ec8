import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { lssSamples, SOUND_LSS, soundLss } from "../../test/support/lss.ts";
import { builtIn } from "../app/crew.ts";
import type { Anatomy } from "../contract/anatomy.ts";
import { lssAnatomy } from "../dialects/lss/anatomy.ts";
import { EMPTY_SHELF, type Reference } from "../dialects/translation.ts";
import { anatomyOf } from "../spec/anatomy.ts";
import { readSpec } from "../spec/read-spec.ts";
import { complexityOf } from "./complexity.ts";
import { folded } from "./fold.ts";
import { levelOf } from "./level.ts";
import { toMermaid } from "./mermaid.ts";
import { modelOf } from "./model.ts";
import { toSvg } from "./svg.ts";

const lss = (changes: object = {}): Anatomy => lssAnatomy({ ...soundLss(), ...changes });

const SPEC = {
  name: "fix",
  intent: "Make it right.",
  level: "L2",
  trigger: { use: "every", with: { interval: "1h" } },
  maker: { use: "shell", with: { run: "claude -p" } },
  verifiers: [{ use: "command", with: { run: "npm test" } }],
  act: [{ use: "merge" }],
};

const anatomyIn = (spec: object): Anatomy => {
  const reading = readSpec("fix.loop.json", JSON.stringify(spec), builtIn);
  if (reading.kind === "refused") throw new Error(JSON.stringify(reading.problems));
  return anatomyOf(reading.spec, builtIn);
};

const ours = (changes: object = {}): Anatomy => anatomyIn({ ...SPEC, ...changes });

const workers = (...reads: readonly (readonly string[])[]) => ({
  workers: reads.map((from, index) => ({
    id: `w${index}`,
    role: "Do a part of the work",
    model: { provider: "p", name: "m" },
    inputs: from.map((path) => ({ from: path })),
    outputs: { name: "O", format: "text" },
  })),
});

/** Mermaid's own parser. It asks a browser's purifier for labels, which there is none of here: what it is handed goes through as it is. */
const parser = (async () => {
  const { default: purify } = await import("dompurify");
  Object.assign(purify, { sanitize: (text: string) => text, addHook: () => {} });
  const { default: mermaid } = await import("mermaid");
  return mermaid;
})();

const HOSTILE = [
  'a"] --> evil["b',
  "%%{init: {'theme': 'dark'}}%%",
  "</text><script>alert(1)</script>",
  "end",
  "`**bold**`",
  "x\nend\nclick a call evil()",
  "#quot; &lt; #35;",
  "]]))}}|;",
  "\u202eabc\u0000\u001b[31m",
  "---",
];

describe("the level", () => {
  it.each([
    [1, { feedback_channels: [] }],
    [2, {}],
    [
      2,
      { ...workers(["inputs.changes"], ["workers.w0"]), feedback_channels: [{ source: "evaluators.clarity", destination: "workers.w0" }] },
    ],
    [3, workers(["inputs.changes"], ["inputs.changes"])],
    [3, workers(["inputs.changes"], ["workers.w0"], ["workers.w1"])],
    [4, { optimization_strategy: { type: "parameter_search", max_steps: 3 } }],
    [5, { optimization_strategy: { type: "structural", max_steps: 3 } }],
    [
      6,
      {
        optimization_strategy: { type: "structural", max_steps: 3 },
        composition: { type: "nested", children: [{ id: "inner", ref: "inner.yaml", role: "inner" }] },
      },
    ],
  ])("is %i by what goes on inside a round", (level, changes) => {
    expect(levelOf(lss(changes)).level).toBe(level);
  });

  it("is not what the file says, and tells what its level wants", () => {
    const { level, lacks, reasons } = levelOf(lss({ taxonomy_level: 6, safety_constraints: [] }));

    expect([level, reasons, lacks]).toEqual([
      2,
      ["what is refused comes back to a maker (1 way(s)), and it is revised"],
      ["2 guards, and it has 0"],
    ]);
  });

  it("of ours is single-step with one round, and reflective with more", () => {
    expect([levelOf(ours({ budget: { rounds: 1 } })).level, levelOf(ours()).level]).toEqual([1, 2]);
  });

  it("of ours is multi-agent with a team whose workers stand side by side", () => {
    const worker = (reads: readonly string[]) => ({
      role: "Do a part of it.",
      use: "shell",
      with: { run: "./work" },
      reads,
      gives: { as: "markdown" },
    });
    const team = {
      workers: { pro: worker([]), con: worker([]), editor: worker(["both"]) },
      joins: { both: { of: ["pro", "con"], how: "all" } },
      proposes: ["editor"],
    };
    const { maker: _, act: __, ...spec } = { ...SPEC, document: {}, team, verifiers: [{ use: "measure", with: { words: { most: 300 } } }] };

    expect(levelOf(anatomyIn(spec))).toMatchObject({ level: 3, reasons: ["3 makers, up to 2 of them side by side"] });
  });

  it.skipIf(lssSamples.length === 0)("of the reference's own loops is three with many makers, and two with two in a row", () => {
    const said = (name: string): number => levelOf(lssAnatomy(parse(lssSamples.find((sample) => sample.name === name)!.text))).level;

    expect(["loop-library/bundled/autonomous-debugger", "core/multi-agent-loop", "loop-library/coding-agent"].map(said)).toEqual([3, 3, 2]);
  });
});

it("counts what there is to a loop, and how often somebody is called at most", () => {
  expect(complexityOf(lss())).toMatchObject({
    makers: 2,
    checks: 2,
    waysBack: 1,
    depth: 2,
    width: 1,
    callsARound: 4,
    callsARun: 24,
    band: "simple",
  });
  expect(complexityOf(lss({ termination_conditions: {} })).callsARun).toBeNull();
});

describe("loops inside", () => {
  const INNER = {
    composition: {
      type: "sequential",
      children: [
        { id: "a", ref: "a.yaml" },
        { id: "b", ref: "b.yaml" },
      ],
    },
  };
  const found = (file: string): Reference => ({ kind: "found", file, text: SOUND_LSS, shelf: EMPTY_SHELF });

  it("of a composition are counted where they can be read, and are else no reason for a bound", () => {
    expect(complexityOf(lss(INNER))).toMatchObject({ children: 2, callsARound: null, callsARun: null });
    expect(complexityOf(lssAnatomy({ ...soundLss(), ...INNER }, { find: found }))).toMatchObject({
      children: 2,
      callsARound: 4 + 2 * 24,
      callsARun: 6 * (4 + 2 * 24),
    });
  });

  it("of ours are workers that are loops, with all that they call", () => {
    const inner = { ...SPEC, name: "inner", trigger: { use: "manual" }, budget: { rounds: 3 }, act: [] };
    const outer = {
      ...SPEC,
      maker: undefined,
      trigger: { use: "manual" },
      budget: { rounds: 2 },
      act: [],
      team: { workers: { mend: { loop: "inner.loop.json" } }, proposes: ["mend"] },
    };
    const reading = readSpec("outer.loop.json", JSON.stringify(outer), builtIn, undefined, {
      root: "/outer.loop.json",
      find: () => ({ kind: "file", file: "/inner.loop.json", text: JSON.stringify(inner) }),
    });
    if (reading.kind === "refused") throw new Error(JSON.stringify(reading.problems));

    expect(complexityOf(anatomyOf(reading.spec, builtIn))).toMatchObject({ children: 1, callsARound: 3, callsARun: 6 });
  });
});

it("tells a loop as seven things, and which of four it lacks", () => {
  const has = (anatomy: Anatomy) => modelOf(anatomy, undefined).four.map(({ has: there }) => there);

  expect(has(ours())).toEqual([true, true, true, true]);
  expect(has(ours({ trigger: { use: "manual" }, verifiers: [{ use: "command", with: { run: "true" } }] }))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(has(lss())).toEqual([false, true, false, true]);
  expect(has(lssAnatomy({}))).toEqual([false, false, false, false]);
  expect(modelOf(lss(), { runs: 2, rounds: 3, verdicts: { accept: 2, retry: 1 }, endings: { accept: 2 } }).transitions.at(-1)).toBe(
    "seen: 2 × accept, 1 × retry",
  );
});

describe("what is told of ours", () => {
  const durable = (anatomy: Anatomy) => modelOf(anatomy, undefined).four.find(({ what }) => what === "durable state")?.has;

  it("has durable state only where notes stay, as the document says that it comes from", () => {
    expect(["none", "run", "loop"].map((keep) => durable(ours({ notebook: { keep } })))).toEqual([false, false, true]);
    const persistent = (writers: readonly string[]) =>
      durable(lss({ memory: { type: "persistent", write_policy: { allowed_writers: writers } } }));
    expect([persistent([]), persistent(["sorter"])]).toEqual([false, true]);
  });

  it("has its guards, its ends and the ids of its verifiers", () => {
    const told = ours({
      verifiers: [{ id: "suite", use: "command", with: { run: "npm test" } }],
      metrics: { quality: { from: "suite", primary: true, target: 1 } },
      // biome-ignore-start lint/suspicious/noThenProperty: it is plain data for a spec, and nobody awaits it.
      until: { success: [{ when: "quality >= 0.8", times: 2 }], fail: [{ on: "cannot-verify", times: 2 }] },
      guards: [{ id: "no-personal-data", rule: "personal", at: "proposal", then: "withhold" }],
      // biome-ignore-end lint/suspicious/noThenProperty: until here.
    });
    const model = modelOf(told, undefined);

    expect(model.evaluators).toEqual(["suite: a proof"]);
    expect(model.ends).toContain("success: quality >= 0.8, 2 rounds in a row; every check holds, and a proof is among them");
    expect(model.ends).toContain("failure: cannot-verify, 2 rounds in a row: escalate");
    expect(toMermaid(told)).toContain("no-personal-data: personal in proposal: withhold");
  });
});

describe("a diagram", () => {
  it("is what Mermaid's own parser takes, of ours, of theirs and of every sample", async () => {
    const all = [ours(), lss(), lssAnatomy({}), ...lssSamples.map(({ text }) => lssAnatomy(parse(text)))];

    for (const anatomy of all) expect(await (await parser).parse(toMermaid(anatomy))).toMatchObject({ diagramType: "flowchart-v2" });
    await expect((await parser).parse('flowchart LR\n  a["x"] --> b["y')).rejects.toThrow();
  });

  it("keeps strangers' words words, in Mermaid and in SVG", async () => {
    const words = (word: string) =>
      lss({ loop_name: word, ...workers(["inputs.changes"]), evaluators: [{ id: word, type: word, implementation: word }] });
    for (const word of HOSTILE) {
      const text = toMermaid(words(word));

      expect(await (await parser).parse(text)).toMatchObject({ diagramType: "flowchart-v2", config: {} });
      expect(text.split("\n").filter((line) => line.includes("evil") && !/^ {4}n_verifier-1\{\{"[^"]*"\}\}$/.test(line))).toEqual([]);
      expect(toSvg(words(word))).not.toMatch(/<script|\u202e|\u001b/);
    }
  });

  it("has well-formed lines whatever it is made of", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, word) => {
        const anatomy = lssAnatomy({ loop_name: word, workers: value, evaluators: value, composition: value, memory: value });
        const lines = toMermaid(anatomy).trimEnd().split("\n").slice(1);

        expect(
          lines.filter(
            (line) => !/^ {2}(subgraph \w+\["[^"]*"\]|end|[\w-]+ (-->|-\.->|-\.-)\|"[^"]*"\| [\w-]+| {2}[\w-]+\W+"[^"]*"\W+)$/u.test(line),
          ),
        ).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it("of a thousand workers is folded for Mermaid, and whole as SVG", async () => {
    const many = lss(workers(...Array.from({ length: 1000 }, () => ["inputs.changes"])));
    const text = toMermaid(many);

    expect(await (await parser).parse(text)).toMatchObject({ diagramType: "flowchart-v2" });
    expect(text).toContain("and 960 more");
    expect(toSvg(many)).toContain(">w999<");
    expect(folded(many, 2000)).toBe(many);
  });
});
