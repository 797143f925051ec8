import type { Baseline } from "../contract/baseline.ts";
import { LoopError } from "../contract/errors.ts";
import type { Entry, LoopRecord } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { Rest } from "../contract/verdict.ts";
import { foldRun } from "../journal/fold.ts";
import { asFailure } from "./as-failure.ts";
import { baseRoundOf } from "./names.ts";
import { decideNext } from "./next-round.ts";
import { withPrepared } from "./prepare.ts";
import { restRun } from "./rest-run.ts";
import type { RunRoom } from "./run.ts";
import { runRound } from "./run-round.ts";
import { looksOf, takeBaseline } from "./take-baseline.ts";

/** How a waking ended: the loop rests, or something outside must pass first and the run stays open. */
export type Outcome = { readonly kind: "rested"; readonly rest: Rest } | { readonly kind: "paused"; readonly failure: LoopError };

/** Opens rounds until the loop may rest. It never waits: whoever called it wakes it again. */
export async function runLoop(room: RunRoom): Promise<Outcome> {
  const early = await closeBaseline(room);
  if (early) return { kind: "paused", failure: early };
  for (;;) {
    const next = decideNext(room.journal, room.opened, foldRun(room.journal.entries));
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
  const { baseline, rounds, rest } = foldRun(journal.entries);
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

export async function record({ journal, watch }: Pick<RunRoom, "journal" | "watch">, line: LoopRecord): Promise<void> {
  watch({ kind: "recorded", entry: await journal.append(line) });
}
