// One run of a test command in a room, and what it showed: the exit code and, where the spec asks for them, the results of every test.
import * as z from "zod";
import type { ArtifactRef } from "../contract/artifacts.ts";
import type { Finished } from "../contract/commands.ts";
import { LoopError } from "../contract/errors.ts";
import type { Measured } from "../contract/measuring.ts";
import type { CheckWorld } from "../contract/part-worlds.ts";
import { Duration, VariableName } from "../contract/spec.ts";
import type { Sight } from "../contract/verifier.ts";
import type { Checkout } from "../contract/workshop.ts";
import { parseDuration } from "../std/duration.ts";
import { chosenEnvironment } from "../std/environment.ts";
import { tellCounts, tellNames, tellProblems } from "../std/tell-tests.ts";
import { type TestOutcome, type TestResults, unreadable } from "../std/test-results.ts";
import { siftQuarantined } from "./test-results/quarantine.ts";
import { RESULT_FORMATS, readTestResults } from "./test-results/read-test-results.ts";

/** Inside the copy, and nowhere else. */
export const INSIDE = /^(?!\/)(?!(?:.*\/)?\.{0,2}(?:\/|$))[^\0]+$/;

export const Results = z.strictObject({
  format: z
    .enum(RESULT_FORMATS)
    .default("auto")
    .meta({ description: "What the runner writes; auto looks for itself, and is unsure where two would fit.", examples: ["junit"] }),
  file: z
    .string()
    .max(500)
    .regex(INSIDE, { error: "must be a path inside the repository, without `..`" })
    .optional()
    .meta({
      description:
        "Where the runner writes them, inside the copy; what lies there before is removed. Without it they are read from what the command prints, which the code under test can print as well: prefer a file.",
      examples: ["reports/junit.xml"],
    }),
});

/** The options of every verifier that runs tests. */
export const RUN_OPTIONS = {
  run: z
    .string()
    .min(1)
    .meta({ description: "The command, given to /bin/sh.", examples: ["npm ci && npm test"] }),
  timeout: Duration.default("10m").meta({
    description: "How long it may take; a check that takes longer could not be made.",
    examples: ["10m"],
  }),
  env: z
    .record(VariableName, z.string())
    .default({})
    .meta({ description: "Variables to set.", examples: [{ NODE_ENV: "test" }] }),
  inherit: z
    .array(VariableName)
    .default([])
    .meta({
      description:
        "Variables of your environment it may see besides PATH, locale and time zone. HOME is an empty folder unless named here. Secrets are never given: what is checked was written by the maker.",
      examples: [["JAVA_HOME"]],
    }),
  results: Results.optional().meta({
    description:
      "Read the result of every test, and hold only when the exit code and the results agree that all is well. `format` is auto, junit, tap, vitest, jest, node, pytest, unittest, go or cargo; `file` is where the runner writes them, inside the copy. Without `file` they are read from what is printed, which the code under test can print as well. Without `results` only the exit code counts.",
    examples: [{ format: "junit", file: "reports/junit.xml" }],
  }),
};
const Options = z.strictObject(RUN_OPTIONS);
export type RunOptions = Readonly<z.infer<typeof Options>>;

/** Conditions under which a command runs, where they differ from the usual ones. */
export interface Changed {
  readonly run: string;
  /** Undefined takes a variable away. */
  readonly env: { readonly [name: string]: string | undefined };
  /** What it reads. */
  readonly input?: string;
}

export type TestRun =
  | { readonly kind: "not-run"; readonly why: string; readonly output: ArtifactRef | undefined }
  | { readonly kind: "timed-out"; readonly afterMs: number; readonly tail: string; readonly output: ArtifactRef }
  | {
      readonly kind: "exited";
      readonly code: number;
      /** Undefined when the spec does not ask for them. */
      readonly results: TestResults | undefined;
      readonly tail: string;
      readonly output: ArtifactRef;
    };

/** The shell's own words for a command that is not there, or is none. */
const CANNOT_RUN = new Set([126, 127]);
/** Failures that say that this run could not be made; any other ends more than this run. */
const NOT_MADE = new Set(["git-failed", "workspace-lost", "box-unusable", "maker-failed"]);

/** Runs it in a room that the caller opens; a room or a file that cannot be had is told, and not thrown. */
export async function runTests(
  open: () => Promise<Checkout> | Checkout,
  options: RunOptions,
  world: CheckWorld,
  changed: Changed = { run: options.run, env: {} },
): Promise<TestRun> {
  try {
    const room = await open();
    const file = options.results?.file;
    if (file !== undefined) await world.roomFiles(room).remove(file);
    const since = world.clock.now();
    const finished = await world.proc.run({
      run: changed.run,
      cwd: room.work,
      timeoutMs: parseDuration(options.timeout)!,
      env: environmentOf(room, options, world, changed),
      ...(changed.input === undefined ? {} : { input: changed.input }),
    });
    return await readRun(finished, { room, since }, options, world);
  } catch (cause) {
    if (!(cause instanceof LoopError) || cause.retry !== "never" || !NOT_MADE.has(cause.code)) throw cause;
    return { kind: "not-run", why: cause.message, output: undefined };
  }
}

function environmentOf(room: Checkout, options: RunOptions, world: CheckWorld, { env }: Changed): { readonly [name: string]: string } {
  const all = { HOME: room.home, CI: "1", ...chosenEnvironment(options.inherit, world.env), ...env, ...options.env };
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

interface Ran {
  readonly room: Checkout;
  /** Results that say they are older are not of this run. */
  readonly since: Date;
}

async function readRun({ end, tail, output }: Finished, ran: Ran, options: RunOptions, world: CheckWorld): Promise<TestRun> {
  const command = `\`${options.run}\``;
  if (end.kind === "timed-out") return { kind: "timed-out", afterMs: end.afterMs, tail, output };
  if (end.kind === "killed")
    return { kind: "not-run", why: `${command} was killed by ${end.signal}${end.why ? `, because ${end.why}` : ""}${said(tail)}`, output };
  if (CANNOT_RUN.has(end.code)) return { kind: "not-run", why: `${command} could not be run (exit ${end.code})${said(tail)}`, output };
  return { kind: "exited", code: end.code, results: await resultsOf(output, ran, options, world), tail, output };
}

async function resultsOf(
  output: ArtifactRef,
  { room, since }: Ran,
  { results }: RunOptions,
  world: CheckWorld,
): Promise<TestResults | undefined> {
  if (!results) return undefined;
  if (results.file === undefined) {
    const read = readTestResults(results.format, await world.readOutput(output), room.work, since);
    return output.truncated ? { ...read, isComplete: false, problems: [...read.problems, "more was printed than could be kept"] } : read;
  }
  const text = await world.roomFiles(room).read(results.file);
  return text === undefined
    ? unreadable(`the command wrote no ${results.file}, or no plain file of at most 32 MiB`)
    : readTestResults(results.format, text, room.work, since);
}

/** What a single run shows about the code it ran on. Tests in quarantine count neither way, and may not be missing. */
export function sightOf(run: TestRun, { run: asked }: Pick<RunOptions, "run">, quarantined: readonly string[] = []): Sight {
  const command = `\`${asked}\``;
  if (run.kind === "not-run") return { outcome: "unknown", detail: run.why, output: run.output };
  const { output, tail } = run;
  // What it would have said, had it ended, nobody knows.
  if (run.kind === "timed-out") return { outcome: "unknown", detail: `${command} took longer than ${run.afterMs} ms${said(tail)}`, output };
  const exited = `${command} exited ${run.code}`;
  if (run.results && quarantined.length > 0) return sightApart(exited, run.code, run.results, quarantined, { output, tail });
  if (!run.results) return { outcome: run.code === 0 ? "holds" : "refuted", detail: `${exited}${said(tail)}`, output };
  const doubt = whyDoubted(run.code, run.results);
  if (doubt !== undefined) return { outcome: "unknown", detail: `${exited}, and ${doubt}${said(tail)}`, output };
  if (run.code === 0) return { outcome: "holds", detail: `${exited}: ${tellCounts(run.results)}`, output };
  return { outcome: "refuted", detail: `${exited}: ${tellFailed(run.results)}${said(tail)}`, output };
}

/** The same without the tests in quarantine. They alone explain an exit code only where the results are complete and nothing else failed. */
function sightApart(
  exited: string,
  code: number,
  all: TestResults,
  quarantined: readonly string[],
  { output, tail }: Pick<Extract<TestRun, { kind: "exited" }>, "output" | "tail">,
): Sight {
  const { results, failed, missing } = siftQuarantined(all, quarantined);
  const isExplained = code !== 0 && all.isComplete && failed.length > 0 && results.tests.every(({ outcome }) => outcome !== "failed");
  const leftOut = `\nleft out, since base itself cannot make up its mind about them (${quarantined.length}): ${tellNames(quarantined)}`;
  const doubt = code === 0 ? (whyDoubted(0, all) ?? whyDoubted(0, results)) : isExplained ? whyDoubted(0, results) : whyDoubted(code, all);
  if (doubt !== undefined) return { outcome: "unknown", detail: `${exited}, and ${doubt}${leftOut}${said(tail)}`, output };
  if (code !== 0 && !isExplained) return { outcome: "refuted", detail: `${exited}: ${tellFailed(all)}${leftOut}${said(tail)}`, output };
  if (missing.length > 0)
    return {
      outcome: "refuted",
      detail: `${exited}, and tests in quarantine are gone or skipped, which nothing excuses: ${tellNames(missing)}`,
      output,
    };
  const because = isExplained ? `, which is put down to tests in quarantine (${failed.length} failed)` : "";
  return { outcome: "holds", detail: `${exited}${because}: ${tellCounts(results)}${leftOut}`, output };
}

export const withFigures = (sight: Sight, run: TestRun): Sight => {
  const measured = measuredIn(run);
  return measured ? { ...sight, measured } : sight;
};

const MOST_CODES = 50;

/** The figures of a run: how many of its tests passed. One whose tests are not read has none but how it ended. */
function measuredIn(run: TestRun): Measured | undefined {
  if (run.kind !== "exited" || !run.results) return undefined;
  const { tests } = run.results;
  const count = (outcome: TestOutcome): number => tests.filter((test) => test.outcome === outcome).length;
  const [passed, failed] = [count("passed"), count("failed")];
  return {
    ...(passed + failed > 0 ? { score: passed / (passed + failed) } : {}),
    values: { tests: tests.length, passed, failed, skipped: count("skipped") + count("todo") },
    codes: tests.flatMap(({ id, outcome }) => (outcome === "failed" ? [id.slice(0, 200)] : [])).slice(0, MOST_CODES),
  };
}

/** Why a run's exit code and its results cannot both be believed, or do not suffice; undefined when they do. */
export function whyDoubted(code: number, results: TestResults): string | undefined {
  const failed = results.tests.filter(({ outcome }) => outcome === "failed");
  if (code === 0 && failed.length > 0) return `its results name tests that failed, so one of the two is not true: ${tellFailed(results)}`;
  if (code === 0 && !results.isComplete) return `its results cannot be relied on: ${tellProblems(results)}`;
  if (code === 0 && !results.tests.some(({ outcome }) => outcome === "passed"))
    return `no test passed, so nothing was shown: ${tellCounts(results)}`;
  if (code !== 0 && results.isComplete && failed.length === 0)
    return `its results name no test that failed, so something other than a test did, or one of the two is not true: ${tellCounts(results)}`;
  return undefined;
}

function tellFailed(results: TestResults): string {
  const failed = results.tests.filter(({ outcome }) => outcome === "failed").map(({ id }) => id);
  const names = failed.length === 0 ? "" : `\nfailed: ${tellNames(failed)}`;
  return `${tellCounts(results)}${results.isComplete ? "" : ` (not complete: ${tellProblems(results)})`}${names}`;
}

const said = (tail: string): string => (tail.trim() === "" ? "" : `\n${tail.trim()}`);
