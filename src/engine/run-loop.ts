// Opens rounds until the loop may rest, and writes down how each ended.

import type { LoopError } from "../contract/errors.ts";
import type { KindName, ProposalOf } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import type { Rest } from "../contract/verdict.ts";
import { haltedBy } from "../journal/fold.ts";
import { closeBaseline } from "./close-baseline.ts";
import { standsOn } from "./level-of.ts";
import { PROPOSE_BEST } from "./names.ts";
import { nextRound } from "./next-round.ts";
import { asFailure, type Outcome } from "./outcome.ts";
import { recordedMs } from "./recorded-ms.ts";
import { restRun } from "./rest-run.ts";
import type { Run } from "./run.ts";
import { runRound } from "./run-round.ts";

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
