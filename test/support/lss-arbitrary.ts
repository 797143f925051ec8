// Documents of the Loop Specification Standard by chance: each fits the schema, and may break any rule.
import fc from "fast-check";
import type { LssDocument } from "../../src/dialects/lss/document.ts";

const id = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
const words = fc
  .string({
    minLength: 1,
    maxLength: 30,
    unit: fc.oneof(fc.constantFrom(..."abc:#-{}[]'\"&*!|>%@`,? \n\t0.éß漢🙂"), fc.constantFrom("yes", "null", "1e3")),
  })
  .map((text) => text.toWellFormed());
const amount = fc.double({ min: 0, max: 1000, noNaN: true }).map((value) => Math.abs(value));
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => Math.abs(value));
const count = fc.integer({ min: 1, max: 100_000 });
const list = <T>(entry: fc.Arbitrary<T>, most = 3) => fc.array(entry, { minLength: 1, maxLength: most });
const unique = <T extends string>(entry: fc.Arbitrary<T>) => fc.uniqueArray(entry, { minLength: 1, maxLength: 3 });
const idOrAll = fc.oneof(id, fc.constant("*" as const));
const plain = fc.jsonValue({ maxDepth: 2, noUnicodeString: true }).map((value) =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll("-0", "0")
      .replaceAll(/__proto__|prototype|constructor/g, "x"),
  ),
);
const free = fc.dictionary(id, plain, { maxKeys: 3 });
const one = <const T extends readonly string[]>(...choices: T) => fc.constantFrom(...choices) as fc.Arbitrary<T[number]>; // fast-check widens it

/** A map in which what may be left out sometimes is. */
const map = <R extends object, O extends object>(
  required: { [K in keyof R]: fc.Arbitrary<R[K]> },
  optional: { [K in keyof O]: fc.Arbitrary<O[K]> },
): fc.Arbitrary<R & Partial<O>> =>
  fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required) as never }) as fc.Arbitrary<R & Partial<O>>; // as above

const inputType = one("string", "number", "boolean", "array", "object");
const model = map({ provider: words, name: words }, { temperature: fc.constantFrom(0, 0.2, 2), max_tokens: count, top_p: share });
const worker = map(
  {
    id,
    role: words,
    model,
    inputs: list(
      fc.record({
        from: fc.oneof(
          id.map((name) => `inputs.${name.replaceAll("-", "_")}`),
          id.map((name) => `workers.${name}`),
        ),
      }),
    ),
    outputs: map({ name: words, format: one("text", "json", "markdown", "code", "binary") }, { schema_ref: words }),
  },
  { depends_on: unique(id), tools: unique(words), timeout_seconds: count, retries: fc.nat(5), cost_budget_usd: amount },
);
const everyEvaluator = { id, runs_after: unique(idOrAll) };
const evaluator = fc.oneof(
  map(
    { ...everyEvaluator, type: fc.constant("deterministic" as const), implementation: words },
    { aggregation: one("min", "weighted_avg", "veto") },
  ),
  map(
    {
      ...everyEvaluator,
      type: fc.constant("llm_rubric" as const),
      rubric: fc.record({
        dimensions: list(
          fc.record({ name: words, weight: fc.constantFrom(0.1, 0.5, 1), scale: fc.tuple(amount, amount), criteria: words }),
        ),
        pass_threshold: share,
      }),
      model,
    },
    { aggregation: one("min", "weighted_avg", "veto") },
  ),
  map({ ...everyEvaluator, type: fc.constant("human" as const), timeout_seconds: count }, { queue: words, instructions: words }),
);
const action = one("halt", "escalate_human", "retry_iteration");

export const anyLss: fc.Arbitrary<LssDocument> = map(
  {
    loop_name: fc.stringMatching(/^[a-z][a-z0-9-]{2,20}$/),
    version: fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)).map((numbers) => numbers.join(".")),
    objective: words.map((text) => `Do this well: ${text}`),
    inputs: map(
      {
        schema: fc.dictionary(
          id,
          map(
            { type: inputType, description: words },
            { required: fc.boolean(), max_length: count, pattern: words, default: plain, minimum: amount, items: inputType },
          ),
          { minKeys: 1, maxKeys: 3 },
        ),
      },
      { examples: fc.array(free, { maxLength: 2 }) },
    ),
    memory: map(
      { type: one("ephemeral", "session") },
      {
        backend: fc.constantFrom("redis" as const, "vector" as const, null),
        retention: fc.record({ unit: one("iteration", "hour", "day"), value: count }),
        write_policy: map({}, { allowed_writers: list(words), schema: words, max_entries: count }),
        read_policy: fc.dictionary(id, fc.array(words, { maxLength: 2 }), { maxKeys: 2 }),
        redaction: free,
      },
    ),
    workers: list(worker, 4),
    evaluators: list(evaluator),
    feedback_channels: list(
      map(
        {
          id,
          source: id.map((name) => `evaluators.${name}`),
          destination: fc.oneof(
            id.map((name) => `workers.${name}`),
            one("optimization_strategy", "optimization_strategy.manual"),
          ),
          format: one("structured", "template", "human_queue"),
        },
        { fields: unique(one("failure_codes", "dimension_scores", "summary")), max_tokens: count, when: words, template_ref: words },
      ),
    ),
    optimization_strategy: map(
      { type: one("prompt_refinement", "parameter_search", "memory_update", "structural", "manual"), max_steps: count },
      {
        config: map(
          {},
          {
            refinement_target: id.map((name) => `workers.${name}`),
            preserve_sections: unique(words),
            human_gate_on: free,
            search_space: free,
          },
        ),
        rollback: map({}, { on_metric_drop: share, on_safety_failure: fc.boolean() }),
      },
    ),
    termination_conditions: map(
      {
        failure: list(
          map(
            {
              type: one("safety_violation", "max_iterations", "evaluator_error", "cost_exceeded", "human_rejected", "timeout"),
              value: count,
            },
            { action, consecutive: count },
          ),
        ),
      },
      {
        success: fc.array(map({ metric: words, operator: one("gte", "lte", "eq", "gt", "lt"), value: amount }, { consecutive: count }), {
          maxLength: 2,
        }),
        stall: fc.array(fc.record({ metric: words, window_iterations: count, min_improvement: amount, action }), { maxLength: 2 }),
      },
    ),
    metrics: list(
      map(
        {
          name: fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/),
          definition: words,
          source: fc.oneof(
            id.map((name) => `evaluators.${name}`),
            fc.constant("telemetry.cost"),
          ),
          unit: one("ratio", "count", "usd", "seconds", "tokens", "percent"),
        },
        { primary: fc.boolean(), target: amount, regression_threshold: amount },
      ),
    ),
    safety_constraints: fc.array(
      map(
        {
          id,
          type: one("injection_detect", "secret_scan", "pii_detect", "tool_allowlist", "human_gate", "output_bounds"),
          scope: one("pre_worker", "post_worker", "pre_output", "pre_memory_write", "pre_evaluator"),
          action: one("halt", "quarantine", "escalate_human", "warn", "strip"),
        },
        {
          applies_to: unique(idOrAll),
          severity: one("S0", "S1", "S2", "S3"),
          on_error: one("halt", "warn", "quarantine"),
          config: free,
          rule: words,
        },
      ),
      { maxLength: 6 },
    ),
    cost_limits: map(
      { per_iteration_usd: amount, cumulative_usd: amount, on_exceed: fc.record({ action: one("halt", "warn", "throttle") }) },
      {
        token_soft_cap: count,
        on_approach: fc.record({ threshold_percent: fc.integer({ min: 1, max: 100 }), action: one("warn", "throttle", "halt") }),
        price_table_ref: words,
      },
    ),
  },
  {
    extensions: free,
    metadata: free,
    x_ours: plain,
    composition: map(
      {
        type: one("sequential", "nested"),
        children: fc.array(map({ id, ref: words }, { role: one("stage", "outer", "inner"), lens: words }), { minLength: 2, maxLength: 3 }),
      },
      {
        adapters: fc.array(fc.record({ from: words, to: words }), { maxLength: 2 }),
        merge: map({}, { min_branches_pass: count, preserve_dissent: fc.boolean() }),
      },
    ),
  },
);
