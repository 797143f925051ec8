// Puts a spec of ours into a document of the Loop Specification Standard, and says what the standard has no words for.
import { LoopSpec, makersOf } from "../../contract/spec.ts";
import { showPath } from "../../spec/path.ts";
import { parseDuration } from "../../std/duration.ts";
import { canonicalJson } from "../../std/hash.ts";
import { parseUsd } from "../../std/usd.ts";
import { fieldsOf, listOf, numberOf, textOf } from "../values.ts";
import type { LssDocument } from "./document.ts";
import { workersFromTeam } from "./from-team.ts";

/** What of a spec is not in the document. */
export interface Left {
  readonly path: string;
  readonly why: string;
}

export function lssFromSpec(spec: LoopSpec): { readonly document: LssDocument; readonly left: readonly Left[] } {
  const verifiers = spec.verifiers.map((ref, index) => ({ ref, id: textOf(fieldsOf(ref).id) ?? idOf(ref.use, index) }));
  const makers = makersOf(spec);
  const workers = spec.team === undefined ? [workerOf(spec)] : workersFromTeam(spec.team, { inputs: inputsOurs(spec) }, providerOf);
  const proposers = spec.team?.proposes.filter((name) => workers.some(({ id }) => id === name)) ?? ["maker"];
  const last = proposers.length > 0 ? proposers : [workers.at(-1)?.id ?? "maker"];
  const evaluators = verifiers.map(({ ref, id }) => evaluatorOf(ref, id, workersIn(fieldsOf(ref).of, workers) ?? last));
  const rounds = numberOf(spec.budget.rounds) ?? 1;
  const usd = moneyOf(spec.budget.usd);
  const document: LssDocument = {
    loop_name: spec.name.padEnd(3, "-x"),
    version: "1.0.0",
    objective: longEnough(spec.task ?? spec.intent),
    inputs: { schema: inputsOf(spec) },
    memory: { type: "session" },
    workers: [...workers],
    evaluators,
    feedback_channels: evaluators.flatMap(({ id, runs_after }) =>
      runs_after.map((worker) => ({
        id: `${id}-to-${worker}`,
        source: `evaluators.${id}`,
        destination: `workers.${worker}`,
        format: "structured" as const,
      })),
    ),
    optimization_strategy: { type: STRATEGIES[spec.improve?.use ?? ""] ?? "manual", max_steps: spec.improve?.steps ?? rounds },
    termination_conditions: {
      success: successOf(evaluators[0]),
      failure: [
        { type: "safety_violation", action: "escalate_human" },
        { type: "max_iterations", value: rounds, action: "halt" },
        { type: "cost_exceeded", action: "halt" },
        ...timeOf(spec),
      ],
    },
    metrics: [
      {
        name: "accepted",
        primary: true,
        definition: "1 when every verifier of the round holds",
        source: `evaluators.${evaluators[0]?.id ?? "check"}`,
        unit: "ratio",
        target: enoughFor(evaluators[0]),
      },
    ],
    safety_constraints: [
      { id: "injection", type: "injection_detect", scope: "pre_worker", action: "escalate_human", severity: "S0", on_error: "halt" },
      { id: "secrets", type: "secret_scan", scope: "post_worker", action: "strip", severity: "S0", on_error: "halt" },
      { id: "decision", type: "human_gate", scope: "pre_output", action: "escalate_human", severity: "S1" },
    ],
    cost_limits: {
      per_iteration_usd: moneyOf(spec.budget.perRound.usd) ?? usd ?? UNLIMITED_USD,
      cumulative_usd: usd ?? UNLIMITED_USD,
      on_exceed: { action: "halt" },
    },
    extensions: { loopwright: { level: spec.level, ...commandsOf(verifiers) } },
  };
  return { document, left: leftOf(spec, makers.length) };
}

const STRATEGIES: { readonly [improver: string]: LssDocument["optimization_strategy"]["type"] } = {
  refine: "prompt_refinement",
  search: "parameter_search",
  notebook: "memory_update",
  propose: "structural",
};

type Evaluator = LssDocument["evaluators"][number];

/** What is enough of the first evaluator: a rubric has a threshold, and anything else holds or does not. */
const enoughFor = (evaluator: Evaluator | undefined): number => (evaluator?.type === "llm_rubric" ? evaluator.rubric.pass_threshold : 1);

const successOf = (evaluator: Evaluator | undefined): NonNullable<LssDocument["termination_conditions"]["success"]> => [
  { metric: "accepted", operator: "gte", value: enoughFor(evaluator) },
];

/** The workers that a verifier looks at, where it says so. */
function workersIn(of: unknown, workers: readonly { readonly id: string }[]): string[] | undefined {
  const named = listOf(of).flatMap((name) => (workers.some(({ id }) => id === name) ? [String(name)] : []));
  return named.length > 0 ? named : undefined;
}

/** A loop without inputs is given its task, as the document says too. */
const inputsOurs = ({ inputs }: LoopSpec): NonNullable<LoopSpec["inputs"]> => inputs ?? {};

/** The standard has a number and no word for it. */
const UNLIMITED_USD = 1_000_000;

const idOf = (use: string, index: number): string => (index === 0 ? use : `${use}-${index + 1}`);

const moneyOf = (text: unknown): number | undefined => (typeof text === "string" ? parseUsd(text) : undefined);

/** The standard wants ten characters. */
const longEnough = (text: string): string => (text.length >= 10 ? text : `Do this: ${text}`.padEnd(10, "."));

function timeOf({ budget }: LoopSpec): readonly { readonly type: "timeout"; readonly value: number; readonly action: "halt" }[] {
  const ms = typeof budget.time === "string" ? parseDuration(budget.time) : undefined;
  return ms === undefined ? [] : [{ type: "timeout", value: Math.max(1, Math.round(ms / 1000)), action: "halt" }];
}

function workerOf(spec: LoopSpec): LssDocument["workers"][number] {
  const [maker] = makersOf(spec);
  const options = fieldsOf(maker?.with);
  const timeout = parseDuration(textOf(options.timeout) ?? "");
  return {
    id: "maker",
    role: spec.task ?? spec.intent,
    model: { provider: providerOf(maker?.use ?? "", textOf(options.baseUrl)), name: textOf(options.model) ?? maker?.use ?? "maker" },
    inputs: Object.keys(inputsOf(spec)).map((name) => ({ from: `inputs.${name.replaceAll("-", "_")}` })),
    outputs: { name: "Change", format: "code" },
    ...(timeout === undefined ? {} : { timeout_seconds: Math.max(1, Math.round(timeout / 1000)) }),
  };
}

const providerOf = (use: string, baseUrl: string | undefined): string =>
  use === "openai-compatible" && baseUrl?.startsWith("https://api.openai.com/") ? "openai" : use || "loopwright";

function evaluatorOf({ use, ...ref }: LoopSpec["verifiers"][number], id: string, after: readonly string[]): Evaluator {
  const options = fieldsOf(ref.with);
  const runs_after = [...after];
  if (use === "rubric") {
    const [judge] = listOf(options.judges).map(fieldsOf);
    const dimensions = Object.entries(fieldsOf(options.dimensions)).map(([name, dimension]) => ({
      name,
      weight: numberOf(fieldsOf(dimension).weight) ?? 1,
      scale: [0, 1] as [number, number],
      criteria: textOf(fieldsOf(dimension).criteria) ?? name,
    }));
    const all = dimensions.reduce((sum, { weight }) => sum + weight, 0);
    return {
      id,
      type: "llm_rubric",
      runs_after,
      // The standard's weights add up to 1.
      rubric: {
        dimensions: dimensions.map((dimension) => ({ ...dimension, weight: dimension.weight / all })),
        pass_threshold: numberOf(options.threshold) ?? 1,
      },
      model: modelOf(judge ?? {}),
    };
  }
  if (use === "judge") {
    const criteria = textOf(options.lookFor) ?? "The change does what was asked, and nothing else";
    return {
      id,
      type: "llm_rubric",
      runs_after,
      rubric: { dimensions: [{ name: "holds", weight: 1, scale: [0, 1], criteria }], pass_threshold: 1 },
      model: modelOf(options),
    };
  }
  return { id, type: "deterministic", runs_after, implementation: `loopwright.${use}` };
}

/** What an evaluator runs has no field in the standard. */
function commandsOf(verifiers: readonly { readonly ref: LoopSpec["verifiers"][number]; readonly id: string }[]): object {
  const commands = verifiers.flatMap(({ ref, id }) => {
    const run = ref.use === "command" ? textOf(fieldsOf(ref.with).run) : undefined;
    return run === undefined ? [] : [[id, run] as const];
  });
  return commands.length === 0 ? {} : { commands: Object.fromEntries(commands) };
}

const modelOf = (options: { readonly [option: string]: unknown }): { provider: string; name: string } => ({
  provider: providerOf(textOf(options.provider) ?? "", textOf(options.baseUrl)),
  name: textOf(options.model) ?? "model",
});

const TYPES = { text: "string", number: "number", boolean: "boolean", choice: "enum", list: "array", map: "object" } as const;

function inputsOf({ inputs = {}, intent }: LoopSpec): LssDocument["inputs"]["schema"] {
  const fields = Object.entries(inputs).map(([name, wish]) => [
    name.replaceAll("-", "_"),
    {
      type: TYPES[wish.type],
      description: wish.about,
      ...(wish.required === undefined ? {} : { required: wish.required }),
      ...(wish.shortest === undefined ? {} : { min_length: wish.shortest }),
      ...(wish.longest === undefined ? {} : { max_length: wish.longest }),
      ...(wish.pattern === undefined ? {} : { pattern: `^(?:${wish.pattern})$` }),
      ...(wish.type === "number" && wish.least !== undefined ? { minimum: wish.least } : {}),
      ...(wish.type === "number" && wish.most !== undefined ? { maximum: wish.most } : {}),
      ...(wish.values === undefined ? {} : { values: [...wish.values] }),
      ...(wish.default === undefined ? {} : { default: wish.default }),
    },
  ]);
  // The standard wants one; a loop of ours may be told nothing anew.
  if (fields.length === 0) return { task: { type: "string", description: "What to do in this run", default: intent } };
  return Object.fromEntries(fields);
}

/** What is written in the spec, is about how it runs, and is not in the document. */
const SAID = ["name", "intent", "level", "task", "inputs", "maker", "team", "verifiers", "budget", "$schema"];

const NO_WORDS = "the standard has no words for it";
const NOT_YET: readonly string[] = ["metrics", "until", "feedback", "notebook", "guards", "improve"];

/** A spec that says as little as one may: whatever is the same was filled in, or might as well have been. */
const LEAST: { readonly [key: string]: unknown } = LoopSpec.parse({
  name: "least",
  intent: "Say nothing.",
  level: "L2",
  maker: { use: "shell" },
  verifiers: [{ use: "command" }],
});

const isUsual = (key: string, value: unknown): boolean => Object.hasOwn(LEAST, key) && plain(LEAST[key]) === plain(value);

/** A reader gives every part its options, also where there are none. */
const plain = (value: unknown): string =>
  canonicalJson(
    JSON.parse(
      JSON.stringify(value, (key, inner: unknown) => (key === "with" && Object.keys(fieldsOf(inner)).length === 0 ? undefined : inner)),
    ),
  );

function leftOf(spec: LoopSpec, makers: number): readonly Left[] {
  return [
    ...Object.entries(spec)
      .filter(([key, value]) => !SAID.includes(key) && value !== undefined && !isUsual(key, value))
      .map(([key]) => ({ path: key, why: NOT_YET.includes(key) ? "not written yet, though the standard has words for it" : NO_WORDS })),
    ...spec.verifiers.flatMap(({ use, with: options }, index) =>
      options === undefined || ["rubric", "judge"].includes(use)
        ? []
        : [{ path: showPath(["verifiers", index, "with"]), why: use === "command" ? COMMAND_LEFT : OPTIONS_LEFT }],
    ),
    ...teamLeft(spec),
    ...(makers > 1 ? [{ path: "maker", why: "the standard has no makers that take over: only the first is there" }] : []),
    ...(isUsual("budget", spec.budget) ? [] : [{ path: "budget", why: "of its measures, the standard has rounds, money and time" }]),
  ];
}

const OPTIONS_LEFT = "an evaluator of the standard is a name: its options are not written";
const COMMAND_LEFT =
  "an evaluator of the standard is a name: the command stands under extensions.loopwright, which is read here alone, and its other options nowhere";

/** What workers have here and not there. */
function teamLeft({ team }: LoopSpec): readonly Left[] {
  if (team === undefined) return [];
  return [
    ...Object.entries(team.workers).flatMap(([id, { gives, paths, onto }]) => [
      ...(gives.schema === undefined ? [] : [{ path: `team.workers.${id}.gives.schema`, why: "a schema is a file of its own there" }]),
      ...(paths === undefined && onto === undefined
        ? []
        : [{ path: `team.workers.${id}`, why: "the standard has no regions of a repository" }]),
    ]),
    ...Object.entries(team.joins ?? {}).flatMap(([id, { how }]) =>
      how === "synthesis" ? [] : [{ path: `team.joins.${id}`, why: "the standard joins results by nothing but a worker that reads them" }],
    ),
  ];
}
