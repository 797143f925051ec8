// The score of what is on record of a loop: of one run, or of all of them, over time.

import type { MeasuredAnswer } from "../../contract/score.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import type { RunView } from "../../contract/views.ts";
import { scoreRuns } from "../../scoring/les/measured.ts";
import { type MeasuredRun, measureRun, refusedIn } from "../../scoring/les/measured-run.ts";
import type { Score } from "../../scoring/les/score.ts";
import type { Records } from "../open-records.ts";
import { viewOf } from "../records/views.ts";
import { dimensionsIn } from "./dimensions-in.ts";

/** So many of the newest runs are looked at: no question about a loop costs more than that. */
const MOST_RUNS = 200;

export interface LoopRuns {
  readonly loop: string;
  readonly spec: LoopSpec;
  /** Oldest first. */
  readonly views: readonly RunView[];
  readonly measured: readonly MeasuredRun[];
}

/** Undefined where the loop never ran. */
export async function runsOf(records: Pick<Records, "journal">, loop: string): Promise<LoopRuns | undefined> {
  const opened = (await records.journal.newestOf(loop, "run-opened", { most: MOST_RUNS })).toReversed();
  const newest = opened.at(-1);
  if (!newest) return undefined;
  const views = await Promise.all(opened.map(({ run }) => viewOf(records, run)));
  // A check that any of them saw say no can say no.
  const refused = new Set(views.flatMap(refusedIn));
  const measured = views.flatMap((view, index) => measureRun(view, opened[index]!.record.spec.budget.rounds, refused) ?? []);
  return { loop, spec: newest.record.spec, views, measured };
}

export function scoreLoop({ loop, views, measured }: LoopRuns, run: string | null): MeasuredAnswer {
  const meant = run === null ? measured : measured.filter((one) => one.run === run);
  const looked = run === null ? views.length : 1;
  const { runs, interval, ...rest } = scoreRuns(meant);
  return {
    kind: "measured",
    loop,
    run,
    runs,
    unmeasured: looked - runs,
    interval,
    ...dimensionsIn(rest),
    over: meant.map((one) => ({ ...told(scoreRuns([one])), run: one.run, at: one.at, ...factsOf(views, one) })),
    versions: versionsOf(views, meant),
    notes: [...rest.notes, ...(run === null && views.length === MOST_RUNS ? [`only the newest ${MOST_RUNS} runs were looked at`] : [])],
  };
}

const told = ({ score, display }: Pick<Score, "score" | "display">): { readonly score: number; readonly display: number } => ({
  score: score ?? 0,
  display: display ?? 0,
});

function factsOf(views: readonly RunView[], { run }: MeasuredRun): { readonly specHash: string; readonly ending: string } {
  const view = views.find((one) => one.run === run);
  return { specHash: view?.specHash ?? "", ending: view?.rest?.kind ?? "" };
}

function versionsOf(views: readonly RunView[], runs: readonly MeasuredRun[]): MeasuredAnswer["versions"] {
  const byHash = new Map<string, MeasuredRun[]>();
  for (const run of runs) {
    const { specHash } = factsOf(views, run);
    byHash.set(specHash, [...(byHash.get(specHash) ?? []), run]);
  }
  return [...byHash].map(([specHash, its]) => {
    const { interval, ...score } = scoreRuns(its);
    return { specHash, since: its[0]!.at, runs: its.length, ...told(score), interval };
  });
}
