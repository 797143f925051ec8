import type { Baseline } from "../contract/baseline.ts";
import type { Crew } from "../contract/crew.ts";
import { LoopError } from "../contract/errors.ts";
import type { Entry, LoopRecord } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { Rest } from "../contract/verdict.ts";
import { decideNext } from "./decide-next.ts";
import { createNotifierWorld } from "./part-worlds.ts";
import { preparingAt, withPrepared } from "./prepare.ts";
import { renderReport } from "./render-report.ts";
import { type RunRoom, runRound } from "./run-round.ts";
import { durableSteps } from "./steps.ts";
import { baseRoundOf, looksOf, takeBaseline } from "./take-baseline.ts";

/** How a waking ended: the loop rests, or something outside must pass first and the run stays open. */
export type Outcome = { readonly kind: "rested"; readonly rest: Rest } | { readonly kind: "paused"; readonly failure: LoopError };

/** Opens rounds until the loop may rest. It never waits: whoever called it wakes it again. */
export async function runLoop(room: RunRoom): Promise<Outcome> {
  const early = await closeBaseline(room);
  if (early) return { kind: "paused", failure: early };
  for (;;) {
    const next = decideNext(room.journal, room.opened, room.journal.state);
    if (next.kind === "rest") return restRun(room, room.crew.notify, next.rest);
    const round: Round = next.kind === "resume" ? next.round : { ...next.round, openedAt: room.world.clock.now().toISOString() };
    if (next.kind === "open") await record(room, { kind: "round-opened", round });
    const failure = await closeRound(room, round);
    if (failure?.retry === "later") return { kind: "paused", failure };
    await room.world.workshop.close(round);
  }
}

/** Looks at base, once in a run and before its first round, and writes down what was seen; gives back a failure that passes. */
async function closeBaseline(room: RunRoom): Promise<LoopError | undefined> {
  const { opened, crew, journal, world, watch } = room;
  const { baseline, rounds, rest } = journal.state;
  const looks = looksOf(opened, crew);
  if (baseline || rest || rounds.length > 0 || looks.length === 0) return undefined;
  if (world.stopAsked())
    return new LoopError("interrupted", "stopped before base was looked at", { retry: "later", hint: "Go on with `lw resume`." });
  const past = (await room.recall?.()) ?? { last: undefined, flakes: [] };
  watch({ kind: "step-began", id: journal.run, step: "baseline" });
  const startedMs = world.clock.monotonicMs();
  const before = journal.entries.length;
  const tookMs = (): number => Math.max(0, Math.round(world.clock.monotonicMs() - startedMs - recordedMs(journal.entries.slice(before))));
  const round = baseRoundOf(journal, opened, "");
  try {
    const seen = await takeBaseline(await withPrepared(room), looks, past);
    await record(room, { kind: "baseline-taken", baseline: seen, tookMs: tookMs() });
  } catch (error) {
    const failure = asFailure(error);
    const { code, message, hint } = failure;
    if (failure.retry === "later") {
      await record(room, { kind: "round-failed", roundId: round.id, code, message, hint, retry: "later", tookMs: tookMs() });
      return failure;
    }
    // The quarantine is carried on as it was.
    const stopped: Baseline = { tree: "", checks: [], quarantine: past.flakes, failure: { code, message, hint } };
    await record(room, { kind: "baseline-taken", baseline: stopped, tookMs: tookMs() });
  }
  await world.workshop.close(round);
  return undefined;
}

/** Runs the round and writes down how it ended; an outside failure is written down too, and given back. */
async function closeRound(room: RunRoom, round: Round): Promise<LoopError | undefined> {
  const { journal, world } = room;
  const startedMs = world.clock.monotonicMs();
  const before = journal.entries.length;
  try {
    const { evidence, verdict } = await runRound(round, room);
    await record(room, { kind: "round-closed", roundId: round.id, evidence, verdict });
    return undefined;
  } catch (error) {
    const failure = asFailure(error);
    const { code, message, hint, retry, until } = failure;
    const tookMs = Math.max(0, Math.round(world.clock.monotonicMs() - startedMs - recordedMs(journal.entries.slice(before))));
    await record(room, { kind: "round-failed", roundId: round.id, code, message, hint, retry, ...(until ? { until } : {}), tookMs });
    return failure;
  }
}

/** What steps have put on record already is not counted twice. */
const recordedMs = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { record }) => sum + (record.kind === "step-done" ? record.tookMs : 0), 0);

/** Ends the run: nothing of it is left lying about, its report is kept, and those who asked are told. */
export async function restRun(room: Omit<RunRoom, "crew" | "purse">, notify: Crew["notify"], verdict: Rest): Promise<Outcome> {
  const { opened, journal, world, watch } = room;
  const state = journal.state;
  if (state.baseline || state.rounds.length === 0) await world.workshop.close(baseRoundOf(journal, opened, ""));
  for (const { round, kept } of state.rounds) {
    await world.workshop.close(round);
    // A run that waits for more budget goes on from what is kept; any other end gives it up.
    if (kept && !isResumable(verdict)) await world.workshop.forget(opened.repo, round);
  }
  if (opened.spec.prepare) await world.workshop.close(preparingAt(journal.loop, journal.run));
  const report = renderReport({ loop: journal.loop, run: journal.run, opened, state, rest: verdict });
  const kept = await world.artifacts.keep(report);
  const step = durableSteps(journal, journal.run, { clock: world.clock, stopAsked: () => false }, watch);
  // A run that was taken up again, with more budget or an answer, rests once more, and that is told too.
  const rests = journal.entries.filter(({ record }) => record.kind === "run-rested").length;
  const again = rests === 0 ? "" : `-${rests + 1}`;
  for (const [index, { name, tell }] of notify.entries()) {
    const telling = { loop: journal.loop, run: journal.run, repo: opened.repo, folder: opened.folder, report };
    await step(`notify-${index + 1}-${name}${again}`, () => toldOrWhyNot(() => tell(telling, createNotifierWorld(journal.run, room))));
  }
  await record(room, { kind: "run-rested", rest: verdict, report: kept });
  return { kind: "rested", rest: verdict };
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

/** What we do not know by name is a bug of ours: it is recorded as one, and stops only its own loop. */
function asFailure(error: unknown): LoopError {
  if (error instanceof LoopError) return error;
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new LoopError("bug", told.slice(0, 4000), {
    retry: "never",
    hint: "This is a bug in loopwright: please report it with this text and the output of `lw doctor`.",
    cause: error,
  });
}

async function record({ journal, watch }: Pick<RunRoom, "journal" | "watch">, line: LoopRecord): Promise<void> {
  watch({ kind: "recorded", entry: await journal.append(line) });
}
