// Decisions about proposals, and answers to questions: bound to what was seen, written under a lock, then carried out as far as they reach.

import type { DecisionRecord } from "../../contract/decision.ts";
import { LoopError } from "../../contract/errors.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import type { Watch } from "../../contract/watch.ts";
import { type Proposed, planActions, proposedIn, type SettleRoom, type Standstill, settleProposal } from "../../engine/settle-proposal.ts";
import { hasPlaceholder } from "../../guard/secrets/find-secrets.ts";
import { foldRun } from "../../journal/fold.ts";
import { isClosed, stageOf } from "../../journal/proposals.ts";
import { openRunJournal } from "../../journal/run-journal.ts";
import { specSchema } from "../../spec/schema.ts";
import { assembleCrew } from "../crew.ts";
import { deciderFor } from "../hooks/policy-decider.ts";
import type { House } from "../open-house.ts";
import { sealLoop } from "../records/sign.ts";
import { findRun } from "../records/views.ts";
import { openPurse } from "../runs/open-purse.ts";
import { demoteAfterNo } from "./autonomy.ts";
import { findProposal } from "./inbox.ts";
import { standingOf } from "./standing.ts";

export interface Decider {
  readonly by: string;
  readonly why: string;
}

/** What somebody saw when they decided; undefined for whatever is proposed now. */
export interface Seen {
  readonly tree: string | undefined;
}

export interface Decided {
  readonly run: string;
  readonly loop: string;
  /** Undefined where another process works on the loop: it is carried out when that rests. */
  readonly standstill: Standstill | undefined;
}

export async function approve(
  house: House,
  asked: string,
  { by, why, tree, until }: Decider & Seen & { readonly until: string | undefined },
  watch: Watch,
): Promise<Decided> {
  return signed(house, () => approveAndCarryOut(house, asked, { by, why, tree, until }, watch), watch);
}

async function approveAndCarryOut(
  house: House,
  asked: string,
  { by, why, tree, until }: Decider & Seen & { readonly until: string | undefined },
  watch: Watch,
): Promise<Decided> {
  const under = await findProposal(house, asked);
  // Somebody's process may have died in the middle of it: then there is nothing to decide, but something to find out.
  if (stageOf(under.proposed.state, house.world.clock.now()) === "acting")
    return {
      run: under.run,
      loop: under.proposed.round.loop,
      standstill: await carryOut(house, under.proposed.round.loop, under.run, watch),
    };
  const { run, loop } = await decide(house, asked, async ({ state, opened, branch }) => {
    mustBeSeen(state.tree, tree);
    const tip = await house.world.mover.branchTip(opened.repo, branch);
    if (tip !== undefined && tip !== state.commit) throw pushedMeanwhile(branch, tip);
    return { kind: "decided", decision: "approve", tree: state.tree, by, why, ...(until === undefined ? {} : { until }) };
  });
  return { run, loop, standstill: await carryOut(house, loop, run, watch) };
}

export const reject = (house: House, asked: string, { by, why, tree }: Decider & Seen): Promise<Decided> =>
  signed(house, async () => {
    const decided = await decide(house, asked, async ({ state }) => {
      mustBeSeen(state.tree, tree);
      return { kind: "decided", decision: "reject", tree: state.tree, by, why };
    });
    await demoteAfterNo(house, decided.loop, by);
    return decided;
  });

export const defer = (house: House, asked: string, { by, why, until }: Decider & { readonly until: string }): Promise<Decided> =>
  signed(house, () =>
    decide(house, asked, async ({ state }) => ({ kind: "decided", decision: "defer", tree: state.tree, by, why, until })),
  );

/** Takes a reviewer's commits on the branch for the proposal. They are verified before anything moves, like the maker's. */
export const amend = (house: House, asked: string, { by, why }: Decider): Promise<Decided> =>
  signed(house, () =>
    decide(house, asked, async ({ state, opened, branch, round }) => {
      const { mover } = house.world;
      const tip = await mover.branchTip(opened.repo, branch);
      if (tip === undefined)
        throw refusal(`the branch ${branch} is gone`, "Nothing can be taken from it; reject the proposal, or run the loop again.");
      if (tip === state.commit)
        throw refusal(`${branch} holds nothing that is not proposed already`, `Commit to ${branch} first, then amend.`);
      if (!(await mover.contains(opened.repo, tip, round.base)))
        throw refusal(
          `what is on ${branch} does not come after the base that was verified`,
          "Rebase it onto that commit, or run the loop again.",
        );
      return { kind: "amended", commit: tip, tree: await mover.treeOf(opened.repo, tip), by, why };
    }),
  );

/** Takes an escalation that is no proposal from the inbox. */
export async function dismiss(house: House, asked: string, { by, why }: Decider): Promise<Decided> {
  const run = await findRun(house, asked);
  const { entries } = await house.journal.story(run);
  const { rest, opened } = foldRun(entries);
  if (!rest || !opened) throw refusal(`the run ${run} has not come to rest`, "Stop it with `lw stop`, or wait.");
  const loop = opened.spec.name;
  return signed(house, async () => {
    await underLock(house, loop, () =>
      house.journal.append([{ loop, run, record: { kind: "decided", decision: "reject", tree: "", by, why } }]),
    );
    return { run, loop, standstill: undefined };
  });
}

/** The answer goes to the next round of the same run, which can be resumed from then on. */
export async function answer(
  house: House,
  asked: string,
  text: string,
  by: string,
): Promise<{ readonly run: string; readonly loop: string }> {
  const run = await findRun(house, asked);
  const { rest, opened } = foldRun((await house.journal.story(run)).entries);
  if (!opened || rest?.verdict.kind !== "escalate" || rest.verdict.because !== "question")
    throw refusal(`the run ${run} has asked nothing`, "`lw inbox` shows who did.");
  const loop = opened.spec.name;
  const [newest] = await house.journal.newestOf(loop, "run-opened", { most: 1 });
  if (newest?.run !== run)
    throw refusal(`the loop ${loop} has been run again since ${run} asked`, "Put what you want to say into the task of its spec.");
  await underLock(house, loop, () => house.journal.append([{ loop, run, record: { kind: "answered", text, by } }]));
  return { run, loop };
}

/** What the actions of a proposal would do now; nothing is written and nothing moves. */
export async function rehearse(house: House, asked: string): Promise<readonly { readonly action: string; readonly says: string }[]> {
  const { run, proposed } = await findProposal(house, asked);
  return planActions(await settleRoom(house, proposed, run, () => {}));
}

/** Carries out whatever may go on in a loop, and gives back what still waits. Only for who holds the loop's lock. */
export async function settleOpen(house: House, loop: string, watch: Watch): Promise<readonly Proposed[]> {
  const open: Proposed[] = [];
  for (const proposed of await openProposals(house, loop)) {
    // What cannot be carried out now is no reason not to look at the others.
    const standstill = await settleRoom(house, proposed, proposed.round.run, watch)
      .then(settleProposal)
      .catch((error: unknown) => {
        if (error instanceof LoopError) return undefined;
        throw error;
      });
    if (!standstill || !isClosed(standstill.state)) open.push({ ...proposed, state: standstill?.state ?? proposed.state });
  }
  return open;
}

/** What is on record and not closed, newest first. */
export async function openProposals(house: Pick<House, "journal">, loop: string): Promise<readonly Proposed[]> {
  const rested = await house.journal.newestOf(loop, "run-rested", { most: MOST_OPEN });
  const settled = new Set((await house.journal.newestOf(loop, "proposal-settled", { most: MOST_OPEN })).map(({ run }) => run));
  const runs = new Set(rested.filter(({ run, record }) => record.rest.kind === "accept" && !settled.has(run)).map(({ run }) => run));
  const stories = await Promise.all([...runs].map((run) => house.journal.story(run)));
  return stories.flatMap(({ entries }) => {
    const proposed = proposedIn(entries);
    return proposed && !isClosed(proposed.state) ? [proposed] : [];
  });
}

const MOST_OPEN = 200;

/** A later proposal of the loop takes the place of earlier ones that nobody has touched. Their branches stay. */
export async function supersede(house: House, loop: string, by: string, older: readonly Proposed[]): Promise<void> {
  for (const { round, opened, branch, state } of older.filter((proposed) => proposed.round.run !== by)) {
    const tip = await house.world.mover.branchTip(opened.repo, branch);
    const isTouched = tip !== state.commit || state.amendedBy !== undefined || state.approvals.length > 0 || state.acting !== undefined;
    if (isTouched) continue;
    await underLock(house, loop, async () => {
      const now = proposedIn((await house.journal.story(round.run)).entries);
      if (now && !isClosed(now.state) && now.state.approvals.length === 0)
        await house.journal.append([
          { loop, run: round.run, record: { kind: "proposal-settled", how: "superseded", why: `${by} took its place` } },
        ]);
    });
  }
}

/** What was decided, and what came of it, is in a new receipt of the run. */
async function signed(house: House, work: () => Promise<Decided>, watch: Watch = () => {}): Promise<Decided> {
  const decided = await work();
  await sealLoop(house, decided.loop, watch);
  return decided;
}

// ── how ─────────────────────────────────────────────────────────────────────────────────────────────────────────

async function decide(house: House, asked: string, record: (proposed: Proposed) => Promise<DecisionRecord>): Promise<Decided> {
  const { run, proposed: found } = await findProposal(house, asked);
  const loop = found.round.loop;
  await underLock(house, loop, async () => {
    const proposed = proposedIn((await house.journal.story(run)).entries) ?? found;
    const stage = stageOf(proposed.state, house.world.clock.now());
    if (isClosed(proposed.state)) throw refusal(`the proposal of ${run} is ${stage} already`, "`lw show` tells how; nothing was changed.");
    if (stage === "acting") throw refusal(`the proposal of ${run} is just being carried out`, "Look again in a moment with `lw show`.");
    await house.journal.append([{ loop, run, record: await record(proposed) }]);
  });
  return { run, loop, standstill: undefined };
}

async function carryOut(house: House, loop: string, run: string, watch: Watch): Promise<Standstill | undefined> {
  const lock = await house.takeLoop(loop);
  if (!lock) return undefined;
  try {
    const proposed = proposedIn((await house.journal.story(run)).entries);
    return proposed && (await settleProposal(await settleRoom(house, proposed, run, watch)));
  } finally {
    lock.release();
  }
}

async function settleRoom(house: House, { opened, round }: Proposed, run: string, watch: Watch): Promise<SettleRoom> {
  const spec = specSchema(house.registries).parse(opened.spec);
  if (lacksSecrets(spec))
    throw refusal(
      `the spec of ${round.loop} spells a secret out, which is not on record`,
      "Put it into a variable, and run the loop again.",
    );
  const { loop } = round;
  return {
    opened: { ...opened, spec },
    crew: assembleCrew(spec, house.registries),
    world: house.world,
    watch,
    decide: await deciderFor(house, opened),
    purse: await openPurse(house, { loop, run }),
    reread: () => openRunJournal(house.journal, { loop, run }),
    decided: (work) => underLock(house, loop, work),
    standing: () => standingOf(house, loop),
  };
}

const lacksSecrets = ({ verifiers, gate, act }: LoopSpec): boolean => hasPlaceholder(JSON.stringify([verifiers, gate, act]));

const LOCK_TRIES = 100;

/** Decisions are made one after the other. Each takes a moment, so that waiting for it is no long wait. */
async function underLock<T>(house: House, loop: string, work: () => Promise<T>): Promise<T> {
  for (let turn = 0; turn < LOCK_TRIES; turn++) {
    // No loop has a dot in its name.
    const lock = await house.takeLoop(`${loop}.decide`);
    if (!lock) continue;
    try {
      return await work();
    } finally {
      lock.release();
    }
  }
  throw new LoopError("loop-busy", `somebody else is deciding about ${loop}`, { retry: "later", hint: "Try again in a moment." });
}

function mustBeSeen(tree: string, seen: string | undefined): void {
  if (seen === undefined || (seen.length >= 7 && tree.startsWith(seen))) return;
  throw refusal(
    `what is proposed now is the tree ${tree.slice(0, 12)}, and not ${seen.slice(0, 12)}`,
    "Look at it again with `lw show`, then decide.",
  );
}

const pushedMeanwhile = (branch: string, tip: string): LoopError =>
  refusal(
    `the branch ${branch} holds other commits than the proposal (${tip.slice(0, 12)})`,
    "Take them over with `lw amend`, then approve; nothing was decided.",
  );

const refusal = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
