// Carries out what was decided about proposals, as far as decisions, gates and the level reach.
import { LoopError } from "../../contract/errors.ts";
import { BLINK_MS } from "../../contract/locks.ts";
import type { Watch } from "../../contract/watch.ts";
import { type Proposed, proposedIn } from "../../engine/proposed.ts";
import type { Run } from "../../engine/run.ts";
import { planActions, type Standstill, settleProposal } from "../../engine/settle.ts";
import { isOvertaken } from "../../journal/journal.ts";
import { DECIDING, isClosed, newestDeciding } from "../../journal/proposals.ts";
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
  const lock = await house.locks.hold(`loop ${round.loop}`, { ms: BLINK_MS });
  if (!lock) return undefined;
  try {
    return await settleProposal(await takeUp(house, { opened, round }, watch));
  } finally {
    await lock.release();
  }
}

/** What the actions of a proposal would do now; nothing is written and nothing moves. */
export async function rehearse(house: House, asked: string): Promise<readonly { readonly action: string; readonly says: string }[]> {
  const { proposed } = await findProposal(house, asked);
  return planActions(await takeUp(house, proposed, () => {}));
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

/** What is on record and not closed, newest first. */
export async function openProposals({ journal }: Pick<House, "journal">, loop: string): Promise<readonly Proposed[]> {
  const rested = await journal.newestOf(loop, "run-rested", { most: MOST_OPEN });
  const settled = new Set((await journal.newestOf(loop, "proposal-settled", { most: MOST_OPEN })).map(({ run }) => run));
  const runs = new Set(rested.filter(({ run, record }) => record.rest.kind === "accept" && !settled.has(run)).map(({ run }) => run));
  const stories = await Promise.all([...runs].map((run) => journal.story(run)));
  return stories.flatMap(({ entries }) => {
    const proposed = proposedIn(entries);
    return proposed && !isClosed(proposed.state) ? [proposed] : [];
  });
}

/** A later proposal of the loop takes the place of earlier ones that nobody has touched. Their branches stay. */
export async function supersede(house: House, loop: string, by: string, older: readonly Proposed[]): Promise<void> {
  for (const { round, opened, branch, state } of older.filter((proposed) => proposed.round.run !== by)) {
    const tip = await house.world.mover.branchTip(opened.repo, branch);
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
async function takeUp(house: House, { opened, round }: Pick<Proposed, "opened" | "round">, watch: Watch): Promise<Run<"commit">> {
  const spec = specSchemaFor(opened.spec, house.registries).parse(opened.spec);
  const { verifiers, gate, act } = spec;
  if (lacksSecrets({ verifiers, gate, act }))
    throw new LoopError("bad-input", `the spec of ${round.loop} spells a secret out, which is not on record`, {
      retry: "never",
      hint: "Put it into a variable, and run the loop again.",
    });
  const crew = assembleCrew(spec, house.registries);
  if (crew.proposes !== "commit") throw new TypeError(`what ${round.run} proposed is no change`);
  const journal = await openRunJournal(house.journal, { loop: round.loop, run: round.run }, telling(watch));
  return openRun(house, crew, { opened: { ...opened, spec }, journal, policy: await policyFor(house, opened), watch });
}
