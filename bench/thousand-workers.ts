// A spec of the standard with a thousand workers: checking, scoring and drawing it, beside parsing its YAML alone, in turns.
import { parse } from "yaml";
import { builtIn, describeLoop } from "../src/index.ts";
import { median, timed } from "./measure.ts";

const TURNS = 5;
const WORKERS = 1000;
const MOST_MS = 1000;

const text = thousandWorkers(WORKERS);
const took = { all: [] as number[], yaml: [] as number[] };
for (let turn = 0; turn <= TURNS; turn++) {
  const yaml = await timed(() => void parse(text));
  const all = await timed(() => {
    const { problems, about } = describeLoop("thousand.yaml", text, builtIn);
    if (problems.length > 0 || about === null) throw new Error(JSON.stringify(problems[0]));
    if (about.anatomy.nodes.length < WORKERS || !about.svg.includes(`w${WORKERS - 1}`)) throw new Error("not everybody was drawn");
  });
  // The first turn warms up.
  if (turn > 0) {
    took.yaml.push(yaml);
    took.all.push(all);
  }
}
const [all, yaml] = [median(took.all), median(took.yaml)];
console.log(`  ${WORKERS} workers, ${(text.length / 1024).toFixed(0)} kB of YAML; medians of ${TURNS}`);
console.log(`  checked, scored and drawn     ${all.toFixed(0)} ms (at most ${MOST_MS})`);
console.log(`  its YAML parsed alone         ${yaml.toFixed(0)} ms`);
console.log(`  ratio                         ${(all / yaml).toFixed(2)}`);
if (all > MOST_MS) process.exitCode = 1;

function thousandWorkers(many: number): string {
  const workers = Array.from({ length: many }, (_, index) => {
    const from = index % 10 === 0 ? "inputs.task" : `workers.w${index - 1}`;
    return `  - {id: w${index}, role: Do part ${index} of the work, model: {provider: p, name: m}, inputs: [{from: ${from}}], outputs: {name: O${index}, format: text}}`;
  });
  return `loop_name: thousand
version: 1.0.0
objective: Do the work in a thousand parts.
inputs: {schema: {task: {type: string, description: What to do}}}
memory: {type: session}
workers:
${workers.join("\n")}
evaluators:
  - {id: tests, type: deterministic, runs_after: ["*"], implementation: evaluators.test_pass_rate}
feedback_channels: [{id: back, source: evaluators.tests, destination: workers.w0, format: structured}]
optimization_strategy: {type: prompt_refinement, max_steps: 3}
termination_conditions: {success: [{metric: passed, operator: gte, value: 1}], failure: [{type: max_iterations, value: 5}]}
metrics: [{name: passed, primary: true, definition: Tests that pass, source: evaluators.tests, unit: ratio}]
safety_constraints: [{id: no-orders, type: injection_detect, scope: pre_worker, action: halt}]
cost_limits: {per_iteration_usd: 1, cumulative_usd: 2, on_exceed: {action: halt}}
`;
}
