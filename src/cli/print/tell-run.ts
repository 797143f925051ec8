// How a run ended, for people and for machines; the commands that run loops share it.

import { isRoot } from "../../app/open-doctor.ts";
import type { House } from "../../app/open-house.ts";
import { reportOf } from "../../app/records/report-of.ts";
import { viewOf } from "../../app/records/views.ts";
import type { RunResult } from "../../app/runs/begin-run.ts";
import { tellSandbox } from "../../app/tell-sandbox.ts";
import { type ExitName, exitOf, exitOfError } from "../../contract/exit.ts";
import type { RunView } from "../../contract/views.ts";
import type { Watch } from "../../contract/watch.ts";
import { firstLine, visibleText } from "../../std/display-text.ts";
import { formatDuration } from "../../std/duration.ts";
import { shellWord } from "../../std/shell-word.ts";
import type { Call, Io } from "../call.ts";
import { createLive } from "./live.ts";
import { createPaint } from "./paint.ts";
import { tellMetrics } from "./tell-metrics.ts";
import { isGoodRest, tellCost, tellOnlyProposed, tellRest, whyNotWell } from "./words.ts";

/** Runs the work with the live screen on, from when there is something to tell: first of all, unless it was said, that nothing boxes it. */
export async function watched<T>({ io }: Call, house: House, work: (watch: Watch) => Promise<T>, { isSaid = false } = {}): Promise<T> {
  const box = isSaid ? undefined : await house.box.means();
  const open = box?.kind === "none" ? tellSandbox(box, isRoot()) : [];
  let live: ReturnType<typeof createLive> | undefined;
  try {
    return await work((sighting) => {
      if (!live) for (const line of open) io.err(`${line}\n`);
      live ??= createLive(io, { repeat: house.repeat, nowMs: house.world.clock.monotonicMs });
      live.watch(sighting);
    });
  } finally {
    live?.end();
  }
}

/** How a run ended, three times: for the shell, for machines, and for people. */
export interface Ending {
  readonly exit: ExitName;
  readonly document: object;
  readonly tell: (io: Io) => void;
}

export async function describeEnding(house: House, result: RunResult): Promise<Ending> {
  switch (result.kind) {
    case "not-due":
      return {
        exit: "later",
        document: { state: "not-due", nextDue: result.nextDue },
        tell: (io) => io.err(`lw: not due yet; next: ${result.nextDue}\n`),
      };
    case "waiting":
      return {
        exit: "waiting",
        document: { state: "waiting", run: result.run, branch: result.branch },
        tell: (io) =>
          io.err(
            `lw: the proposal of ${result.run} still waits for you on ${result.branch}.\n    \`lw show ${result.run}\` shows it, \`lw approve\` and \`lw reject\` decide, --again runs anyway.\n`,
          ),
      };
    case "ran": {
      const view = await viewOf(house, result.run);
      const exit = result.outcome.kind === "rested" ? exitOf(result.outcome.rest) : exitOfError(result.outcome.failure.code);
      const reported = await readReported(house, view);
      return { exit, document: view, tell: (io) => tellEnd(io, view, reported) };
    }
  }
}

const MOST_ROUNDS_TOLD = 8;
const MOST_LINES_TOLD = 60;

/** What a loop that reports found, as lines; how it came about is a command away. */
async function readReported(house: House, { run, rest, referee }: RunView): Promise<readonly string[]> {
  if (referee || rest?.kind !== "accept" || rest.action !== "report") return [];
  const report = await reportOf(house, run);
  // The run is over, whatever became of what it wrote.
  const text = report && (await house.artifacts.read(report).catch(() => undefined));
  return text === undefined ? [] : foundIn(visibleText(Buffer.from(text).toString("utf8")));
}

/** The part of a report between its head and what happened in each round. */
function foundIn(report: string): readonly string[] {
  const [told = ""] = report.split("\n## What happened\n");
  const begins = told.indexOf("\n## ");
  const lines =
    begins < 0
      ? []
      : told
          .slice(begins + 1)
          .trimEnd()
          .split("\n");
  return lines.length <= MOST_LINES_TOLD
    ? lines
    : [...lines.slice(0, MOST_LINES_TOLD), `… and ${lines.length - MOST_LINES_TOLD} lines more`];
}

function tellEnd(io: Io, view: RunView, reported: readonly string[]): void {
  const paint = createPaint(io.outColor);
  const summary = `${view.rounds.length} round(s), ${formatDuration(view.workedMs)}, cost ${tellCost(view.cost)}`;
  if (!view.rest) {
    io.out(`${paint("yellow", "paused")}  ${view.run}  ${summary}\n  Go on with: lw resume ${view.loop}\n`);
    return;
  }
  io.out(`${isGoodRest(view.rest) ? paint("green", tellRest(view.rest)) : paint("red", tellRest(view.rest))}  ${view.run}  ${summary}\n`);
  if (reported.length > 0) io.out(`\n${reported.join("\n")}\n\n`);
  const why = view.rest.kind === "nothing-to-do" ? view.rest.reason : whyNotWell(view.rest);
  if (why !== undefined) io.out(`  ${firstLine(why, 400)}\n`);
  for (const passed of view.passedCaps ?? []) io.out(`  ${paint("yellow", `past its budget: ${passed}`)}\n`);
  for (const line of view.metrics ? tellMetrics(view.metrics, MOST_ROUNDS_TOLD) : []) io.out(`  ${line}\n`);
  for (const { says } of view.proposal?.receipts ?? []) io.out(`  Done:   ${says}\n`);
  if (view.alone?.kind === "not" && !view.proposal?.settled)
    io.out(`  ${paint("yellow", firstLine(tellOnlyProposed(view.alone.why), 600))}\n`);
  if (view.branch && !view.proposal?.settled)
    io.out(
      `  Look:   git -C ${shellWord(view.repo)} diff ${view.base.commit.slice(0, 12)} ${view.branch}\n  Decide: lw approve ${view.run}, or lw reject ${view.run}\n`,
    );
  io.out(`  More:   lw show ${view.run}${reported.length > 0 ? " --report" : ""}\n`);
}
