import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { lssSamples, OLD_LSS, SOUND_LSS } from "../../../test/support/lss.ts";
import { anyLss } from "../../../test/support/lss-arbitrary.ts";
import { tries } from "../../../test/support/tries.ts";
import { builtIn } from "../../app/crew.ts";
import { nodesOf } from "../../contract/anatomy.ts";
import { anatomyOf } from "../../spec/anatomy.ts";
import { readSpec } from "../../spec/read-spec.ts";
import { type NativeSurface, nativeSurface } from "../native-surface.ts";
import { inNotation } from "../notation.ts";
import { sheetOf } from "../sheet.ts";
import { type Bindings, EMPTY_SHELF, type Translation } from "../translation.ts";
import { lssAnatomy } from "./anatomy.ts";
import { lssFromSpec } from "./from-spec.ts";
import { lss } from "./lss.ts";
import { readLss } from "./read-lss.ts";
import { translateLss } from "./translate.ts";
import { writeLss } from "./write-lss.ts";

const native = nativeSurface(builtIn);

const NOTHING: Bindings = { providers: new Map(), use: undefined, test: undefined, set: new Map(), commits: false, libraries: [] };
const COMMITS: Bindings = { ...NOTHING, test: "npm test", commits: true };

/** The sound document with its second worker alone. */
const ONE_WORKER = SOUND_LSS.replace(/ {2}- id: sorter\n( {4}.*\n)+/, "")
  .replace("    depends_on: [sorter]\n", "")
  .replace("{from: workers.sorter}, ", "{from: inputs.changes}, ")
  .replaceAll("[sorter]", "[writer]")
  .replace("format: markdown", "format: code");

const translate = (text: string, bindings: Bindings, surface: NativeSurface = native): Translation =>
  lss.translate("l.yaml", sheetOf(text), bindings, surface, EMPTY_SHELF);

const fates = (translation: Translation, kind: string): readonly string[] =>
  translation.kind === "refused" ? [] : translation.fates.filter((fate) => fate.kind === kind).map(({ path }) => path);

describe("the translation of a document", () => {
  it("is a spec of ours that is sound, with its limits, inputs, checks and models", () => {
    const translation = translate(ONE_WORKER, COMMITS);

    const spec = translation.kind === "translated" ? translation.spec : {};
    expect(readSpec("s.yaml", inNotation(spec, "yaml"), builtIn)).toMatchObject({ kind: "read", warnings: [] });
    expect(spec).toMatchObject({
      name: "release-notes",
      intent: "Write release notes that name every change a user can see.",
      level: "L2",
      inputs: {
        changes: { type: "text", about: "The merged changes", required: true, longest: 4000 },
        tone: { type: "choice", about: "How it should sound", values: ["plain", "friendly"], default: "plain" },
      },
      team: {
        workers: {
          writer: {
            role: "Write the notes from the sorted changes",
            use: "anthropic",
            with: { model: "large-model" },
            reads: ["inputs.changes", "inputs.tone", "repo"],
            gives: { as: "commit" },
            tools: ["read", "list", "search", "write", "patch"],
            budget: { usd: "$0.2000" },
          },
        },
        proposes: ["writer"],
      },
      budget: { rounds: 6, usd: "$1.5000", warnAt: 80, perRound: { usd: "$0.3000" } },
    });
    expect(spec.verifiers).toContainEqual(expect.objectContaining({ use: "command", with: { run: "npm test" } }));
  });

  it("never makes up a provider, a command or a figure, and asks for it where it stands", () => {
    const text = ONE_WORKER.replace("provider: openai", "provider: acme").replace(
      "implementation: evaluators.word_count_max",
      "implementation: acme.style",
    );
    const asked = translate(text, { ...COMMITS, test: undefined });
    const told = translate(text, {
      ...COMMITS,
      providers: new Map([["acme", { baseUrl: "https://acme.example/v1", keyVariable: "ACME_KEY" }]]),
      set: new Map([["length.run", "make style"]]),
    });

    expect(asked.kind).toBe("stuck");
    expect(fates(asked, "asked")).toEqual(["evaluators[0].implementation", "evaluators[1].model.provider", "evaluators"]);
    expect(told.kind).toBe("translated");
    expect(told.kind === "translated" && told.spec.verifiers).toContainEqual(
      expect.objectContaining({ use: "command", with: { run: "make style" } }),
    );
    expect(JSON.stringify(told)).toContain('"baseUrl":"https://acme.example/v1","keyVariable":"ACME_KEY"');
  });

  it("tightens what could be got around, and says so", () => {
    const text = ONE_WORKER.replace("on_exceed: {action: halt}", "on_exceed: {action: warn}")
      .replace("action: warn}, on_exceed", "action: halt}, on_exceed")
      .replace("value: 6", "value: 5000");
    const translation = translate(text, COMMITS);

    expect(translation.kind === "translated" && translation.spec.budget).toMatchObject({ rounds: 100, usd: "$1.2000" });
    expect(fates(translation, "tightened")).toEqual(
      expect.arrayContaining(["cost_limits.on_exceed", "cost_limits.on_approach", "termination_conditions.failure[0]"]),
    );
  });

  it("says of everything in a document what became of it, and makes a spec that reads or none", () => {
    const everything: NativeSurface = { has: () => true, part: () => true };
    fc.assert(
      fc.property(anyLss, fc.constantFrom(native, everything), (document, surface) => {
        const bindings = { ...COMMITS, use: { part: "claude-code", model: undefined } };
        const { fates: all } = translateLss(document, bindings, surface, () => ({ line: 1, col: 1 }), EMPTY_SHELF);

        const told = all.map(({ path }) => path);
        const isTold = (path: string) =>
          told.some(
            (one) =>
              one === path ||
              one.startsWith(`${path}.`) ||
              one.startsWith(`${path}[`) ||
              path.startsWith(`${one}[`) ||
              path.startsWith(`${one}.`),
          );
        expect(thingsIn(document).filter((path) => !isTold(path))).toEqual([]);
      }),
      tries(12),
    );
  });

  it("migrates the list dialect to a spec that is sound, once somebody says who works and how the tests are run", () => {
    const asked = translate(OLD_LSS, NOTHING);
    const told = translate(OLD_LSS, { ...COMMITS, use: { part: "claude-code", model: undefined } });

    expect([asked.kind, fates(asked, "asked")]).toEqual(["stuck", expect.arrayContaining(["workers[0]", "evaluators[0].implementation"])]);
    const spec = told.kind === "translated" ? told.spec : {};
    expect(readSpec("s.yaml", inNotation(spec, "yaml"), builtIn)).toMatchObject({ kind: "read", warnings: [] });
    expect(spec).toMatchObject({
      name: "mend-loop",
      maker: { use: "claude-code" },
      verifiers: [expect.objectContaining({ use: "command", with: { run: "npm test" } })],
      budget: { rounds: 7, usd: "$5.0000" },
    });
  });

  it("makes of every kind of constraint, wherever it stands, a guard that can be kept to, or says that it is lost or what else does it", () => {
    const actions = ["halt", "quarantine", "escalate_human", "warn", "strip"];
    const scopes = ["pre_worker", "post_worker", "pre_output", "pre_memory_write", "pre_evaluator"];
    const configs = {
      output_bounds: "{max_bytes: 900}",
      pii_detect: "{categories: [email, name]}",
      rate_limit: "{max_calls_per_iteration: 7}",
    };
    const types = [
      "injection_detect",
      "secret_scan",
      "pii_detect",
      "schema_enforce",
      "tool_allowlist",
      "human_gate",
      "output_bounds",
      "rate_limit",
    ];
    const byAgent: Bindings = { ...COMMITS, use: { part: "claude-code", model: undefined } };
    for (const [scope, action] of scopes.flatMap((one) => actions.map((other) => [one, other] as const)))
      for (const bindings of action === "strip" || action === "halt" ? [COMMITS, NOTHING, byAgent] : [COMMITS]) {
        const asked = types.map(
          (type) =>
            `  - {id: ${type}, type: ${type}, scope: ${scope}, action: ${action}, config: ${Object.entries(configs).find(([one]) => one === type)?.[1] ?? "{}"}}`,
        );
        const text = (bindings.use ? ONE_WORKER : SOUND_LSS.replace("format: markdown", "format: code")).replace(
          /(?<=safety_constraints:\n)( {2}- .*\n)+/,
          `${asked.join("\n")}\n`,
        );
        const translation = translate(text, bindings);

        if (translation.kind !== "translated") throw new Error(JSON.stringify(translation));
        expect(readSpec("s.yaml", inNotation(translation.spec, "yaml"), builtIn)).toMatchObject({ kind: "read" });
        const guards = (translation.spec.guards ?? []) as readonly { readonly id: string; readonly then: string }[];
        const ends = new Set(guards.filter((one) => one.then === "halt" || one.then === "escalate").map(({ id }) => id));
        const lost = fates(translation, "lost").join();
        // What should have ended the run does, or is called lost: nothing is milder and said to be kept.
        if (action === "halt" || action === "escalate_human")
          for (const [index, type] of types.slice(0, 3).entries())
            expect([type, scope, ends.has(type) || lost.includes(`safety_constraints[${index}]`)]).toEqual([type, scope, true]);
        expect(lost).toContain("safety_constraints[2]");
      }
  });

  it("keeps what its writers give, for whom its file lets read it, and nothing where nobody may write", () => {
    const memory =
      "{type: session, retention: {unit: iteration, value: 4}, write_policy: {allowed_writers: [sorter], max_entries: 9}, read_policy: {writer: [sorted]}}";
    const text = SOUND_LSS.replace(/memory: .*/, `memory: ${memory}`).replace(
      "{from: workers.sorter}, ",
      "{from: workers.sorter}, {from: memory.sorted}, ",
    );
    const withNames = text.replace(/(?<=id: sorter\n(?: {4}.*\n)*? {4}outputs: \{name: )\w+/, "Sorted");
    const kept = translate(withNames, NOTHING);
    const denied = translate(withNames.replace("read_policy: {writer: [sorted]}", "read_policy: {writer: [other]}"), NOTHING);
    const none = translate(withNames.replace("allowed_writers: [sorter], ", ""), NOTHING);

    const notebooks = [kept, denied, none].map((one) => (one.kind === "translated" ? one.spec.notebook : one));
    expect(notebooks).toEqual([
      { keep: "run", keys: { sorted: { writes: ["sorter"], reads: ["writer"], most: 9, rounds: 4 } } },
      { keep: "run", keys: { sorted: { writes: ["sorter"], reads: [], most: 9, rounds: 4 } } },
      { keep: "none" },
    ]);
    expect([kept, denied].map((one) => JSON.stringify(one.kind === "translated" && one.spec.team).includes("notes.sorted"))).toEqual([
      true,
      false,
    ]);
    for (const one of [kept, denied, none])
      expect(readSpec("s.yaml", inNotation(one.kind === "translated" ? one.spec : {}, "yaml"), builtIn)).toMatchObject({ kind: "read" });
  });

  it.each([
    ["1e-7", "clarity_score >= 0.0000001"],
    ["1e21", "clarity_score >= 1000000000000000000000"],
    ["0.8", "clarity_score >= 0.8"],
  ])("writes a goal of %s in digits, as conditions have it", (value, when) => {
    const translation = translate(SOUND_LSS.replace("operator: gte, value: 0.8", `operator: gte, value: ${value}`), NOTHING);

    const spec = translation.kind === "translated" ? translation.spec : {};
    expect(spec.until).toMatchObject({ success: [{ when: expect.stringContaining(when.slice(0, 24)) }] });
    expect(readSpec("s.yaml", inNotation(spec, "yaml"), builtIn)).toMatchObject({ kind: "read" });
  });

  it("takes a rule in words to whoever works, and calls it lost: nothing guards it", () => {
    const old = `${OLD_LSS}safety_constraints:\n  - {id: careful, rule: Touch no migrations, severity: critical}\n`;
    const translation = translate(old, { ...COMMITS, use: { part: "claude-code", model: undefined } });

    expect(translation.kind === "translated" && translation.spec.task).toContain("- Touch no migrations");
    expect(fates(translation, "lost")).toContain("safety_constraints[0]");
  });

  it("refuses what is not sound, and LSS-min, which says too little", () => {
    const min = '{"loop_name":"abc","objective":"x","workers":[],"evaluators":[],"termination_conditions":{}}';

    expect([translate(SOUND_LSS.replace("primary: true, ", ""), COMMITS).kind, translate(min, COMMITS).kind]).toEqual([
      "refused",
      "refused",
    ]);
  });
});

/** Everything that a document says and a run could go by, by its place. */
function thingsIn(document: Parameters<typeof translateLss>[0]): readonly string[] {
  const { termination_conditions: ends, cost_limits, ...rest } = document;
  const lists = Object.entries({
    ...rest,
    ...Object.fromEntries(Object.entries(ends).map(([key, list]) => [`termination_conditions.${key}`, list])),
  });
  return [
    ...lists.flatMap(([key, value]) => (Array.isArray(value) ? value.map((_, index) => `${key}[${index}]`) : [key])),
    ...Object.keys(cost_limits)
      .filter((key) => key !== "on_exceed" && key !== "on_approach")
      .map((key) => `cost_limits.${key}`),
  ];
}

describe("a spec of ours as a document", () => {
  it("is sound by the schema and the rules, and says what is left out", () => {
    const text =
      "name: fix\nintent: Keep main green.\nlevel: L2\nmaker: {use: anthropic, with: {model: m}}\nverifiers: [{use: command, with: {run: npm test}}]\nact: [{use: merge}]\n";
    const reading = readSpec("s.yaml", text, builtIn);
    if (reading.kind !== "read") throw new Error("the spec is sound");

    const { document, left } = lssFromSpec(reading.spec);

    expect(readLss("l.yaml", writeLss(document, "1.0", "yaml").text)).toMatchObject({ kind: "read", warnings: [], document });
    expect(left.map(({ path }) => path)).toEqual(["act", "verifiers[0].with"]);
    const more = readSpec(
      "s.yaml",
      `${text}gate: {all: [{use: ask}, {use: ask}]}\nnotebook: {keep: none}\nbudget: {tokens: 200k}\n`,
      builtIn,
    );
    expect(more.kind === "read" && lssFromSpec(more.spec).left).toEqual(
      expect.arrayContaining([
        { path: "gate", why: "the standard has no words for it" },
        { path: "notebook", why: "not written yet, though the standard has words for it" },
        expect.objectContaining({ path: "budget" }),
      ]),
    );
  });
});

describe("a command of ours, written as the standard has it", () => {
  const specWith = (run: string) => {
    const text = `name: fix\nintent: Keep main green.\nlevel: L2\nmaker: {use: anthropic, with: {model: m}}\nverifiers: [{use: command, with: {run: "${run}"}}]\n`;
    const reading = readSpec("s.yaml", text, builtIn);
    if (reading.kind !== "read") throw new Error("the spec is sound");
    return reading.spec;
  };
  const exported = (run: string): string => writeLss(lssFromSpec(specWith(run)).document, "1.1", "yaml").text;

  it.each(["true", "npm test"])("claims nothing for %s that nobody knows, and is the same command when it is imported again", (run) => {
    const text = exported(run);
    expect(text).not.toContain("test_suite_pass");
    const back = translate(text, { ...NOTHING, commits: true });
    expect(back.kind === "translated" && back.spec.verifiers).toContainEqual(expect.objectContaining({ use: "command", with: { run } }));
  });

  it("is worth no more than it was", () => {
    const checks = (run: string) => nodesOf(lssAnatomy(parse(exported(run))), "verifier").map(({ refuses }) => refuses);
    const ours = (run: string) => nodesOf(anatomyOf(specWith(run), builtIn), "verifier").map(({ refuses }) => refuses);
    expect([checks("true"), checks("npm test")]).toEqual([ours("true"), ours("npm test")]);
    expect(checks("true")).toEqual(["no"]);
  });

  it("is asked for where the document lost it", () => {
    const text = exported("npm test").replace(/^ *commands:\n.*\n/m, "");
    expect(translate(text, NOTHING).kind).toBe("stuck");
  });
});

describe("the reference's own files, where they are here", () => {
  it.runIf(lssSamples.length > 0).each(lssSamples)(
    "become a spec that is sound, or say what stands against it: $name",
    ({ name, text }) => {
      const any = new Map([...text.matchAll(/^ *- id: (\w+)$/gm)].map(([, id]) => [`${id}.schema`, "any"] as const));
      const translation = translate(text, { ...NOTHING, test: "npm test", set: new Map([...any, ["security_veto.run", "true"]]) });

      if (translation.kind === "translated")
        expect(readSpec(name, inNotation(translation.spec, "yaml"), builtIn)).toMatchObject({ kind: "read" });
      else if (translation.kind === "stuck") expect([...fates(translation, "lost"), ...fates(translation, "asked")]).not.toEqual([]);
      else expect(translation.problems).not.toEqual([]);
    },
  );

  it.each([...lssSamples, { name: "sound", text: SOUND_LSS }, { name: "old", text: OLD_LSS }])(
    "have a fate for each field: $name",
    ({ text }) => {
      const any = new Map([...text.matchAll(/^ *- id: (\w+)$/gm)].map(([, id]) => [`${id}.schema`, "any"] as const));
      for (const bindings of [NOTHING, { ...NOTHING, test: "npm test", set: any }]) {
        const translation = translate(text, bindings);
        const told = translation.kind === "refused" ? [] : translation.fates;
        const asked = told.flatMap(({ kind, path }) => (kind === "asked" ? [path.replace(/\.\w+$/, "")] : []));
        const silent = leavesOf(parse(text)).filter(
          (path) => ![...told.map((fate) => fate.path), ...asked].some((one) => covers(one, path)),
        );

        expect(translation.kind === "refused" ? [] : silent).toEqual([]);
      }
    },
  );

  it("let nothing stand in the way of what a file says of its own worth", () => {
    const claiming = translate(`${SOUND_LSS}les_scores: {effectiveness: 1}\n`, NOTHING);

    expect([fates(claiming, "lost").includes("les_scores"), fates(claiming, "inert").includes("les_scores")]).toEqual([false, true]);
  });

  it("says so of a field that no translation speaks of", () => {
    expect(fates(translate(`${SOUND_LSS}unheard_of: {deep: [1]}\n`, NOTHING), "lost")).toContain("unheard_of");
  });
});

/** The path of every value that holds no other; an empty list has no entry that could be lost. */
function leavesOf(value: unknown, path = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => leavesOf(one, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, path === "" ? key : `${path}.${key}`));
}

const covers = (told: string, path: string): boolean => told === path || path.startsWith(`${told}.`) || path.startsWith(`${told}[`);
