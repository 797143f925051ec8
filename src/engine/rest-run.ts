// Ends a run: nothing of it is left lying about, its summary is kept, and those who asked are told.
import type { Round } from "../contract/round.ts";
import type { Rest } from "../contract/verdict.ts";
import type { World } from "../contract/world.ts";
import { baseRoundOf, KEEP_BEST, preparingAt, workerPlace } from "./names.ts";
import { asFailure, type Outcome } from "./outcome.ts";
import { renderReport } from "./render-report.ts";
import type { Run } from "./run.ts";
import { durableSteps } from "./steps.ts";
import { createNotifierWorld } from "./worlds/telling-world.ts";

/** Ends the run: nothing of it is left lying about, its report is kept, and those who asked are told. */
export async function restRun(
  run: Pick<Run, "opened" | "journal" | "world" | "watch" | "guard">,
  notify: Run["crew"]["notify"],
  verdict: Rest,
): Promise<Outcome> {
  const { opened, journal, world, watch } = run;
  const report = renderReport({ loop: journal.loop, run: journal.run, opened, state: journal.state, rest: verdict });
  const [kept] = await Promise.all([world.artifacts.keep(report), clearAway(run, verdict)]);
  const step = durableSteps(journal, journal.run, { clock: world.clock, stop: { asked: () => false } }, watch);
  // A run that was taken up again, with more budget or an answer, rests once more, and that is told too.
  const rests = journal.entries.filter(({ record }) => record.kind === "run-rested").length;
  const again = rests === 0 ? "" : `-${rests + 1}`;
  for (const [index, { name, tell }] of notify.entries()) {
    const telling = { loop: journal.loop, run: journal.run, repo: opened.repo, folder: opened.folder, report };
    await step(`notify-${index + 1}-${name}${again}`, () => toldOrWhyNot(() => tell(telling, createNotifierWorld(journal.run, run))));
  }
  await journal.write({ kind: "run-rested", rest: verdict, report: kept });
  return { kind: "rested", rest: verdict };
}

async function clearAway({ opened, journal, world }: Pick<Run, "opened" | "journal" | "world">, verdict: Rest): Promise<void> {
  const { baseline, rounds } = journal.state;
  if (baseline || rounds.length === 0) await world.workshop.close(baseRoundOf(journal, opened, ""));
  for (const { round, kept, steps } of rounds) {
    await world.workshop.close(round);
    if (opened.spec.team) await clearTeam(opened, round, world, verdict);
    // What a loop that was called has kept goes to its caller, which gives it up with its own.
    if (opened.parent) continue;
    if (steps.some(({ step }) => step === KEEP_BEST)) await world.workshop.forget(opened.repo, round);
    // A run that waits for more budget goes on from what is kept; any other end gives it up.
    if (kept && !isResumable(verdict)) await world.workshop.forget(opened.repo, round);
  }
  if (opened.spec.prepare) await world.workshop.close(preparingAt(journal.loop, journal.run));
}

/** Places of workers that were killed in the middle of their work, and the commits that were kept for others. */
async function clearTeam(
  { spec, repo }: Run["opened"],
  { id, loop }: Round,
  { workshop }: Pick<World, "workshop">,
  verdict: Rest,
): Promise<void> {
  for (const [worker, { tries = 1 }] of Object.entries(spec.team?.workers ?? {}))
    for (let number = 1; number <= tries; number++) await workshop.close({ loop, id: workerPlace(id, worker, number) });
  if (!isResumable(verdict)) await workshop.forgetTeam(repo, { id });
}

/** Whether a run that ended like this can be taken up again: all it lacked was a budget. */
export const isResumable = (rest: Rest): boolean => rest.kind === "halt" && rest.because === "budget";

/** That somebody could not be told is written down and does not undo the run. */
async function toldOrWhyNot(tell: () => Promise<void>): Promise<{ readonly told: boolean; readonly why: string }> {
  try {
    await tell();
    return { told: true, why: "" };
  } catch (error) {
    return { told: false, why: asFailure(error).message };
  }
}
