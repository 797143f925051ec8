// Opens rounds until the loop may rest, and writes down how each ended.

import type { Baseline } from "../contract/baseline.ts";
import { LoopError } from "../contract/errors.ts";
import type { KindName, ProposalOf } from "../contract/proposal.ts";
import type { Entry } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { Rest } from "../contract/verdict.ts";
import { recallBaseline } from "../journal/flakes.ts";
import { haltedBy } from "../journal/fold.ts";
import { standsOn } from "./judge.ts";
import { baseRoundOf, PROPOSE_BEST } from "./names.ts";
import { nextRound } from "./next-round.ts";
import { asFailure, type Outcome } from "./outcome.ts";
import { layPrepared } from "./prepare.ts";
import { restRun } from "./rest-run.ts";
import type { Run } from "./run.ts";
import { runRound } from "./run-round.ts";
import { looksOf, takeBaseline } from "./take-baseline.ts";

/** Opens rounds until the loop may rest. It never waits: whoever called it wakes it again. */
export async function runLoop<K extends KindName>(run: Run<K>): Promise<Outcome> {
  const early = await closeBaseline(run);
  if (early) return paused(run, early);
  let over: Round | undefined;
  for (;;) {
    const next = nextRound(run.journal, run.opened, run.journal.state);
    if (next.kind === "rest") {
      const failure = next.rest.kind === "accept" && next.rest.best ? await proposeBest(run, next.rest.best.roundId) : undefined;
      if (failure?.retry === "later") return paused(run, failure);
      const rest: Rest = failure ? { kind: "halt", because: haltedBy(failure.code), reason: failure.message } : next.rest;
      await run.calls?.end(rest);
      return restRun(run, run.crew.notify, rest);
    }
    // A run that rests clears everything away itself.
    if (over) await run.world.workshop.close(over);
    const round: Round = next.kind === "resume" ? next.round : { ...next.round, openedAt: run.world.clock.now().toISOString() };
    if (next.kind === "open") run.journal.hold({ kind: "round-opened", round });
    const failure = await closeRound(run, round);
    if (failure?.retry === "later") return paused(run, failure);
    over = round;
  }
}

/** Puts the best round's work where it waits for a person; gives back why that could not be. */
async function proposeBest<K extends KindName>(run: Run<K>, roundId: string): Promise<LoopError | undefined> {
  const { actOnBest } = run.kind;
  const best = run.journal.state.rounds.find(({ round }) => round.id === roundId);
  // A round that holds has a proposal, and all of a run's are of its kind.
  const proposal = best?.evidence?.proposal as ProposalOf<K> | undefined;
  if (!best?.evidence || !proposal || !actOnBest) throw new TypeError(`nothing was kept of ${roundId}`);
  const { on } = standsOn(best.evidence);
  try {
    await run.steps(roundId)(PROPOSE_BEST, () => actOnBest(best.round, proposal, run, on));
    return undefined;
  } catch (error) {
    return asFailure(error);
  }
}

/** Whoever wakes it again finds all that it came to. */
async function paused({ journal }: Pick<Run, "journal">, failure: LoopError): Promise<Outcome> {
  await journal.write();
  return { kind: "paused", failure };
}

/** Looks at base, once in a run and before its first round, and writes down what was seen; gives back a failure that passes. */
async function closeBaseline(run: Run): Promise<LoopError | undefined> {
  const { opened, crew, journal, world, watch } = run;
  const { baseline, rounds, rest } = journal.state;
  const looks = looksOf(opened, crew);
  if (baseline || rest || rounds.length > 0 || looks.length === 0) return undefined;
  if (run.stop.asked())
    return new LoopError("interrupted", "stopped before base was looked at", { retry: "later", hint: "Go on with `lw resume`." });
  const past = await recallBaseline(run.records, journal.loop);
  watch({ kind: "step-began", id: journal.run, step: "baseline" });
  const startedMs = world.clock.monotonicMs();
  const before = journal.entries.length;
  const tookMs = (): number => Math.max(0, Math.round(world.clock.monotonicMs() - startedMs - recordedMs(journal.entries.slice(before))));
  const round = baseRoundOf(journal, opened, "");
  try {
    const seen = await takeBaseline(await layPrepared(run), looks, past);
    journal.hold({ kind: "baseline-taken", baseline: seen, tookMs: tookMs() });
  } catch (error) {
    const failure = asFailure(error);
    const { code, message, hint } = failure;
    if (failure.retry === "later") {
      await journal.write({ kind: "round-failed", roundId: round.id, code, message, hint, retry: "later", tookMs: tookMs() });
      return failure;
    }
    // The quarantine is carried on as it was.
    const stopped: Baseline = { tree: "", checks: [], quarantine: past.flakes, failure: { code, message, hint } };
    journal.hold({ kind: "baseline-taken", baseline: stopped, tookMs: tookMs() });
  }
  await world.workshop.close(round);
  return undefined;
}

/** Runs the round and writes down how it ended; an outside failure is written down too, and given back. */
async function closeRound<K extends KindName>(run: Run<K>, round: Round): Promise<LoopError | undefined> {
  const { journal, world } = run;
  const startedMs = world.clock.monotonicMs();
  const before = journal.entries.length;
  try {
    const { evidence, verdict } = await runRound(round, run);
    // What follows from it is on record with it: a rest, or the next round. Killed before, the round is judged again from its steps.
    journal.hold({ kind: "round-closed", roundId: round.id, evidence, verdict });
    return undefined;
  } catch (error) {
    const failure = asFailure(error);
    const { code, message, hint, retry, until } = failure;
    const tookMs = Math.max(0, Math.round(world.clock.monotonicMs() - startedMs - recordedMs(journal.entries.slice(before))));
    await journal.write({ kind: "round-failed", roundId: round.id, code, message, hint, retry, ...(until ? { until } : {}), tookMs });
    return failure;
  }
}

/** What steps have put on record already is not counted twice. */
const recordedMs = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { record }) => sum + (record.kind === "step-done" ? record.tookMs : 0), 0);
