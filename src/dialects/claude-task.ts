// A scheduled task of Claude Code's desktop app as a dialect: a prompt in a SKILL.md. When it runs is not in the file.
import * as z from "zod";
import { defineDialect, type Putting } from "./define-dialect.ts";
import { boundPart, intentOf, type PartValue, putName, putTask, putTest } from "./putting.ts";
import type { SpecValue } from "./translation.ts";

const Task = z.looseObject({
  name: z.string().min(1).optional(),
  description: z.string().optional(),
  model: z.string().optional(),
  "allowed-tools": z.union([z.string(), z.array(z.string())]).optional(),
});
type Task = z.infer<typeof Task>;

export const claudeTask = defineDialect<Task>({
  name: "claude-task",
  title: "a scheduled task of Claude Code",
  written: "markdown",
  mentioned: /^---/,
  // Any skill has this shape: only where it lies says that it is a task.
  looksLike: (_, file) => /(^|[\\/])scheduled-tasks[\\/][^\\/]+[\\/]SKILL\.md$/i.test(file),
  form: () => "Claude Code scheduled task",
  schema: Task,
  rules: (_, body) =>
    body === ""
      ? [{ code: "missing", path: ["body"], about: "value", problem: "there is no prompt below the front matter", instead: "Write one." }]
      : [],
  standing: [["allowed-tools", "lost", "nothing keeps Claude Code to a list of tools; each of its commands asks the guard first"]],
  put,
});

function put(task: Task, at: Putting): SpecValue | undefined {
  const { notes, body, file } = at;
  const told = putTask(body, ["body"], at);
  const checks = putTest(["body"], at, "what proves what it does?");
  const maker = makerOf(task, at);
  const trigger = triggerOf(at);
  if (told === undefined || checks === undefined || maker === undefined) return undefined;
  if (task.description !== undefined) notes.tell("translated", ["description"], "intent");
  notes.tell("added", ["body"], "level", "L2: it proposes, and a person decides");
  return {
    name: putName(task.name ?? nameOfFolder(file), task.name === undefined ? ["body"] : ["name"], at),
    intent: intentOf(task.description ?? told),
    level: "L2",
    task: told,
    trigger,
    maker,
    verifiers: checks,
  };
}

const nameOfFolder = (file: string): string => file.split(/[\\/]/).at(-2) ?? "task";

function makerOf({ model }: Task, at: Putting): PartValue | undefined {
  if (at.bindings.use !== undefined) return boundPart(at, ["body"]);
  at.notes.tell("translated", ["body"], "maker", "claude-code");
  if (model === undefined) return { use: "claude-code" };
  at.notes.tell("translated", ["model"], "maker.with.model");
  return { use: "claude-code", with: { model } };
}

/** The app keeps the times elsewhere, in a form that is its own. */
function triggerOf({ bindings, notes }: Putting): PartValue {
  const schedule = bindings.set.get("schedule");
  if (schedule === undefined) {
    notes.tell("added", ["body"], "trigger", "manual: the app keeps its times elsewhere. Say them with --set schedule='0 9 * * 1-5'");
    return { use: "manual" };
  }
  const zone = bindings.set.get("zone");
  notes.tell("translated", ["body"], "trigger", "--set schedule");
  return { use: "cron", with: { schedule, ...(zone === undefined ? {} : { zone }) } };
}
