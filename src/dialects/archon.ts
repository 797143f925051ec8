// Workflows of Archon as a dialect: a graph of prompts, checks and approvals.
import * as z from "zod";
import { canFail } from "../guard/command/can-fail.ts";
import type { Path } from "../spec/path.ts";
import { quoted } from "../spec/path.ts";
import { defineDialect, type Putting, type Standing } from "./define-dialect.ts";
import { type RuleComplaint, repeated } from "./placed-problems.ts";
import {
  agentCalled,
  boundPart,
  commandCheck,
  dollars,
  intentOf,
  lasting,
  type PartValue,
  putMaker,
  putName,
  putTest,
  tellIfHostile,
} from "./putting.ts";
import type { SpecValue } from "./translation.ts";
import { fieldsOf, listOf, textOf, textsAt } from "./values.ts";

const Loop = z.looseObject({
  prompt: z.string().optional(),
  command: z.string().optional(),
  until: z.string().optional(),
  until_bash: z.string().optional(),
  max_iterations: z.int().min(1),
});

const Node = z.looseObject({
  id: z.string().min(1),
  depends_on: z.array(z.string()).optional(),
  prompt: z.string().optional(),
  command: z.string().optional(),
  bash: z.string().optional(),
  timeout: z.number().positive().optional(),
  loop: Loop.optional(),
  approval: z.looseObject({ message: z.string().min(1) }).optional(),
  model: z.string().optional(),
  provider: z.string().optional(),
  maxBudgetUsd: z.number().positive().optional(),
});
type Node = z.infer<typeof Node>;

const Workflow = z.looseObject({
  name: z.string().min(1),
  description: z.string().min(1),
  provider: z.string().optional(),
  model: z.string().optional(),
  budget: z.looseObject({ max_spend_usd: z.number().positive().optional(), max_work_units: z.int().min(1).optional() }).optional(),
  nodes: z.array(Node).min(1).max(60),
});
type Workflow = z.infer<typeof Workflow>;

const MODES = ["prompt", "command", "bash", "loop", "loop_group", "approval", "cancel", "script", "include", "workflow"] as const;

/** What a node may say besides what it does. */
const OF_NODES: readonly Standing[] = [
  ["description", "inert", "is only shown to people"],
  ["command", "lost", "what the command says is in another file: write it as a prompt"],
  ["script", "lost", "a script is no part of a loop: run it in a check"],
  ["runtime", "lost", "a script is no part of a loop: run it in a check"],
  ["deps", "lost", "a script is no part of a loop: run it in a check"],
  ["loop_group", "lost", "only one worker, or the whole team, is tried again"],
  ["cancel", "lost", "no worker ends a run"],
  ["include", "lost", "what the other workflow says is in another file"],
  ["workflow", "lost", "a loop of ours does not call others"],
  ["when", "lost", "no worker has a condition"],
  ["context", "inert", "who works starts anew, and is told what was learned"],
  ["allowed_tools", "lost", "nothing keeps an agent to a list of tools"],
  ["denied_tools", "lost", "nothing keeps an agent from tools; each of its commands asks the guard first"],
  ["output_format", "lost", "what an agent answers has no shape; only what it leaves in its copy counts"],
  ["output_type", "inert", "is a word for people"],
  ["always_run", "inert", "a round is never taken up halfway"],
  ["persist_session", "inert", "who works starts anew, and is told what was learned"],
  ["loop.until", "tightened", "a word in an answer ends nothing: what proves it does"],
  ["loop.fresh_context", "inherent", "every round starts anew, and is told what was learned"],
  ["loop.signal_completes", "tightened", "a word in an answer ends nothing: what proves it does"],
  ["loop.interactive", "tightened", "a person decides about what is proposed, after the rounds"],
  ["loop.gate_message", "inert", "is only shown to people"],
  ["loop.command", "lost", "what the command says is in another file: write it as a prompt"],
  ["approval.message", "inherent", "at L2 a person decides about every proposal"],
  ["approval.capture_response", "lost", "an answer is told to the next run, and to no worker"],
  ["approval.on_reject", "tightened", "what is refused is a lesson for the next run"],
];

export const archon = defineDialect<Workflow>({
  name: "archon",
  title: "a workflow of Archon",
  written: "plain",
  mentioned: /\bnodes["']?\s*:/,
  looksLike: (root) =>
    Array.isArray(root.nodes) &&
    root.nodes.some((node) => Object.hasOwn(fieldsOf(node), "id") && MODES.some((mode) => Object.hasOwn(fieldsOf(node), mode))),
  form: () => "Archon workflow",
  schema: Workflow,
  rules: (root) => [...repeated(listOf(root.nodes), "nodes"), ...brokenRules(listOf(root.nodes))],
  standing: [
    ["tags", "inert", "is only shown to people"],
    ["interactive", "inert", "nobody has to watch a run here"],
    ["requires", "inert", "nobody who makes something has a token of the forge"],
    ["worktree", "tightened", "a round always has a copy of its own"],
    ["mutates_checkout", "tightened", "a round always has a copy of its own"],
    ["evidence_policy", "inherent", "nothing is accepted without a proof"],
    ["returns", "inert", "what is proposed is what was changed"],
    ["outcome_field", "tightened", "who works does not say whether it is right"],
    ...OF_NODES.map(([field, kind, why]) => [`nodes.*.${field}`, kind, why] as const),
  ],
  put,
});

/** Exactly one thing to do, and nobody waits for somebody who is not there or for themselves. */
function brokenRules(nodes: readonly unknown[]): readonly RuleComplaint[] {
  const ids = nodes.map((node) => textOf(fieldsOf(node).id));
  const complain = (code: string, path: Path, problem: string, instead: string): RuleComplaint => ({
    code,
    path,
    about: "value",
    problem,
    instead,
  });
  const waits = new Map(nodes.map((node, index) => [ids[index] ?? "", textsAt(fieldsOf(node).depends_on, []).map(({ text }) => text)]));
  return nodes.flatMap((node, index) => {
    const modes = MODES.filter((mode) => Object.hasOwn(fieldsOf(node), mode));
    const loop = fieldsOf(fieldsOf(node).loop);
    return [
      ...(modes.length === 1
        ? []
        : [
            complain(
              "one-mode",
              ["nodes", index],
              modes.length === 0 ? "does nothing" : `does several things: ${modes.join(", ")}`,
              `Write one of: ${MODES.join(", ")}.`,
            ),
          ]),
      ...(modes.includes("loop") && loop.until === undefined && loop.until_bash === undefined
        ? [complain("loop-ends", ["nodes", index, "loop"], "has no end", "Add until_bash, or until.")]
        : []),
      ...textsAt(fieldsOf(node).depends_on, ["nodes", index, "depends_on"]).flatMap(({ text, path }) =>
        ids.includes(text) ? [] : [complain("names-exist", path, `there is no node ${quoted(text)}`, "Name one that is there.")],
      ),
      ...(isBefore(ids[index] ?? "", ids[index] ?? "", waits)
        ? [complain("acyclic", ["nodes", index, "depends_on"], "it waits for itself", "Take one of these away.")]
        : []),
    ];
  });
}

/** Whether one node must be done before another begins. */
function isBefore(first: string, then: string, waits: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>();
  const left = [...(waits.get(then) ?? [])];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next === first) return true;
    if (!seen.has(next)) left.push(...(waits.get(next) ?? []));
    seen.add(next);
  }
  return false;
}

interface Placed {
  readonly node: Node;
  readonly path: Path;
  readonly prompt: string;
}

function put(flow: Workflow, at: Putting): SpecValue | undefined {
  const { notes } = at;
  const waits = new Map(flow.nodes.map(({ id, depends_on }) => [id, depends_on ?? []]));
  const thinkers = flow.nodes.flatMap((node, index): readonly Placed[] => {
    const prompt = node.prompt ?? node.loop?.prompt;
    return prompt === undefined || prompt.trim() === "" ? [] : [{ node, path: ["nodes", index], prompt }];
  });
  const checks = checksOf(flow, thinkers, waits, at);
  if (thinkers.length === 0) {
    notes.tell("asked", ["nodes"], "", "who does what? There is no prompt in this file");
    return undefined;
  }
  for (const { path, node } of thinkers) tellNode(path, node, at);
  for (const [index, { approval, depends_on, trigger_rule }] of flow.nodes.entries()) {
    if (approval !== undefined) notes.tell("inherent", ["nodes", index, "id"], "gate", "at L2 a person decides about every proposal");
    if (depends_on !== undefined)
      notes.tell(depends_on.length === 0 ? "inherent" : "translated", ["nodes", index, "depends_on"], "team.workers", "who waits for whom");
    if (trigger_rule !== undefined)
      notes.tell(
        trigger_rule === "all_success" ? "inherent" : "lost",
        ["nodes", index, "trigger_rule"],
        "",
        "who fails takes along those who need it",
      );
  }
  const work = thinkers.length === 1 && thinkers[0] !== undefined ? oneMaker(thinkers[0], flow, at) : aTeam(thinkers, flow, waits, at);
  const proof =
    checks.length > 0 && at.bindings.test === undefined ? [] : putTest(["nodes"], at, "what proves it? No check comes after the work.");
  if (work === undefined || proof === undefined) return undefined;
  notes.tell("translated", ["description"], "intent");
  notes.tell("added", ["nodes"], "level", "L2: it proposes, and a person decides");
  return {
    name: putName(flow.name, ["name"], at),
    intent: intentOf(flow.description),
    level: "L2",
    ...inputsOf(thinkers),
    trigger: { use: "manual" },
    ...work,
    verifiers: [...checks, ...proof],
    ...budgetOf(flow, at),
  };
}

/** `$ARGUMENTS` is what somebody wrote behind the command. */
const inputsOf = (thinkers: readonly Placed[]): object =>
  thinkers.some(({ prompt }) => /\$(ARGUMENTS|USER_MESSAGE)\b/.test(prompt))
    ? { inputs: { arguments: { type: "text", about: "What it is asked to do", required: true } } }
    : {};

function roleOf({ prompt, node, path }: Placed, { notes }: Putting): string {
  const text = prompt
    .replaceAll(/\$(ARGUMENTS|USER_MESSAGE)\b/g, "(the input arguments)")
    .replaceAll(/\$([\w-]{1,60})\.output\b(\.[\w-]+)?/g, "(the result of $1)");
  if (/\$[A-Z][A-Z_]+\b/.test(text))
    notes.tell(
      "lost",
      [...path, node.loop === undefined ? "prompt" : "loop"],
      "",
      "other variables are not worked out: they are told as they stand",
    );
  tellIfHostile(text, [...path, node.loop === undefined ? "prompt" : "loop"], notes);
  return text.trim();
}

function tellNode(path: Path, { id, loop, maxBudgetUsd }: Node, { notes }: Putting): void {
  notes.tell("translated", [...path, "id"], "team.workers", `who is called ${id}`);
  notes.tell("translated", loop === undefined ? [...path, "prompt"] : [...path, "loop", "prompt"], "task");
  if (maxBudgetUsd !== undefined) notes.tell("translated", [...path, "maxBudgetUsd"], "budget");
}

function oneMaker(one: Placed, flow: Workflow, at: Putting): object | undefined {
  const maker = partOf(one, flow, at);
  const task = roleOf(one, at);
  if (task.length > 20_000) at.notes.tell("asked", [...one.path], "", "a task has at most 20000 characters, and this is longer");
  return maker && { task, maker };
}

/** Each works in a copy that begins with what those before it changed; who nobody waits for is proposed. */
function aTeam(
  thinkers: readonly Placed[],
  flow: Workflow,
  waits: ReadonlyMap<string, readonly string[]>,
  at: Putting,
): object | undefined {
  const names = new Map(thinkers.map(({ node }, index) => [node.id, workerName(node.id, index)]));
  const members = thinkers.map((one) => {
    const part = partOf(one, flow, at);
    const before = thinkers.filter(({ node }) => isBefore(node.id, one.node.id, waits)).flatMap(({ node }) => names.get(node.id) ?? []);
    const { maxBudgetUsd } = one.node;
    return (
      part &&
      ([
        names.get(one.node.id) ?? "",
        {
          role: roleOf(one, at).slice(0, 10_000).toWellFormed(),
          ...part,
          reads: ["repo", ...(/\$(ARGUMENTS|USER_MESSAGE)\b/.test(one.prompt) ? ["inputs.arguments"] : []), ...before],
          gives: { as: "commit" },
          ...(before.length > 0 ? { onto: before } : {}),
          ...(maxBudgetUsd === undefined ? {} : { budget: { usd: dollars(maxBudgetUsd) } }),
        },
      ] as const)
    );
  });
  const ready = members.flatMap((member) => (member === undefined ? [] : [member]));
  if (ready.length < members.length) return undefined;
  const last = thinkers.filter(({ node }) => !thinkers.some((other) => isBefore(node.id, other.node.id, waits)));
  return {
    task: intentOf(flow.description),
    team: { workers: Object.fromEntries(ready), proposes: last.flatMap(({ node }) => names.get(node.id) ?? []) },
  };
}

const workerName = (id: string, index: number): string => {
  const plain = id
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return /^[a-z][a-z0-9-]{0,38}$/.test(plain) ? plain : `node-${index + 1}`;
};

function partOf({ node, path }: Placed, flow: Workflow, at: Putting): PartValue | undefined {
  const { notes, bindings } = at;
  for (const key of ["provider", "model"] as const) {
    if (flow[key] !== undefined) notes.tell("translated", [key], "maker");
    if (node[key] !== undefined) notes.tell("translated", [...path, key], "maker");
  }
  if (bindings.use !== undefined) return boundPart(at, path);
  const use = agentCalled(node.provider ?? flow.provider ?? "");
  if (use === undefined) return putMaker(flow.provider === undefined ? path : ["provider"], at);
  const model = node.model ?? flow.model;
  return { use, ...(model === undefined ? {} : { with: { model } }) };
}

/** A script that comes after all the work, and fails the run when it fails, is a check. */
function checksOf(
  flow: Workflow,
  thinkers: readonly Placed[],
  waits: ReadonlyMap<string, readonly string[]>,
  { notes }: Putting,
): readonly PartValue[] {
  const after = (id: string): boolean => thinkers.every(({ node }) => isBefore(node.id, id, waits));
  const ends = thinkers.flatMap(({ node, path }) => {
    const run = node.loop?.until_bash;
    if (run === undefined) return [];
    notes.tell(
      canFail(run) ? "translated" : "inert",
      [...path, "loop", "until_bash"],
      canFail(run) ? "verifiers" : "",
      "in a clean copy of the proposal",
    );
    return canFail(run) ? [commandCheck(run)] : [];
  });
  const scripts = flow.nodes.flatMap(({ id, bash, timeout }, index) => {
    if (bash === undefined) return [];
    const path = ["nodes", index];
    const isCheck = thinkers.length > 0 && after(id) && canFail(bash) && !/\$[\w-]+\.output\b/.test(bash);
    notes.tell(
      isCheck ? "translated" : "lost",
      [...path, "bash"],
      isCheck ? "verifiers" : "",
      isCheck ? "in a clean copy of the proposal" : "is no check that comes after all the work: put it into `prepare` or `workspace.setup`",
    );
    notes.tell(isCheck ? "translated" : "lost", [...path, "id"], isCheck ? "verifiers" : "", "");
    if (timeout !== undefined) notes.tell(isCheck ? "translated" : "lost", [...path, "timeout"], isCheck ? "verifiers" : "", "");
    return isCheck ? [commandCheck(bash, timeout === undefined ? undefined : lasting(timeout))] : [];
  });
  return [...ends, ...scripts].slice(0, 18);
}

const USUAL_ROUNDS = 3;
const MOST_ROUNDS = 100;

function budgetOf({ budget, nodes }: Workflow, { notes }: Putting): object {
  const limits = nodes.flatMap(({ loop }, index) => (loop === undefined ? [] : [{ most: loop.max_iterations, index }]));
  const rounds = limits.length === 0 ? USUAL_ROUNDS : Math.min(...limits.map(({ most }) => most), MOST_ROUNDS);
  for (const { most, index } of limits)
    notes.tell(
      most === rounds ? "translated" : "tightened",
      ["nodes", index, "loop", "max_iterations"],
      "budget.rounds",
      most === rounds ? "" : "the least holds for all",
    );
  if (limits.length === 0) notes.tell("added", ["nodes"], "budget.rounds", `${USUAL_ROUNDS}, where nothing is said`);
  if (budget?.max_spend_usd !== undefined) notes.tell("translated", ["budget", "max_spend_usd"], "budget.usd");
  if (budget?.max_work_units !== undefined) notes.tell("translated", ["budget", "max_work_units"], "budget.launches");
  return {
    budget: {
      rounds,
      ...(budget?.max_spend_usd === undefined ? {} : { usd: dollars(budget.max_spend_usd) }),
      ...(budget?.max_work_units === undefined ? {} : { launches: Math.min(budget.max_work_units, 10_000) }),
    },
  };
}
