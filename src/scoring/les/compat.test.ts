// The published numbers of the standard's own tools, to the digit, where their files lie beside the repository.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { DIMENSIONS } from "./dimensions.ts";
import { scoreRunsAsLoopbench, scoreTraceAsLoopctl, scoreTrajectory } from "./observed.ts";
import { scoreAsCore, scoreAsLoopctl } from "./structural.ts";

const SAMPLES = resolve(process.env.LOOPWRIGHT_SAMPLES ?? "../shared/reference/samples");
const sample = (name: string): string => readFileSync(resolve(SAMPLES, name), "utf8");
const linesOf = (name: string): readonly unknown[] =>
  sample(name)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** What core and loopctl print for each file. */
const GOLDEN = [
  ["core/minimal-loop", 0.7768, 78.3],
  ["core/multi-agent-loop", 0.748, 75.4],
  ["core/research-loop", 0.7876, 79.4],
  ["loop-library/coding-agent", 0.6973, 70.4],
  ["loop-library/autonomous-debugger.early", 0.6973, 70.4],
  ["loop-library/bundled/autonomous-debugger", 0.7385, 74.5],
  ["loop-library/bundled/research-agent", 0.761, 76.7],
  ["loop-library/compositions/code-debug-repair", 0.6498, 65.6],
  ["loop-library/compositions/research-to-writing", 0.6498, 65.6],
  ["loop-library/compositions/scenario-swarm-rehearsal", 0.6498, 65.6],
  ["loop-library/compositions/flat/debug-repair-flat", 0.7518, 75.8],
  ["loopbench-submissions/spec-fast-loop", 0.7519, 75.8],
  ["loopbench-submissions/spec-thorough-loop", 0.7458, 75.2],
  ["loopgym-envs/code-repair-v1.spec", 0.7189, 72.5],
  ["loopgym-envs/composed-swarm-v1.spec", 0.6359, 64.2],
  ["loopgym-envs/hitl-gate-v1.spec", 0.7392, 74.6],
  ["loopgym-envs/multi-agent-debate-v1.spec", 0.6762, 68.3],
  ["loopgym-envs/rag-retrieval-v1.spec", 0.7233, 73.0],
  ["loopgym-envs/research-synthesis-v1.spec", 0.7113, 71.8],
  ["loopgym-envs/safety-constrained-v1.spec", 0.7244, 73.1],
  ["counterexamples/nested-no-adapters", 0.5839, 59.0],
  ["counterexamples/parallel-first-wins", 0.5839, 59.0],
  ["counterexamples/sequential-no-adapters", 0.5839, 59.0],
] as const;

interface Published {
  readonly les_observed: { readonly les_normalized: number; readonly categories: { readonly [name: string]: number } };
}

interface Submission {
  readonly results: readonly {
    readonly task_id: string;
    readonly runs: readonly unknown[];
    readonly aggregate: { readonly les_observed: number; readonly categories: { readonly [name: string]: number } };
  }[];
}

describe.skipIf(!existsSync(SAMPLES))("as the standard's own tools have it", () => {
  it.each(GOLDEN)("%s scores %d by core and %d by loopctl", (name, core, loopctl) => {
    const spec = parse(sample(`lss/${name}.yaml`));

    expect([scoreAsCore(spec).score, scoreAsLoopctl(spec).score]).toEqual([core, loopctl]);
  });

  it("scores the trace of the standard by loopctl", () => {
    expect(scoreTraceAsLoopctl(JSON.parse(sample("lss/traces/minimal-trace.json"))).score).toBe(78.6);
  });

  it("scores every record of LoopNet, the captured ones by the other weights", () => {
    const records = linesOf("loopnet/records-v0.2.jsonl") as readonly Published[]; // the samples have this form

    const came = records.map((record) => {
      const published = record.les_observed.les_normalized;
      const loopnet = scoreTrajectory(record, "loopnet");
      const isSame = DIMENSIONS.every((dimension) => loopnet.dimensions[dimension] === record.les_observed.categories[dimension]);
      const by = [loopnet.score === published, scoreTrajectory(record, "loopgym").score === published];
      return `${isSame} ${by.join(" ")}`;
    });

    const count = (what: string): number => came.filter((one) => one === what).length;
    expect([count("true true false"), count("true false true"), count("true true true"), records.length]).toEqual([499, 45, 1, 545]);
  });

  it("scores what was handed in to LoopBench, with the bounds of each task", () => {
    const { entries } = JSON.parse(sample("loopbench/leaderboard-entries.json")) as { readonly entries: readonly Submission[] };
    const results = entries.flatMap((entry) => entry.results);

    const came = results.map(({ task_id: task, runs }) =>
      scoreRunsAsLoopbench(runs, parse(sample(`lss/loopbench-tasks/${task}.task.yaml`))),
    );

    const other = results.flatMap(({ aggregate }, index) => {
      const differ = DIMENSIONS.filter((dimension) => came[index]!.dimensions[dimension] !== aggregate.categories[dimension]);
      return differ.length > 0 || came[index]!.score !== aggregate.les_observed ? [{ index, differ }] : [];
    });
    // Two rows of the board have a cost of nothing that their own runs, in which the goal rose, do not give.
    expect([results.length, other]).toEqual([
      6,
      [
        { index: 2, differ: ["cost"] },
        { index: 4, differ: ["cost"] },
      ],
    ]);
  });
});

it.each([undefined, null, 7, [], {}, { workers: "a rock", evaluators: [1, null], cost_limits: [] }, { trajectory: {} }])(
  "takes %j for a file without anything in it, and never fails",
  (nonsense) => {
    const scores = [
      scoreAsCore(nonsense),
      scoreAsLoopctl(nonsense),
      scoreTraceAsLoopctl(nonsense),
      scoreTrajectory(nonsense, "loopnet"),
      scoreRunsAsLoopbench(nonsense, nonsense),
    ];

    expect(scores.every(({ score }) => Number.isFinite(score))).toBe(true);
  },
);
