// GitHub Agentic Workflows as a dialect: instructions in Markdown, below front matter that is a workflow of GitHub Actions and more.
import * as z from "zod";
import type { Path } from "../spec/path.ts";
import { defineDialect, type Putting } from "./define-dialect.ts";
import { githubTriggers } from "./gh-aw-triggers.ts";
import { agentCalled, boundPart, intentOf, lasting, type PartValue, putMaker, putName, putTask, putTest } from "./putting.ts";
import type { SpecValue } from "./translation.ts";
import { type Fields, fieldsOf, listOf, numberOf, textOf, textsAt } from "./values.ts";

const Workflow = z.looseObject({
  on: z.union([z.string(), z.array(z.string()), z.record(z.string(), z.unknown())]),
  name: z.string().optional(),
  description: z.string().optional(),
  intent: z.string().optional(),
  engine: z.union([z.string(), z.looseObject({ id: z.string().optional(), model: z.string().optional() })]).optional(),
  network: z
    .union([z.string(), z.looseObject({ allowed: z.array(z.string()).optional() })])
    .nullable()
    .optional(),
  "safe-outputs": z.record(z.string(), z.unknown()).nullable().optional(),
  "timeout-minutes": z.union([z.number().positive(), z.string()]).optional(),
  "max-turns": z.union([z.int().min(1), z.string()]).optional(),
});
type Workflow = z.infer<typeof Workflow>;

const ON_GITHUB = "no counterpart: it is done on GitHub's machines";

export const ghAw = defineDialect<Workflow>({
  name: "gh-aw",
  title: "an agentic workflow of GitHub (gh-aw)",
  written: "markdown",
  mentioned: /^on\s*:/m,
  looksLike: (root) => Object.hasOwn(root, "on"),
  form: () => "gh-aw workflow",
  schema: Workflow,
  rules: (_, body) =>
    body === ""
      ? [
          {
            code: "missing",
            path: ["body"],
            about: "value",
            problem: "there are no instructions below the front matter",
            instead: "Write them.",
          },
        ]
      : [],
  standing: [
    ["permissions", "inherent", "nobody who makes something has a token of the forge"],
    ["strict", "inherent", "everything that is checked here is always checked"],
    ["tools.edit", "inherent", "who makes something may change files of its copy"],
    ["tools.*", "lost", "nothing keeps an agent to these tools, and none of GitHub's are there"],
    ["tools", "lost", "nothing keeps an agent to these tools, and none of GitHub's are there"],
    ["mcp-servers", "lost", "nothing of ours calls other people's tools"],
    ["emoji", "inert", "is only shown to people"],
    ["labels", "inert", "is only shown to people"],
    ["metadata", "inert", "is only shown to people"],
    ["source", "inert", "says where the file is from"],
    ["redirect", "inert", "says where the file went"],
    ["private", "inert", "is about installing the file"],
    ["resources", "inert", "is about installing the file"],
    ["tracker-id", "inert", "marks what is made on GitHub"],
    ["run-name", "inert", "is only shown to people"],
    ["check-for-updates", "inert", "is about the compiler of the file"],
    ["features", "inert", "is about the compiler of the file"],
    ["runs-on", "inert", "it runs on this machine"],
    ["runs-on-slim", "inert", "it runs on this machine"],
    ["concurrency", "tightened", "a loop has one run at a time"],
    ["excluded-env", "inherent", "a maker has no variable that is not named"],
    ["threat-detection-suppress", "tightened", "what a change does is always looked at"],
    ["safe-outputs.*", "lost", "no counterpart: what is made there is not a change of files"],
    ["safe-outputs", "lost", "no counterpart: what is made there is not a change of files"],
    ["imports", "lost", "what the imported file says is not in this one"],
    ["if", "lost", "no condition of GitHub is worked out here"],
    ["env", "lost", "variables are named in maker.with.inherit, and their values never stand in a file"],
    ["secrets", "lost", "secrets are named in maker.with.inherit, and their values never stand in a file"],
    ["steps", "lost", ON_GITHUB],
    ["pre-steps", "lost", ON_GITHUB],
    ["pre-agent-steps", "lost", ON_GITHUB],
    ["post-steps", "lost", ON_GITHUB],
    ["jobs", "lost", ON_GITHUB],
    ["cache", "lost", ON_GITHUB],
    ["checkout", "lost", ON_GITHUB],
    ["container", "lost", ON_GITHUB],
    ["services", "lost", ON_GITHUB],
    ["environment", "lost", ON_GITHUB],
    ["runtimes", "lost", ON_GITHUB],
    ["observability", "lost", ON_GITHUB],
    ["user-rate-limit", "lost", "wakings are not counted by who caused them"],
    ["max-ai-credits", "lost", "a credit has no price here: write budget.usd"],
    ["max-daily-ai-credits", "lost", "a credit has no price here: write budget.loop.day.usd"],
  ],
  put,
});

function put(flow: Workflow, at: Putting): SpecValue | undefined {
  const { file, notes } = at;
  const { trigger, inputs } = githubTriggers(flow.on, at);
  const { text, inputs: asked } = withInputs(inputs, at);
  const task = putTask(text, ["body"], at);
  const makesFiles = Object.keys(flow["safe-outputs"] ?? {}).some((key) => FILES.has(key));
  const checks = putTest(["body"], at, "what proves what it makes?");
  const maker = makerOf(flow, at);
  if (flow.description !== undefined) notes.tell("translated", ["description"], "intent");
  if (flow.intent !== undefined) notes.tell("translated", ["intent"], "intent");
  if (task === undefined || checks === undefined || maker === undefined) return undefined;
  notes.tell("added", ["body"], "level", "L2: it proposes, and a person decides");
  if (!makesFiles) notes.tell("added", ["body"], "document", "it opens no pull request: what it writes is a document of the loop's own");
  return {
    name: putName(
      flow.name ?? file.replace(/^.*[\\/]/, "").replace(/(\.agent)?\.[^.]*$/, ""),
      flow.name === undefined ? ["body"] : ["name"],
      at,
    ),
    intent: intentOf(flow.intent ?? flow.description ?? firstWords(text)),
    level: "L2",
    task: makesFiles ? task : `${task}\n\nWrite what you would have posted into report.md.`,
    ...(Object.keys(asked).length > 0 ? { inputs: asked } : {}),
    ...(makesFiles ? {} : { document: { files: ["*.md"] } }),
    trigger,
    maker,
    verifiers: checks,
    ...pullRequest(flow, at),
    ...budgetOf(flow, at),
    ...networkOf(flow, at),
  };
}

const firstWords = (text: string): string => text.split("\n").find((line) => /[a-z]/i.test(line)) ?? text;

/** Outputs that are changes of files. */
const FILES: ReadonlySet<string> = new Set(["create-pull-request", "push-to-pull-request-branch"]);

/** Inputs of a dispatch are inputs of ours; other expressions are about GitHub. */
function withInputs(declared: Fields, { body, notes }: Putting): { readonly text: string; readonly inputs: Fields } {
  const text = body.replaceAll(/\$\{\{\s*(?:github\.event\.)?inputs\.([\w-]{1,60})\s*\}\}/g, (whole: string, name: string) =>
    Object.hasOwn(declared, inputName(name)) ? `(the input ${inputName(name)})` : whole,
  );
  if (/\$\{\{|\{\{#|@(include|import)\b/.test(text))
    notes.tell("lost", ["body"], "", "expressions and imports are not worked out: they are told as they stand");
  return { text, inputs: declared };
}

const inputName = (name: string): string => name.toLowerCase().replaceAll("_", "-");

function makerOf({ engine }: Workflow, at: Putting): PartValue | undefined {
  const { notes, bindings } = at;
  if (bindings.use !== undefined) {
    if (engine !== undefined) notes.tell("translated", ["engine"], "maker", `--use ${bindings.use.part}, in its place`);
    return boundPart(at, ["body"]);
  }
  const id = typeof engine === "string" ? engine : (engine?.id ?? "copilot");
  const use = agentCalled(id);
  if (use === undefined) return putMaker(["engine"], at);
  if (engine === undefined) notes.tell("added", ["body"], "maker", "copilot-cli, which is the default");
  else notes.tell("translated", typeof engine === "string" ? ["engine"] : ["engine", "id"], "maker");
  const model = typeof engine === "string" ? undefined : engine?.model;
  if (model === undefined) return { use };
  notes.tell("translated", ["engine", "model"], "maker.with.model");
  return { use, with: { model } };
}

/** Opened after a person's yes. Whose repository it is must be said: the file lies in one, and does not name it. */
function pullRequest(flow: Workflow, { bindings, notes }: Putting): object {
  const path: Path = ["safe-outputs", "create-pull-request"];
  if (!Object.hasOwn(flow["safe-outputs"] ?? {}, "create-pull-request")) return {};
  const repo = bindings.set.get("repo");
  if (repo === undefined) {
    notes.tell("lost", path, "", "which repository? Say it with --set repo=OWNER/NAME");
    return {};
  }
  const wish = fieldsOf(fieldsOf(flow["safe-outputs"])["create-pull-request"]);
  const labels = textsAt(wish.labels, []).map(({ text }) => text);
  notes.tell("tightened", Object.keys(wish).length === 0 ? path : [...path, "labels"], "act", "after a person's yes");
  if (wish.draft === true) notes.tell("translated", [...path, "draft"], "act[1].with.draft");
  return {
    act: [
      { use: "push" },
      { use: "github", with: { repo, ...(labels.length > 0 ? { labels } : {}), ...(wish.draft === true ? { draft: true } : {}) } },
    ],
  };
}

const USUAL_MINUTES = 20;

function budgetOf(flow: Workflow, { notes }: Putting): object {
  const minutes = numberOf(flow["timeout-minutes"]);
  const turns = numberOf(flow["max-turns"]);
  if (minutes !== undefined) notes.tell("translated", ["timeout-minutes"], "budget.time");
  else if (flow["timeout-minutes"] === undefined)
    notes.tell("added", ["body"], "budget.time", `${USUAL_MINUTES} minutes, which is the default`);
  if (turns !== undefined) notes.tell("translated", ["max-turns"], "budget.calls");
  notes.tell("added", ["body"], "budget.rounds", "1: nothing there is tried twice");
  return { budget: { rounds: 1, time: lasting((minutes ?? USUAL_MINUTES) * 60_000), ...(turns === undefined ? {} : { calls: turns }) } };
}

const HOST = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

/** Hosts are hosts; words such as `defaults` stand for lists that are not in the file. */
function networkOf({ network }: Workflow, { notes }: Putting): object {
  if (network === undefined) return {};
  const allowed = typeof network === "object" ? listOf(network?.allowed) : [];
  const hosts = allowed.flatMap((host) => (typeof host === "string" && HOST.test(host) ? [host] : []));
  for (const [index, word] of allowed.entries())
    if (!hosts.includes(textOf(word) ?? ""))
      notes.tell(
        "tightened",
        ["network", "allowed", index],
        "box.maker.network",
        "stands for a list that is not in the file: these hosts are not reached",
      );
    else notes.tell("translated", ["network", "allowed", index], "box.maker.network");
  if (typeof network === "string" || network === null || network.allowed === undefined)
    notes.tell("tightened", ["network"], "box.maker.network", "only what the agent needs for its model");
  return { box: { maker: { when: "required", network: { allow: hosts.slice(0, 100) } } } };
}
