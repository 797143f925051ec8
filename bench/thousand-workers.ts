// A spec of the standard with a thousand workers: checking, scoring and drawing it, beside parsing its YAML alone, in turns.
import { parse } from "yaml";
import { builtIn, describeLoop } from "../src/index.ts";
import { median } from "./measure.ts";

const TURNS = 5;
const WORKERS = 1000;
/** Of a processor: what others do on the machine meanwhile is none of ours. */
const MOST_MS = 1000;
/** Reading a text is most of it, and is done once. */
const MOST_RATIO = 3;

const text = thousandWorkers(WORKERS);
const took = { all: [] as Took[], yaml: [] as Took[] };
// The first turn is what somebody waits for who asks once; the others are told apart from warming up.
const first = { yaml: measured(parsed), all: measured(described) };
for (let turn = 0; turn < TURNS; turn++) {
  took.yaml.push(measured(parsed));
  took.all.push(measured(described));
}
const [all, yaml] = [middle(took.all), middle(took.yaml)];
const ratio = all.cpu / yaml.cpu;
console.log(`  ${WORKERS} workers, ${(text.length / 1024).toFixed(0)} kB of YAML; processor time, and by the clock; medians of ${TURNS}`);
console.log(`  checked, scored and drawn     ${told(all)} (at most ${MOST_MS} ms of a processor)`);
console.log(`  its YAML parsed alone         ${told(yaml)}`);
console.log(`  ratio                         ${ratio.toFixed(2)} (at most ${MOST_RATIO})`);
console.log(`  the first time, cold          ${told(first.all)}; parsed alone ${told(first.yaml)}`);
if (all.cpu > MOST_MS || ratio > MOST_RATIO) process.exitCode = 1;

interface Took {
  readonly cpu: number;
  readonly clock: number;
}

function parsed(): void {
  parse(text);
}

function described(): void {
  const { problems, about } = describeLoop("thousand.yaml", text, builtIn);
  if (problems.length > 0 || about === null) throw new Error(JSON.stringify(problems[0]));
  if (about.anatomy.nodes.length < WORKERS || !about.svg.includes(`w${WORKERS - 1}`)) throw new Error("not everybody was drawn");
}

function measured(work: () => void): Took {
  const [before, started] = [process.cpuUsage(), performance.now()];
  work();
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1000, clock: performance.now() - started };
}

function middle(all: readonly Took[]): Took {
  return { cpu: median(all.map(({ cpu }) => cpu)), clock: median(all.map(({ clock }) => clock)) };
}

function told({ cpu, clock }: Took): string {
  return `${cpu.toFixed(0)} ms, ${clock.toFixed(0)} ms by the clock`;
}

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
