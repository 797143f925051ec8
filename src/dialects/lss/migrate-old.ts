// Turns the list dialect from before the schema into a document of 1.0, and says what it had to add, change or ask.
import type { Path } from "../../spec/path.ts";
import type { Notes } from "../notes.ts";
import type { Bindings } from "../translation.ts";
import { fieldsOf, listOf, numberOf, textOf } from "../values.ts";
import { type Entry, sketchOf } from "./sketch.ts";

export interface Migrated {
  /** As plain as it was written; whoever migrates reads it again, by the whole schema and all rules. */
  readonly value: { readonly [field: string]: unknown };
  /** The file's own commands, by the evaluator that runs them. */
  readonly commands: ReadonlyMap<string, string>;
}

const USUAL_USD = 5;
const USUAL_ROUNDS = 3;

export function migrateOld(value: unknown, bindings: Bindings, notes: Notes): Migrated {
  const { root, workers, evaluators, constraints } = sketchOf(value);
  const named = workers.map((worker, index) => ({ ...worker, id: worker.name ?? idOf(textOf(worker.fields.role), `worker-${index + 1}`) }));
  const checks = evaluators.map((entry, index) => ({ ...entry, id: entry.name ?? idOf(textOf(entry.fields.type), `check-${index + 1}`) }));
  const last = named.at(-1)?.id ?? "worker-1";
  const isCode = checks.some(({ fields }) => ["test_suite", "command"].includes(String(fields.type)));
  const ends = oldEnds(root.termination_conditions, fieldsOf(root.cost_limits), checks[0]?.id ?? "check-1", notes);
  const rules = constraints.flatMap(({ path, fields }) => {
    const rule = textOf(fields.rule);
    if (rule === undefined || fields.type !== undefined) return [];
    notes.tell("lost", path, "task", "a rule in words has no guard: it is told to whoever works");
    return [rule];
  });
  for (const key of ["taxonomy_level", "patterns"]) if (root[key] !== undefined) notes.tell("inert", [key], "", "says nothing that is run");
  return {
    value: {
      loop_name: textOf(root.loop_name) ?? "loop",
      version: fullVersion(textOf(root.version) ?? String(root.version ?? ""), notes),
      objective: textOf(root.objective) ?? "",
      inputs: root.inputs ?? addedInputs(textOf(root.objective) ?? "", notes),
      memory: root.memory ?? { type: "ephemeral" },
      workers: named.map((worker) => oldWorker(worker, isCode, bindings, notes)),
      evaluators: checks.map((check) => oldCheck(check, last)),
      feedback_channels: root.feedback_channels ?? checks.map(({ id }) => toFirst(id, named[0]?.id ?? "worker-1")),
      optimization_strategy: root.optimization_strategy ?? { type: "manual", max_steps: ends.rounds },
      termination_conditions: ends.conditions,
      metrics: root.metrics ?? checks.map(({ id }, index) => metricOf(id, index)),
      safety_constraints: constraints.filter(({ fields }) => fields.type !== undefined).map(({ fields }) => fields),
      cost_limits: oldCosts(fieldsOf(root.cost_limits), notes),
      ...(root.metadata === undefined ? {} : { metadata: root.metadata }),
      extensions: { ...fieldsOf(root.extensions), ...(rules.length > 0 ? { rules } : {}) },
    },
    commands: new Map(checks.flatMap((check) => commandOf(check, notes))),
  };
}

type Named = Entry & { readonly id: string };

/** An id of the schema's form, made of the words that are there. */
function idOf(words: string | undefined, otherwise: string): string {
  const id = (words ?? "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "")
    .slice(0, 40);
  return id === "" ? otherwise : id;
}

function fullVersion(version: string, notes: Notes): string {
  const numbers = /^\d+(\.\d+)?$/.test(version) ? `${version}${version.includes(".") ? ".0" : ".0.0"}` : version;
  if (numbers !== version) notes.tell("translated", ["version"], "", `read as ${numbers}`);
  return /^\d+\.\d+\.\d+/.test(numbers) ? numbers : "0.0.0";
}

function addedInputs(objective: string, notes: Notes): object {
  notes.tell("added", ["objective"], "inputs.task", "what a run is told anew; without it, the objective");
  return { schema: { task: { type: "string", description: "What to do in this run", default: objective } } };
}

function oldWorker({ id, path, fields }: Named, isCode: boolean, { use }: Bindings, notes: Notes): object {
  const { policy, ...rest } = fields;
  const words = [textOf(fields.role), textOf(policy)].filter((text) => text !== undefined);
  if (fields.model === undefined && use === undefined)
    notes.tell("asked", path, "", "who does this? Say it with --use PART, such as claude-code or anthropic:MODEL");
  return {
    ...rest,
    id,
    role: words.join(". ") || id,
    model: fields.model ?? { provider: use?.part ?? "unknown", name: use?.model ?? use?.part ?? "unknown" },
    inputs: fields.inputs ?? [{ from: "inputs.task" }],
    outputs: fields.outputs ?? { name: "Result", format: isCode ? "code" : "text" },
  };
}

const IMPLEMENTATIONS: { readonly [type: string]: string } = {
  test_suite: "evaluators.test_suite_pass",
  command: "evaluators.command",
};

function oldCheck({ id, fields }: Named, last: string): object {
  const type = String(fields.type);
  if (!Object.hasOwn(IMPLEMENTATIONS, type)) return { ...fields, id };
  return { id, type: "deterministic", runs_after: fields.runs_after ?? [last], implementation: IMPLEMENTATIONS[type] };
}

/** A command that the file itself names, where all that is asked of it is its exit code. */
function commandOf({ id, path, fields }: Named, notes: Notes): readonly (readonly [id: string, command: string])[] {
  const command = textOf(fields.command);
  if (fields.type !== "command" || command === undefined) return [];
  const condition = textOf(fields.pass_condition) ?? "exit_code == 0";
  if (!/^exit_code\s*==\s*0$/.test(condition)) {
    notes.tell("asked", [...path, "pass_condition"], "", `only exit_code == 0 is known: say what checks it with --set ${id}.run=COMMAND`);
    return [];
  }
  return [[id, command]];
}

const toFirst = (check: string, worker: string): object => ({
  id: `${check}-to-${worker}`,
  source: `evaluators.${check}`,
  destination: `workers.${worker}`,
  format: "structured",
});

const metricOf = (id: string, index: number): object => ({
  name: metricName(id),
  ...(index === 0 ? { primary: true } : {}),
  definition: `Whether ${id} holds`,
  source: `evaluators.${id}`,
  unit: "ratio",
  target: 1,
});

const metricName = (id: string): string => id.replaceAll("-", "_");

interface OldEnds {
  readonly conditions: unknown;
  readonly rounds: number;
}

function oldEnds(written: unknown, limits: { readonly [field: string]: unknown }, check: string, notes: Notes): OldEnds {
  const entries = listOf(written).map((entry, index) => ({ path: ["termination_conditions", index] as Path, fields: fieldsOf(entry) }));
  const said = numberOf(entries.find(({ fields }) => fields.type === "max_iterations")?.fields.value) ?? numberOf(limits.max_iterations);
  if (said === undefined)
    notes.tell(
      "added",
      ["termination_conditions"],
      "budget.rounds",
      `nothing bounds it: ${USUAL_ROUNDS} rounds, as a spec of ours that says nothing`,
    );
  const rounds = Math.max(1, Math.floor(said ?? USUAL_ROUNDS));
  const success = entries.flatMap(({ path, fields }) => {
    if (fields.type === "max_iterations") return [];
    if (fields.type === "all_tests_pass") return [{ metric: metricName(check), operator: "gte", value: 1 }];
    if (fields.type === "quality_threshold")
      return [{ metric: metricName(check), operator: "gte", value: numberOf(fields.threshold) ?? 1 }];
    notes.tell("lost", path, "", "nobody knows what this end means");
    return [];
  });
  if (!Array.isArray(written) && written !== undefined) return { conditions: written, rounds };
  return {
    conditions: { ...(success.length > 0 ? { success } : {}), failure: [{ type: "max_iterations", value: rounds, action: "halt" }] },
    rounds,
  };
}

function oldCosts(
  { max_iterations, max_tokens, max_total_tokens, max_cost_usd, ...rest }: { readonly [field: string]: unknown },
  notes: Notes,
): object {
  const cumulative = numberOf(rest.cumulative_usd) ?? numberOf(max_cost_usd);
  if (cumulative === undefined) notes.tell("added", ["cost_limits"], "budget.usd", `$${USUAL_USD}, as a spec of ours that says nothing`);
  const tokens = numberOf(max_total_tokens) ?? numberOf(max_tokens);
  return {
    ...rest,
    cumulative_usd: cumulative ?? USUAL_USD,
    per_iteration_usd: numberOf(rest.per_iteration_usd) ?? cumulative ?? USUAL_USD,
    ...(tokens === undefined ? {} : { token_soft_cap: Math.floor(tokens) }),
    on_exceed: rest.on_exceed ?? { action: "halt" },
  };
}
