import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import * as z from "zod";
import { lssSamples, OLD_LSS, SOUND_LSS, soundLss } from "../../../test/support/lss.ts";
import { tries } from "../../../test/support/tries.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { complaintsBy } from "../placed-problems.ts";
import { looksLikeLss } from "./forms.ts";
import { type LssReading, readLss } from "./read-lss.ts";

const problemsOf = (reading: LssReading) => ("problems" in reading ? reading.problems : []);

/** `code path: what stands there in the text`, of everything that is wrong. */
const places = (text: string): readonly string[] =>
  problemsOf(readLss("l.yaml", text)).map(
    ({ code, line, col, path }) =>
      `${code} ${path}: ${text
        .split("\n")
        [line - 1]?.slice(col - 1)
        .slice(0, 16)}`,
  );

const told = (text: string): readonly string[] => problemsOf(readLss("l.yaml", text)).map(formatProblem);

/** The sound document with one text in it put in the place of another. */
function changed(before: string, after: string): string {
  expect(SOUND_LSS).toContain(before);
  return SOUND_LSS.replace(before, after);
}

describe("readLss", () => {
  it("reads a sound document, in YAML and in JSON", () => {
    const yaml = readLss("l.yaml", SOUND_LSS);
    const json = readLss("l.json", JSON.stringify(soundLss()));

    expect([yaml.kind, yaml.form, problemsOf(yaml)]).toEqual(["read", "1.0", []]);
    expect(json.kind === "read" && yaml.kind === "read" && json.document).toEqual(yaml.kind === "read" && yaml.document);
  });

  it("asks for all of 1.0 where a document says that it is 1.1", () => {
    const reading = readLss("l.yaml", '{metadata: {schema_version: "1.1"}, banana: 1}');

    expect([reading.kind, reading.form, reading.counts]).toEqual(["refused", "1.1", { schema: 13, composition: 0, rules: 0 }]);
    expect(reading.warnings.map(({ code, path }) => `${code} ${path}`)).toEqual(["unknown-at-root banana"]);
  });

  it("says what is wrong by the schema, all at once, each with its place and what to write", () => {
    const text = changed("version: 1.2.0", 'version: "1.0"')
      .replace("format: json", "format: jsn")
      .replace("retries: 1", "retries: -1\n    retry: 2")
      .replace("provider: openai, ", "");

    expect(told(text)).toEqual([
      "l.yaml:2:10  version: must be a full version of three numbers; it is the loop's own, not the standard's. Write three numbers, e.g. 1.0.0.",
      "l.yaml:16:44  workers[0].outputs.format: unknown value `jsn`. Did you mean `json`? Write one of: text, json, markdown, code, binary.",
      "l.yaml:18:14  workers[0].retries: must be at least 0. Write a whole number.",
      "l.yaml:19:5  workers[0].retry: unknown key `retry`. Leave it out, or write one of: id, role, model, depends_on, inputs, outputs, tools, timeout_seconds, retries, cost_budget_usd.",
      "l.yaml:39:12  evaluators[1].model.provider: is missing. Add it, e.g. `provider: anthropic`.",
    ]);
  });

  it("counts as the standard's validator does: unknown keys of a map once, an evaluator once", () => {
    const old = readLss("l.yaml", OLD_LSS);
    const two = readLss("l.yaml", changed("timeout_seconds: 60", "a: 1\n    b: 2").replace("weight: 0.7", "weight: 7, x: 1"));

    expect([old.kind, old.form, old.counts.schema]).toEqual(["refused", "old", 14]);
    expect([two.counts.schema, problemsOf(two).length]).toEqual([2, 5]);
  });

  it.each([
    ["an enum without values", "values: [plain, friendly], ", "", "missing inputs.schema.tone.values: {type: enum, des"],
    ["persistent memory without a backend", "type: session,", "type: persistent,", "missing memory.backend: {type: persisten"],
    [
      "no number of iterations",
      "max_iterations, value: 6",
      "max_iterations",
      "missing termination_conditions.failure[0].value: {type: max_itera",
    ],
  ])("finds what the schema asks for only sometimes: %s", (_, before, after, expected) => {
    expect(places(changed(before, after))).toContain(expected);
  });

  it("finds a loop without any end", () => {
    const text = stringify({ ...soundLss(), termination_conditions: { success: [] } });

    expect(places(text)).toContain("missing termination_conditions: success: []");
  });

  it.each([
    ["ids that are there twice", "{id: no-secrets,", "{id: no-orders,", "ids-unique safety_constraints[1]: {id: no-orders, "],
    [
      "workers that wait for themselves",
      "depends_on: [sorter]",
      "depends_on: [writer]",
      "depends-on-acyclic workers[1].depends_on: [writer]",
    ],
    [
      "feedback from nobody",
      "source: evaluators.clarity, dest",
      "source: workers.nobody, dest",
      "feedback-ends-exist feedback_channels[0].source: workers.nobody, ",
    ],
    [
      "feedback to another strategy",
      "destination: workers.writer",
      "destination: optimization_strategy.manual",
      "feedback-ends-exist feedback_channels[0].destination: optimization_str",
    ],
    [
      "a metric of nothing",
      "source: evaluators.length",
      "source: evaluators.width",
      "metric-source-exists metrics[1].source: evaluators.width",
    ],
    ["no primary metric", "primary: true, ", "", "one-primary-metric metrics: - {name: clarity"],
    ["two primary metrics", "name: words, ", "name: words, primary: true, ", "one-primary-metric metrics[1].primary: true, definition"],
    [
      "a guard of nobody",
      "applies_to: [sorter]",
      "applies_to: [sortr]",
      "applies-to-exists safety_constraints[0].applies_to[0]: sortr], action: ",
    ],
    ["no bound", "{type: max_iterations, value: 6, action: halt}, ", "", "bounded termination_conditions: success: [{metri"],
    [
      "workers that may spend more than there is",
      "cumulative_usd: 1.5",
      "cumulative_usd: 0.25",
      "worker-budgets-fit cost_limits.cumulative_usd: 0.25, token_soft",
    ],
    [
      "a secret in an example",
      '"Fixed a crash on start"',
      `ghp_${"a1B2".repeat(9)}`,
      "no-secrets-in-examples inputs.examples[0].changes: ghp_a1B2a1B2a1B2",
    ],
    ["weights that do not add up", "weight: 0.3", "weight: 0.4", "rubric-weights-add-up evaluators[1].rubric.dimensions: - {name: complet"],
    [
      "a tool that no worker lists",
      "type: secret_scan,",
      "type: tool_allowlist, config: {tools: [run]},",
      "tools-listed safety_constraints[1].config.tools[0]: run]}, scope: po",
    ],
    [
      "a structure that changes with nobody asked",
      "type: prompt_refinement",
      "type: structural",
      "structural-needs-human optimization_strategy.type: structural, max_",
    ],
    ["an input that is not there", "from: inputs.tone", "from: inputs.tine", "names-exist workers[1].inputs[1].from: inputs.tine}]"],
    [
      "an end by a metric that is not there",
      "{metric: clarity_score, op",
      "{metric: clarity, op",
      "names-exist termination_conditions.success[0].metric: clarity, operato",
    ],
    [
      "a schema from the network",
      "{name: SortedChanges,",
      "{name: SortedChanges, schema_ref: https://example.com/s.json,",
      "stays-here workers[0].outputs.schema_ref: https://example.",
    ],
    [
      "prices from elsewhere on the machine",
      "on_exceed:",
      "price_table_ref: /etc/passwd, on_exceed:",
      "stays-here cost_limits.price_table_ref: /etc/passwd, on_",
    ],
  ])("finds %s", (_, before, after, expected) => {
    expect(places(changed(before, after))).toEqual([expected]);
  });

  it("doubts examples that no run could be given", () => {
    const example = '{changes: "Fixed a crash on start"}';
    const doubted = ["{changes: 7}", "{changes: a, tne: plain}", "{tone: rude}", "{changes: a, tone: friendly}"].map((other) =>
      readLss("l.yaml", changed(example, other)).warnings.map(({ path, problem }) => `${path}: ${problem}`),
    );

    expect(doubted).toEqual([
      ["inputs.examples[0].changes: is no string that the input takes"],
      ["inputs.examples[0].tne: is no input"],
      ["inputs.examples[0]: does not say `changes`, which is required", "inputs.examples[0].tone: is no enum that the input takes"],
      [],
    ]);
  });

  it("doubts reads that go in a circle and reads that the policy denies", () => {
    const circle = changed("inputs: [{from: inputs.changes}]", "inputs: [{from: workers.writer}]");
    const denied = changed("inputs: [{from: inputs.changes}]", "inputs: [{from: memory.past}]").replace(
      "{type: session,",
      "{type: session, read_policy: {writer: [past]},",
    );

    expect(readLss("l.yaml", circle).warnings.map(({ code, path }) => `${code} ${path}`)).toEqual(["reads-in-circle workers[0].inputs"]);
    expect(readLss("l.yaml", denied).warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "read-not-allowed workers[0].inputs[0].from",
    ]);
  });
});

const COMPOSED = `${SOUND_LSS}composition:
  type: sequential
  children: [{id: gather, ref: gather.yaml}, {id: write, ref: write.yaml, role: stage}]
  adapters: [{from: children.gather.outputs.finder, to: children.write.inputs.task}]
`;

describe("readLss, given a composition", () => {
  it("reads it as 1.1, with the whole of 1.0 beside it", () => {
    const reading = readLss("l.yaml", COMPOSED);
    const without = readLss("l.yaml", COMPOSED.replace(/^metrics:\n( {2}.*\n)+/m, ""));

    expect([reading.kind, reading.form]).toEqual(["read", "1.1"]);
    expect(problemsOf(without).map(({ code, path }) => `${code} ${path}`)).toContain("missing metrics");
  });

  it.each([
    ["children of one name", "{id: write,", "{id: gather,", "ids-unique composition.children[1]"],
    ["stages that are given nothing", /adapters: .*/, "adapters: []", "composition-adapters composition.adapters"],
    ["an adapter of nobody", "children.gather.outputs", "children.gathr.outputs", "composition-names composition.adapters[0].from"],
    ["an adapter to no input", "children.write.inputs.task", "children.write", "composition-adapters composition.adapters[0].to"],
    ["a parallel loop without a merge", "type: sequential", "type: parallel", "missing composition.merge"],
    ["a parallel loop without branches", "type: sequential", "type: parallel", "composition-roles composition.children"],
    ["a nested loop with no outer child", "type: sequential", "type: nested", "composition-roles composition.children"],
    [
      "a merge that depends on order",
      "type: sequential",
      "type: parallel\n  merge: {strategy: first_wins}",
      "unknown-value composition.merge.strategy",
    ],
    [
      "more branches than there are",
      "type: sequential",
      "type: parallel\n  merge: {min_branches_pass: 3}",
      "composition-merge composition.merge.min_branches_pass",
    ],
    ["a trigger of nobody", "role: stage", "trigger: children.x.evaluators.y.failed", "composition-names composition.children[1].trigger"],
    ["a child from the network", "ref: gather.yaml", "ref: https://example.com/a.yaml", "stays-here composition.children[0].ref"],
  ])("finds %s", (_, before, after, expected) => {
    const problems = problemsOf(readLss("l.yaml", COMPOSED.replace(before, after)));

    expect(problems.map(({ code, path }) => `${code} ${path}`)).toContain(expected);
  });
});

describe("readLss, given what was made to harm", () => {
  it("does not follow aliases without end, prototypes or depth", () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x,x]\n${"bcdefghij"
      .split("")
      .map((name, index) => `${name}: &${name} [${Array(10).fill(`*${"abcdefghi"[index]}`).join(",")}]`)
      .join("\n")}\nloop_name: x\n`;
    const proto = changed("loop_name:", "__proto__: {polluted: true}\nloop_name:");
    const deep = `loop_name: ${"[".repeat(5000)}`;

    expect(told(bomb).some((line) => line.includes("too large"))).toBe(true);
    expect(told(proto)).toEqual(["l.yaml:1:1  __proto__: the key `__proto__` is not allowed. Leave it out."]);
    expect(told(deep).some((line) => line.includes("nested too deeply"))).toBe(true);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  it("refuses a file that is too large before it is parsed", () => {
    expect(told(`loop_name: ${"x".repeat(5 * 1024 * 1024)}`)).toEqual([
      "l.yaml:1:1  yaml: the file is larger than 4096 KiB. Write a shorter spec.",
    ]);
  });

  it("tells a bounded part of what is wrong with a file in which everything is", () => {
    const problems = problemsOf(
      readLss("l.yaml", stringify({ ...soundLss(), workers: Array(900).fill({ id: "SAME", depends_on: ["x", "x"] }) })),
    );

    expect([problems.length, problems.at(-1)?.code]).toEqual([501, "more"]);
  });

  it("tells the beginning of what is wrong where the schema library has no stack for all of it", () => {
    const outOfStack = (value: unknown): unknown => {
      if (Object(value).list.length > 1000) throw new RangeError("Maximum call stack size exceeded");
      return value;
    };
    const schema = z.preprocess(outOfStack, z.object({ list: z.array(z.strictObject({ id: z.string() })) }));

    const { document, complaints } = complaintsBy(schema, { list: Array.from({ length: 2000 }, () => ({})) });

    expect([document, complaints.length, complaints.at(-1)?.code]).toEqual([undefined, 501, "more"]);
  });

  it("never throws, and every problem has a place in the text, a code and a hint", () => {
    const anything = fc.anything({ maxDepth: 3, withNullPrototype: false });
    const change = fc.record({ at: fc.array(fc.nat(40), { minLength: 1, maxLength: 5 }), to: anything });

    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const value = changes.reduce<unknown>((document, { at, to }) => put(document, at, to), soundLss());
        const text = stringify(JSON.parse(JSON.stringify(value) ?? "null"));

        const problems = problemsOf(readLss("l.yaml", text));

        const lines = text.split("\n").length;
        expect(problems.filter(({ line, col, code, instead }) => line < 1 || line > lines || col < 1 || !code || !instead)).toEqual([]);
      }),
      tries(12),
    );
  });

  it("never throws on broken text", () => {
    fc.assert(
      fc.property(fc.nat(SOUND_LSS.length), fc.nat(60), fc.string({ maxLength: 12, unit: "binary" }), (at, length, put) => {
        expect(["read", "broken", "refused", "min"]).toContain(
          readLss("l.yaml", SOUND_LSS.slice(0, at) + put + SOUND_LSS.slice(at + length)).kind,
        );
      }),
      tries(10),
    );
  });
});

/** The value with something else at a place that is found by counting. */
function put(value: unknown, [step, ...rest]: readonly number[], to: unknown): unknown {
  if (step === undefined || typeof value !== "object" || value === null) return to;
  const entries = Object.entries(value);
  const [key] = entries[step % Math.max(1, entries.length)] ?? ["new"];
  const changedInner = { ...value, [key]: put(Reflect.get(value, key), rest, to) };
  return Array.isArray(value) ? Object.values(changedInner) : changedInner;
}

describe("looksLikeLss", () => {
  it("tells a document of the standard from a spec of ours and from other files", () => {
    expect([soundLss(), { metadata: { schema_version: "1.1" }, banana: 1 }, { workers: [], evaluators: [] }].map(looksLikeLss)).toEqual([
      true,
      true,
      true,
    ]);
    expect([{ name: "x", intent: "y", maker: {}, workers: [], evaluators: [] }, {}, [], "loop_name", null].map(looksLikeLss)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

/** Schema errors of 1.0 and of compositions as the reference counts them, and rules that the file breaks. */
const EXPECTED: { readonly [name: string]: readonly [schema: number, composition: number, rules: number] } = {
  "counterexamples/nested-no-adapters": [7, 0, 1],
  "counterexamples/parallel-first-wins": [7, 1, 0],
  "counterexamples/sequential-no-adapters": [7, 0, 1],
  "invalid/aider-lb-cr-1": [16, 0, 0],
  "invalid/runtime-minimal": [20, 0, 0],
  // The workers' budgets are more than the loop has.
  "loopgym-envs/research-synthesis-v1.spec": [0, 0, 1],
  "loop-library/compositions/scenario-swarm-rehearsal": [0, 1, 0],
  "loop-library/compositions/flat/debug-repair-flat": [0, 0, 6],
};

/** Where each of them stands in the reference's files: what is missing, at the map that it is missing from. */
const PLACES: { readonly [name: string]: readonly string[] } = {
  "counterexamples/nested-no-adapters": [
    "1:1 missing feedback_channels",
    "1:1 missing optimization_strategy",
    "1:1 missing safety_constraints",
    "1:1 missing cost_limits",
    "7:7 missing inputs.schema.task.description",
    "48:3 missing metrics[0].definition",
    "48:3 missing metrics[0].unit",
    "60:13 composition-adapters composition.adapters",
  ],
  "counterexamples/parallel-first-wins": [
    "1:1 missing feedback_channels",
    "1:1 missing optimization_strategy",
    "1:1 missing safety_constraints",
    "1:1 missing cost_limits",
    "7:7 missing inputs.schema.task.description",
    "48:3 missing metrics[0].definition",
    "48:3 missing metrics[0].unit",
    "61:15 unknown-value composition.merge.strategy",
  ],
  "counterexamples/sequential-no-adapters": [
    "1:1 missing feedback_channels",
    "1:1 missing optimization_strategy",
    "1:1 missing safety_constraints",
    "1:1 missing cost_limits",
    "7:7 missing inputs.schema.task.description",
    "48:3 missing metrics[0].definition",
    "48:3 missing metrics[0].unit",
    "60:13 composition-adapters composition.adapters",
  ],
  "invalid/aider-lb-cr-1": [
    "1:1 missing inputs",
    "1:1 missing memory",
    "1:1 missing feedback_channels",
    "1:1 missing optimization_strategy",
    "1:1 missing metrics",
    "1:1 missing safety_constraints",
    "2:10 wrong-form version",
    "12:5 missing workers[0].model",
    "12:5 missing workers[0].inputs",
    "12:5 missing workers[0].outputs",
    "14:5 missing workers[1].model",
    "14:5 missing workers[1].inputs",
    "14:5 missing workers[1].outputs",
    "20:11 unknown-value evaluators[0].type",
    "24:3 wrong-type termination_conditions",
    "29:3 missing cost_limits.on_exceed",
  ],
  "invalid/runtime-minimal": [
    "1:1 missing inputs",
    "1:1 missing memory",
    "1:1 missing feedback_channels",
    "1:1 missing optimization_strategy",
    "1:1 missing metrics",
    "2:10 wrong-form version",
    "10:5 missing workers[0].model",
    "10:5 missing workers[0].inputs",
    "10:5 missing workers[0].outputs",
    "12:5 unknown-key workers[0].policy",
    "16:11 unknown-value evaluators[0].type",
    "21:3 wrong-type termination_conditions",
    "25:5 missing safety_constraints[0].type",
    "25:5 missing safety_constraints[0].scope",
    "25:5 missing safety_constraints[0].action",
    "27:15 wrong-form safety_constraints[0].severity",
    "30:3 missing cost_limits.per_iteration_usd",
    "30:3 missing cost_limits.cumulative_usd",
    "30:3 missing cost_limits.on_exceed",
    "30:3 unknown-key cost_limits.max_iterations",
    "31:3 unknown-key cost_limits.max_tokens",
  ],
  "loop-library/compositions/flat/debug-repair-flat": [
    "30:5 ids-unique evaluators[5]",
    "42:113 ids-unique metrics[2]",
    "43:16 one-primary-metric metrics[2].primary",
    "44:50 ids-unique metrics[3]",
    "50:38 ids-unique feedback_channels[3]",
    "53:55 ids-unique safety_constraints[1]",
  ],
  "loop-library/compositions/scenario-swarm-rehearsal": ["115:15 unknown-value composition.merge.strategy"],
  "loopgym-envs/research-synthesis-v1.spec": ["131:19 worker-budgets-fit cost_limits.cumulative_usd"],
};

describe.runIf(lssSamples.length > 0)("readLss, given the reference's own files", () => {
  it.each(lssSamples)("complains of the right things in the right lines: $name", ({ name, text }) => {
    const problems = problemsOf(readLss(name, text));

    expect(problems.map(({ line, col, code, path }) => `${line}:${col} ${code} ${path}`)).toEqual(PLACES[name] ?? []);
  });

  it.each(lssSamples)("counts as the reference does: $name", ({ name, text }) => {
    const { counts } = readLss(name, text);

    expect([counts.schema, counts.composition, counts.rules]).toEqual(EXPECTED[name] ?? [0, 0, 0]);
  });
});
