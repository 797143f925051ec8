// What people do on the page: exactly what the commands do, with who it was and how that is known.
import type { DecisionAnswer, DecisionBody, Rehearsal, StandingAnswer, StandingBody, Who } from "../../contract/api.ts";
import { LoopError } from "../../contract/errors.ts";
import { decidingOf } from "../../engine/kinds/index.ts";
import { isClosed, stageOf } from "../../journal/proposals.ts";
import { promote } from "../decisions/autonomy.ts";
import { rehearse, rehearseGates } from "../decisions/carry-out.ts";
import { amend, answer, approve, type Decided, defer, reject } from "../decisions/decide.ts";
import { findProposal, findProposed } from "../decisions/find-proposal.ts";
import { freeAll, freeLoop, loopStanding, pauseLoop, stopAll } from "../decisions/standing.ts";
import type { House } from "../open-house.ts";
import { stopLoop } from "../runs/stop-run.ts";
import type { PageRecords } from "./page-records.ts";
import { cardNow } from "./read-inbox.ts";
import { mustBeLoop, readLoopRow } from "./read-loops.ts";
import { mustRead } from "./read-run.ts";
import { isLookedAfter } from "./run-now.ts";

export type PageHouse = House & PageRecords;

/** What somebody decided about a run, carried out as far as it goes. */
export async function decideOn(house: PageHouse, run: string, body: DecisionBody, { name: by, how }: Who): Promise<DecisionAnswer> {
  await mustRead(house, run);
  const says = await carry();
  return tellDecided(house, run, says, { name: by, how });

  async function carry(): Promise<string> {
    switch (body.decision) {
      case "approve":
        return tellApproved(await approve(house, run, { by, how, why: body.why ?? "", tree: body.tree, until: body.until }, () => {}));
      case "reject": {
        if (body.tree === null) await mustBeNoProposal(house, run);
        await reject(house, run, { by, how, why: body.why ?? "", tree: body.tree ?? undefined });
        return "Rejected. Nothing moved.";
      }
      case "amend": {
        await amend(house, run, { by, how, why: body.why ?? "", tree: body.tree });
        return "What lies on the branch is the proposal now. It is verified before anything moves.";
      }
      case "defer": {
        await defer(house, run, { by, how, why: body.why ?? "", tree: body.tree, until: new Date(body.until).toISOString() });
        return `Deferred until ${new Date(body.until).toISOString()}.`;
      }
      case "answer": {
        await answer(house, run, body.text, by, how);
        return "Answered. The run can go on.";
      }
    }
  }
}

/** A no is of the tree that was shown, like a yes: whoever names none saw no proposal. */
async function mustBeNoProposal(house: PageHouse, run: string): Promise<void> {
  const { proposed } = await findProposed(house, run);
  if (proposed && !isClosed(proposed.state))
    throw new LoopError("bad-input", `what is proposed now is the tree ${proposed.state.tree.slice(0, 12)}, and the no names none`, {
      retry: "never",
      hint: "Look at it again, then decide.",
    });
}

async function tellDecided(house: PageHouse, run: string, says: string, who: Who): Promise<DecisionAnswer> {
  const asOf = await house.memo.catchUp();
  const { view } = await mustRead(house, run);
  const now = await cardNow(house, run, view.loop);
  return {
    run,
    loop: view.loop,
    stage: view.proposal ? stageOf(view.proposal, house.clock.now()) : null,
    says,
    who,
    now: now ?? null,
    asOf,
  };
}

/** Said while it is carried out, which may take as long as its checks. */
export const tellPending = (house: PageHouse, run: string, who: Who): Promise<DecisionAnswer> =>
  tellDecided(
    house,
    run,
    "It is on record, and goes on: the exact tree is verified again before anything moves, unless nothing has changed since it was.",
    who,
  );

function tellApproved({ standstill }: Decided): string {
  if (!standstill) return "Approved. Another process works on the loop; it is carried out when that rests.";
  if (standstill.kind === "settled")
    return `Approved, ${standstill.state.recheck?.standsOn ? "and done by its proof, since nothing that it went by has changed" : "verified again and done"}: ${standstill.why}.`;
  return standstill.kind === "failed" ? `Approved, and not done: ${standstill.why}` : `Approved. Nothing moved yet: ${standstill.why}.`;
}

/** What a yes would do now, and what stands in its way. Nothing is written, and nothing moves. */
export async function rehearseYes(house: PageHouse, run: string, { name: by }: Who): Promise<Rehearsal> {
  await mustRead(house, run);
  const { proposed } = await findProposal(house, run);
  const { state, opened, round } = proposed;
  const [actions, gates] = [await rehearse(house, run), await rehearseGates(house, run, by)];
  const sight = await decidingOf(proposed).sight(proposed, house.world);
  const { barred } = await loopStanding(house, round.loop);
  const base = { ref: opened.base.ref, verifiedOn: round.base, now: sight.base.commit ?? null, hasMoved: sight.base.commit !== round.base };
  const branch = { name: proposed.branch, tip: sight.branch?.commit ?? null, hasMoved: sight.branch?.commit !== state.commit };
  return {
    run,
    tree: state.tree,
    actions: actions.map(({ action, says }) => ({ action, says, isRefused: says.startsWith("would be refused") })),
    gates,
    base,
    branch,
    barred: barred ?? whyNot(branch),
    otherwise: base.hasMoved
      ? "Base has moved since: the same change is put on it and verified there before anything moves. Where it does not apply or does not hold, nothing moves and it waits here again."
      : "It is verified once more before anything moves; if that does not hold, nothing moves and it waits here again.",
  };
}

function whyNot(branch: Rehearsal["branch"]): string | null {
  if (branch.tip === null) return "its branch is gone";
  if (branch.hasMoved) return "the branch holds other commits than the proposal; amend takes them over";
  return null;
}

/** Wakes a loop now. Whoever runs loops here knows how. */
export type RunNow = (loop: string, by: string) => Promise<string>;

export async function changeStanding(
  house: PageHouse,
  loop: string,
  body: StandingBody,
  { name: by, how }: Who,
  runNow: RunNow,
): Promise<StandingAnswer> {
  await mustBeLoop(house, loop);
  const says = await change();
  await house.memo.catchUp();
  return { loop, says, who: { name: by, how }, row: await readLoopRow(house, loop) };

  async function change(): Promise<string> {
    const why = body.why ?? "";
    switch (body.wish) {
      case "pause":
        await pauseLoop(house, loop, by, why, how);
        return "Paused. It neither runs nor moves anything until it is resumed.";
      case "resume": {
        const wasHeld = await freeLoop(house, loop, by, why, how);
        const isOpen = (await readLoopRow(house, loop)).state === "interrupted";
        if (isOpen && (await isLookedAfter(house, loop))) return "It may run again, and goes on with what was interrupted.";
        if (isOpen) return `It may run again. \`lw resume\` goes on with what was interrupted: this home does not look after it.`;
        return wasHeld ? "It may run again." : "Nothing kept it from running.";
      }
      case "stop": {
        const isKept = await isLookedAfter(house, loop);
        // Else whoever wakes the loops of this home would take the run up again at once.
        if (isKept && (await readLoopRow(house, loop)).state === "running") await pauseLoop(house, loop, by, why || "stopped", how);
        const { wasRunning } = await stopLoop(house, loop, 0, by).catch(ifNotYet);
        if (!wasRunning) return "It was not running.";
        return `It was asked to stop${isKept ? ", and is paused so that nobody takes it up again" : ""}. It ends its maker first, and can be resumed.`;
      }
      case "run-now":
        return runNow(loop, by);
      case "promote": {
        if (body.anyway && why === "")
          throw new LoopError("bad-input", "anyway takes a reason", { retry: "never", hint: "Say why the record is not to be believed." });
        const { next } = await promote(house, loop, { by, how, why, anyway: body.anyway ?? false });
        return `It may go further. The next level is ${next.level}.`;
      }
    }
  }
}

/** It was asked, and takes its time: that is all that was wanted. */
function ifNotYet(error: unknown): { readonly wasRunning: boolean } {
  if (error instanceof LoopError && error.code === "loop-busy") return { wasRunning: true };
  throw error;
}

export const changeAll = (house: PageHouse, wish: "stop-all" | "resume-all", { name }: Who): Promise<void> =>
  wish === "stop-all" ? stopAll(house, name) : freeAll(house);
