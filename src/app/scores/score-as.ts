// What one of the standard's own tools would say of a file: a spec, a trace, records or a submission. Their numbers, named as theirs.
import { LoopError } from "../../contract/errors.ts";
import type { CompatAnswer } from "../../contract/score.ts";
import { type Observed, scoreRunsAsLoopbench, scoreTraceAsLoopctl, scoreTrajectory } from "../../scoring/les/observed.ts";
import { listOf, mapOf, mapsOf, numberOf, textOf } from "../../scoring/les/read.ts";
import { scoreAsCore, scoreAsLoopctl } from "../../scoring/les/structural.ts";
import { unsoundRuns, unsoundTrace, unsoundTrajectory } from "../../scoring/les/unsound.ts";
import { readTheirFile } from "../dialects/read-value.ts";

export type Tool = CompatAnswer["tool"];
export const TOOLS: readonly Tool[] = ["core", "loopctl", "loopnet", "loopbench", "loopgym"];

export interface TheirFile {
  readonly path: string;
  readonly text: string;
}

type Result = CompatAnswer["results"][number];

/** `tasks` are for LoopBench alone, whose scores go by the bounds of each task. */
export function scoreAs(tool: Tool, file: TheirFile, tasks: readonly TheirFile[]): CompatAnswer {
  const values = readTheirFile(file.path, file.text);
  const wrongs = unsoundIn(tool, values);
  if (wrongs.length > 0) throw unsound(file.path, wrongs);
  const answer = resultsOf(tool, file, values, tasks);
  if (answer.results.length === 0) throw nothing(file.path, tool, answer.skipped[0]);
  const claims = tool === "core" || tool === "loopctl" ? mapOf(mapOf(values[0]).les_scores) : {};
  return {
    kind: "compat",
    tool,
    file: file.path,
    ...answer,
    notes: [
      `this is what ${tool} says, and not ours; docs/les.md tells where they differ`,
      ...(Object.keys(claims).length > 0 ? ["the file's own les_scores would take the place of these there; here they are refused"] : []),
    ],
  };
}

type Answered = Pick<CompatAnswer, "results" | "skipped">;

function resultsOf(tool: Tool, file: TheirFile, values: readonly unknown[], tasks: readonly TheirFile[]): Answered {
  const [first] = values;
  switch (tool) {
    case "core":
      return { results: isSpec(first) ? [one(textOf(mapOf(first).loop_name) || file.path, scoreAsCore(first))] : [], skipped: [] };
    case "loopctl": {
      const scored = isTrace(first) ? scoreTraceAsLoopctl(first) : isSpec(first) ? scoreAsLoopctl(first) : undefined;
      return { results: scored ? [one(textOf(mapOf(first).loop_name) || file.path, scored)] : [], skipped: [] };
    }
    case "loopnet":
    case "loopgym":
      return recordsOf(values, tool);
    case "loopbench":
      return submissionOf(first, tasks);
  }
}

const one = (of: string, { score, dimensions }: Observed, published: number | undefined = undefined): Result => ({
  of,
  score,
  published: published ?? null,
  dimensions,
});

const has = (value: unknown, keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(mapOf(value), key));

/** A trace may carry the name of its loop, and is no spec for that. */
const isTrace = (value: unknown): boolean => has(value, ["iterations", "trace_version"]);
const isSpec = (value: unknown): boolean => has(value, ["workers", "evaluators", "loop_name"]) && !isTrace(value);

/** What cannot be, of what this tool would look at. */
function unsoundIn(tool: Tool, values: readonly unknown[]): readonly string[] {
  switch (tool) {
    case "core":
      return [];
    case "loopctl":
      return isTrace(values[0]) ? unsoundTrace(values[0]) : [];
    case "loopnet":
    case "loopgym":
      return values.flatMap((record, index) =>
        unsoundTrajectory(record).map((wrong) => (values.length > 1 ? `record ${index + 1}: ${wrong}` : wrong)),
      );
    case "loopbench":
      return submissionsIn(values[0]).flatMap(({ results }) =>
        mapsOf(results).flatMap(({ task_id, runs }) => unsoundRuns(runs).map((wrong) => `${textOf(task_id)} ${wrong}`)),
      );
  }
}

const submissionsIn = (value: unknown): ReturnType<typeof mapsOf> => {
  const board = mapOf(value);
  return Array.isArray(board.entries) ? mapsOf(board.entries) : [board];
};

const MOST_TOLD = 5;

const unsound = (path: string, wrongs: readonly string[]): LoopError =>
  new LoopError(
    "bad-input",
    `${path} has figures that no run could have had: ${wrongs.slice(0, MOST_TOLD).join("; ")}${wrongs.length > MOST_TOLD ? `; and ${wrongs.length - MOST_TOLD} more` : ""}`,
    { retry: "never", hint: "Nothing is made up in their place, and no score is given." },
  );

function recordsOf(values: readonly unknown[], tool: "loopnet" | "loopgym"): Answered {
  const records = values.map(mapOf);
  const named = records.map((record, index) => ({ record, of: textOf(record.record_id) || `record ${index + 1}` }));
  return {
    results: named.flatMap(({ record, of }) =>
      Array.isArray(record.trajectory) ? [one(of, scoreTrajectory(record, tool), numberOf(mapOf(record.les_observed).les_normalized))] : [],
    ),
    skipped: named.flatMap(({ record, of }) => (Array.isArray(record.trajectory) ? [] : [{ of, why: "it has no trajectory" }])),
  };
}

/** One submission, or a board of them. */
function submissionOf(value: unknown, tasks: readonly TheirFile[]): Answered {
  const submissions = submissionsIn(value);
  const known = new Map(
    tasks.map(({ path, text }) => {
      const [task] = readTheirFile(path, text);
      return [textOf(mapOf(task).id), task] as const;
    }),
  );
  const all = submissions.flatMap((submission) =>
    mapsOf(submission.results).map((result) => ({
      of: [textOf(submission.submission_id) || textOf(submission.submitter), textOf(result.task_id)].join(" "),
      task: known.get(textOf(result.task_id)),
      result,
    })),
  );
  return {
    results: all.flatMap(({ of, task, result }) =>
      task === undefined || listOf(result.runs).length === 0
        ? []
        : [one(of, scoreRunsAsLoopbench(result.runs, task), numberOf(mapOf(result.aggregate).les_observed))],
    ),
    skipped: all.flatMap(({ of, task, result }) => {
      if (listOf(result.runs).length === 0) return [{ of, why: "it has no runs, so that its score is typed in" }];
      return task === undefined ? [{ of, why: `the task ${textOf(result.task_id)} was not given with --task` }] : [];
    }),
  };
}

const WANTED: { readonly [tool in Tool]: string } = {
  core: "a spec of the standard",
  loopctl: "a spec of the standard, or a Loop Trace",
  loopnet: "records of LoopNet, one JSON a line",
  loopgym: "records of LoopGym, one JSON a line",
  loopbench: "a submission to LoopBench, with the task's file as --task",
};

const nothing = (path: string, tool: Tool, first: CompatAnswer["skipped"][number] | undefined): LoopError =>
  new LoopError("bad-input", `${path} has nothing that ${tool} would score${first ? `: ${first.of}: ${first.why}` : ""}`, {
    retry: "never",
    hint: `It wants ${WANTED[tool]}.`,
  });
