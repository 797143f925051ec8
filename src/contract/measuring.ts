// What is measured of a round, what is enough, and who hears of it: as verifiers say it, as a spec asks for it, and as it is on record.
import * as z from "zod";
import type { Untrusted } from "./text.ts";

/** What one verifier measured, besides whether it holds. Kept of those that have an id. */
export interface Measured {
  /** From 0 to 1, where it has one figure for all of it. */
  readonly score?: number;
  /** What the score must reach, where it must reach something. */
  readonly threshold?: number;
  /** Its other figures, by name. */
  readonly values?: { readonly [name: string]: number };
  /** What is wrong, in a word each. */
  readonly codes?: readonly string[];
  /** What would make it better. Whoever was measured may have had a hand in it. */
  readonly hints?: readonly Untrusted[];
}

/** What was measured in one round, by the names that the spec gives it. */
export interface RoundMetrics {
  /** Null is not known. */
  readonly values: { readonly [metric: string]: number | null };
  /** Whether every check of it held, whatever the figures say: only then may it be proposed as the best there is. */
  readonly holds: boolean;
  /** Whether it was good enough, had it been asked of this round alone. */
  readonly isEnough: boolean;
}

/** What a run measured, round by round. */
export interface MetricsView {
  readonly metrics: readonly {
    readonly name: string;
    readonly from: string;
    readonly better: "higher" | "lower";
    readonly target: number | null;
    /** Whether rounds are compared by it. */
    readonly isPrimary: boolean;
  }[];
  readonly rounds: readonly ({ readonly number: number } & RoundMetrics)[];
  /** The round that is proposed although the run did not end well. */
  readonly best: number | null;
}

/** Words that mean something else where ids and metrics are named. */
export const TAKEN_WORDS: readonly string[] = [
  "and",
  "or",
  "not",
  "true",
  "false",
  "null",
  "run",
  "round",
  "score",
  "threshold",
  "passed",
  "inputs",
  "notes",
  "repo",
  "proposal",
  "improve",
];

/** By which a verifier, or a worker, is named elsewhere in a spec. */
export const PartId = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, {
    error: "must be lower-case letters, digits, dashes and underscores, beginning with a letter, 64 at most",
  })
  .refine((id) => !TAKEN_WORDS.includes(id), { error: "is a word that means something else here" })
  .meta({ description: "A name of its own, by which metrics, ends and feedback speak of it.", examples: ["tests"] });

/** What telemetry gives a metric, each in words. */
export const TELEMETRY = {
  "run.usd": "what the run cost so far, in dollars",
  "run.tokens": "the tokens that it used",
  "run.rounds": "how many rounds it took",
  "run.time": "how long it worked, in seconds",
  "round.usd": "what this round cost",
  "round.tokens": "the tokens that it used",
  "round.time": "how long it worked, in seconds",
  "round.files": "how many files it changes",
  "round.size": "how many bytes its diff has",
  "round.findings": "what the guard found in it",
} as const;
export type Telemetry = { readonly [signal in keyof typeof TELEMETRY]: number };

const figure = z.number().min(-1e12).max(1e12);

const Metric = z.strictObject({
  from: z
    .string()
    .min(1)
    .max(140)
    .meta({
      description: `Where it comes from: the id of a verifier (its score, else 1 where it holds and 0 where it does not), one of its figures as \`ID.NAME\`, a field of a worker's JSON as \`WORKER.FIELD\`, what a worker used as \`WORKER.round.usd\`, \`WORKER.round.tokens\` or \`WORKER.round.tries\`, or ${Object.keys(TELEMETRY).join(", ")}.`,
      examples: ["tests", "size.lines", "run.usd"],
    }),
  primary: z
    .boolean()
    .optional()
    .meta({ description: "Whether rounds are compared by it. One is; where there is only one metric, it is that.", examples: [true] }),
  better: z
    .enum(["higher", "lower"])
    .optional()
    .meta({ description: "Which way is better. Default: higher.", examples: ["lower"] }),
  target: figure.optional().meta({
    description: "What it should reach. It is shown; that of the primary one is what success means where `until.success` says nothing.",
    examples: [0.8],
  }),
  mayDrop: z
    .number()
    .min(0)
    .max(1e12)
    .optional()
    .meta({
      description: "How much worse than the best so far it may become before a change of the loop itself is undone.",
      examples: [0.05],
    }),
});

export const Metrics = z
  .record(
    z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, { error: "must be lower-case letters, digits and underscores, beginning with a letter" }),
    Metric,
  )
  .refine((metrics) => Object.keys(metrics).length >= 1 && Object.keys(metrics).length <= 40, { error: "must have 1 to 40 entries" })
  .refine((metrics) => Object.keys(metrics).every((name) => !TAKEN_WORDS.includes(name)), {
    error: `may not be called ${TAKEN_WORDS.join(", ")}`,
  })
  .meta({
    description: "What is measured in every round, by names of your own.",
    examples: [{ quality: { from: "tests", primary: true, target: 1 } }],
  });
export type Metrics = Readonly<z.infer<typeof Metrics>>;

const Condition = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .meta({
    description: "A condition over metrics, `round`, and `ID.passed`: comparisons, and, or, not. It is never run as code.",
    examples: ["quality >= 0.8"],
  });

const times = z
  .int()
  .min(1)
  .max(100)
  .optional()
  .meta({ description: "In how many rounds in a row. Default: 1.", examples: [2] });

const Then = z.enum(["halt", "escalate"]);
const then = Then.optional().meta({
  description: "Whether the run is halted, or handed to a person. Default: escalate.",
  examples: ["halt"],
});

/** What can go wrong with a round, as `until.fail` names it. */
export const FAILURES = ["safety", "cannot-verify", "check-failed", "maker-unfinished", "fabricated", "gap", "rejected"] as const;

export const Until = z
  .strictObject({
    success: z
      .array(z.strictObject({ when: Condition, times }))
      .min(1)
      .max(20)
      .optional()
      .meta({
        description:
          "What is enough: all of these, and every verifier holds. Without it the primary metric's target is; without that, that every verifier holds.",
        examples: [[{ when: "quality >= 0.8", times: 2 }]],
      }),
    fail: z
      .array(
        z.union([
          z.strictObject({
            on: z.enum(FAILURES).meta({ description: "What went wrong with a round.", examples: ["cannot-verify"] }),
            times,
            then,
          }),
          z.strictObject({ when: Condition, times, then }),
        ]),
      )
      .min(1)
      .max(20)
      .optional()
      .meta({
        description:
          "What ends the run: something that went wrong, or a condition that holds or of which nobody can tell. What went wrong ends it as it would anyway; `cannot-verify` with `times` above 1 lets it try again until then.",
        examples: [[{ on: "cannot-verify", times: 2 }, { when: "cost > 2" }]],
      }),
    stall: z
      .array(
        z.strictObject({
          metric: z
            .string()
            .min(1)
            .max(64)
            .meta({ description: "Which metric must become better.", examples: ["quality"] }),
          rounds: z
            .int()
            .min(1)
            .max(1000)
            .meta({ description: "Within how many rounds.", examples: [3] }),
          gain: z
            .number()
            .min(0)
            .max(1e12)
            .meta({ description: "By how much, against the best of all rounds before them.", examples: [0.03] }),
          then,
        }),
      )
      .min(1)
      .max(20)
      .optional()
      .meta({ description: "When it would be in vain to go on.", examples: [[{ metric: "quality", rounds: 3, gain: 0.03 }]] }),
  })
  .refine(({ success, fail, stall }) => success !== undefined || fail !== undefined || stall !== undefined, { error: "says nothing" })
  .meta({
    description:
      "When a run ends, besides its budget. What is unsafe counts first, then the budget, then success, then a stall. If it ends without success, the best round whose checks hold is proposed.",
    examples: [{ success: [{ when: "quality >= 0.8" }] }],
  });
export type Until = Readonly<z.infer<typeof Until>>;

/** The names that a condition of `until` may use, and whether each is a number, or true or false. */
export const namesForEnds = (metrics: readonly string[], verifierIds: readonly string[]): ReadonlyMap<string, "number" | "truth"> =>
  new Map<string, "number" | "truth">([
    ...metrics.map((name) => [name, "number"] as const),
    ["round", "number"],
    ...verifierIds.map((id) => [`${id}.passed`, "truth"] as const),
  ]);

/** What of a verifier can be told to whoever works next. */
export const TELLABLE = ["passed", "scores", "dimensions", "codes", "hints", "raw"] as const;

/** Who hears what of which verifier, instead of the lessons that everybody else's loop is told. */
export const Feedback = z
  .array(
    z.strictObject({
      from: PartId.meta({ description: "The id of a verifier, or of a worker.", examples: ["style"] }),
      to: z
        .string()
        .regex(/^[a-z][a-z0-9_-]{0,63}$/, { error: "must be `maker`, or the id of a worker" })
        .optional()
        .meta({
          description:
            "Who hears it: `maker`, or a worker of a team by its id. Default: the maker; in a team those that the verifier is `of`, else those that are proposed.",
          examples: ["maker"],
        }),
      tell: z
        .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/, { error: "must be the name of a field" }))
        .min(1)
        .max(20)
        .meta({
          description:
            "What of it. Of a verifier: passed, scores (score and values), dimensions (its values alone), codes (what is wrong, in a word each), hints, or raw: its own words. Of a worker: fields of its JSON, or raw: all that it handed over.",
          examples: [["codes", "hints"]],
        }),
      most: z
        .int()
        .min(1)
        .max(20_000)
        .optional()
        .meta({ description: "How many tokens of it, by an estimate of three characters each. Default: 1000.", examples: [300] }),
      when: z
        .string()
        .trim()
        .min(1)
        .max(500)
        .optional()
        .meta({
          description: "Only when this holds, or nobody can tell: a condition over `score`, `threshold`, `passed`, `round` and metrics.",
          examples: ["score < threshold"],
        }),
    }),
  )
  .min(1)
  .max(20)
  .meta({
    description: "What the next round is told of this one's verifiers, instead of everything that failed.",
    examples: [[{ from: "style", tell: ["codes", "hints"] }]],
  });
export type Feedback = Readonly<z.infer<typeof Feedback>>;

/** The names that a condition of `feedback` may use. A worker has neither a score, nor does it pass. */
export const namesForFeedback = (
  metrics: readonly string[],
  from: "verifier" | "worker" = "verifier",
): ReadonlyMap<string, "number" | "truth"> =>
  new Map<string, "number" | "truth">([
    ...metrics.map((name) => [name, "number"] as const),
    ["round", "number"],
    ...(from === "worker"
      ? []
      : ([
          ["score", "number"],
          ["threshold", "number"],
          ["passed", "truth"],
        ] as const)),
  ]);

/** What was counted of one worker in a round, as a metric names it behind the worker's id. */
export const OF_A_WORKER = {
  "round.usd": "what it cost in this round, in dollars",
  "round.tokens": "the tokens that it used",
  "round.tries": "how many tries it took",
} as const;
