// A document of the Loop Specification Standard, 1.0 with the composition of 1.1, as the standard's own schemas have it.
import * as z from "zod";

const text = z.string().min(1);

/** `uniqueItems` of the standard's schema. */
const unique = <T extends z.ZodType>(entry: T) =>
  z.array(entry).refine((list) => new Set(list).size === list.length, { error: "has the same entry twice" });

const Id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z][a-z0-9_-]*$/, { error: "must be lower-case letters, digits, _ and -, beginning with a letter" })
  .meta({ examples: ["writer"] });

const LongId = z
  .string()
  .min(1)
  .regex(/^[a-z][a-z0-9_-]*$/, { error: "must be lower-case letters, digits, _ and -, beginning with a letter" })
  .meta({ examples: ["quality-to-writer"] });

const IdOrAll = z.union([Id, z.literal("*")]).meta({ examples: ["writer"] });

const free = z.record(z.string(), z.unknown());

const INPUT_TYPES = ["string", "number", "boolean", "enum", "array", "object"] as const;

const InputField = z.strictObject({
  type: z.enum(INPUT_TYPES),
  description: text.meta({ examples: ["What to summarise"] }),
  required: z.boolean().optional(),
  max_length: z.int().min(1).optional(),
  min_length: z.int().min(0).optional(),
  pattern: z.string().optional(),
  values: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .min(1)
    .optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  items: z.enum(INPUT_TYPES).optional(),
});

const Inputs = z.strictObject({
  schema: z
    .record(z.string(), InputField)
    .refine((fields) => Object.keys(fields).length > 0, { error: "must name at least one input" })
    .meta({ examples: [{ task: { type: "string", description: "What to do" } }] }),
  examples: z.array(free).optional(),
});

const Memory = z.strictObject({
  type: z.enum(["ephemeral", "session", "persistent"]),
  backend: z.enum(["redis", "postgres", "vector", "composite"]).nullable().optional(),
  retention: z.strictObject({ unit: z.enum(["iteration", "hour", "day"]), value: z.number().min(1) }).optional(),
  write_policy: z
    .strictObject({ allowed_writers: z.array(text).min(1).optional(), schema: text.optional(), max_entries: z.int().min(1).optional() })
    .optional(),
  read_policy: z.record(z.string(), z.array(text)).optional(),
  redaction: free.optional(),
});

const Model = z
  .strictObject({
    provider: text,
    name: text,
    temperature: z.number().min(0).max(2).optional(),
    max_tokens: z.int().min(1).optional(),
    top_p: z.number().min(0).max(1).optional(),
  })
  .meta({ examples: [{ provider: "anthropic", name: "claude-sonnet-4-5" }] });

const Worker = z.strictObject({
  id: Id,
  role: text.meta({ examples: ["Write a summary of the input"] }),
  model: Model,
  depends_on: unique(Id).optional(),
  inputs: z
    .array(
      z.strictObject({
        from: z
          .string()
          .regex(/^(inputs\.[a-zA-Z_][a-zA-Z0-9_.]*|memory\.[a-zA-Z_][a-zA-Z0-9_.]*|workers\.[a-z][a-z0-9_-]*)$/, {
            error: "must be `inputs.NAME`, `memory.NAME` or `workers.ID`",
          })
          .meta({ examples: ["inputs.task"] }),
      }),
    )
    .min(1),
  outputs: z.strictObject({
    name: text.meta({ examples: ["Summary"] }),
    format: z.enum(["text", "json", "markdown", "code", "binary"]),
    schema_ref: text.optional(),
  }),
  tools: unique(text).optional(),
  timeout_seconds: z.int().min(1).optional(),
  retries: z.int().min(0).optional(),
  cost_budget_usd: z.number().min(0).optional(),
});

const everyEvaluator = {
  id: Id,
  runs_after: unique(IdOrAll)
    .min(1)
    .meta({ examples: [["writer"]] }),
  aggregation: z.enum(["min", "weighted_avg", "veto"]).optional(),
};

const Evaluator = z.discriminatedUnion("type", [
  z.strictObject({
    ...everyEvaluator,
    type: z.literal("deterministic"),
    implementation: text.meta({ examples: ["evaluators.schema_validate"] }),
  }),
  z.strictObject({
    ...everyEvaluator,
    type: z.literal("llm_rubric"),
    rubric: z.strictObject({
      dimensions: z
        .array(
          z.strictObject({
            name: text.meta({ examples: ["fidelity"] }),
            weight: z
              .number()
              .gt(0)
              .max(1)
              .meta({ examples: [1] }),
            scale: z.tuple([z.number(), z.number()]).meta({ examples: [[0, 1]] }),
            criteria: text.meta({ examples: ["Nothing is distorted"] }),
          }),
        )
        .min(1),
      pass_threshold: z
        .number()
        .min(0)
        .max(1)
        .meta({ examples: [0.8] }),
    }),
    model: Model,
  }),
  z.strictObject({
    ...everyEvaluator,
    type: z.literal("human"),
    timeout_seconds: z
      .int()
      .min(1)
      .meta({ examples: [86_400] }),
    queue: text.optional(),
    instructions: text.optional(),
  }),
]);

const OPTIMIZATIONS = ["prompt_refinement", "parameter_search", "memory_update", "structural", "manual"] as const;

const FeedbackChannel = z.strictObject({
  id: LongId,
  source: z
    .string()
    .regex(/^(evaluators|workers)\.[a-z][a-z0-9_-]*$/, { error: "must be `evaluators.ID` or `workers.ID`" })
    .meta({ examples: ["evaluators.quality"] }),
  destination: z
    .string()
    .regex(
      /^(workers\.[a-z][a-z0-9_-]*|optimization_strategy(\.prompt_refinement|\.parameter_search|\.memory_update|\.structural|\.manual)?)$/,
      { error: "must be `workers.ID`, `optimization_strategy` or `optimization_strategy.TYPE`" },
    )
    .meta({ examples: ["workers.writer"] }),
  format: z.enum(["structured", "template", "human_queue"]),
  fields: unique(z.enum(["failure_codes", "dimension_scores", "remediation_hints", "passed", "score", "raw_output", "summary"]))
    .min(1)
    .optional(),
  max_tokens: z.int().min(1).optional(),
  when: text.optional(),
  template_ref: text.optional(),
});

const workerPath = z
  .string()
  .regex(/^workers\.[a-z][a-z0-9_-]*$/, { error: "must be `workers.ID`" })
  .meta({ examples: ["workers.writer"] });

const OptimizationStrategy = z.strictObject({
  type: z.enum(OPTIMIZATIONS),
  max_steps: z
    .int()
    .min(1)
    .meta({ examples: [5] }),
  config: z
    .looseObject({
      refinement_target: workerPath.optional(),
      secondary_targets: unique(workerPath).optional(),
      preserve_sections: unique(text).optional(),
      human_gate_on: free.optional(),
      search_space: free.optional(),
    })
    .optional(),
  rollback: z.strictObject({ on_metric_drop: z.number().min(0).max(1).optional(), on_safety_failure: z.boolean().optional() }).optional(),
});

const TerminationAction = z.enum(["halt", "escalate_human", "retry_iteration"]);

const TerminationConditions = z
  .strictObject({
    success: z
      .array(
        z.strictObject({
          metric: text,
          operator: z.enum(["gte", "lte", "eq", "gt", "lt"]),
          value: z.number(),
          consecutive: z.int().min(1).optional(),
        }),
      )
      .optional(),
    failure: z
      .array(
        z.strictObject({
          type: z.enum(["safety_violation", "max_iterations", "evaluator_error", "cost_exceeded", "human_rejected", "timeout"]),
          action: TerminationAction.optional(),
          value: z.number().min(1).optional(),
          consecutive: z.int().min(1).optional(),
        }),
      )
      .optional(),
    stall: z
      .array(
        z.strictObject({
          metric: text,
          window_iterations: z.int().min(1),
          min_improvement: z.number().min(0),
          action: TerminationAction,
        }),
      )
      .optional(),
  })
  .meta({ examples: [{ failure: [{ type: "max_iterations", value: 8 }] }] });

const Metric = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/, { error: "must be lower-case letters, digits and _, beginning with a letter" })
    .meta({ examples: ["primary_quality"] }),
  primary: z.boolean().optional(),
  definition: text.meta({ examples: ["The weighted score of the rubric"] }),
  source: z
    .string()
    .regex(/^(evaluators\.[a-z][a-z0-9_-]*|workers\.[a-z][a-z0-9_-]*|telemetry\.[a-z][a-z0-9_.-]*)$/, {
      error: "must be `evaluators.ID`, `workers.ID` or `telemetry.SIGNAL`",
    })
    .meta({ examples: ["evaluators.quality"] }),
  unit: z.enum(["ratio", "count", "usd", "seconds", "tokens", "percent"]),
  target: z.number().optional(),
  regression_threshold: z.number().min(0).optional(),
});

const SafetyConstraint = z.strictObject({
  id: LongId,
  type: z.enum([
    "injection_detect",
    "secret_scan",
    "pii_detect",
    "egress_monitor",
    "tool_allowlist",
    "schema_enforce",
    "human_gate",
    "tenant_isolation",
    "output_bounds",
    "rate_limit",
  ]),
  scope: z.enum(["pre_worker", "post_worker", "pre_output", "pre_memory_write", "pre_evaluator"]),
  applies_to: unique(IdOrAll).min(1).optional(),
  action: z.enum(["halt", "quarantine", "escalate_human", "warn", "strip"]),
  severity: z
    .string()
    .regex(/^S[0-3]$/, { error: "must be S0, S1, S2 or S3" })
    .optional()
    .meta({ examples: ["S1"] }),
  on_error: z.enum(["halt", "warn", "quarantine"]).optional(),
  config: free.optional(),
  rule: text.optional(),
});

const CostLimits = z.strictObject({
  per_iteration_usd: z
    .number()
    .min(0)
    .meta({ examples: [0.5] }),
  cumulative_usd: z
    .number()
    .min(0)
    .meta({ examples: [5] }),
  token_soft_cap: z.int().min(1).optional(),
  on_approach: z.strictObject({ threshold_percent: z.number().min(1).max(100), action: z.enum(["warn", "throttle", "halt"]) }).optional(),
  on_exceed: z.strictObject({ action: z.enum(["halt", "warn", "throttle"]) }),
  price_table_ref: text.optional(),
});

/** How branches may be merged. The reference library has others, so that a document with one of those is still looked at. */
export const MERGES = ["synthesize", "vote", "first_pass", "all_pass"] as const;

/** What 1.1 adds. Its objects are open; `lens`, `trigger` and `synthesizer` are what the reference library writes into them. */
const Composition = z.looseObject({
  type: z.enum(["sequential", "parallel", "nested"]),
  children: z
    .array(
      z.looseObject({
        id: Id,
        ref: text.meta({ examples: ["research.yaml"] }),
        role: z.enum(["stage", "branch", "outer", "inner"]).optional(),
        lens: z.string().optional(),
        trigger: z.string().optional(),
      }),
    )
    .min(2),
  adapters: z
    .array(
      z.looseObject({
        from: text.meta({ examples: ["children.research.outputs.synthesizer"] }),
        to: text.meta({ examples: ["children.writing.inputs.task"] }),
        transform: z.string().optional(),
      }),
    )
    .optional(),
  merge: z
    .looseObject({
      strategy: z.string().optional(),
      min_branches_pass: z.int().min(1).optional(),
      preserve_dissent: z.boolean().optional(),
      synthesizer: z.string().optional(),
    })
    .optional(),
});

/** A whole document. Its root is open: what it has besides is kept, and means nothing to us. */
export const LssDocument = z.looseObject({
  loop_name: z
    .string()
    .min(3)
    .max(64)
    .regex(/^[a-z][a-z0-9-]*$/, { error: "must be lower-case letters, digits and dashes, beginning with a letter" })
    .meta({ examples: ["summarise-loop"] }),
  version: z
    .string()
    .regex(/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/, {
      error: "must be a full version of three numbers; it is the loop's own, not the standard's",
    })
    .meta({ description: "Write three numbers, e.g. 1.0.0." }),
  objective: z
    .string()
    .min(10)
    .meta({ examples: ["Summarise the input in at most 100 words."] }),
  inputs: Inputs,
  memory: Memory,
  workers: z.array(Worker).min(1),
  evaluators: z.array(Evaluator).min(1),
  feedback_channels: z.array(FeedbackChannel).min(1),
  optimization_strategy: OptimizationStrategy,
  termination_conditions: TerminationConditions,
  metrics: z.array(Metric).min(1),
  safety_constraints: z.array(SafetyConstraint),
  cost_limits: CostLimits,
  extensions: free.optional(),
  composition: Composition.optional(),
});
export type LssDocument = Readonly<z.infer<typeof LssDocument>>;

/** What is left of a document for a system prompt: no inputs, memory, feedback, metrics or costs. It cannot be run. */
export const LssMin = z.strictObject({
  loop_name: LssDocument.shape.loop_name,
  objective: z.string().min(1).max(280),
  workers: z.array(Worker.pick({ id: true, role: true, inputs: true, outputs: true, model: true })).min(1),
  evaluators: z
    .array(
      z.strictObject({
        id: Id,
        type: z.enum(["deterministic", "llm_rubric", "human"]),
        runs_after: everyEvaluator.runs_after,
        rubric: z.unknown().optional(),
        implementation: text.optional(),
        pass_threshold: z.number().optional(),
      }),
    )
    .min(1),
  termination_conditions: TerminationConditions,
  optimization_strategy: OptimizationStrategy.pick({ type: true, max_steps: true }).optional(),
  safety_constraints: z
    .array(SafetyConstraint.pick({ id: true, type: true, action: true, severity: true }))
    .max(4)
    .optional(),
});
export type LssMin = Readonly<z.infer<typeof LssMin>>;
