// The LoopSpec of harness-rs as a dialect: a round with a maker, a checker that only speaks, and a level.
import * as z from "zod";
import type { Path } from "../spec/path.ts";
import { defineDialect, type Putting } from "./define-dialect.ts";
import { modelPartOf, whereIs } from "./models.ts";
import type { RuleComplaint } from "./placed-problems.ts";
import { intentOf, interval, type PartValue, putMaker, putName, putTask, putTest } from "./putting.ts";
import type { SpecValue } from "./translation.ts";
import { type Fields, textOf } from "./values.ts";

const tokens = z.int().min(0).nullable().optional();

const LoopSpec = z.looseObject({
  name: z.string().min(1),
  intent: z.string().min(1),
  level: z.enum(["l1-report", "l2-assisted", "l3-unattended"]),
  cadence: z.string(),
  budget: z.looseObject({
    max_input_tokens: tokens,
    max_output_tokens: tokens,
    max_total_tokens: tokens,
    max_iters_per_round: z.int().min(1),
  }),
  maker_prompt: z.string(),
  checker_prompt: z.string(),
  action_kind: z.string(),
});
type LoopSpec = z.infer<typeof LoopSpec>;

export const harnessRs = defineDialect<LoopSpec>({
  name: "harness-rs",
  title: "a LoopSpec of harness-rs",
  written: "plain",
  mentioned: /maker_prompt|checker_prompt|action_kind/,
  looksLike: (root) => ["maker_prompt", "checker_prompt", "action_kind"].some((key) => Object.hasOwn(root, key)),
  form: () => "harness-rs LoopSpec",
  schema: LoopSpec,
  rules: brokenRules,
  standing: [["action_kind", "inert", "a word for a gate of the program; what moves here is in `act`, which the file cannot know"]],
  put,
});

/** `daily HH:MM`, `weekly DAY HH:MM` or `every N` with s, m, h or d. */
const CADENCE = /^(?:daily (?<daily>\d{1,2}:\d{2})|weekly (?<day>[A-Za-z]{3,9}) (?<weekly>\d{1,2}:\d{2})|every (?<every>\d+[smhd]))$/;
const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

interface Cadence {
  readonly every?: string;
  readonly at?: string;
  readonly on?: string;
}

function cadenceOf(text: string): Cadence | undefined {
  const { daily, day, weekly, every } = CADENCE.exec(text)?.groups ?? {};
  if (every !== undefined) return interval(every) === undefined ? undefined : { every };
  const time = daily ?? weekly;
  const [hours = 99, minutes = 99] = (time ?? "").split(":").map(Number);
  if (time === undefined || hours > 23 || minutes > 59) return undefined;
  const at = time.padStart(5, "0");
  if (day === undefined) return { at };
  const on = DAYS.find((name) => [name, name.slice(0, 3)].includes(day.toLowerCase()));
  return on === undefined ? undefined : { at, on: on.slice(0, 3) };
}

function brokenRules(root: Fields): readonly RuleComplaint[] {
  const cadence = textOf(root.cadence);
  return cadence === undefined || cadenceOf(cadence) !== undefined
    ? []
    : [
        {
          code: "cadence",
          path: ["cadence"],
          about: "value",
          problem: "is no cadence, for which harness-rs would drop the loop",
          instead: "Write daily 09:00, weekly mon 09:00 or every 10m.",
        },
      ];
}

function put(loop: LoopSpec, at: Putting): SpecValue | undefined {
  const { notes } = at;
  const isReport = loop.level === "l1-report";
  const maker = putMaker(["maker_prompt"], at);
  const task = putTask(loop.maker_prompt.trim() === "" ? loop.intent : loop.maker_prompt, ["maker_prompt"], at);
  const checks = checksOf(loop, isReport, at);
  const trigger = triggerOf(loop, at);
  tellLevel(loop, at);
  notes.tell("translated", ["intent"], "intent");
  if (maker === undefined || task === undefined || checks === undefined || trigger === undefined) return undefined;
  return {
    name: putName(loop.name, ["name"], at),
    intent: intentOf(loop.intent),
    level: "L2",
    task: isReport ? `${task}\n\nWrite what you found into report.md.` : task,
    ...(isReport ? { document: { files: ["*.md"] } } : {}),
    trigger,
    maker,
    verifiers: checks,
    budget: budgetOf(loop, at),
  };
}

/** Its gate is in a program: without that nothing there ever acts alone. */
function tellLevel({ level }: LoopSpec, { notes }: Putting): void {
  const [kind, to, why] = LEVELS[level];
  notes.tell(kind, ["level"], to, why);
}

const LEVELS = {
  "l1-report": ["translated", "document", "its report is a document of the loop's own, and no file of the target changes"],
  "l2-assisted": ["translated", "level", "L2"],
  "l3-unattended": ["tightened", "level", "L2: which gate lets it act alone is not in the file. For L3 add an allowlist to gate.all"],
} as const;

/** Its checker was the maker's own model, and could not say no. Here it is another one, and can. */
function checksOf(loop: LoopSpec, isReport: boolean, at: Putting): readonly PartValue[] | undefined {
  const { bindings, notes } = at;
  const path: Path = ["checker_prompt"];
  const opinion = loop.checker_prompt.trim() === "" ? [] : judgeOf(loop.checker_prompt, path, at);
  if (loop.checker_prompt.trim() === "") notes.tell("inherent", path, "", "nothing is asked of a checker");
  if (opinion === undefined) return undefined;
  if (isReport && bindings.test === undefined && opinion.length > 0) return opinion;
  const proof = putTest(
    ["maker_prompt"],
    at,
    isReport ? "what proves the report?" : "what proves the change? A checker that speaks proves nothing.",
  );
  return proof === undefined ? undefined : [...proof, ...opinion];
}

function judgeOf(prompt: string, path: Path, { bindings, notes }: Putting): readonly PartValue[] | undefined {
  const [provider, ...name] = (bindings.set.get("judge") ?? "").split(":");
  if (provider === undefined || provider === "" || name.length === 0) {
    notes.tell("asked", path, "", "which other model judges it? Say it with --set judge=anthropic:MODEL");
    return undefined;
  }
  const part = modelPartOf({ provider, name: name.join(":") }, bindings);
  if (part === undefined) {
    notes.tell("asked", path, "", whereIs(provider));
    return undefined;
  }
  notes.tell("tightened", path, "verifiers", "a judge of another model: it can refuse, and no answer is no agreement");
  return [{ use: "judge", with: { ...part, lookFor: prompt.trim().slice(0, LONGEST_LOOK).toWellFormed() } }];
}

const LONGEST_LOOK = 2000;

function triggerOf({ cadence }: LoopSpec, { bindings, notes }: Putting): PartValue | undefined {
  const read = cadenceOf(cadence);
  if (read?.every !== undefined) {
    notes.tell("translated", ["cadence"], "trigger");
    return { use: "every", with: { interval: read.every } };
  }
  const zone = bindings.set.get("zone");
  if (zone === undefined) {
    notes.tell("asked", ["cadence"], "", "in which time zone? There it is that of the machine. Say it with --set zone=Europe/Berlin");
    return undefined;
  }
  notes.tell("translated", ["cadence"], "trigger", `--set zone=${zone}`);
  return read?.on === undefined
    ? { use: "daily", with: { at: read?.at, zone } }
    : { use: "weekly", with: { on: read.on, at: read.at, zone } };
}

/** A round there is a run here: maker and checker once, and no second try. */
function budgetOf({ budget }: LoopSpec, { notes }: Putting): object {
  const limits = (["max_total_tokens", "max_input_tokens", "max_output_tokens"] as const).flatMap((key) => {
    const most = budget[key];
    if (most === undefined) return [];
    if (most === null || most === 0) {
      notes.tell(
        most === null ? "inherent" : "tightened",
        ["budget", key],
        "budget.tokens",
        most === null ? "no limit of its own" : "at least one token",
      );
      return most === null ? [] : [1];
    }
    notes.tell(
      key === "max_total_tokens" ? "translated" : "tightened",
      ["budget", key],
      "budget.tokens",
      key === "max_total_tokens" ? "looked at before each call" : "for all tokens together",
    );
    return [most];
  });
  notes.tell("translated", ["budget", "max_iters_per_round"], "budget.calls", "for maker and checker each");
  notes.tell("added", ["budget"], "budget.rounds", "1: nothing there is tried twice");
  return {
    rounds: 1,
    calls: Math.min(budget.max_iters_per_round * 2, 1_000_000),
    ...(limits.length > 0 ? { tokens: String(Math.min(...limits)) } : {}),
  };
}
