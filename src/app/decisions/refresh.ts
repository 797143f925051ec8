// Puts a proposal on the base of today, for somebody who asks: the same change, verified again in full, with what people said of it.
import { LoopError } from "../../contract/errors.ts";
import { BLINK_MS } from "../../contract/locks.ts";
import type { ProposalView } from "../../contract/views.ts";
import type { Watch } from "../../contract/watch.ts";
import { type Freshened, freshen } from "../../engine/refresh.ts";
import { countingApprovals, stageOf } from "../../journal/proposals.ts";
import type { House } from "../open-house.ts";
import { signLoop } from "../records/sign.ts";
import { type CarriedOut, carryOutApproved, takeUp } from "./carry-out.ts";
import { findProposal } from "./find-proposal.ts";

export interface Refreshed {
  readonly run: string;
  readonly loop: string;
  readonly outcome: Freshened["kind"] | "refuted";
  readonly why: string;
  /** As it stands now; not there where nothing was moved. */
  readonly now?: { readonly base: string; readonly commit: string; readonly tree: string; readonly isSameChange: boolean };
  /** Whose yes still counts. */
  readonly approvedBy: readonly string[];
  /** What followed from a yes that was there. */
  readonly carriedOut: readonly CarriedOut[];
}

export async function refreshProposal(house: House, asked: string, by: string, watch: Watch): Promise<Refreshed> {
  const { run, proposed } = await findProposal(house, asked);
  const { loop } = proposed.round;
  const stage = stageOf(proposed.state, house.clock.now());
  if (proposed.state.settled || proposed.state.rejected)
    throw new LoopError("bad-input", `the proposal of ${run} is ${stage} already`, {
      retry: "never",
      hint: `Nothing was changed; \`lw show ${run}\` tells more.`,
    });
  const lock = await house.locks.hold(`loop ${loop}`, { ms: BLINK_MS });
  if (!lock)
    throw new LoopError("loop-busy", `the loop ${loop} is running in another process`, {
      retry: "later",
      hint: "Ask again when it rests: `lw status` tells.",
    });
  let came: Freshened;
  try {
    came = await freshen(await takeUp(house, proposed, watch), by);
    await signLoop(house, loop, watch);
  } finally {
    await lock.release();
  }
  const carriedOut = came.kind === "stands" ? await carryOutApproved(house, loop, watch) : [];
  return { run, loop, ...told(came, house.clock.now()), carriedOut };
}

function told(came: Freshened, now: Date): Pick<Refreshed, "outcome" | "why" | "now" | "approvedBy"> {
  if (came.kind === "fresh") return { outcome: "fresh", why: "base is where it was verified", approvedBy: [] };
  if (came.kind === "stuck") return { outcome: "stuck", why: came.why, approvedBy: [] };
  const { state, round } = came.proposed;
  const { recheck } = state;
  return {
    outcome: recheck?.holds ? "stands" : "refuted",
    why: recheck?.holds ? "verified again: it holds" : `verified again, and it does not hold: ${recheck?.why ?? ""}`,
    now: { base: round.base, commit: state.commit, tree: state.tree, isSameChange: isSame(state) },
    approvedBy: countingApprovals(state, now).map(({ by }) => by),
  };
}

const isSame = ({ refreshed }: ProposalView): boolean => refreshed?.isSameChange ?? true;
