// The twelve rules that the standard states in prose, and that every name in a document names something.
import { secretsUnder } from "../../guard/secrets/redact.ts";
import { type Path, quoted } from "../../spec/path.ts";
import { closest } from "../../std/closest.ts";
import type { RuleComplaint } from "../placed-problems.ts";
import { type Fields, fieldsOf, listOf, numberOf, textOf, textsAt } from "../values.ts";
import { circlesOf } from "./circles.ts";
import { isAddress, isElsewhere, referencesIn } from "./references.ts";
import type { Entry, Sketch } from "./sketch.ts";

interface Rule {
  readonly code: string;
  readonly find: (sketch: Sketch) => readonly Omit<RuleComplaint, "code">[];
}

/** Every complaint of every rule, in the order of the rules. */
export const brokenRules = (sketch: Sketch): readonly RuleComplaint[] =>
  RULES.flatMap(({ code, find }) => find(sketch).map((complaint) => ({ code, ...complaint })));

/** What is allowed, and probably not meant or not kept. */
export const lssDoubts = (sketch: Sketch): readonly RuleComplaint[] =>
  DOUBTS.flatMap(({ code, find }) => find(sketch).map((complaint) => ({ code, ...complaint })));

const RULES: readonly Rule[] = [
  {
    code: "ids-unique",
    find: ({ workers, evaluators, channels, metrics, constraints, children }) =>
      [workers, evaluators, channels, metrics, constraints, children].flatMap(twice),
  },
  {
    code: "depends-on-acyclic",
    find: ({ workers }) =>
      circlesOf(workers.flatMap((worker) => (worker.name === undefined ? [] : [{ name: worker.name, after: dependsOn(worker) }]))).flatMap(
        (circle) => {
          const first = workers.find(({ name }) => name === circle[0]);
          const way = [...circle, circle[0]].slice(0, MOST_TOLD).join(" -> ");
          return first ? [complain([...first.path, "depends_on"], `waits for itself: ${quoted(way)}`, "Take one of these out.")] : [];
        },
      ),
  },
  {
    code: "feedback-ends-exist",
    find: (sketch) => sketch.channels.flatMap((channel) => feedbackEnds(channel, sketch)),
  },
  {
    code: "metric-source-exists",
    find: ({ metrics, names }) =>
      metrics.flatMap(({ path, fields }) => namedBy(textOf(fields.source), [...path, "source"], ["evaluators", "workers"], names)),
  },
  {
    code: "one-primary-metric",
    find({ root, metrics }) {
      if (!Array.isArray(root.metrics) || metrics.length === 0) return [];
      const primary = metrics.filter(({ fields }) => fields.primary === true);
      if (primary.length === 0) return [complain(["metrics"], "none of them is primary", "Write `primary: true` on the one that counts.")];
      return primary
        .slice(1)
        .map(({ path }) => complain([...path, "primary"], "is the second primary metric, and there is one", "Leave it out here."));
    },
  },
  {
    code: "applies-to-exists",
    find: ({ constraints, names }) =>
      constraints.flatMap(({ path, fields }) =>
        textsAt(fields.applies_to, [...path, "applies_to"]).flatMap(({ text, path: at }) => ofWorkers(text, at, names)),
      ),
  },
  {
    code: "bounded",
    find({ root }) {
      const ends = fieldsOf(root.termination_conditions);
      if (root.termination_conditions === undefined || Array.isArray(root.termination_conditions)) return [];
      const isBounded = listOf(ends.failure).some((end) => {
        const { type, value } = fieldsOf(end);
        return (type === "max_iterations" || type === "timeout") && numberOf(value) !== undefined;
      });
      if (isBounded) return [];
      return [
        complain(
          ["termination_conditions"],
          "nothing bounds the loop: a metric may never be met",
          "Add to `failure`, e.g. `{type: max_iterations, value: 8, action: halt}`.",
        ),
      ];
    },
  },
  {
    code: "worker-budgets-fit",
    find({ root, workers }) {
      const limit = numberOf(fieldsOf(root.cost_limits).cumulative_usd);
      const sum = workers.reduce((total, { fields }) => total + (numberOf(fields.cost_budget_usd) ?? 0), 0);
      if (limit === undefined || sum <= limit + 1e-9) return [];
      return [
        complain(
          ["cost_limits", "cumulative_usd"],
          `the workers' budgets add up to $${round(sum)}, and the loop has $${round(limit)}`,
          "Give the workers less, or the loop more.",
        ),
      ];
    },
  },
  {
    code: "no-secrets-in-examples",
    find: ({ root }) => [
      ...secretsIn(fieldsOf(root.inputs).examples, ["inputs", "examples"]),
      ...Object.entries(fieldsOf(fieldsOf(root.inputs).schema)).flatMap(([name, field]) =>
        secretsIn(fieldsOf(field).default, ["inputs", "schema", name, "default"]),
      ),
    ],
  },
  {
    code: "rubric-weights-add-up",
    find: ({ evaluators }) =>
      evaluators.flatMap(({ path, fields }) => {
        const dimensions = listOf(fieldsOf(fields.rubric).dimensions);
        const weights = dimensions.flatMap((dimension) => numberOf(fieldsOf(dimension).weight) ?? []);
        const sum = weights.reduce((total, weight) => total + weight, 0);
        if (weights.length === 0 || weights.length < dimensions.length || Math.abs(sum - 1) <= 0.001) return [];
        return [complain([...path, "rubric", "dimensions"], `the weights add up to ${round(sum)}, not to 1`, "Share out 1 among them.")];
      }),
  },
  {
    code: "tools-listed",
    find: ({ constraints, workers }) =>
      constraints.flatMap(({ path, fields }) => {
        if (fields.type !== "tool_allowlist") return [];
        const bound = boundBy(fields.applies_to, workers);
        const listed = new Set(bound.flatMap((worker) => textsAt(worker.fields.tools, []).map(({ text }) => text)));
        return ["tools", "allowed_tools", "allow"].flatMap((key) =>
          textsAt(fieldsOf(fields.config)[key], [...path, "config", key])
            .filter(({ text }) => !listed.has(text))
            .map(({ text, path: at }) =>
              complain(
                at,
                `allows ${quoted(text)}, which none of its workers lists`,
                "List it in the `tools` of the worker that needs it.",
              ),
            ),
        );
      }),
  },
  {
    code: "structural-needs-human",
    find({ root, constraints, evaluators }) {
      const { type, config } = fieldsOf(root.optimization_strategy);
      const isGated =
        Object.keys(fieldsOf(fieldsOf(config).human_gate_on)).length > 0 ||
        constraints.some(({ fields }) => fields.type === "human_gate") ||
        evaluators.some(({ fields }) => fields.type === "human");
      if (type !== "structural" || isGated) return [];
      return [
        complain(
          ["optimization_strategy", "type"],
          "a loop that changes its own structure needs a human's yes, and nobody is asked",
          "Add `config.human_gate_on`, a constraint of type human_gate, or an evaluator of type human.",
        ),
      ];
    },
  },
  { code: "names-exist", find: danglingNames },
  { code: "stays-here", find: referencesOutside },
];

const DOUBTS: readonly Rule[] = [
  {
    code: "unknown-at-root",
    find: ({ root }) =>
      Object.keys(root)
        .filter((key) => !KNOWN_AT_ROOT.has(key) && !key.startsWith("x_"))
        .map((key) => ({
          path: [key],
          about: "key" as const,
          problem: `${quoted(key)} is no field of the standard: it is kept, and means nothing`,
          instead: "Put what is yours into `extensions`, or under a key that begins with x_.",
        })),
  },
  {
    code: "reads-in-circle",
    find: ({ workers }) => {
      const known = workers.flatMap((worker) => (worker.name === undefined ? [] : [{ name: worker.name, after: readsOf(worker) }]));
      return circlesOf(known).flatMap((circle) => {
        const first = workers.find(({ name }) => name === circle[0]);
        const way = [...circle, circle[0]].slice(0, MOST_TOLD).join(" -> ");
        return first ? [complain([...first.path, "inputs"], `reads its own result: ${quoted(way)}`, "Read it from `memory` instead.")] : [];
      });
    },
  },
  {
    code: "example-fits",
    find: ({ root }) => {
      const fields = new Map(Object.entries(fieldsOf(fieldsOf(root.inputs).schema)).map(([name, field]) => [name, fieldsOf(field)]));
      if (fields.size === 0) return [];
      return listOf(fieldsOf(root.inputs).examples).flatMap((example, index) => {
        const path = ["inputs", "examples", index];
        const said = fieldsOf(example);
        const missed = [...fields].flatMap(([name, { required, default: usual }]) =>
          required === true && usual === undefined && said[name] === undefined
            ? [complain(path, `does not say ${quoted(name)}, which is required`, "Add it, or take the example out.")]
            : [],
        );
        const unfit = Object.entries(said).flatMap(([name, value]) => {
          const field = fields.get(name);
          if (field === undefined)
            return [complain([...path, name], "is no input", `There is: ${[...fields.keys()].slice(0, MOST_TOLD).join(", ")}.`)];
          return fits(value, field)
            ? []
            : [complain([...path, name], `is no ${String(field.type)} that the input takes`, "Write one that it takes.")];
        });
        return [...missed, ...unfit];
      });
    },
  },
  {
    code: "read-not-allowed",
    find: ({ root, workers }) => {
      const { read_policy } = fieldsOf(root.memory);
      if (read_policy === undefined) return [];
      return workers.flatMap(({ name, path, fields }) => {
        const allowed = textsAt(fieldsOf(read_policy)[name ?? ""], []).map(({ text }) => text);
        return listOf(fields.inputs).flatMap((input, index) => {
          const key = /^memory\.([^.]+)/.exec(textOf(fieldsOf(input).from) ?? "")?.[1];
          if (key === undefined || allowed.includes(key)) return [];
          return [
            complain(
              [...path, "inputs", index, "from"],
              `${quoted(key)} is not in its read_policy, and is denied`,
              "List it there, or leave it out.",
            ),
          ];
        });
      });
    },
  },
];

/** Lengths, bounds and patterns are looked at when a run is given the input. */
function fits(value: unknown, { type, values }: Fields): boolean {
  switch (type) {
    case "enum":
      return listOf(values).includes(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
    default:
      return true; // what is wrong with its type is told already
  }
}

const KNOWN_AT_ROOT: ReadonlySet<string> = new Set([
  "loop_name",
  "version",
  "objective",
  "inputs",
  "memory",
  "workers",
  "evaluators",
  "feedback_channels",
  "optimization_strategy",
  "termination_conditions",
  "metrics",
  "safety_constraints",
  "cost_limits",
  "extensions",
  "composition",
  "metadata",
]);

/** A circle is told up to here. */
const MOST_TOLD = 12;

function twice(entries: readonly Entry[]): readonly Omit<RuleComplaint, "code">[] {
  const seen = new Set<string>();
  return entries.flatMap(({ name, path }) => {
    if (name === undefined) return [];
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [complain(path, `${quoted(name)} is there twice`, "Give each a name of its own.")];
  });
}

const dependsOn = ({ fields }: Entry): readonly string[] => textsAt(fields.depends_on, []).map(({ text }) => text);

const readsOf = ({ fields }: Entry): readonly string[] =>
  listOf(fields.inputs).flatMap((input) => /^workers\.(.+)$/.exec(textOf(fieldsOf(input).from) ?? "")?.[1] ?? []);

function feedbackEnds({ path, fields }: Entry, { root, names }: Sketch): readonly Omit<RuleComplaint, "code">[] {
  const destination = textOf(fields.destination) ?? "";
  const strategy = /^optimization_strategy\.(.+)$/.exec(destination)?.[1];
  const { type } = fieldsOf(root.optimization_strategy);
  return [
    ...namedBy(textOf(fields.source), [...path, "source"], ["evaluators", "workers"], names),
    ...namedBy(destination, [...path, "destination"], ["workers"], names),
    ...(strategy !== undefined && typeof type === "string" && strategy !== type
      ? [
          complain(
            [...path, "destination"],
            `feeds ${quoted(strategy)}, and the strategy is ${quoted(type)}`,
            `Write \`optimization_strategy\` or \`optimization_strategy.${type.slice(0, 40)}\`.`,
          ),
        ]
      : []),
  ];
}

/** Names that no other rule looks at. */
function danglingNames({ root, workers, evaluators, names }: Sketch): readonly Omit<RuleComplaint, "code">[] {
  const memory = fieldsOf(root.memory);
  const ends = fieldsOf(root.termination_conditions);
  const config = fieldsOf(fieldsOf(root.optimization_strategy).config);
  return [
    ...workers.flatMap(({ path, fields }) => [
      ...textsAt(fields.depends_on, [...path, "depends_on"]).flatMap(({ text, path: at }) => missing(text, at, "workers", names)),
      ...listOf(fields.inputs).flatMap((input, index) =>
        namedBy(textOf(fieldsOf(input).from), [...path, "inputs", index, "from"], ["workers", "inputs"], names),
      ),
    ]),
    ...evaluators.flatMap(({ path, fields }) =>
      textsAt(fields.runs_after, [...path, "runs_after"]).flatMap(({ text, path: at }) => ofWorkers(text, at, names)),
    ),
    ...["success", "stall"].flatMap((list) =>
      listOf(ends[list]).flatMap((end, index) => {
        const metric = textOf(fieldsOf(end).metric);
        return metric === undefined ? [] : missing(metric, ["termination_conditions", list, index, "metric"], "metrics", names);
      }),
    ),
    ...textsAt(fieldsOf(memory.write_policy).allowed_writers, ["memory", "write_policy", "allowed_writers"]).flatMap(({ text, path }) =>
      ofWorkers(text, path, names),
    ),
    ...Object.keys(fieldsOf(memory.read_policy)).flatMap((reader) => ofWorkers(reader, ["memory", "read_policy", reader], names, "key")),
    ...namedBy(textOf(config.refinement_target), ["optimization_strategy", "config", "refinement_target"], ["workers"], names),
    ...textsAt(config.secondary_targets, ["optimization_strategy", "config", "secondary_targets"]).flatMap(({ text, path }) =>
      namedBy(text, path, ["workers"], names),
    ),
  ];
}

/** A document describes one loop on this machine: what it refers to lies beside it, and is never fetched. */
function referencesOutside({ root }: Sketch): readonly Omit<RuleComplaint, "code">[] {
  return referencesIn(root).flatMap(({ path, ref }) => {
    if (isAddress(ref))
      return [complain(path, "is an address, and nothing is fetched for a spec", "Save it beside the file, and write its path.")];
    return isElsewhere(ref) ? [complain(path, "is not a path below this file or its library", "Write a path such as `child.yaml`.")] : [];
  });
}

/** What `list.name` means, if the list is one of these. */
function namedBy(
  text: string | undefined,
  path: Path,
  lists: readonly ("workers" | "evaluators" | "inputs")[],
  names: Sketch["names"],
): readonly Omit<RuleComplaint, "code">[] {
  const [, list, name] = /^(workers|evaluators|inputs)\.([^.]+)/.exec(text ?? "") ?? [];
  const meant = lists.find((known) => known === list);
  return meant === undefined || name === undefined ? [] : missing(name, path, meant, names);
}

const ofWorkers = (text: string, path: Path, names: Sketch["names"], about: "key" | "value" = "value") =>
  text === "*" ? [] : missing(text, path, "workers", names).map((complaint) => ({ ...complaint, about }));

function missing(name: string, path: Path, list: keyof Sketch["names"], names: Sketch["names"]): readonly Omit<RuleComplaint, "code">[] {
  if (names[list].has(name)) return [];
  const known = [...names[list]].slice(0, MOST_COMPARED);
  const guess = closest(name, known);
  const instead = guess
    ? `Did you mean ${quoted(guess)}?`
    : known.length > 0
      ? `There is: ${known
          .slice(0, MOST_TOLD)
          .map((other) => quoted(other))
          .join(", ")}${known.length > MOST_TOLD ? ", …" : ""}.`
      : "There are none.";
  return [complain(path, `names ${quoted(name)}, which is not among the ${list}`, instead)];
}

/** Hints are worth little work where everything is wrong. */
const MOST_COMPARED = 50;

const boundBy = (appliesTo: unknown, workers: readonly Entry[]): readonly Entry[] => {
  const named = textsAt(appliesTo, []).map(({ text }) => text);
  return named.length === 0 || named.includes("*") ? workers : workers.filter(({ name }) => name !== undefined && named.includes(name));
};

function secretsIn(value: unknown, path: Path): readonly Omit<RuleComplaint, "code">[] {
  if (typeof value === "string") {
    const [kind] = secretsUnder(String(path.at(-1) ?? ""), value);
    return kind === undefined
      ? []
      : [complain(path, `this looks like a secret (${kind})`, "Take it out, and make it invalid if it ever was one.")];
  }
  if (Array.isArray(value)) return value.flatMap((inner, index) => secretsIn(inner, [...path, index]));
  return Object.entries(fieldsOf(value)).flatMap(([key, inner]) => secretsIn(inner, [...path, key]));
}

const round = (amount: number): string => String(Math.round(amount * 10_000) / 10_000);

const complain = (path: Path, problem: string, instead: string): Omit<RuleComplaint, "code"> => ({
  path,
  about: "value",
  problem,
  instead,
});
