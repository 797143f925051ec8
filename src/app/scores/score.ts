// Answers to "what is it worth": of a file by what it says, of a run or a loop by what happened.
import type { Registries } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { LintAnswer, MeasuredAnswer } from "../../contract/score.ts";
import { lintScore } from "../../scoring/les/lint.ts";
import type { SpecProblem } from "../../spec/read-spec.ts";
import type { LoopRead } from "../anatomy/read-loop.ts";
import type { Records } from "../open-records.ts";
import { findSpec, readLoop } from "../open-specs.ts";
import { findRun } from "../records/find-run.ts";
import { viewOf } from "../records/views.ts";
import { dimensionsIn } from "./dimensions-in.ts";
import { runsOf, scoreLoop } from "./score-runs.ts";

export type Scored =
  | { readonly kind: "scored"; readonly answer: LintAnswer | MeasuredAnswer }
  | { readonly kind: "refused"; readonly problems: readonly SpecProblem[] };

/** A file that is not sound is told what is wrong with it, and gets no score. */
export async function scoreFile(file: string, cwd: string, registries: Registries): Promise<Scored> {
  const read: LoopRead = await readLoop(file, cwd, registries);
  if (read.kind === "refused" || read.problems.length > 0) return { kind: "refused", problems: read.problems };
  const { anatomy } = read;
  const score = lintScore(anatomy);
  return {
    kind: "scored",
    answer: { kind: "lint", loop: anatomy.name, file, refused: [...anatomy.claims], ...dimensionsIn(score), notes: [...score.notes] },
  };
}

/** A loop or a run that is on record; else a spec of that name in this folder. */
export async function scoreNamed(records: Pick<Records, "journal">, asked: string, cwd: string, registries: Registries): Promise<Scored> {
  const ofLoop = await runsOf(records, asked);
  if (ofLoop) return { kind: "scored", answer: scoreLoop(ofLoop, null) };
  const run = await findRun(records, asked).catch((error: unknown) => {
    if (error instanceof LoopError) return undefined;
    throw error;
  });
  if (run === undefined) return scoreFile(await findSpec(asked, cwd), cwd, registries);
  const { loop } = await viewOf(records, run);
  const runs = await runsOf(records, loop);
  if (!runs) throw new TypeError(`a run of ${loop} without a record`);
  return { kind: "scored", answer: scoreLoop(runs, run) };
}
