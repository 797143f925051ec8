// `WORKFLOW.md` of Symphony and Sortie as a dialect: a prompt for each issue of a tracker, below front matter.
import * as z from "zod";
import type { Path } from "../spec/path.ts";
import { defineDialect, type Putting } from "./define-dialect.ts";
import type { RuleComplaint } from "./placed-problems.ts";
import { agentCalled, boundPart, dollars, intentOf, lasting, type PartValue, putMaker, putName, putTask, putTest } from "./putting.ts";
import type { SpecValue } from "./translation.ts";
import { type Fields, fieldsOf, numberOf, textOf } from "./values.ts";

/** Figures may be written as texts. */
const figure = z.union([z.int(), z.string().regex(/^-?\d+$/)]);
const hook = z.string().nullable().optional();

const Workflow = z.looseObject({
  tracker: z.looseObject({ kind: z.string().optional() }).optional(),
  polling: z.looseObject({ interval_ms: figure.optional() }).optional(),
  workspace: z.looseObject({ root: z.string().optional() }).optional(),
  hooks: z
    .looseObject({ after_create: hook, before_run: hook, after_run: hook, before_remove: hook, timeout_ms: figure.optional() })
    .optional(),
  agent: z
    .looseObject({
      kind: z.string().optional(),
      command: z.string().optional(),
      max_turns: figure.optional(),
      max_sessions: figure.optional(),
      max_concurrent_agents: figure.optional(),
      max_retry_backoff_ms: figure.optional(),
      max_concurrent_agents_by_state: z.record(z.string(), z.unknown()).optional(),
      turn_timeout_ms: figure.optional(),
      read_timeout_ms: figure.optional(),
      stall_timeout_ms: figure.optional(),
    })
    .optional(),
  codex: z.looseObject({ command: z.string().optional(), turn_timeout_ms: figure.optional(), model: z.string().optional() }).optional(),
});
type Workflow = z.infer<typeof Workflow>;

const NO_TRACKER = "no counterpart yet: nothing of ours reads trackers. Give what an issue says with --input, or wake it by a webhook";

export const symphony = defineDialect<Workflow>({
  name: "symphony",
  title: "a WORKFLOW.md of Symphony or Sortie",
  written: "markdown",
  mentioned: /^tracker\s*:/m,
  looksLike: (root) =>
    Object.hasOwn(root, "tracker") && ["polling", "workspace", "hooks", "agent", "codex"].some((key) => Object.hasOwn(root, key)),
  form: (root) => (isSortie(root) ? "Sortie WORKFLOW.md" : "Symphony WORKFLOW.md"),
  schema: Workflow,
  rules: (root, body) => [
    ...(body === "" ? [missing(["body"], "there is no prompt below the front matter", "Write one.")] : []),
    ...(root.tracker !== undefined && fieldsOf(root.tracker).kind === undefined
      ? [missing(["tracker", "kind"], "is missing", "Write e.g. linear.")]
      : []),
  ],
  standing: [
    ["tracker", "lost", NO_TRACKER],
    ["polling", "lost", NO_TRACKER],
    ["workspace.root", "inert", "copies lie in the home"],
    ["hooks.after_create", "lost", "a copy is made by us; what else it does belongs into `prepare` or `workspace.setup`"],
    ["hooks.after_run", "lost", "nothing is run on a maker's work but what verifies it"],
    ["hooks.before_remove", "lost", "copies are removed by us, and nothing is run for it"],
    ["hooks.timeout_ms", "inert", "there is no hook that it is about"],
    ["agent.max_concurrent_agents", "tightened", "a loop has one run at a time"],
    ["agent.max_concurrent_agents_by_state", "tightened", "a loop has one run at a time"],
    ["agent.max_sessions", "lost", "runs are not counted by issue"],
    ["agent.read_timeout_ms", "inert", "how an agent is spoken to is left to the maker"],
    ["agent.stall_timeout_ms", "lost", "nothing looks for silence: the time of a round ends it"],
    ["codex.read_timeout_ms", "inert", "how an agent is spoken to is left to the maker"],
    ["codex.stall_timeout_ms", "lost", "nothing looks for silence: the time of a round ends it"],
    ["codex.approval_policy", "tightened", "nobody is there to be asked: what Codex's sandbox refuses stays refused"],
    ["codex.thread_sandbox", "tightened", "workspace-write, in a box where there is one"],
    ["codex.turn_sandbox_policy", "tightened", "workspace-write, in a box where there is one"],
    ["claude-code.permission_mode", "tightened", "each of its commands asks the guard first"],
    ["server", "inert", "`lw serve` has a page of its own"],
    ["logging", "inert", "what happens is on record"],
    ["db_path", "inert", "what happens is in the journal of the home"],
    ["ci_feedback", "lost", "nothing of ours reads the results of CI"],
  ],
  put,
});

const missing = (path: Path, problem: string, instead: string): RuleComplaint => ({
  code: "missing",
  path,
  about: "value",
  problem,
  instead,
});

const isSortie = (root: Fields): boolean => Object.hasOwn(fieldsOf(root.agent), "kind") || Object.hasOwn(root, "db_path");

function put(flow: Workflow, at: Putting): SpecValue | undefined {
  const { notes, file } = at;
  const maker = makerOf(flow, at);
  const { text, inputs } = withInputs(at);
  const task = putTask(text, ["body"], at, Object.keys(inputs).length > 0 ? "what it says of an issue is given as inputs" : "");
  const checks = putTest(["body"], at, "what proves the change? An issue that changes its state proves nothing.");
  if (maker === undefined || task === undefined || checks === undefined) return undefined;
  notes.tell("added", ["body"], "level", "L2: it proposes, and a person decides");
  return {
    name: putName(textOf(fieldsOf(flow.tracker).project_slug) ?? nameOfFile(file), ["body"], at),
    intent: intentOf(firstLine(text)),
    level: "L2",
    task,
    ...(Object.keys(inputs).length > 0 ? { inputs } : {}),
    trigger: { use: "manual" },
    ...backoffOf(flow, at),
    ...setupOf(flow, at),
    maker,
    verifiers: checks,
    budget: budgetOf(flow, at),
  };
}

const nameOfFile = (file: string): string => file.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "") || "workflow";

const firstLine = (text: string): string => text.split("\n").find((line) => /[a-z]/i.test(line)) ?? text;

const MOST_VARIABLES = 50;

/** What a template says of an issue becomes inputs; conditions and loops of templates are not worked out. */
function withInputs({ body, notes }: Putting): { readonly text: string; readonly inputs: Fields } {
  const found = new Map<string, string>();
  const text = body.replaceAll(/\{\{-?\s*\.?((?:issue|run)\.[a-z_]{1,40}|attempt)\s*(?:\|[^{}]{0,80})?-?\}\}/gi, (_, variable: string) => {
    const name = variable.toLowerCase().replaceAll(/[._]/g, "-");
    if (found.size < MOST_VARIABLES) found.set(name, variable);
    return `(the input ${name})`;
  });
  if (/\{%|\{\{/.test(text)) notes.tell("lost", ["body"], "", "conditions of a template are not worked out: they are told as they stand");
  return {
    text,
    inputs: Object.fromEntries([...found].map(([name, variable]) => [name, { type: "text", about: `${variable} of the issue` }])),
  };
}

const ms = (written: number | string | undefined): number | undefined => (written === undefined ? undefined : numberOf(Number(written)));

function makerOf(flow: Workflow, at: Putting): PartValue | undefined {
  const { notes, bindings } = at;
  const kind = flow.agent?.kind;
  const turn = ms(flow.agent?.turn_timeout_ms ?? flow.codex?.turn_timeout_ms);
  const timeout = turn === undefined || turn <= 0 ? undefined : lasting(turn);
  if (turn !== undefined)
    notes.tell(
      "translated",
      flow.agent?.turn_timeout_ms === undefined ? ["codex", "turn_timeout_ms"] : ["agent", "turn_timeout_ms"],
      "maker.with.timeout",
    );
  if (bindings.use !== undefined) {
    const part = boundPart(at, ["agent"]);
    for (const path of [
      ["agent", "kind"],
      ["agent", "command"],
      ["codex", "command"],
    ])
      if (fieldsOf(Reflect.get(flow, path[0] ?? ""))[path[1] ?? ""] !== undefined)
        notes.tell("translated", path, "maker", `--use ${bindings.use.part}, in its place`);
    return part && timed(part, timeout);
  }
  const use = kind === undefined ? "codex" : agentCalled(kind);
  if (use === undefined) return putMaker(["agent", "kind"], at);
  if (kind !== undefined) notes.tell("translated", ["agent", "kind"], "maker.use");
  for (const [block, written] of [
    ["agent", flow.agent?.command],
    ["codex", flow.codex?.command],
  ] as const)
    if (written !== undefined) {
      const isPlain = /^[\w./-]*\b(codex|claude|copilot|gemini|opencode)( app-server)?$/.test(written.trim());
      notes.tell(
        isPlain ? "translated" : "lost",
        [block, "command"],
        isPlain ? "maker.use" : "",
        isPlain ? "" : "the maker calls its agent by itself; say other arguments in maker.with.args",
      );
    }
  if (kind === undefined && flow.codex?.command === undefined) notes.tell("added", ["body"], "maker", "codex, which is Symphony's default");
  const own = fieldsOf(Reflect.get(flow, kind ?? "codex"));
  const model = textOf(own.model);
  if (model !== undefined) notes.tell("translated", [kind ?? "codex", "model"], "maker.with.model");
  const effort = textOf(own.reasoning_effort);
  if (effort !== undefined && use === "codex" && EFFORTS.has(effort))
    notes.tell("translated", ["codex", "reasoning_effort"], "maker.with.effort");
  return timed(
    {
      use,
      with: {
        ...(model === undefined ? {} : { model }),
        ...(use === "codex" && effort !== undefined && EFFORTS.has(effort) ? { effort } : {}),
      },
    },
    timeout,
  );
}

const EFFORTS: ReadonlySet<string> = new Set(["minimal", "low", "medium", "high", "xhigh"]);

const timed = (part: PartValue, timeout: string | undefined): PartValue => {
  const options = { ...part.with, ...(timeout === undefined ? {} : { timeout }) };
  return Object.keys(options).length > 0 ? { ...part, with: options } : { use: part.use };
};

const USUAL_TURNS = 20;
const MOST_ROUNDS = 100;

function budgetOf(flow: Workflow, { notes }: Putting): object {
  const turns = ms(flow.agent?.max_turns);
  const rounds = Math.min(Math.max(1, turns ?? USUAL_TURNS), MOST_ROUNDS);
  if (turns === undefined) notes.tell("added", ["body"], "budget.rounds", `${USUAL_TURNS} turns, which is the default`);
  else
    notes.tell(
      rounds === turns ? "translated" : "tightened",
      ["agent", "max_turns"],
      "budget.rounds",
      "a turn is a round, and ends with a proof",
    );
  const usd = numberOf(fieldsOf(Reflect.get(flow, flow.agent?.kind ?? "")).max_budget_usd);
  if (usd !== undefined && usd > 0) notes.tell("translated", [flow.agent?.kind ?? "", "max_budget_usd"], "budget.perRound.usd");
  return { rounds, ...(usd !== undefined && usd > 0 ? { perRound: { usd: dollars(usd) } } : {}) };
}

function backoffOf(flow: Workflow, { notes }: Putting): object {
  const most = ms(flow.agent?.max_retry_backoff_ms);
  if (most === undefined || most <= 0) return {};
  notes.tell("translated", ["agent", "max_retry_backoff_ms"], "wake.backoff.most");
  return { wake: { backoff: { first: lasting(Math.min(most, 60_000)), most: lasting(most) } } };
}

/** Runs before every attempt, and a failure ends it: as a set-up of ours. What speaks of issues or of git is about another folder. */
function setupOf(flow: Workflow, { notes }: Putting): object {
  const run = textOf(flow.hooks?.before_run)?.trim();
  if (run === undefined || run === "") return {};
  if (/\b(SORTIE|SYMPHONY)_|\bgit\b/.test(run)) {
    notes.tell("lost", ["hooks", "before_run"], "", "it is about issues, or makes a branch: a round has a copy of base already");
    return {};
  }
  const timeout = ms(flow.hooks?.timeout_ms);
  notes.tell("translated", ["hooks", "before_run"], "workspace.setup.run");
  if (timeout !== undefined && timeout > 0) notes.tell("translated", ["hooks", "timeout_ms"], "workspace.setup.timeout");
  return { workspace: { setup: { run, ...(timeout !== undefined && timeout > 0 ? { timeout: lasting(timeout) } : {}) } } };
}
