// Documents of the Loop Specification Standard for tests, written here: none of them is the reference's.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";

/** A sound document with every list that rules speak about. */
export const SOUND_LSS = `loop_name: release-notes
version: 1.2.0
objective: Write release notes that name every change a user can see.
inputs:
  schema:
    changes: {type: string, description: The merged changes, required: true, max_length: 4000}
    tone: {type: enum, description: How it should sound, values: [plain, friendly], default: plain}
  examples:
    - {changes: "Fixed a crash on start"}
memory: {type: session, retention: {unit: iteration, value: 5}, write_policy: {allowed_writers: [sorter], max_entries: 20}}
workers:
  - id: sorter
    role: Sort the changes by who notices them
    model: {provider: anthropic, name: small-model, temperature: 0}
    inputs: [{from: inputs.changes}]
    outputs: {name: SortedChanges, format: json}
    timeout_seconds: 60
    retries: 1
    cost_budget_usd: 0.1
  - id: writer
    role: Write the notes from the sorted changes
    model: {provider: anthropic, name: large-model}
    depends_on: [sorter]
    inputs: [{from: workers.sorter}, {from: inputs.tone}]
    outputs: {name: Notes, format: markdown}
    tools: [read_file]
    cost_budget_usd: 0.2
evaluators:
  - {id: length, type: deterministic, runs_after: [writer], implementation: evaluators.word_count_max}
  - id: clarity
    type: llm_rubric
    runs_after: [writer]
    rubric:
      dimensions:
        - {name: complete, weight: 0.7, scale: [0, 1], criteria: Every visible change is named}
        - {name: plain, weight: 0.3, scale: [0, 10], criteria: No jargon}
      pass_threshold: 0.8
    model: {provider: openai, name: judge-model, temperature: 0}
feedback_channels:
  - {id: clarity-to-writer, source: evaluators.clarity, destination: workers.writer, format: structured, fields: [failure_codes, dimension_scores], max_tokens: 300, when: score < pass_threshold}
optimization_strategy: {type: prompt_refinement, max_steps: 4, config: {refinement_target: workers.writer}, rollback: {on_metric_drop: 0.05}}
termination_conditions:
  success: [{metric: clarity_score, operator: gte, value: 0.8}]
  failure: [{type: max_iterations, value: 6, action: halt}, {type: safety_violation, action: halt}]
  stall: [{metric: clarity_score, window_iterations: 3, min_improvement: 0.02, action: halt}]
metrics:
  - {name: clarity_score, primary: true, definition: The weighted score of clarity, source: evaluators.clarity, unit: ratio, target: 0.8}
  - {name: words, definition: How many words, source: evaluators.length, unit: count, target: 300}
  - {name: cost_usd, definition: What the run cost, source: telemetry.cost, unit: usd}
safety_constraints:
  - {id: no-orders, type: injection_detect, scope: pre_worker, applies_to: [sorter], action: quarantine, severity: S1, on_error: halt}
  - {id: no-secrets, type: secret_scan, scope: post_worker, applies_to: ["*"], action: halt}
cost_limits: {per_iteration_usd: 0.3, cumulative_usd: 1.5, token_soft_cap: 9000, on_approach: {threshold_percent: 80, action: warn}, on_exceed: {action: halt}}
`;

/** The shape of what was shown before there was a schema: two roles, a list of ends, and hardly anything else. */
export const OLD_LSS = `loop_name: mend-loop
version: "1.0"
objective: "Make the broken tests pass"
workers:
  - role: mender
evaluators:
  - type: test_suite
termination_conditions:
  - type: all_tests_pass
  - type: max_iterations
    value: 7
`;

/** The sound document as a value, for tests that change it. */
export const soundLss = (): Record<string, unknown> => parse(SOUND_LSS);

export const LSS_SAMPLES = resolve(process.env.LOOPWRIGHT_SAMPLES ?? "../shared/reference/samples", "lss");

/** The reference's own documents, where they lie beside the repository. */
export const lssSamples: readonly { readonly name: string; readonly text: string }[] = existsSync(LSS_SAMPLES)
  ? readdirSync(LSS_SAMPLES, { recursive: true, encoding: "utf8" })
      .filter((file) => /^(core|loop-library|loopgym-envs|loopbench-submissions|counterexamples|invalid)\/.*\.yaml$/.test(file))
      .toSorted()
      .map((file) => ({ name: file.replace(/\.yaml$/, ""), text: readFileSync(resolve(LSS_SAMPLES, file), "utf8") }))
  : [];
