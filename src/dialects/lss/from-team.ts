// The workers of a team of ours as workers of a document of the standard.
import type { LoopSpec, Team, Worker } from "../../contract/spec.ts";
import { parseDuration } from "../../std/duration.ts";
import { parseUsd } from "../../std/usd.ts";
import { fieldsOf, textOf } from "../values.ts";
import type { LssDocument } from "./document.ts";

type TheirWorker = LssDocument["workers"][number];

export function workersFromTeam(team: Team, spec: Pick<LoopSpec, "inputs">, providerOf: ProviderOf): readonly TheirWorker[] {
  return Object.entries(team.workers).map(([id, worker]) => workerFrom(id, worker, team, spec, providerOf));
}

/** How the standard's files call who is asked, by the part of ours that asks and where. */
export type ProviderOf = (use: string, baseUrl: string | undefined) => string;

function workerFrom(
  id: string,
  worker: Worker,
  team: Team,
  { inputs = {} }: Pick<LoopSpec, "inputs">,
  providerOf: ProviderOf,
): TheirWorker {
  const options = fieldsOf(worker.with);
  const read = readBy(id, worker, team);
  const shown = read.flatMap((name) => (name === "repo" ? [] : [{ from: nameOf(name, team) }]));
  const all = Object.keys(inputs).map((name) => ({ from: `inputs.${name.replaceAll("-", "_")}` }));
  const before = [...new Set([...read, ...(worker.after ?? [])].flatMap((name) => workersBehind(name, team)))];
  const [timeout, usd] = [parseDuration(worker.time ?? ""), parseUsd(worker.budget?.usd ?? "")];
  return {
    id,
    role: worker.role,
    model: { provider: providerOf(worker.use, textOf(options.baseUrl)), name: textOf(options.model) ?? worker.use },
    // The standard wants one, and a loop without inputs is given its task.
    inputs: shown.length > 0 ? shown : all.length > 0 ? all : [{ from: "inputs.task" }],
    outputs: { name: pascalCase(id), format: FORMATS[worker.gives.as] },
    ...(before.length > 0 ? { depends_on: before } : {}),
    ...(worker.tools === undefined || worker.tools.length === 0 ? {} : { tools: worker.tools.map((tool) => TOOLS[tool] ?? tool) }),
    ...(timeout === undefined ? {} : { timeout_seconds: Math.max(1, Math.round(timeout / 1000)) }),
    ...(worker.tries === undefined ? {} : { retries: worker.tries - 1 }),
    ...(usd === undefined ? {} : { cost_budget_usd: usd }),
  };
}

/** Who brings a join together reads all that is in it. */
const readBy = (id: string, worker: Worker, { joins = {} }: Team): readonly string[] => [
  ...(worker.reads ?? []),
  ...Object.values(joins).flatMap((join) => (join.by === id ? join.of : [])),
];

const workersBehind = (name: string, { workers, joins = {} }: Team): readonly string[] => {
  if (Object.hasOwn(workers, name)) return [name];
  const join = Object.hasOwn(joins, name) ? joins[name] : undefined;
  return join === undefined ? [] : join.by === undefined ? join.of : [join.by];
};

function nameOf(name: string, team: Team): string {
  if (name.startsWith("inputs.")) return name.replaceAll("-", "_");
  if (name.startsWith("notes.")) return name.replace(/^notes\./, "memory.").replaceAll("-", "_");
  return `workers.${workersBehind(name, team)[0] ?? name}`;
}

const FORMATS = { text: "text", markdown: "markdown", json: "json", handover: "json", file: "binary", commit: "code" } as const;

const TOOLS: { readonly [tool: string]: string } = { read: "read_file", search: "search_codebase", run: "sandbox_exec" };

const pascalCase = (id: string): string =>
  id
    .split(/[^a-z0-9]+/i)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join("");
