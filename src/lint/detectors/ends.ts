// Detectors of ends that never come, come at once, or come by chance.
import { nodesOf } from "../../contract/anatomy.ts";
import { fieldsOf, listOf, numberOf, textOf } from "../../dialects/values.ts";
import { quoted } from "../../spec/path.ts";
import { parseWhen, type When } from "../../std/when.ts";
import { type Detector, type Flaw, type Ours, ofLss } from "../detector.ts";

const measured = (change: object) => ({
  ours: {
    verifiers: [
      { id: "tests", use: "command", with: { run: "npm test", results: { format: "auto" } } },
      { id: "size", use: "measure", with: { size: { lines: 400 } } },
    ],
    metrics: { passing: { from: "tests", primary: true }, lines: { from: "size.lines", better: "lower" } },
    budget: { rounds: 10 },
    ...change,
  },
});
const terminating = (change: object) => ({
  lss: {
    termination_conditions: {
      success: [{ metric: "primary_quality", operator: "gte", value: 0.8 }],
      failure: [{ type: "max_iterations", value: 8, action: "halt" }],
      stall: [{ metric: "primary_quality", window_iterations: 3, min_improvement: 0.03, action: "halt" }],
      ...change,
    },
  },
});

/** The comparisons in a condition. */
function comparisons(when: When): readonly Extract<When, { readonly kind: "compare" }>[] {
  switch (when.kind) {
    case "and":
    case "or":
      return when.parts.flatMap(comparisons);
    case "not":
      return comparisons(when.part);
    case "compare":
      return [when];
    case "is":
      return [];
  }
}

interface Goal {
  readonly at: readonly (string | number)[];
  readonly metric: string;
  readonly operator: string;
  readonly value: number;
}

/** What must be reached, each comparison of a metric with a number. */
function goalsOf({ spec }: Ours): readonly Goal[] {
  return (spec.until?.success ?? []).flatMap(({ when }, index) => {
    const parsed = parseWhen(when);
    if (parsed.kind === "refused") return [];
    return comparisons(parsed.when).flatMap(({ left, right, operator }) =>
      left.kind === "name" && right.kind === "literal" && typeof right.value === "number"
        ? [{ at: ["until", "success", index, "when"], metric: left.name, operator, value: right.value }]
        : [],
    );
  });
}

/** Whether a metric is a score, which has values from 0 to 1. */
const isScore = ({ spec }: Ours, metric: string): boolean => {
  const from = spec.metrics?.[metric]?.from ?? "";
  return spec.verifiers.some(({ id }) => id === from);
};

/** A loop that goes round so often should notice that nothing gets better. */
const MANY_ROUNDS = 20;

export const endDetectors: readonly Detector[] = [
  {
    id: "no-end",
    failure: "F4",
    weight: "error",
    why: "A goal may never be reached: something else must end the loop.",
    find({ anatomy, lss }) {
      const isBound = nodesOf(anatomy, "end").some(({ family, holds }) => family === "bound" && holds);
      if (isBound || anatomy.bounds.rounds !== undefined) return [];
      return [
        {
          path: lss ? ["termination_conditions"] : [],
          problem: "nothing bounds the loop",
          instead: lss ? "Add to `failure`, e.g. `{type: max_iterations, value: 8, action: halt}`." : "Say how many rounds it may take.",
        },
      ];
    },
    examples: {
      flags: [{ lss: { termination_conditions: [{ type: "all_tests_pass" }] } }],
      passes: [terminating({}), { ours: {} }],
    },
  },
  {
    id: "met-at-once",
    failure: "F5",
    weight: "error",
    why: "A goal that is reached before anything was done is none.",
    find: (subject) => [
      ...(subject.lss
        ? nodesOf(subject.anatomy, "end").flatMap(({ family, holds, says }): readonly Flaw[] =>
            family === "success" && !holds
              ? [
                  {
                    path: ["termination_conditions"],
                    problem: `${quoted(says)} hangs on no check that could be missed`,
                    instead: "Let it be a metric whose source is an evaluator, and a value above nothing.",
                  },
                ]
              : [],
          )
        : []),
      ...(subject.ours
        ? goalsOf(subject.ours)
            .filter(({ metric, operator, value }) => isScore(subject.ours!, metric) && isMetByAll(operator, value))
            .map(
              ({ at, metric, operator, value }): Flaw => ({
                path: at,
                problem: `${quoted(`${metric} ${operator} ${value}`)} holds whatever was done: scores are of 0 to 1`,
                instead: "Ask for more.",
              }),
            )
        : []),
    ],
    examples: {
      flags: [
        terminating({ success: [{ metric: "primary_quality", operator: "gte", value: 0 }] }),
        measured({ until: { success: [{ when: "passing >= 0" }] } }),
      ],
      passes: [terminating({}), measured({ until: { success: [{ when: "passing >= 0.9" }] } })],
    },
  },
  {
    id: "exact-goal",
    failure: "F7",
    weight: "warning",
    why: "A measured figure hardly ever is exactly a number: the loop passes it by, up and down.",
    find: (subject) => [
      ...listOf(fieldsOf(subject.lss?.root.termination_conditions).success).flatMap((end, index): readonly Flaw[] => {
        const { operator, value } = fieldsOf(end);
        const bound = numberOf(value);
        if (operator !== "eq" || bound === undefined || Number.isInteger(bound)) return [];
        return [exactly(["termination_conditions", "success", index, "operator"], `eq ${bound}`, "gte or lte")];
      }),
      ...(subject.ours ? goalsOf(subject.ours) : [])
        .filter(({ operator, value }) => operator === "==" && !Number.isInteger(value))
        .map(({ at, value }) => exactly(at, `== ${value}`, "`>=` or `<=`")),
    ],
    examples: {
      flags: [
        terminating({ success: [{ metric: "primary_quality", operator: "eq", value: 0.8 }] }),
        measured({ until: { success: [{ when: "passing == 0.85" }] } }),
      ],
      passes: [terminating({}), measured({ until: { success: [{ when: "passing == 1 and lines <= 40" }] } })],
    },
  },
  {
    id: "stalls-by-chance",
    failure: "F7",
    weight: "warning",
    why: "One worse round is no stall, and a gain of nothing never fails to come.",
    find: (subject) => [
      ...(subject.ours?.spec.until?.stall ?? []).flatMap(({ rounds, gain }, index) =>
        stallFlaws(["until", "stall", index], { rounds, gain, bound: subject.ours!.spec.budget.rounds, names: ["rounds", "gain"] }),
      ),
      ...listOf(fieldsOf(subject.lss?.root.termination_conditions).stall).flatMap((end, index) => {
        const { window_iterations: rounds, min_improvement: gain } = fieldsOf(end);
        return stallFlaws(["termination_conditions", "stall", index], {
          rounds: numberOf(rounds),
          gain: numberOf(gain),
          bound: subject.anatomy.bounds.rounds,
          names: ["window_iterations", "min_improvement"],
        });
      }),
    ],
    examples: {
      flags: [
        measured({ until: { stall: [{ metric: "passing", rounds: 1, gain: 0.1 }] } }),
        measured({ until: { stall: [{ metric: "passing", rounds: 3, gain: 0 }] } }),
        measured({ until: { stall: [{ metric: "passing", rounds: 10, gain: 0.1 }] } }),
        terminating({ stall: [{ metric: "primary_quality", window_iterations: 1, min_improvement: 0.05, action: "halt" }] }),
        terminating({ stall: [{ metric: "primary_quality", window_iterations: 8, min_improvement: 0.05, action: "halt" }] }),
      ],
      passes: [measured({ until: { stall: [{ metric: "passing", rounds: 3, gain: 0.03 }] } }), terminating({})],
    },
  },
  {
    id: "undone-by-chance",
    failure: "F7",
    weight: "warning",
    why: "Marks of the same work differ a little: what is undone at any drop goes back and forth.",
    find: (subject) => [
      ...Object.entries(subject.ours?.spec.metrics ?? {}).flatMap(([name, { mayDrop, from }]): readonly Flaw[] =>
        mayDrop === 0 && !/^(run|round)\./.test(from) ? [anyDrop(["metrics", name, "mayDrop"])] : [],
      ),
      ...(numberOf(fieldsOf(fieldsOf(subject.lss?.root.optimization_strategy).rollback).on_metric_drop) === 0
        ? [anyDrop(["optimization_strategy", "rollback", "on_metric_drop"])]
        : []),
    ],
    examples: {
      flags: [
        { lss: { optimization_strategy: { type: "prompt_refinement", max_steps: 5, rollback: { on_metric_drop: 0 } } } },
        measured({ metrics: { passing: { from: "tests", mayDrop: 0 } } }),
      ],
      passes: [{ lss: {} }, measured({ metrics: { passing: { from: "tests", mayDrop: 0.05 } } })],
    },
  },
  {
    id: "goes-on-in-vain",
    failure: "F7",
    weight: "note",
    why: "So many rounds without anything that notices when nothing gets better.",
    find: ({ anatomy, lss }) => {
      const { rounds } = anatomy.bounds;
      const notices = nodesOf(anatomy, "end").some(({ family }) => family === "stall");
      if (rounds === undefined || rounds < MANY_ROUNDS || notices) return [];
      return [
        {
          path: lss ? ["termination_conditions"] : ["budget", "rounds"],
          problem: `it may take ${rounds} rounds, and nothing ends it when they are in vain`,
          instead: lss ? "Add a `stall`." : "Add `until.stall`, or fewer rounds.",
        },
      ];
    },
    examples: {
      flags: [
        { ours: { budget: { rounds: 50 } } },
        terminating({ failure: [{ type: "max_iterations", value: 40, action: "halt" }], stall: [] }),
      ],
      passes: [{ ours: {} }, terminating({})],
    },
  },
  {
    id: "ends-only-by-hand",
    failure: "F1",
    weight: "warning",
    why: "A loop without a goal ends only because it must, whatever it achieved.",
    find: ofLss(({ root }) => {
      const ends = fieldsOf(root.termination_conditions);
      if (Array.isArray(root.termination_conditions) || root.termination_conditions === undefined || listOf(ends.success).length > 0)
        return [];
      return [
        {
          path: ["termination_conditions"],
          problem: "it has no success: however good the work is, it goes on until it is stopped",
          instead: "Add to `success`, e.g. `{metric: primary_quality, operator: gte, value: 0.8}`.",
        },
      ];
    }),
    examples: { flags: [terminating({ success: [] })], passes: [terminating({})] },
  },
  {
    id: "structure-unheld",
    failure: "F11",
    weight: "error",
    why: "A loop that changes itself must be able to go back, and somebody must be asked.",
    find: ofLss(({ root }) => {
      const { type, rollback } = fieldsOf(root.optimization_strategy);
      if (textOf(type) !== "structural" || Object.keys(fieldsOf(rollback)).length > 0) return [];
      return [
        {
          path: ["optimization_strategy"],
          problem: "it changes its own structure, and nothing takes a change back that made it worse",
          instead: "Add e.g. `rollback: {on_metric_drop: 0.05, on_safety_failure: true}`.",
        },
      ];
    }),
    examples: {
      flags: [{ lss: { optimization_strategy: { type: "structural", max_steps: 3, config: { human_gate_on: { any: true } } } } }],
      passes: [
        {
          lss: {
            optimization_strategy: {
              type: "structural",
              max_steps: 3,
              config: { human_gate_on: { any: true } },
              rollback: { on_metric_drop: 0.05 },
            },
          },
        },
        { lss: {} },
      ],
    },
  },
];

const exactly = (path: Flaw["path"], what: string, better: string): Flaw => ({
  path,
  problem: `${quoted(what)} is hardly ever met exactly`,
  instead: `Write ${better}.`,
});

const anyDrop = (path: Flaw["path"]): Flaw => ({
  path,
  problem: "undoes a change at any drop, also one of chance",
  instead: "Write e.g. 0.05.",
});

const isMetByAll = (operator: string, value: number): boolean =>
  operator === ">=" ? value <= 0 : operator === ">" ? value < 0 : operator === "<=" ? value >= 1 : operator === "<" && value > 1;

interface Stall {
  readonly rounds: number | undefined;
  readonly gain: number | undefined;
  readonly bound: number | undefined;
  readonly names: readonly [rounds: string, gain: string];
}

function stallFlaws(at: Flaw["path"], { rounds, gain, bound, names }: Stall): readonly Flaw[] {
  const isLate = rounds !== undefined && bound !== undefined && rounds >= bound && bound > 1;
  return [
    ...(rounds === 1 ? [{ path: [...at, names[0]], problem: "one worse round ends the run", instead: "Write 2 or more." }] : []),
    ...(gain === 0
      ? [
          {
            path: [...at, names[1]],
            problem: "nothing is a gain of 0, so that this never ends the run",
            instead: "Write the least that counts.",
          },
        ]
      : []),
    ...(isLate
      ? [{ path: [...at, names[0]], problem: `the run ends after ${bound} rounds, before this could be seen`, instead: "Write less." }]
      : []),
  ];
}
