// Metrics, ends, feedback and improvement of a document as ours.
import { TAKEN_WORDS } from "../../contract/measuring.ts";
import type { Path } from "../../spec/path.ts";
import type { LssDocument } from "./document.ts";
import { type Translating, thenDo } from "./translating.ts";

/** The ids are those of the verifiers that became of the evaluators. */
export function translateEnds(at: Translating, ids: ReadonlySet<string>): object {
  const measured = metrics(at, ids);
  return { ...measured, ...until(at, new Set(Object.keys(measured.metrics ?? {}))), ...feedback(at, ids), ...improve(at), ...notebook(at) };
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

function metrics({ document, native, notes }: Translating, ids: ReadonlySet<string>): { readonly metrics?: object } {
  if (!native.has("metrics")) {
    notes.tell("lost", ["metrics"], "", "no counterpart yet: rounds are not measured");
    return {};
  }
  const entries = document.metrics.flatMap((metric, index) => {
    const path = ["metrics", index];
    const from = sourceOf(metric, document, ids);
    if (from === undefined) {
      notes.tell("lost", [...path, "source"], "", "nothing of ours gives this figure: it is not known, which is never success");
      return [];
    }
    notes.tell("translated", path, `metrics.${ourName(metric.name)}`, metric.unit === "percent" ? "as a share of 1" : "");
    return [[ourName(metric.name), metricOf(metric, from)] as const];
  });
  return entries.length === 0 ? {} : { metrics: Object.fromEntries(entries) };
}

const metricOf = (metric: Metric, from: string): object => ({
  from,
  ...(metric.primary === undefined ? {} : { primary: metric.primary }),
  ...(metric.target === undefined ? {} : { target: asShare(metric.target, metric) }),
  ...(metric.regression_threshold === undefined ? {} : { mayDrop: asShare(metric.regression_threshold, metric) }),
});

/** Scores of ours are from 0 to 1. */
const asShare = (value: number, { unit }: Pick<Metric, "unit">): number => (unit === "percent" ? value / 100 : value);

function sourceOf({ source, unit }: Metric, { evaluators }: LssDocument, ids: ReadonlySet<string>): string | undefined {
  const [list, ...rest] = source.split(".");
  const name = rest.join(".");
  if (list === "telemetry") return Object.hasOwn(TELEMETRY, name) ? TELEMETRY[name] : undefined;
  if (list !== "evaluators") return undefined;
  if (!ids.has(name)) return undefined;
  const evaluator = evaluators.find(({ id }) => id === name);
  const implementation = evaluator?.type === "deterministic" ? evaluator.implementation.replace(/^evaluators\./, "") : "";
  if (implementation === "word_count_max" && unit === "count") return `${name}.words`;
  if (implementation.startsWith("citation_") && unit === "count") return `${name}.citations`;
  return name;
}

const ourName = (name: string): string => (TAKEN_WORDS.includes(name) ? `${name}_metric` : name);

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
    if (!measured.has(ourName(metric))) return unmeasured(["termination_conditions", "success", index], notes);
    notes.tell("tightened", ["termination_conditions", "success", index], "until.success", "all of these, and every verifier holds");
    const unit = known.get(metric)?.unit ?? "ratio";
    return [{ when: `${ourName(metric)} ${OPERATORS[operator]} ${asShare(value, { unit })}`, ...times(consecutive) }];
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
    if (!measured.has(ourName(metric))) return unmeasured(["termination_conditions", "stall", index], notes);
    notes.tell(
      "tightened",
      ["termination_conditions", "stall", index],
      "until.stall",
      "the best of the last rounds against the best before them",
    );
    const unit = known.get(metric)?.unit ?? "ratio";
    const gain = asShare(min_improvement, { unit });
    return [{ metric: ourName(metric), rounds: Math.min(window_iterations, 1000), gain, ...thenDo(thenOf(action)) }];
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
  dimension_scores: "scores",
  score: "scores",
  remediation_hints: "hints",
  passed: "passed",
  raw_output: "raw",
  summary: "raw",
};
const ALL_FIELDS = ["passed", "scores", "codes", "hints"];
const MOST_TOKENS = 20_000;

type Channel = LssDocument["feedback_channels"][number];

function feedback({ document, native, notes }: Translating, ids: ReadonlySet<string>): { readonly feedback?: object } {
  const isOne = document.workers.length === 1;
  const entries = document.feedback_channels.flatMap((channel, index) => {
    const path = ["feedback_channels", index];
    const from = channel.source.replace(/^evaluators\./, "");
    const isImproving = channel.destination.startsWith("optimization_strategy");
    if (!native.has("feedback")) {
      if (isOne && !isImproving && channel.source.startsWith("evaluators."))
        notes.tell("inherent", path, "", "what refused a round is told to the maker in the next");
      else notYet(path, channel.destination, notes);
      return [];
    }
    if (!ids.has(from)) {
      notes.tell("lost", path, "", "who should tell is no verifier of ours");
      return [];
    }
    const to = receiverOf(channel, document);
    if (to === undefined) {
      notYet(path, channel.destination, notes);
      return [];
    }
    if (channel.format === "human_queue") notes.tell("lost", [...path, "format"], "", "a person is told what waits for them in the inbox");
    if (channel.format === "template") notes.tell("lost", [...path, "format"], "", "it is told as it is, not by a template");
    notes.tell("translated", path, "feedback", isImproving ? "to whoever is refined: what is told is what is added to their brief" : "");
    return [{ from, to, ...toldOf(channel) }];
  });
  return entries.length === 0 ? {} : { feedback: entries.slice(0, 20) };
}

/** Refining is telling: what goes to the refinement goes to its target. */
function receiverOf({ destination }: Channel, { workers, optimization_strategy: { type, config } }: LssDocument): string | undefined {
  const target = destination.startsWith("workers.") ? destination : type === "prompt_refinement" ? config?.refinement_target : undefined;
  if (workers.length === 1) return target === undefined && type !== "prompt_refinement" ? undefined : "maker";
  return target?.replace(/^workers\./, "");
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
  structural: "propose",
};

function improve({ document, native, notes }: Translating): { readonly improve?: object } {
  const { type, max_steps, config, rollback } = document.optimization_strategy;
  const path = ["optimization_strategy"];
  if (type === "manual") {
    notes.tell("inherent", path, "", "nothing changes by itself");
    return {};
  }
  if (!native.has("improve")) {
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
  const use = IMPROVERS[type];
  if (use === undefined) {
    notes.tell("lost", path, "", "what is learned goes to the notebook, where there is one");
    return {};
  }
  const of = [config?.refinement_target, ...(config?.secondary_targets ?? [])].flatMap((target) => target?.replace(/^workers\./, "") ?? []);
  notes.tell("translated", path, "improve", "for this run alone");
  return {
    improve: {
      use,
      ...(of.length > 0 ? { of } : {}),
      steps: max_steps,
      ...(config?.preserve_sections === undefined ? {} : { keep: config.preserve_sections }),
      ...(rollback === undefined
        ? {}
        : {
            undo: {
              ...(rollback.on_metric_drop === undefined ? {} : { drop: rollback.on_metric_drop }),
              ...(rollback.on_safety_failure === undefined ? {} : { safety: rollback.on_safety_failure }),
            },
          }),
    },
  };
}

function notebook({ document, native, notes }: Translating): { readonly notebook?: object } {
  const { type, backend, retention, write_policy, read_policy } = document.memory;
  if (backend !== undefined && backend !== null) notes.tell("inert", ["memory", "backend"], "", "where notes are kept is the home");
  if (type === "ephemeral") {
    notes.tell("translated", ["memory"], "", "nothing is kept from one round for the next but lessons");
    return {};
  }
  const isUsed =
    write_policy?.allowed_writers !== undefined ||
    document.workers.some(({ inputs }) => inputs.some(({ from }) => from.startsWith("memory.")));
  if (!isUsed) {
    notes.tell("inert", ["memory"], "", "nobody writes to it or reads it");
    return {};
  }
  if (!native.has("notebook")) {
    notes.tell("lost", ["memory"], "", "no counterpart yet: notes have no names, writers and readers");
    return {};
  }
  const writers = document.workers.filter(({ id }) => write_policy?.allowed_writers?.includes(id));
  const keys = Object.fromEntries(
    writers.map(({ id, outputs }) => {
      const key = snakeCase(outputs.name);
      const readers = Object.entries(read_policy ?? {}).flatMap(([reader, allowed]) => (allowed.includes(key) ? [reader] : []));
      return [
        key,
        {
          writes: [id],
          ...(readers.length > 0 ? { reads: readers } : {}),
          ...(write_policy?.max_entries === undefined ? {} : { most: write_policy.max_entries }),
          ...(retention?.unit === "iteration" ? { rounds: Math.floor(retention.value) } : {}),
          ...(retention !== undefined && retention.unit !== "iteration"
            ? { age: `${retention.value}${retention.unit === "hour" ? "h" : "d"}` }
            : {}),
        },
      ] as const;
    }),
  );
  notes.tell("translated", ["memory"], "notebook", "what a writer gives is kept under the name of its output");
  return { notebook: { keep: type === "session" ? "run" : "loop", keys } };
}

const snakeCase = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();
