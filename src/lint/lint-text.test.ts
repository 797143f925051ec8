import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { tries } from "../../test/support/tries.ts";
import { builtIn } from "../app/crew.ts";
import { lss } from "../dialects/lss/lss.ts";
import { sheetOf } from "../dialects/sheet.ts";
import { type Example, FAILURES } from "./detector.ts";
import { detectors } from "./detectors/index.ts";
import { fixText } from "./fix-text.ts";
import { type Linted, lintText } from "./lint-text.ts";

/** Two loops with which nothing is wrong; an example says what is other in it. */
const GOOD_OURS = {
  name: "keep-green",
  intent: "Keep main green.",
  level: "L2",
  target: { repo: ".", base: "main" },
  maker: { use: "claude-code" },
  verifiers: [{ use: "command", with: { run: "npm test" } }],
  budget: { rounds: 3, time: "30m", usd: "$2.50" },
};
const GOOD_LSS = parse(`
loop_name: release-notes
version: 1.2.0
objective: Write release notes that name every change a user can see.
inputs: {schema: {task: {type: string, description: The merged changes}}}
memory: {type: session}
workers:
  - {id: writer, role: Write the notes from what was merged, model: {provider: openai, name: gpt-4.1-mini}, inputs: [{from: inputs.task}], outputs: {name: notes, format: markdown}}
evaluators:
  - id: quality
    type: llm_rubric
    runs_after: ["*"]
    rubric: {dimensions: [{name: complete, weight: 1, scale: [0, 1], criteria: Every visible change is named}], pass_threshold: 0.8}
    model: {provider: openai, name: gpt-4.1, temperature: 0}
feedback_channels: [{id: back, source: evaluators.quality, destination: workers.writer, format: structured}]
optimization_strategy: {type: prompt_refinement, max_steps: 5}
termination_conditions:
  success: [{metric: primary_quality, operator: gte, value: 0.8}]
  failure: [{type: max_iterations, value: 8, action: halt}]
  stall: [{metric: primary_quality, window_iterations: 3, min_improvement: 0.03, action: halt}]
metrics: [{name: primary_quality, definition: The score, source: evaluators.quality, unit: ratio, primary: true}]
safety_constraints:
  - {id: no-orders, type: injection_detect, scope: pre_worker, action: quarantine, severity: S0}
  - {id: no-secrets, type: secret_scan, scope: post_worker, action: halt, severity: S0}
cost_limits: {per_iteration_usd: 0.05, cumulative_usd: 0.5, on_exceed: {action: halt}}
`);

const textOf = (example: Example): string =>
  JSON.stringify("ours" in example ? { ...GOOD_OURS, ...example.ours } : { ...GOOD_LSS, ...example.lss }, null, 1);
/** Many examples are the same good loop. */
const known = new Map<string, Linted>();
function lint(example: Example): Linted {
  const text = textOf(example);
  const linted = known.get(text) ?? lintText("x.yaml", sheetOf(text), "ours" in example ? undefined : lss, builtIn);
  known.set(text, linted);
  return linted;
}
const rulesIn = (example: Example) => lint(example).findings.map(({ rule }) => rule);

describe.each(detectors.map((detector) => [detector.id, detector] as const))("%s", (id, { examples }) => {
  it.each(examples.flags.map((example) => [JSON.stringify(example), example] as const))("flags   %s", (_, example) =>
    expect(rulesIn(example)).toContain(id),
  );
  it.each(examples.passes.map((example) => [JSON.stringify(example), example] as const))("passes  %s", (_, example) => {
    expect(rulesIn(example)).not.toContain(id);
    expect(rulesIn(example)).not.toContain("unsound");
  });
});

it("finds nothing in a good loop of ours, nor in one of the standard", () => {
  expect(lint({ ours: {} }).findings).toEqual([]);
  expect(lint({ lss: {} }).findings).toEqual([]);
});

it("says of every one of the twelve failures what leads to it", () => {
  const looked = new Set(detectors.map(({ failure }) => failure));

  expect(Object.keys(FAILURES).filter((failure) => ![...looked].some((one) => one === failure))).toEqual([]);
  expect(new Set(detectors.map(({ id }) => id)).size).toBe(detectors.length);
  expect(detectors.filter(({ id, examples }) => id !== "secret" && examples.flags.length === 0)).toEqual([]);
});

it("finds a secret wherever it stands, in either dialect", () => {
  const secret = `ghp_${"a1B2".repeat(9)}`;

  expect(rulesIn({ ours: { task: `Use ${secret} to log in.` } })).toContain("secret");
  expect(rulesIn({ lss: { extensions: { login: secret } } })).toContain("secret");
});

describe("the three that others rate well", () => {
  const rock = (role: string) => ({
    lss: {
      workers: [
        {
          id: "writer",
          role,
          model: { provider: "openai", name: "gpt-4.1-mini" },
          inputs: [{ from: "inputs.task" }],
          outputs: { name: "x", format: "text" },
        },
      ],
      evaluators: [{ id: "quality", type: "deterministic", implementation: "evaluators.bogus", runs_after: ["*"] }],
      cost_limits: { per_iteration_usd: 0.0001, cumulative_usd: 0.5, on_exceed: { action: "halt" } },
    },
  });
  const graves = (example: Example) =>
    lint(example)
      .findings.filter(({ weight }) => weight === "error")
      .flatMap(({ failure }) => failure ?? []);

  it("a rock does nothing, and nothing could refuse it", () => expect(graves(rock("a rock"))).toEqual(["F1"]));

  it("an unbounded loop that only warns of what it spends has no end and bleeds", () => {
    const { success, stall } = GOOD_LSS.termination_conditions;
    const example = {
      lss: { termination_conditions: { success, stall }, cost_limits: { ...GOOD_LSS.cost_limits, on_exceed: { action: "warn" } } },
    };

    expect(graves(example)).toEqual(["F4", "F8"]);
    expect(lint(example).isSound).toBe(false);
  });

  it("one that is graded by its own maker grades itself", () => {
    const [quality] = GOOD_LSS.evaluators;
    const judged = [{ use: "judge", with: { provider: "anthropic", model: "m" } }, ...GOOD_OURS.verifiers];

    expect(graves({ lss: { evaluators: [{ ...quality, model: { provider: "openai", name: "gpt-4.1-mini" } }] } })).toEqual(["F2"]);
    expect(lint({ ours: { maker: { use: "anthropic", with: { model: "m" } }, verifiers: judged } }).isSound).toBe(false);
    expect(graves({ ours: { verifiers: [{ use: "command", with: { run: "claude -p 'is it right?'" } }] } })).toContain("F2");
  });
});

describe("--fix", () => {
  const WRITTEN = `# Keeps main green.
name: keep-green # by hand
intent: Keep main green.
level: L3   # it never acts alone
maker: {use: claude-code}

verifiers:
- use: command
  with: {run: npm test || true, timeout: 5m} # the suite
- use: command
  with:
    run: "npm run lint; exit 0"
`;

  it("writes what is certain, and leaves comments, order and everything else as they are", () => {
    const { text, mended } = fixText(WRITTEN, lintText("x.loop.yaml", sheetOf(WRITTEN), undefined, builtIn).findings);

    expect(text).toBe(
      WRITTEN.replace("level: L3", "level: L2").replace("npm test || true", "npm test").replace("npm run lint; exit 0", "npm run lint"),
    );
    expect(mended.map(({ rule }) => rule)).toEqual(["never-alone", "cannot-fail", "cannot-fail"]);
    expect(lintText("x.loop.yaml", sheetOf(text), undefined, builtIn).findings).toEqual([]);
    expect(fixText(text, lintText("x.loop.yaml", sheetOf(text), undefined, builtIn).findings)).toEqual({ text, mended: [] });
  });

  it("keeps JSON what it is", () => {
    const text = textOf({ ours: { verifiers: [{ use: "command", with: { run: "npm test || true" } }] } });
    const fixed = fixText(text, lintText("x.loop.json", sheetOf(text), undefined, builtIn).findings).text;

    expect(JSON.parse(fixed)).toEqual({ ...GOOD_OURS, verifiers: [{ use: "command", with: { run: "npm test" } }] });
  });
});

it("tells all that is wrong with a broken file at once, each with its place, in bounded time, whatever the text", () => {
  const seeds = [
    textOf({ ours: {} }),
    textOf({ lss: {} }),
    "name: [",
    "a: &a [*a]",
    `${"[".repeat(5_000)}`,
    "\u0000",
    "verifiers: [{with: {run: '$(('}}]",
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...seeds),
      fc.nat(),
      fc.string({ maxLength: 30, unit: "binary" }),
      fc.nat({ max: 40 }),
      (seed, at, put, cut) => {
        const from = at % (seed.length + 1);
        const text = `${seed.slice(0, from)}${put}${seed.slice(from + cut)}`;
        for (const dialect of [undefined, lss]) {
          const { findings, isSound } = lintText("x.yaml", sheetOf(text), dialect, builtIn);
          expect(findings.every(({ line, col, instead }) => line >= 1 && col >= 1 && instead !== "")).toBe(true);
          expect(isSound || findings.length > 0).toBe(true);
        }
      },
    ),
    tries(25),
  );
});
