// Workers of a document as ours: one is a maker, several are a team.
import type { Path } from "../../spec/path.ts";
import type { LssDocument } from "./document.ts";
import { fieldsOf, listOf } from "./sketch.ts";
import { answering, modelPart } from "./translate-models.ts";
import type { Translating } from "./translating.ts";

type Worker = LssDocument["workers"][number];

/** Who works, and on what kind of result; undefined where we have nothing that could do it. */
export interface Work {
  readonly task?: string;
  readonly spec: { readonly [key: string]: unknown };
}

export function translateWorkers(at: Translating): Work | undefined {
  const { document, native, notes } = at;
  if (document.composition !== undefined) {
    notes.tell("lost", ["composition"], "", "no counterpart yet: a loop of ours does not call others");
    notes.tell("lost", ["workers"], "", "they put together what the children of the composition make");
    return undefined;
  }
  const result = resultOf(at);
  const [first, ...others] = document.workers;
  if (first === undefined) return undefined;
  if (others.length === 0) return oneMaker(first, result, at);
  if (!native.has("team")) {
    notes.tell("lost", ["workers"], "", `no counterpart yet: ${document.workers.length} workers are a team, and ours has one maker`);
    return undefined;
  }
  return aTeam(result, at);
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
  toolsOf(worker, path, at);
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
  if (worker.timeout_seconds !== undefined) at.notes.tell("translated", [...path, "timeout_seconds"], "maker.with.timeout");
  const timeout = worker.timeout_seconds === undefined ? {} : { timeout: `${worker.timeout_seconds}s` };
  return { use: provider, with: { ...options, ...timeout, ...answering(provider, worker.model, [...path, "model"], at) } };
}

const isModelPart = (part: string): boolean => ["anthropic", "openai", "openai-compatible", "ollama", "nvidia"].includes(part);

/** The tools that a document's workers may list, as we call what does the same. */
const TOOLS: { readonly [tool: string]: string } = {
  read_file: "read",
  search_codebase: "search",
  fetch_url: "fetch",
  sandbox_exec: "run",
  write_file: "write",
};

/** What one maker can do is bounded by us, and the same for all. */
function toolsOf(worker: Worker, path: Path, { notes }: Translating): void {
  const tools = worker.tools ?? [];
  for (const [index, tool] of tools.entries())
    if (!Object.hasOwn(TOOLS, tool)) notes.tell("tightened", [...path, "tools", index], "", "nobody here has such a tool: it is left out");
  notes.tell(
    "lost",
    worker.tools === undefined ? path : [...path, "tools"],
    "",
    "no counterpart yet: one maker has all of our bounded tools, and not only those that are listed",
  );
}

function aTeam(result: Result, at: Translating): Work | undefined {
  const { document, notes } = at;
  const workers = document.workers.map((worker, index) => [worker.id, memberOf(worker, ["workers", index], result, at)] as const);
  if (result === undefined || workers.some(([, member]) => member === undefined)) return undefined;
  const results = document.workers.filter(({ outputs }) => outputs.format !== "json");
  const proposes = (results.length > 0 ? results : document.workers).map(({ id }) => id);
  notes.tell("added", ["workers"], "team.proposes", `${proposes.join(", ")}: all results but JSON`);
  return {
    task: taskOf(at),
    spec: { ...(result === "document" ? { document: {} } : {}), team: { workers: Object.fromEntries(workers), proposes } },
  };
}

function memberOf(worker: Worker, path: Path, result: Result, at: Translating): object | undefined {
  const part = fieldsOf(partOf(worker, path, at));
  if (typeof part.use !== "string") return undefined;
  const { notes } = at;
  const after = worker.depends_on ?? [];
  const reads = [...new Set([...worker.inputs.map(({ from }) => readOf(from)), ...after])];
  notes.tell("translated", path, `team.workers.${worker.id}`);
  if (after.some((id) => !worker.inputs.some(({ from }) => from === `workers.${id}`)))
    notes.tell(
      "translated",
      [...path, "depends_on"],
      `team.workers.${worker.id}.reads`,
      "who waits for somebody also reads what they made",
    );
  return {
    role: worker.role,
    ...part,
    reads,
    gives: givesOf(worker, path, result, at),
    tools: (worker.tools ?? []).flatMap((tool, index) => {
      if (Object.hasOwn(TOOLS, tool)) return [TOOLS[tool]];
      notes.tell("tightened", [...path, "tools", index], "", "nobody here has such a tool: it is left out");
      return [];
    }),
    ...(worker.timeout_seconds === undefined ? {} : { time: `${worker.timeout_seconds}s` }),
    ...(worker.retries === undefined ? {} : { tries: worker.retries + 1 }),
    ...(worker.cost_budget_usd === undefined || worker.cost_budget_usd === 0
      ? {}
      : { budget: { usd: `$${worker.cost_budget_usd.toFixed(4)}` } }),
  };
}

/** `workers.x` is what x gives; `memory.x` is a note. */
const readOf = (from: string): string => from.replace(/^workers\./, "").replace(/^memory\./, "notes.");

function givesOf({ id, outputs }: Worker, path: Path, result: Result, { notes }: Translating): object {
  if (outputs.schema_ref !== undefined)
    notes.tell("lost", [...path, "outputs", "schema_ref"], "", "the schema is not read: what is given must be JSON");
  if (outputs.format === "code" && result === "commit") return { as: "commit" };
  if (outputs.format === "json") return { as: "json" };
  if (outputs.format === "markdown") return { as: "markdown", file: `${id}.md` };
  if (outputs.format === "binary") return { as: "file" };
  return { as: "text", file: `${id}.txt` };
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
