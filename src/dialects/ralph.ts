// Ralph's `prd.json` as a dialect: the stories that are still open, as one task.
import * as z from "zod";
import { canFail } from "../guard/command/can-fail.ts";
import { defineDialect, type Putting } from "./define-dialect.ts";
import { repeated } from "./placed-problems.ts";
import { commandCheck, intentOf, type PartValue, putMaker, putName, putTask, putTest } from "./putting.ts";
import type { SpecValue } from "./translation.ts";
import { listOf } from "./values.ts";

const Story = z.looseObject({
  id: z.string().min(1),
  title: z.string().min(1),
  description: z.string().optional(),
  acceptanceCriteria: z.array(z.string()).optional(),
  priority: z.number().optional(),
  passes: z.boolean().optional(),
  notes: z.string().optional(),
});
type Story = z.infer<typeof Story>;

const Prd = z.looseObject({
  project: z.string().optional(),
  branchName: z.string().optional(),
  description: z.string().optional(),
  verificationCommands: z.record(z.string(), z.string()).optional(),
  userStories: z.array(Story).min(1).max(500),
});
type Prd = z.infer<typeof Prd>;

export const ralph = defineDialect<Prd>({
  name: "ralph",
  title: "a prd.json of Ralph",
  written: "plain",
  mentioned: /userStories/,
  looksLike: (root) => Array.isArray(root.userStories),
  form: () => "Ralph prd.json",
  schema: Prd,
  rules: (root) => repeated(listOf(root.userStories), "userStories"),
  standing: [["branchName", "inert", "a proposal has a branch of its own"]],
  put,
});

function put(prd: Prd, at: Putting): SpecValue | undefined {
  const { notes } = at;
  const open = openStories(prd, at);
  const maker = putMaker(["userStories"], at);
  const checks = checksOf(prd, at);
  if (prd.project !== undefined) notes.tell("translated", ["project"], "name");
  if (prd.description !== undefined) notes.tell("translated", ["description"], "intent");
  if (open.length === 0) {
    notes.tell("asked", ["userStories"], "", "every story says that it passes: there is nothing left to do");
    return undefined;
  }
  const text = [prd.description ?? "", ...open.map(({ story }) => toldStory(story))].filter((part) => part !== "").join("\n\n");
  const task = putTask(text, ["userStories", open[0]?.index ?? 0], at, "all open stories together, the most urgent first");
  if (maker === undefined || checks === undefined || task === undefined) return undefined;
  notes.tell(
    "added",
    ["userStories"],
    "budget.rounds",
    `${ROUNDS}, which is the default of its script; who works never says that it is done`,
  );
  notes.tell("added", ["userStories"], "level", "L2: it proposes, and a person decides");
  return {
    name: putName(
      prd.branchName?.replace(/^ralph\//, "") ?? prd.project ?? "prd",
      prd.branchName === undefined ? ["userStories"] : ["branchName"],
      at,
    ),
    intent: intentOf(prd.description ?? prd.project ?? `Finish ${open.length} stories.`),
    level: "L2",
    task,
    trigger: { use: "manual" },
    maker,
    verifiers: checks,
    budget: { rounds: ROUNDS },
  };
}

const ROUNDS = 10;

/** Those that do not say that they pass, by priority; or the one that somebody chose. */
function openStories({ userStories }: Prd, { bindings, notes }: Putting): readonly { readonly story: Story; readonly index: number }[] {
  const chosen = bindings.set.get("story");
  const all = userStories.map((story, index) => ({ story, index }));
  const isLeft = ({ story }: { readonly story: Story }): boolean => (chosen === undefined ? story.passes !== true : story.id === chosen);
  for (const { story, index } of all) {
    const path = ["userStories", index];
    if (!isLeft({ story })) {
      notes.tell("inert", path, "", chosen === undefined ? "says that it passes, and is left out" : "another story than --set story names");
      continue;
    }
    for (const key of ["id", "title", "description", "acceptanceCriteria", "notes"] as const)
      if (story[key] !== undefined)
        notes.tell("translated", [...path, key], "task", key === "acceptanceCriteria" ? "in words: what proves it are the checks" : "");
    if (story.priority !== undefined) notes.tell("translated", [...path, "priority"], "task", "their order");
    if (story.passes !== undefined) notes.tell("tightened", [...path, "passes"], "verifiers", "who works does not say whether it passes");
  }
  return all.filter(isLeft).toSorted((a, b) => (a.story.priority ?? Infinity) - (b.story.priority ?? Infinity));
}

const toldStory = ({ id, title, description, acceptanceCriteria, notes }: Story): string =>
  [
    `${id}: ${title}`,
    description ?? "",
    ...(acceptanceCriteria?.length ? [`It is done when:\n${acceptanceCriteria.map((line) => `- ${line}`).join("\n")}`] : []),
    notes ?? "",
  ]
    .filter((part) => part !== "")
    .join("\n");

function checksOf({ verificationCommands = {} }: Prd, at: Putting): readonly PartValue[] | undefined {
  const all = Object.entries(verificationCommands).slice(0, MOST_CHECKS);
  for (const [name, run] of all)
    at.notes.tell(
      canFail(run) ? "translated" : "inert",
      ["verificationCommands", name],
      canFail(run) ? "verifiers" : "",
      canFail(run) ? "" : "cannot fail, so that it proves nothing",
    );
  const checks = all.filter(([, run]) => canFail(run)).map(([, run]) => commandCheck(run));
  if (checks.length > 0 && at.bindings.test === undefined) return checks;
  const test = putTest(["userStories"], at, "what proves it? An agent that ticks its own stories proves nothing.");
  return test === undefined ? undefined : [...checks, ...test];
}

const MOST_CHECKS = 18;
