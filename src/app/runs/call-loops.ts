// Runs the loops that another loop calls: each is a run of its own, in the caller's lock, and is found again by whoever comes after a crash.
import { dirname, resolve } from "node:path";
import type { ArtifactRef } from "../../contract/artifacts.ts";
import { calledLoop, calledRun } from "../../contract/calling.ts";
import type { Crew } from "../../contract/crew.ts";
import type { RunInputs } from "../../contract/inputs.ts";
import { KINDS, type KindName } from "../../contract/proposal.ts";
import type { RunOpened } from "../../contract/record.ts";
import type { Watch } from "../../contract/watch.ts";
import type { Calls, Handed, LoopCall, LoopEnd, Unfit } from "../../engine/call-loop.ts";
import { HAND } from "../../engine/kinds/called.ts";
import type { Outcome } from "../../engine/outcome.ts";
import { isResumable } from "../../engine/rest-run.ts";
import type { Run } from "../../engine/run.ts";
import { runLoop } from "../../engine/run-loop.ts";
import { type RunState, restedRound } from "../../journal/fold.ts";
import { lastOf } from "../../journal/journal.ts";
import { openRunJournal, type RunJournal } from "../../journal/run-journal.ts";
import { readInputs } from "../../spec/read-inputs.ts";
import { specHash } from "../../spec/read-spec.ts";
import { assembleCrew } from "../crew.ts";
import type { House } from "../open-house.ts";
import { signLoop } from "../records/sign.ts";
import { giveUpCalled } from "./give-up.ts";
import { mustHaveAll, openCalledRun, policyFor, policyHash, telling } from "./open-run.ts";
import { changedBudget } from "./plan-waking.ts";

type Calling = Pick<Run, "opened" | "journal" | "stop" | "guard" | "limits" | "watch">;

/** How a run calls others. */
export const callsFor = (house: House, caller: Calling): Calls => ({
  call: (call) => callLoop(house, caller, call),
  end: (rest) => {
    const { loop, run, state } = caller.journal;
    return giveUpCalled(house, { loop, run, opened: caller.opened, rounds: state.rounds, rest }, caller.watch);
  },
});

async function callLoop(house: House, caller: Calling, call: LoopCall): Promise<LoopEnd | Unfit> {
  const loop = calledLoop(caller.journal.loop, call.worker);
  const run = calledRun(call.round.id, call.worker);
  const journal = await openRunJournal(house.journal, { loop, run }, telling(caller.watch));
  const before = journal.state;
  if (before.rest && !isToGoOn(before, caller.journal)) return ended(house, journal, caller.watch);
  const inputs = inputsFor(house, call);
  if ("unfit" in inputs) return inputs;
  const crew = assembleCrew(call.spec, house.registries);
  if (before.opened) {
    await house.journal.settleLeftovers(run);
    await journal.refresh();
    journal.hold({ kind: "run-resumed", ...changedBudget(before.opened.spec, call.spec) });
  } else {
    const described = await describeCall(house, caller, call, crew, inputs.inputs);
    await mustHaveAll(house, described, crew);
    journal.hold(described);
  }
  const { opened } = journal.state;
  if (!opened) throw new TypeError(`${run} was not opened`);
  const ready = await openCalledRun(
    house,
    crew,
    { opened, journal, policy: await policyFor(house, opened), watch: caller.watch, limits: caller.limits },
    { caller, above: call.above },
  );
  // Nothing of it is on record before what called it is.
  await caller.journal.write();
  const outcome = await runCalled(house, ready);
  if (outcome.kind === "paused") return endOf(journal, outcome, undefined);
  return ended(house, journal, caller.watch);
}

const runCalled = <K extends KindName>(house: House, ready: Run<K>): Promise<Outcome> =>
  runLoop({ ...ready, calls: callsFor(house, ready) });

/** One that rested for want of a budget goes on where its caller rested for that since, and was taken up again. */
function isToGoOn({ rest }: RunState, caller: RunJournal): boolean {
  if (!rest || !isResumable(rest.verdict)) return false;
  return caller.entries.some(({ record, at }) => record.kind === "run-rested" && at >= rest.at);
}

/** Signed before its caller goes on: the caller's receipt names it. */
async function ended(house: House, journal: RunJournal, watch: Watch): Promise<LoopEnd> {
  const { rest } = journal.state;
  if (!rest) throw new TypeError(`${journal.run} has not come to rest`);
  await signLoop(house, journal.loop, watch);
  const { entries } = await house.journal.story(journal.run);
  const receipt = entries.flatMap(({ record }) => (record.kind === "receipted" ? [record.receipt] : [])).at(-1);
  return endOf(journal, { kind: "rested", rest: rest.verdict }, receipt);
}

function endOf(journal: RunJournal, outcome: Outcome, receipt: ArtifactRef | undefined): LoopEnd {
  const { state, run } = journal;
  const rested = restedRound(state);
  const round = rested?.evidence ? rested : state.rounds.findLast(({ evidence }) => evidence !== undefined);
  const evidence = round?.evidence;
  const verifiers = state.opened?.spec.verifiers ?? [];
  const passed = verifiers.flatMap(({ id }) => {
    if (id === undefined) return [];
    const outcomes = (evidence?.proofs ?? []).filter((proof) => proof.id === id && proof.room !== "own").map((proof) => proof.outcome);
    return [[id, outcomes.length === 0 || outcomes.includes("unknown") ? null : outcomes.every((one) => one === "holds")] as const];
  });
  return {
    run,
    outcome,
    proposal: evidence?.proposal,
    handed: round ? (journal.result(round.round.id, HAND)?.result as Handed | undefined) : undefined, // as the step writes it
    passed: Object.fromEntries(passed),
    isTainted: state.rounds.some((one) => one.evidence?.taint?.kind === "tainted"),
    used: state.used,
    basis: state.basis,
    receipt,
  };
}

/** What it is given, as what it takes; who said so is as it was in the run above. */
function inputsFor({ redact }: House, { spec, given }: LoopCall): { readonly inputs: RunInputs | undefined } | Unfit {
  const texts = Object.fromEntries(Object.entries(given).map(([name, { text }]) => [name, { text, by: "worker" as const }]));
  const reading = readInputs(spec, texts);
  if (reading.kind === "refused") return { unfit: `it cannot be called with what it is given: ${reading.problems.join("; ")}` };
  const { inputs } = reading;
  if (!inputs) return { inputs };
  const kept = Object.entries(inputs).map(([name, input]) => {
    const from = given[name]?.input;
    return [name, from ? { ...input, trust: from.trust, by: from.by } : input] as const;
  });
  return { inputs: redact(Object.fromEntries(kept)) };
}

async function describeCall(
  house: House,
  { opened: above, journal }: Calling,
  { round, worker, file, spec, base, lessons, isTainted }: LoopCall,
  crew: Crew,
  inputs: RunInputs | undefined,
): Promise<RunOpened> {
  const loop = calledLoop(journal.loop, worker);
  const path = resolve(above.folder, file);
  const folder = dirname(path);
  const target = above.target ?? { repo: above.repo, ref: above.base.ref, commit: base };
  const own = KINDS[crew.proposes].isOwn ? await house.documents.open(loop) : undefined;
  const last = await lastOf(house.journal, loop, "run-opened");
  const ref = own?.ref ?? target.ref;
  const repo = own?.repo ?? target.repo;
  const commit = own ? await house.world.git.resolve(own.repo, own.ref) : (target.commit ?? base);
  if (commit === undefined) throw new TypeError(`${repo} has no ${ref}`);
  return {
    kind: "run-opened",
    number: (last?.record.number ?? 0) + 1,
    spec,
    specHash: specHash(spec),
    policyHash: await policyHash(house, await policyFor(house, { folder })),
    specPath: path,
    folder,
    repo,
    base: { ref, commit },
    cursors: {},
    version: house.version,
    nextDue: null,
    ...(own ? { target } : {}),
    ...(inputs ? { inputs } : {}),
    parent: { loop: journal.loop, run: journal.run, roundId: round.id, worker, lessons, isTainted },
  };
}
