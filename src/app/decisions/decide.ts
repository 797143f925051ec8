// Decisions about proposals, and answers to questions: bound to what was seen, written only if nobody was quicker, then carried out.

import type { DecisionRecord } from "../../contract/decision.ts";
import { LoopError } from "../../contract/errors.ts";
import type { LoopRecord } from "../../contract/record.ts";
import type { Watch } from "../../contract/watch.ts";
import { decidingOf } from "../../engine/kinds/index.ts";
import { type Proposed, proposedIn } from "../../engine/proposed.ts";
import type { Standstill } from "../../engine/settle.ts";
import { foldRun } from "../../journal/fold.ts";
import { isOvertaken, lastOf, type Story } from "../../journal/journal.ts";
import { DECIDING, isClosed, newestDeciding, stageOf } from "../../journal/proposals.ts";
import type { House } from "../open-house.ts";
import { findRun } from "../records/find-run.ts";
import { signLoop } from "../records/sign.ts";
import { demoteAfterNo } from "./autonomy.ts";
import { carryOut } from "./carry-out.ts";
import { findProposal, findProposed } from "./find-proposal.ts";

export interface Decider {
  readonly by: string;
  /** How it was known that it is they, where somebody asked. */
  readonly how?: string;
  readonly why: string;
}

const knownAs = ({ by, how }: Pick<Decider, "by" | "how">) => ({ by, ...(how === undefined ? {} : { how }) });

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
  decider: Decider & Seen & { readonly until: string | undefined },
  watch: Watch,
): Promise<Decided> {
  return signed(house, () => approveAndCarryOut(house, asked, decider, watch), watch);
}

async function approveAndCarryOut(
  house: House,
  asked: string,
  decider: Decider & Seen & { readonly until: string | undefined },
  watch: Watch,
): Promise<Decided> {
  const { why, tree, until } = decider;
  const under = await findProposal(house, asked);
  // Somebody's process may have died in the middle of it: then there is nothing to decide, but something to find out.
  if (stageOf(under.proposed.state, house.world.clock.now()) === "acting")
    return {
      run: under.run,
      loop: under.proposed.round.loop,
      standstill: await carryOut(house, under.proposed, watch),
    };
  const { run, loop } = await decide(house, under.run, async (proposed) => {
    const { state, branch } = proposed;
    mustBeSeen(state.tree, tree);
    const tip = await decidingOf(proposed).tip(proposed, house.world);
    if (tip !== undefined && tip !== state.commit) throw pushedMeanwhile(branch, tip);
    return { kind: "decided", decision: "approve", tree: state.tree, ...knownAs(decider), why, ...(until === undefined ? {} : { until }) };
  });
  const standstill = (await carryOut(house, under.proposed, watch)) ?? (await settledMeanwhile(house, run));
  // A no that came between our yes and what would have followed from it counts as if it had come before.
  if (standstill?.state.rejected && isClosed(standstill.state)) throw decidedAlready(run, standstill.state, house.world.clock.now());
  return { run, loop, standstill };
}

/** Whoever has the loop may have carried it out by the time we found it taken: then that is what came of it. */
async function settledMeanwhile({ journal }: House, run: string): Promise<Standstill | undefined> {
  const state = proposedIn((await journal.story(run)).entries)?.state;
  return state && isClosed(state) ? { kind: "settled", why: state.settled?.why ?? "", state } : undefined;
}

/** Says no to a proposal, or takes what is none from the inbox. */
export async function reject(house: House, asked: string, decider: Decider & Seen): Promise<Decided> {
  const { by, why, tree } = decider;
  const { run, proposed } = await findProposed(house, asked);
  if (!proposed) return dismiss(house, run, decider);
  return signed(house, async () => {
    const decided = await decide(house, run, async ({ state }) => {
      mustBeSeen(state.tree, tree);
      return { kind: "decided", decision: "reject", tree: state.tree, ...knownAs(decider), why };
    });
    await demoteAfterNo(house, decided.loop, by);
    return decided;
  });
}

export const defer = (house: House, asked: string, decider: Decider & Partial<Seen> & { readonly until: string }): Promise<Decided> =>
  signed(house, () =>
    decide(house, asked, async ({ state }) => {
      const { why, tree, until } = decider;
      mustBeSeen(state.tree, tree);
      return { kind: "decided", decision: "defer", tree: state.tree, ...knownAs(decider), why, until };
    }),
  );

/** Takes what a reviewer made of the proposal for it. That is verified before anything moves, like the maker's work. */
export const amend = (house: House, asked: string, decider: Decider & Partial<Seen>): Promise<Decided> =>
  signed(house, () =>
    decide(house, asked, async (proposed) => {
      mustBeSeen(proposed.state.tree, decider.tree);
      const { commit, tree } = await decidingOf(proposed).amend(proposed, house.world);
      return { kind: "amended", commit, tree, ...knownAs(decider), why: decider.why };
    }),
  );

/** Takes an escalation that is no proposal from the inbox. */
async function dismiss(house: House, asked: string, decider: Decider): Promise<Decided> {
  const run = await findRun(house, asked);
  const { entries } = await house.journal.story(run);
  const { rest, opened } = foldRun(entries);
  if (!rest || !opened) throw refusal(`the run ${run} has not come to rest`, "Stop it with `lw stop`, or wait.");
  const loop = opened.spec.name;
  return signed(house, async () => {
    await writeUnlessOvertaken(house, { loop, run }, () => ({
      kind: "decided",
      decision: "reject",
      tree: "",
      ...knownAs(decider),
      why: decider.why,
    }));
    return { run, loop, standstill: undefined };
  });
}

/** The answer goes to the next round of the same run, which can be resumed from then on. */
export async function answer(
  house: House,
  asked: string,
  text: string,
  by: string,
  how?: string,
): Promise<{ readonly run: string; readonly loop: string }> {
  const run = await findRun(house, asked);
  const { rest, opened } = foldRun((await house.journal.story(run)).entries);
  if (!opened || rest?.verdict.kind !== "escalate" || rest.verdict.because !== "question")
    throw refusal(`the run ${run} has asked nothing`, "`lw inbox` shows who did.");
  const loop = opened.spec.name;
  const newest = await lastOf(house.journal, loop, "run-opened");
  if (newest?.run !== run)
    throw refusal(`the loop ${loop} has been run again since ${run} asked`, "Put what you want to say into the task of its spec.");
  await house.journal.append([{ loop, run, record: { kind: "answered", text, by, ...(how === undefined ? {} : { how }) } }]);
  return { run, loop };
}

/** What was decided, and what came of it, is in a new receipt of the run. */
async function signed(house: House, work: () => Promise<Decided>, watch: Watch = () => {}): Promise<Decided> {
  const decided = await work();
  await signLoop(house, decided.loop, watch);
  return decided;
}

// ── how ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Whoever was quicker is heard first: what there is to decide about is looked at again. */
const MOST_TRIES = 20;

async function decide(house: House, asked: string, record: (proposed: Proposed) => Promise<DecisionRecord>): Promise<Decided> {
  const { run, proposed: found } = await findProposal(house, asked);
  const { loop } = found.round;
  await writeUnlessOvertaken(house, { loop, run }, async (entries) => {
    const proposed = proposedIn(entries) ?? found;
    const now = house.world.clock.now();
    const stage = stageOf(proposed.state, now);
    if (isClosed(proposed.state)) throw decidedAlready(run, proposed.state, now);
    if (stage === "acting") throw refusal(`the proposal of ${run} is just being carried out`, "Look again in a moment with `lw show`.");
    return record(proposed);
  });
  return { run, loop, standstill: undefined };
}

/** Writes what follows from the records of a run, and only if nobody decided about it meanwhile. */
async function writeUnlessOvertaken(
  { journal }: House,
  { loop, run }: { readonly loop: string; readonly run: string },
  follows: (entries: Story["entries"]) => Promise<LoopRecord> | LoopRecord,
): Promise<void> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const { entries } = await journal.story(run);
    const only = { in: { loop, run }, kinds: DECIDING, newest: newestDeciding(entries) };
    if (!isOvertaken(await journal.append([{ loop, run, record: await follows(entries) }], only))) return;
  }
  throw new LoopError("loop-busy", `others are deciding about ${loop}`, { retry: "later", hint: "Try again in a moment." });
}

function mustBeSeen(tree: string, seen: string | undefined): void {
  if (seen === undefined || (seen.length >= 7 && tree.startsWith(seen))) return;
  throw refusal(
    `what is proposed now is the tree ${tree.slice(0, 12)}, and not ${seen.slice(0, 12)}`,
    "Look at it again with `lw show`, then decide.",
  );
}

/** Told the same to who comes a moment too late and to who comes a day too late: what was decided, and by whom. */
function decidedAlready(run: string, state: Proposed["state"], now: Date): LoopError {
  const { rejected, settled, approvals } = state;
  const yes = approvals.length > 0 ? [`approved by ${approvals.map(({ by }) => by).join(", ")}`] : [];
  const no = rejected ? [`rejected by ${rejected.by}${rejected.why === "" ? "" : `: ${rejected.why}`}`] : [];
  const came = settled && settled.why !== "" ? [settled.why] : [];
  const how = [...no, ...yes, ...came].join("; ") || "nothing more is done about it";
  return refusal(
    `the proposal of ${run} is ${stageOf(state, now)} already`,
    `${how[0]?.toUpperCase()}${how.slice(1)}. Nothing was changed; \`lw show ${run}\` tells more.`,
  );
}

const pushedMeanwhile = (branch: string, tip: string): LoopError =>
  refusal(
    `the branch ${branch} holds other commits than the proposal (${tip.slice(0, 12)})`,
    "Take them over with `lw amend`, then approve; nothing was decided.",
  );

const refusal = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
