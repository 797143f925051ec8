// Workers of a document as ours: one is a maker, several are a team.
import type { Path } from "../../spec/path.ts";
import { fieldsOf, listOf } from "../values.ts";
import type { LssDocument } from "./document.ts";
import { workerName } from "./our-names.ts";
import { readSchema } from "./references.ts";
import { type Composed, composed } from "./translate-composition.ts";
import { isOurInput } from "./translate-inputs.ts";
import { noteRead } from "./translate-memory.ts";
import { answering, modelPart } from "./translate-models.ts";
import { isModelPart, isTeam, type Translating } from "./translating.ts";

type Worker = LssDocument["workers"][number];

/** Who works, and on what kind of result; undefined where we have nothing that could do it. */
export interface Work {
  readonly task?: string;
  readonly spec: { readonly [key: string]: unknown };
}

export function translateWorkers(at: Translating): Work | undefined {
  const { document, notes } = at;
  const calls = document.composition === undefined ? undefined : composed(document.composition, at);
  const isCommit = calls !== undefined && at.bindings.commits;
  if (isCommit) notes.tell("lost", ["composition"], "", "what loops of a composition make are documents: leave out --commits");
  if (isCommit || (document.composition !== undefined && calls === undefined)) {
    notes.tell("lost", ["workers"], "", "they put together what the loops of the composition make");
    return undefined;
  }
  const result = resultOf(at);
  const [first] = document.workers;
  if (first === undefined) return undefined;
  if (isTeam(at)) return aTeam(result, at, calls);
  if (document.workers.length === 1) return oneMaker(first, result, at);
  notes.tell("lost", ["workers"], "", `no counterpart yet: ${document.workers.length} workers are a team, and ours has one maker`);
  return undefined;
}

/** Commits of the repository where code is asked to become such; a document of the loop's own otherwise. */
type Result = "commit" | "document" | undefined;

function resultOf({ document, bindings, native, notes }: Translating): Result {
  const code = document.workers.findIndex(({ outputs }) => outputs.format === "code");
  if (bindings.commits) {
    notes.tell(
      "translated",
      ["workers", Math.max(code, 0), "outputs", "format"],
      "maker",
      "--commits: results are commits of the repository",
    );
    return "commit";
  }
  if (native.has("document")) {
    notes.tell(
      "translated",
      ["workers", Math.max(code, 0), "outputs", "format"],
      "document",
      "results are files of the loop's own, not changes of a repository",
    );
    return "document";
  }
  notes.tell(
    "asked",
    ["workers", Math.max(code, 0), "outputs", "format"],
    "",
    "no counterpart yet for results that are no change of a repository: say --commits if they may be commits of one",
  );
  return undefined;
}

function oneMaker(worker: Worker, result: Result, at: Translating): Work | undefined {
  const path = ["workers", 0];
  const maker = partOf(worker, path, at);
  if (maker === undefined || result === undefined) return undefined;
  at.notes.tell("translated", [...path, "role"], "task", "after the objective");
  for (const [index, { from }] of worker.inputs.entries()) {
    if (from.startsWith("inputs."))
      at.notes.tell("inherent", [...path, "inputs", index, "from"], "inputs", "the one maker is told all inputs");
    else
      at.notes.tell(
        "lost",
        [...path, "inputs", index, "from"],
        "",
        "no counterpart yet: one maker has no notes by name, and nobody before it",
      );
  }
  untold(worker, path, fieldsOf(maker).use === undefined ? "it" : String(fieldsOf(maker).use), at);
  return { task: taskOf(at, worker.role), spec: { ...(result === "document" ? { document: {} } : {}), maker } };
}

function partOf(worker: Worker, path: Path, at: Translating): object | undefined {
  const { use } = at.bindings;
  if (use !== undefined && !isModelPart(use.part)) {
    at.notes.tell("translated", [...path, "model"], "maker.use", `--use ${use.part}, in the place of ${worker.model.name}`);
    return { use: use.part, ...(use.model === undefined ? {} : { with: { model: use.model } }) };
  }
  const named = use?.model === undefined ? worker.model : { ...worker.model, provider: use.part, name: use.model };
  const model = modelPart(named, [...path, "model"], at);
  if (model === undefined) return undefined;
  const { provider, ...options } = model;
  at.notes.tell("translated", [...path, "model"], "maker");
  return { use: provider, with: { ...options, ...answering(provider, worker.model, [...path, "model"], at) } };
}

/** The tools that a document's workers may list, as we call what does the same. */
const TOOLS: { readonly [tool: string]: string } = {
  read_file: "read",
  search_codebase: "search",
  sandbox_exec: "run",
  write_file: "write",
};

/** What is not listed is not there. Whoever gives a commit has what it takes to make one. */
function toolsOf(worker: Worker, path: Path, isCommit: boolean, { notes }: Translating): readonly string[] {
  const listed = (worker.tools ?? []).flatMap((tool, index) => {
    if (Object.hasOwn(TOOLS, tool)) return [TOOLS[tool]!];
    notes.tell("tightened", [...path, "tools", index], "", "nobody here has such a tool: it is left out");
    return [];
  });
  if (isCommit)
    notes.tell("added", path, `team.workers.${workerName(worker.id)}.tools`, `${COMMITTING.join(", ")}: what a commit is made with`);
  return [...new Set([...listed, ...(isCommit ? COMMITTING : [])])];
}

const COMMITTING = ["list", "search", "read", "write", "patch"];

/** An agent, or a command, does what it can. */
function untold(worker: Worker, path: Path, part: string, { notes }: Translating): undefined {
  notes.tell("lost", worker.tools === undefined ? path : [...path, "tools"], "", `${part} cannot be kept to a list of tools`);
  return undefined;
}

const MOST_WORKERS = 60;
const NO_CALLS: Composed = { workers: {}, read: [] };
const MOST_TRIES = 5;

function aTeam(result: Result, at: Translating, calls: Composed = NO_CALLS): Work | undefined {
  const { document, notes } = at;
  if (document.workers.length + Object.keys(calls.workers).length > MOST_WORKERS) {
    notes.tell("lost", ["workers"], "", `a team of ours has at most ${MOST_WORKERS}`);
    return undefined;
  }
  const committing = result === "commit" ? committers(at) : new Set<string>();
  const workers = document.workers.map(
    (worker, index) => [workerName(worker.id), memberOf(worker, ["workers", index], committing.has(worker.id), calls.read, at)] as const,
  );
  if (result === undefined || workers.some(([, member]) => member === undefined)) return undefined;
  const proposes = proposedIn(document, committing);
  notes.tell(
    "added",
    ["workers"],
    "team.proposes",
    `${proposes.join(", ")}: ${result === "commit" ? "who gives commits" : "all results but JSON"}`,
  );
  return {
    task: taskOf(at),
    spec: {
      ...(result === "document" ? { document: {} } : {}),
      team: { workers: { ...calls.workers, ...Object.fromEntries(workers) }, ...(calls.joins ? { joins: calls.joins } : {}), proposes },
    },
  };
}

/** Who proposes, by our names: who gives commits, else all results but JSON, else all. */
function proposedIn({ workers }: LssDocument, committing: ReadonlySet<string>): readonly string[] {
  const found = workers.filter(({ id, outputs }) => (committing.size > 0 ? committing.has(id) : outputs.format !== "json"));
  return (found.length > 0 ? found : workers).map(({ id }) => workerName(id));
}

export const proposedBy = (at: Pick<Translating, "document" | "bindings">): readonly string[] =>
  proposedIn(at.document, at.bindings.commits ? committersIn(at) : new Set());

/** Whose results are commits: those who are said to, else those who give code, else the only one. */
function committersIn({ document, bindings }: Pick<Translating, "document" | "bindings">): ReadonlySet<string> {
  const said = document.workers.filter(({ id }) => bindings.set.get(`${id}.gives`) === "commit");
  const code = document.workers.filter(({ outputs }) => outputs.format === "code");
  const found = [said, code, document.workers.length === 1 ? document.workers : []].find((some) => some.length > 0) ?? [];
  return new Set(found.map(({ id }) => id));
}

function committers(at: Translating): ReadonlySet<string> {
  const found = committersIn(at);
  if (found.size === 0)
    at.notes.tell("asked", ["workers"], "", "whose result is the commit? None gives code: say --set WORKER.gives=commit");
  return found;
}

function memberOf(worker: Worker, path: Path, gives: boolean, called: readonly string[], at: Translating): object | undefined {
  const part = fieldsOf(partOf(worker, path, at));
  if (typeof part.use !== "string") return undefined;
  const { notes } = at;
  const to = `team.workers.${workerName(worker.id)}`;
  const tools = isModelPart(part.use) ? toolsOf(worker, path, gives, at) : untold(worker, path, part.use, at);
  notes.tell("translated", path, to);
  return {
    role: worker.role.trim().slice(0, LONGEST_ROLE).toWellFormed() || worker.id,
    ...part,
    reads: [...readsOf(worker, path, tools ?? [], at), ...called],
    gives: givesOf(worker, path, gives, at),
    ...(tools === undefined ? {} : { tools }),
    ...(worker.timeout_seconds === undefined ? {} : { time: `${worker.timeout_seconds}s` }),
    ...triesOf(worker, path, at),
    ...shareOf(worker, path, at),
  };
}

const LONGEST_ROLE = 10_000;
const MOST_READ = 50;

/** Who waits for somebody also reads what they made: else a judge of the standard's own samples would see nothing. */
function readsOf(worker: Worker, path: Path, tools: readonly string[], at: Translating): readonly string[] {
  const { document, notes } = at;
  const after = worker.depends_on ?? [];
  if (after.some((id) => !worker.inputs.some(({ from }) => from === `workers.${id}`)))
    notes.tell(
      "translated",
      [...path, "depends_on"],
      `team.workers.${workerName(worker.id)}.reads`,
      "who waits for somebody also reads what they made",
    );
  const named = worker.inputs.flatMap(({ from }, index) => {
    const [list = "", name = ""] = from.split(".");
    if (list === "workers") return [workerName(name)];
    if (list === "inputs") return isOurInput(name, document) ? [`inputs.${name}`] : [];
    return noteRead(worker, name, [...path, "inputs", index, "from"], at) ?? [];
  });
  const isReading = tools.some((tool) => ["list", "read", "search", "run"].includes(tool));
  if (isReading)
    notes.tell(
      "added",
      [...path, "tools"],
      `team.workers.${workerName(worker.id)}.reads`,
      "repo: what its tools read is a copy of the target",
    );
  const all = [...new Set([...named, ...after.map(workerName), ...(isReading ? ["repo"] : [])])];
  if (all.length > MOST_READ) notes.tell("lost", [...path, "inputs"], "", `a worker of ours reads at most ${MOST_READ}`);
  return all.slice(0, MOST_READ);
}

function givesOf(worker: Worker, path: Path, isCommit: boolean, at: Translating): object {
  const { id, outputs } = worker;
  const name = workerName(id);
  if (isCommit) {
    if (outputs.schema_ref !== undefined) at.notes.tell("inherent", [...path, "outputs", "schema_ref"], "", "a commit is its own shape");
    return { as: "commit" };
  }
  if (outputs.format === "json") return { as: "json", ...schemaOf(worker, path, at) };
  if (outputs.schema_ref !== undefined)
    at.notes.tell("inert", [...path, "outputs", "schema_ref"], "", `a schema says nothing about ${outputs.format}`);
  if (outputs.format === "markdown") return { as: "markdown", file: `${name}.md` };
  if (outputs.format === "binary") return { as: "file" };
  return { as: "text", file: `${name}.txt` };
}

/** JSON is held to its schema as it is handed over: what is off it is a failed try, and the next is told why. */
function schemaOf({ id, outputs: { schema_ref } }: Worker, path: Path, { document, bindings, notes, shelf }: Translating): object {
  if (schema_ref === undefined) return {};
  const at = [...path, "outputs", "schema_ref"];
  const to = `team.workers.${workerName(id)}.gives.schema`;
  if (bindings.set.get(`${id}.schema`) === "any") {
    notes.tell("translated", at, to, `--set ${id}.schema=any: any JSON will do`);
    return {};
  }
  const found = readSchema(shelf.find(schema_ref));
  if (found.kind === "schema") {
    notes.tell("translated", at, to, `by ${found.file}`);
    return { schema: mayHaveMore(id, document) ? found.schema : closed(found.schema) };
  }
  notes.tell(found.kind === "missing" ? "asked" : "lost", at, "", `${found.why}; --set ${id}.schema=any says that any JSON will do`);
  return {};
}

/** Whether fields that a schema does not name are let through. */
const mayHaveMore = (id: string, { safety_constraints }: LssDocument): boolean =>
  !safety_constraints.some(
    ({ type, applies_to = ["*"], config }) =>
      type === "schema_enforce" && config?.reject_unknown_fields === true && (applies_to.includes("*") || applies_to.includes(id)),
  );

function closed(schema: object): object {
  const { properties, items, additionalProperties, ...rest } = fieldsOf(schema);
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(fieldsOf(properties)).map(([name, inner]) => [name, closed(fieldsOf(inner))])) }),
    ...(items === undefined ? {} : { items: closed(fieldsOf(items)) }),
    ...(properties !== undefined || additionalProperties !== undefined ? { additionalProperties: false } : {}),
  };
}

function triesOf({ retries }: Worker, path: Path, { notes }: Translating): object {
  if (retries === undefined) return {};
  if (retries + 1 > MOST_TRIES) notes.tell("tightened", [...path, "retries"], "team.workers", `it is tried ${MOST_TRIES} times at most`);
  return { tries: Math.min(retries + 1, MOST_TRIES) };
}

function shareOf({ id, cost_budget_usd: usd }: Worker, path: Path, { notes }: Translating): object {
  if (usd === undefined) return {};
  if (usd < 0.0001) {
    notes.tell("asked", [...path, "cost_budget_usd"], "", "a worker that may cost nothing cannot ask a model: write an amount");
    return {};
  }
  notes.tell(
    "tightened",
    [...path, "cost_budget_usd"],
    `team.workers.${workerName(id)}.budget`,
    "its share of the whole run, in all its tries and rounds",
  );
  return { budget: { usd: `$${(Math.floor(usd * 10_000 + 1e-6) / 10_000).toFixed(4)}` } };
}

/** All of the objective, and what is asked of whoever works; rules of which nothing else is left stand here too. */
function taskOf({ document }: Translating, role?: string): string {
  const rules = listOf(fieldsOf(document.extensions).rules).filter((rule) => typeof rule === "string");
  return [
    document.objective.trim(),
    ...(role === undefined ? [] : [role.trim()]),
    ...(rules.length > 0 ? [`Rules:\n${rules.map((rule) => `- ${rule}`).join("\n")}`] : []),
  ]
    .join("\n\n")
    .slice(0, LONGEST_TASK)
    .toWellFormed();
}

const LONGEST_TASK = 20_000;
