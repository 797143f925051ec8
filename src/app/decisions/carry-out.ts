// Carries out what was decided about proposals, as far as decisions, gates and the level reach.
import { isDecidedCrew } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { GateAnswer } from "../../contract/gate.ts";
import { BLINK_MS } from "../../contract/locks.ts";
import type { DecidedKind } from "../../contract/proposal.ts";
import type { Watch } from "../../contract/watch.ts";
import { askGates } from "../../engine/ask-gates.ts";
import { decidingOf } from "../../engine/kinds/index.ts";
import { levelOf } from "../../engine/level-of.ts";
import { type Proposed, proposedIn } from "../../engine/proposed.ts";
import type { Run } from "../../engine/run.ts";
import { planActions, type Standstill, settleProposal } from "../../engine/settle.ts";
import { isOvertaken } from "../../journal/journal.ts";
import { unsettledRuns } from "../../journal/loop-facts.ts";
import { countingApprovals, DECIDING, isClosed, newestDeciding, stageOf } from "../../journal/proposals.ts";
import { openRunJournal } from "../../journal/run-journal.ts";
import { specSchemaFor } from "../../spec/schema.ts";
import { assembleCrew } from "../crew.ts";
import type { House } from "../open-house.ts";
import { signLoop } from "../records/sign.ts";
import { openRun, policyFor, telling } from "../runs/open-run.ts";
import { lacksSecrets } from "../runs/plan-waking.ts";
import { findProposal, goneAs } from "./find-proposal.ts";

/** Undefined where another process works on the loop: it is carried out when that rests. */
export async function carryOut(house: House, { opened, round }: Proposed, watch: Watch): Promise<Standstill | undefined> {
  const { loop } = round;
  const lock = await house.locks.hold(`loop ${loop}`, { ms: BLINK_MS });
  if (!lock) return undefined;
  const tried = new Map<string, number>();
  let standstill: Standstill | undefined;
  try {
    standstill = await settleOnce(house, { opened, round }, watch, tried);
  } finally {
    await lock.release();
  }
  await carryOutApproved(house, loop, watch, tried);
  return standstill;
}

/** What came of a proposal that had been approved. */
export type CarriedOut = { readonly run: string; readonly loop: string } & (
  | { readonly kind: "came"; readonly standstill: Standstill }
  | { readonly kind: "failed"; readonly error: LoopError }
);

/**
 * Carries out what was approved in a loop and is not settled, and signs for it. Whoever lets go of a loop asks this afterwards: who
 * approved meanwhile found it taken, and left it to them. Each proposal once, and again only after somebody decided about it again.
 */
export async function carryOutApproved(
  house: House,
  loop: string,
  watch: Watch,
  tried: Map<string, number> = new Map(),
): Promise<readonly CarriedOut[]> {
  const came = new Map<string, CarriedOut>();
  while (!house.stop.asked()) {
    const waiting = (await approvedIn(house, loop)).filter(({ round: { run }, newest }) => newest > (tried.get(run) ?? 0));
    // Where somebody else holds it, they ask the same when they let go.
    const lock = waiting.length > 0 ? await house.locks.hold(`loop ${loop}`, { ms: BLINK_MS }) : undefined;
    if (!lock) break;
    try {
      for (const proposed of waiting) {
        const { run } = proposed.round;
        tried.set(run, proposed.newest);
        const result = await settleOnce(house, proposed, watch, tried).catch(ifOutside);
        if (result instanceof LoopError) came.set(run, { kind: "failed", run, loop, error: result });
        else if (result) came.set(run, { kind: "came", run, loop, standstill: result });
      }
      await signLoop(house, loop, watch);
    } finally {
      await lock.release();
    }
  }
  return [...came.values()];
}

/** Proposals that somebody said yes to, or that were being carried out by somebody who died, and that are not settled. */
export async function approvedIn(
  house: Pick<House, "journal" | "clock">,
  loop: string,
): Promise<readonly (Proposed & { readonly newest: number })[]> {
  // Most loops never hear a yes, and are asked nothing more.
  if ((await house.journal.newestOf(loop, "decided", { most: 1 })).length === 0) return [];
  const now = house.clock.now();
  return (await openProposals(house, loop)).filter(({ state }) => {
    const stage = stageOf(state, now);
    return stage === "approved" || stage === "acting";
  });
}

/** Notes how far the records went that it was settled by: whoever decides after that makes it be looked at again. */
async function settleOnce(
  house: House,
  proposed: Pick<Proposed, "opened" | "round">,
  watch: Watch,
  tried: Map<string, number>,
): Promise<Standstill | undefined> {
  const run = await takeUp(house, proposed, watch);
  const standstill = await settleProposal(run);
  tried.set(run.journal.run, newestDeciding(run.journal.entries));
  return standstill;
}

function ifOutside(error: unknown): LoopError {
  if (error instanceof LoopError) return error;
  throw error;
}

/** What the actions of a proposal would do now; nothing is written and nothing moves. */
export async function rehearse(house: House, asked: string): Promise<readonly { readonly action: string; readonly says: string }[]> {
  const { proposed } = await findProposal(house, asked);
  return planActions(await takeUp(house, proposed, () => {}));
}

/** What a gate would say if somebody said yes now. */
export interface GateRehearsed {
  readonly kind: GateAnswer["kind"] | "asked-then";
  readonly says: string;
}

/** Gates that ask nobody outside: what they would say can be known beforehand. */
const KNOWN_BEFOREHAND = ["ask", "quorum", "window", "allowlist"];

/** Those that reach outside are not asked for a rehearsal. */
export async function rehearseGates(house: House, asked: string, by: string): Promise<readonly GateRehearsed[]> {
  const { proposed } = await findProposal(house, asked);
  const { state, opened, evidence } = proposed;
  const run = await takeUp(house, proposed, () => {});
  const now = house.clock.now();
  const mine = { tree: state.tree, by, why: "", at: now.toISOString() };
  const approvals = [...countingApprovals(state, now).filter((yes) => yes.by !== by), mine];
  const level = levelOf(opened.spec, evidence);
  const rehearsed = run.crew.gates.map(async (gate): Promise<readonly GateRehearsed[]> => {
    if (!KNOWN_BEFOREHAND.includes(gate.name)) return [{ kind: "asked-then", says: `${gate.name}: it is asked once somebody said yes` }];
    const { answers } = await askGates({ ...run, crew: { ...run.crew, gates: [gate] } }, proposed, { level, approvals, now });
    return answers.map(({ kind, why }) => ({ kind, says: why }));
  });
  return (await Promise.all(rehearsed)).flat();
}

/** Carries out whatever may go on in a loop, and gives back what still waits. Only for who holds the loop's lock. */
export async function settleOpen(house: House, loop: string, watch: Watch): Promise<readonly Proposed[]> {
  const open: Proposed[] = [];
  for (const proposed of await openProposals(house, loop)) {
    // What cannot be carried out now is no reason not to look at the others.
    const standstill = await takeUp(house, proposed, watch)
      .then(settleProposal)
      .catch((error: unknown) => {
        if (error instanceof LoopError) return undefined;
        throw error;
      });
    if (!standstill || !isClosed(standstill.state)) open.push({ ...proposed, state: standstill?.state ?? proposed.state });
  }
  return open;
}

const MOST_OPEN = 200;

/** What is on record and not closed, newest first, each with how far the records about it went. */
export async function openProposals(
  { journal }: Pick<House, "journal">,
  loop: string,
): Promise<readonly (Proposed & { readonly newest: number })[]> {
  const rested = await journal.newestOf(loop, "run-rested", { most: MOST_OPEN });
  const settled = await journal.newestOf(loop, "proposal-settled", { most: MOST_OPEN });
  const stories = await Promise.all(unsettledRuns({ rested, settled }).map((run) => journal.story(run)));
  return stories.flatMap(({ entries }) => {
    const proposed = proposedIn(entries);
    return proposed && !isClosed(proposed.state) ? [{ ...proposed, newest: newestDeciding(entries) }] : [];
  });
}

/** A later proposal of the loop takes the place of earlier ones that nobody has touched. Their branches stay. */
export async function supersede(house: House, loop: string, by: string, older: readonly Proposed[]): Promise<void> {
  for (const proposed of older.filter(({ round }) => round.run !== by)) {
    const { round, state } = proposed;
    const tip = await decidingOf(proposed).tip(proposed, house.world);
    const isTouched = tip !== state.commit || state.amendedBy !== undefined || state.approvals.length > 0 || state.acting !== undefined;
    if (isTouched) continue;
    const { run } = round;
    const { entries } = await house.journal.story(run);
    const now = proposedIn(entries);
    if (!now || isClosed(now.state) || now.state.approvals.length > 0) continue;
    // Who decides about it at this very moment has touched it: then it stays.
    const only = { in: { loop, run }, kinds: DECIDING, newest: newestDeciding(entries) };
    const record = { kind: "proposal-settled", how: "superseded", why: `${by} took its place` } as const;
    await house.journal.append([{ loop, run, record }], only);
  }
}

/** Puts on record what somebody merged or threw away by hand, so that it waits for nobody any more. */
export async function settleGone(house: House, loop: string): Promise<void> {
  let settled = 0;
  for (const proposed of await openProposals(house, loop)) {
    const gone = await goneAs(house, proposed);
    if (!gone) continue;
    const { run } = proposed.round;
    const { entries } = await house.journal.story(run);
    const now = proposedIn(entries);
    // Whoever decides meanwhile looks at the branches too, and writes down what it finds.
    if (!now || isClosed(now.state) || now.state.acting || now.state.receipts.length > 0) continue;
    const only = { in: { loop, run }, kinds: DECIDING, newest: newestDeciding(entries) };
    if (!isOvertaken(await house.journal.append([{ loop, run, record: { kind: "proposal-settled", ...gone } }], only))) settled++;
  }
  if (settled > 0) await signLoop(house, loop, () => {});
}

/** A run that came to rest, taken up again for what it proposed. */
export async function takeUp(house: House, { opened, round }: Pick<Proposed, "opened" | "round">, watch: Watch): Promise<Run<DecidedKind>> {
  const spec = specSchemaFor(opened.spec, house.registries).parse(opened.spec);
  const { verifiers, gate, act } = spec;
  if (lacksSecrets({ verifiers, gate, act }))
    throw new LoopError("bad-input", `the spec of ${round.loop} spells a secret out, which is not on record`, {
      retry: "never",
      hint: "Put it into a variable, and run the loop again.",
    });
  const crew = assembleCrew(spec, house.registries);
  if (!isDecidedCrew(crew)) throw new TypeError(`nobody decides about what ${round.run} proposed`);
  const journal = await openRunJournal(house.journal, { loop: round.loop, run: round.run }, telling(watch));
  return openRun(house, crew, { opened: { ...opened, spec }, journal, policy: await policyFor(house, opened), watch });
}
