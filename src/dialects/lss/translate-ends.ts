// Metrics, ends, feedback and improvement of a document as ours.
import type { Path } from "../../spec/path.ts";
import { fieldsOf } from "../values.ts";
import type { LssDocument } from "./document.ts";
import { checkName, metricName, workerName } from "./our-names.ts";
import { isTeam, type Translating, thenDo } from "./translating.ts";

/** The ids are those of the verifiers that became of the evaluators. */
export function translateEnds(at: Translating, ids: ReadonlySet<string>): object {
  const measured = metrics(at, ids);
  return { ...measured, ...until(at, new Set(Object.keys(measured.metrics ?? {}))), ...feedback(at, ids), ...improve(at) };
}

const TELEMETRY: { readonly [signal: string]: string } = {
  cost: "run.usd",
  cost_usd: "run.usd",
  tokens: "run.tokens",
  token_count: "run.tokens",
  iteration: "run.rounds",
  iterations: "run.rounds",
  latency: "round.time",
  safety: "round.findings",
};

type Metric = LssDocument["metrics"][number];

function metrics(at: Translating, ids: ReadonlySet<string>): { readonly metrics?: object } {
  const { document, native, notes } = at;
  if (!native.has("metrics")) {
    notes.tell("lost", ["metrics"], "", "no counterpart yet: rounds are not measured");
    return {};
  }
  const entries = document.metrics.flatMap((metric, index) => {
    const path = ["metrics", index];
    const from = sourceOf(metric, at, ids);
    if (from === undefined) {
      notes.tell("lost", path, "", "nothing of ours gives this figure of its source: it is not known, which is never success");
      return [];
    }
    notes.tell("translated", path, `metrics.${metricName(metric.name)}`, howOf(metric, from));
    return [[metricName(metric.name), metricOf(metric, from)] as const];
  });
  return entries.length === 0 ? {} : { metrics: Object.fromEntries(entries) };
}

function howOf({ unit, source }: Metric, from: string): string {
  if (source.startsWith("workers.")) return `${from}: the field of its JSON that has this name, and not known where there is none`;
  return unit === "percent" ? "as a share of 1" : "";
}

const metricOf = (metric: Metric, from: string): object => ({
  from,
  ...(metric.primary === undefined ? {} : { primary: metric.primary }),
  ...(["usd", "seconds", "tokens"].includes(metric.unit) || from === "round.findings" ? { better: "lower" } : {}),
  ...(metric.target === undefined ? {} : { target: asShare(metric.target, metric) }),
  ...(metric.regression_threshold === undefined ? {} : { mayDrop: asShare(metric.regression_threshold, metric) }),
});

/** Scores of ours are from 0 to 1. */
const asShare = (value: number, { unit }: Pick<Metric, "unit">): number => (unit === "percent" ? value / 100 : value);

function sourceOf({ name: metric, source, unit }: Metric, at: Translating, ids: ReadonlySet<string>): string | undefined {
  const { document } = at;
  const [list, ...rest] = source.split(".");
  const name = rest.join(".");
  if (list === "telemetry") return Object.hasOwn(TELEMETRY, name) ? TELEMETRY[name] : undefined;
  const worker = list === "workers" ? document.workers.find(({ id }) => id === name) : undefined;
  if (worker)
    return isTeam(at) && at.native.has("feedback.to") && worker.outputs.format === "json" ? `${workerName(name)}.${metric}` : undefined;
  if (list !== "evaluators") return undefined;
  const check = checkName(name, document);
  if (!ids.has(check)) return undefined;
  const evaluator = document.evaluators.find(({ id }) => id === name);
  const implementation = evaluator?.type === "deterministic" ? evaluator.implementation.replace(/^evaluators\./, "") : "";
  if (implementation === "word_count_max" && unit === "count") return `${check}.words`;
  if (implementation.startsWith("citation_") && unit === "count") return `${check}.citations`;
  return check;
}

/** Conditions have no exponents. */
function inDigits(value: number): string {
  if (!String(value).includes("e")) return String(value);
  return Math.abs(value) > 1 ? BigInt(value).toString() : value.toFixed(100).replace(/\.?0+$/, "");
}

const OPERATORS = { gte: ">=", lte: "<=", eq: "==", gt: ">", lt: "<" } as const;
const FAILURES: { readonly [type: string]: string } = {
  safety_violation: "safety",
  evaluator_error: "cannot-verify",
  human_rejected: "rejected",
};

function until({ document, native, notes }: Translating, measured: ReadonlySet<string>): { readonly until?: object } {
  const ends = document.termination_conditions;
  if (!native.has("until")) {
    for (const list of ["success", "stall"] as const)
      if ((ends[list] ?? []).length > 0)
        notes.tell("lost", ["termination_conditions", list], "", "no counterpart yet: a round is enough when every verifier holds");
    for (const [index, { type }] of (ends.failure ?? []).entries())
      if (Object.hasOwn(FAILURES, type)) notes.tell("inherent", ["termination_conditions", "failure", index], "", "ends every run of ours");
    return {};
  }
  const known = new Map(document.metrics.map((metric) => [metric.name, metric]));
  const success = (ends.success ?? []).flatMap(({ metric, operator, value, consecutive }, index) => {
    if (!measured.has(metricName(metric))) return unmeasured(["termination_conditions", "success", index], notes);
    notes.tell("tightened", ["termination_conditions", "success", index], "until.success", "all of these, and every verifier holds");
    const unit = known.get(metric)?.unit ?? "ratio";
    return [{ when: `${metricName(metric)} ${OPERATORS[operator]} ${inDigits(asShare(value, { unit }))}`, ...times(consecutive) }];
  });
  const fail = (ends.failure ?? []).flatMap(({ type, action, consecutive }, index) => {
    const path = ["termination_conditions", "failure", index];
    const on = FAILURES[type];
    if (on === undefined) return [];
    const retries = action === "retry_iteration";
    if (retries && type !== "evaluator_error")
      notes.tell("tightened", [...path, "action"], "until.fail", "it is not tried again: a person looks");
    else notes.tell("translated", path, "until.fail");
    return [{ on, ...times(retries && type === "evaluator_error" ? (consecutive ?? 1) + 1 : consecutive), ...thenDo(thenOf(action)) }];
  });
  const stall = (ends.stall ?? []).flatMap(({ metric, window_iterations, min_improvement, action }, index) => {
    if (!measured.has(metricName(metric))) return unmeasured(["termination_conditions", "stall", index], notes);
    notes.tell(
      "tightened",
      ["termination_conditions", "stall", index],
      "until.stall",
      "the best of the last rounds against the best before them",
    );
    const unit = known.get(metric)?.unit ?? "ratio";
    const gain = asShare(min_improvement, { unit });
    return [{ metric: metricName(metric), rounds: Math.min(window_iterations, 1000), gain, ...thenDo(thenOf(action)) }];
  });
  const said = { ...(success.length > 0 ? { success } : {}), ...(fail.length > 0 ? { fail } : {}), ...(stall.length > 0 ? { stall } : {}) };
  return Object.keys(said).length === 0 ? {} : { until: said };
}

function unmeasured(path: Path, notes: Translating["notes"]): readonly never[] {
  notes.tell("lost", path, "", "its metric is not known here");
  return [];
}

const times = (consecutive: number | undefined): object =>
  consecutive === undefined || consecutive === 1 ? {} : { times: Math.min(consecutive, 100) };

/** Where nothing is said, it is halted: that is what the standard's samples mean. */
const thenOf = (action: string | undefined): "halt" | "escalate" => (action === undefined || action === "halt" ? "halt" : "escalate");

const FIELDS: { readonly [field: string]: string } = {
  failure_codes: "codes",
  dimension_scores: "dimensions",
  score: "scores",
  remediation_hints: "hints",
  passed: "passed",
  raw_output: "raw",
  summary: "raw",
};
const ALL_FIELDS = ["passed", "scores", "codes", "hints"];
const MOST_TOKENS = 20_000;

type Channel = LssDocument["feedback_channels"][number];

function feedback(at: Translating, ids: ReadonlySet<string>): { readonly feedback?: object } {
  const { document, native, notes } = at;
  const isOne = document.workers.length === 1;
  const entries = document.feedback_channels.flatMap((channel, index) => {
    const path = ["feedback_channels", index];
    const source = channel.source.replace(/^(evaluators|workers)\./, "");
    const from = channel.source.startsWith("evaluators.") ? checkName(source, document) : workerName(source);
    const isImproving = channel.destination.startsWith("optimization_strategy");
    if (!native.has("feedback")) {
      if (isOne && !isImproving && channel.source.startsWith("evaluators."))
        notes.tell("inherent", path, "", "what refused a round is told to the maker in the next");
      else notYet(path, channel.destination, notes);
      return [];
    }
    if (
      isTeam(at) &&
      document.evaluators.some(({ id, ...one }) => id === source && "implementation" in one && /schema_validate$/.test(one.implementation))
    ) {
      notes.tell("inherent", path, "team.workers", "a try that is off its schema is told why in the next");
      return [];
    }
    const isWorker = channel.source.startsWith("workers.") && isTeam(at) && native.has("feedback.to");
    if (!ids.has(from) && !isWorker) {
      notes.tell("lost", path, "", "who should tell is no verifier of ours");
      return [];
    }
    const to = receiverOf(channel, at);
    if (to === undefined) {
      notYet(path, channel.destination, notes);
      return [];
    }
    if (channel.format === "human_queue") notes.tell("lost", [...path, "format"], "", "a person is told what waits for them in the inbox");
    if (channel.format === "template") notes.tell("lost", [...path, "format"], "", "it is told as it is, not by a template");
    notes.tell("translated", path, "feedback", isImproving ? "what is told is what it is improved by" : "");
    return [{ from, to, ...(isWorker ? saidBy(channel, path, notes) : toldOf(channel)), path }];
  });
  for (const { path } of entries.slice(MOST_CHANNELS)) notes.tell("lost", path, "", `ours has at most ${MOST_CHANNELS} channels`);
  return entries.length === 0 ? {} : { feedback: entries.slice(0, MOST_CHANNELS).map(({ path: _, ...entry }) => entry) };
}

const MOST_CHANNELS = 20;

/** A worker has neither a score nor does it pass: what it handed over is told whatever is asked for. */
function saidBy(channel: Channel, path: Path, notes: Translating["notes"]): object {
  const { when, most } = fieldsOf(toldOf(channel));
  const isAnswered = typeof when !== "string" || !/\b(score|threshold|passed)\b/.test(when);
  if (!isAnswered) notes.tell("tightened", [...path, "when"], "feedback", "a worker has no score: it is always told");
  return { tell: ["raw"], ...(most === undefined ? {} : { most }), ...(when === undefined || !isAnswered ? {} : { when }) };
}

/** Refining is telling: what goes to the refinement goes to its target, where nothing else refines. */
function receiverOf({ destination }: Channel, at: Translating): string | undefined {
  const { workers, optimization_strategy: strategy } = at.document;
  if (at.native.has("improve") && destination.startsWith("optimization_strategy"))
    return strategy.type === "manual" ? undefined : "improve";
  const isRefined = strategy.type === "prompt_refinement";
  const target = destination.startsWith("workers.") ? destination : isRefined ? strategy.config?.refinement_target : undefined;
  if (workers.length === 1 && !(isTeam(at) && at.native.has("feedback.to")))
    return target === undefined && !isRefined ? undefined : "maker";
  if (target === undefined || !at.native.has("feedback.to")) return undefined;
  return workerName(target.replace(/^workers\./, ""));
}

const toldOf = ({ fields, max_tokens, when }: Channel): object => ({
  tell: fields === undefined ? ALL_FIELDS : [...new Set(fields.map((field) => FIELDS[field] ?? "raw"))],
  ...(max_tokens === undefined ? {} : { most: Math.min(max_tokens, MOST_TOKENS) }),
  ...(when === undefined
    ? {}
    : {
        when: when
          .replaceAll(/\bpass_threshold\b/g, "threshold")
          .replaceAll(/\biteration\b/g, "round")
          .replace(/^passed == false$/, "not passed"),
      }),
});

function notYet(path: Path, destination: string, notes: Translating["notes"]): void {
  if (destination.startsWith("optimization_strategy"))
    notes.tell("inert", path, "", "it goes to the improvement, which has no counterpart yet");
  else notes.tell("lost", path, "", "no counterpart yet: lessons go to whoever makes, not to one worker");
}

const IMPROVERS: { readonly [type: string]: string } = {
  prompt_refinement: "refine",
  parameter_search: "search",
  memory_update: "notebook",
  structural: "propose",
};
const MOST_STEPS = 100;
const MOST_KEPT = 20;

function improve(at: Translating): { readonly improve?: object } {
  const { document, native, notes } = at;
  const { type, max_steps, config, rollback } = document.optimization_strategy;
  const path = ["optimization_strategy"];
  if (type === "manual") {
    notes.tell("inherent", path, "", "nothing changes by itself");
    return {};
  }
  const use = IMPROVERS[type];
  if (!native.has("improve") || use === undefined) {
    if (type === "prompt_refinement")
      notes.tell(
        "inherent",
        path,
        "",
        "what refused a round is added to what the next is told, and gone with the run: nothing is left to roll back",
      );
    else notes.tell("lost", path, "", `no counterpart yet: nothing of ours does ${type}`);
    return {};
  }
  const space = type === "parameter_search" ? spaceOf(at) : undefined;
  if (type === "parameter_search" && space === undefined) {
    notes.tell("lost", path, "", "nothing is searched for");
    notes.tell(
      "lost",
      [...path, "config", "search_space"],
      "",
      "ours is a list of values for each option of a model, such as {temperature: [0, 0.5]}",
    );
    return {};
  }
  const isGated = config?.human_gate_on !== undefined && use !== "propose";
  if (isGated) notes.tell("tightened", [...path, "config", "human_gate_on"], "improve.use", "propose: every change is a person's to make");
  notes.tell("translated", path, "improve", isGated ? "" : "for this run alone");
  if (rollback?.on_safety_failure === false)
    notes.tell("tightened", [...path, "rollback", "on_safety_failure"], "improve.undo", "after anything unsafe a change is always undone");
  return {
    improve: {
      use: isGated ? "propose" : use,
      ...targetsOf(at),
      steps: Math.min(max_steps, MOST_STEPS),
      ...(config?.preserve_sections === undefined
        ? {}
        : { keep: config.preserve_sections.slice(0, MOST_KEPT).map((one) => one.slice(0, 80)) }),
      ...(space === undefined ? {} : { space }),
      ...(rollback?.on_metric_drop === undefined ? {} : { undo: { drop: rollback.on_metric_drop } }),
    },
  };
}

function targetsOf(at: Translating): { readonly of?: readonly string[] } {
  const { config } = at.document.optimization_strategy;
  const targets = [config?.refinement_target, ...(config?.secondary_targets ?? [])].flatMap(
    (target) => target?.replace(/^workers\./, "") ?? [],
  );
  if (targets.length === 0) return {};
  return { of: isTeam(at) ? [...new Set(targets.map(workerName))] : ["maker"] };
}

/** Lists of plain values for options that the models of its workers have; undefined where there is anything else. */
function spaceOf({ document, native }: Translating): object | undefined {
  const entries = Object.entries(document.optimization_strategy.config?.search_space ?? {});
  const options = entries.map(([name, values]) => {
    const [, worker, option = ""] = /^(?:workers\.)?(?:([a-z][a-z0-9_-]*)\.)?(\w+)$/.exec(name) ?? [];
    const isKnown = ["openai-compatible", "anthropic"].every((part) => native.part(part, option));
    const isList = Array.isArray(values) && values.length >= 2 && values.length <= 50 && values.every((value) => typeof value !== "object");
    return isKnown && isList ? ([worker === undefined ? option : `${workerName(worker)}.${option}`, values] as const) : undefined;
  });
  return options.length === 0 || options.includes(undefined) ? undefined : Object.fromEntries(options.flatMap((one) => (one ? [one] : [])));
}
