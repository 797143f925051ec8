// Finds the proposal that somebody means, and puts on record what people did to proposals without saying so.
import { LoopError } from "../../contract/errors.ts";
import { type Proposed, proposedIn } from "../../engine/settle-proposal.ts";
import { foldRun } from "../../journal/fold.ts";
import { isClosed } from "../../journal/proposals.ts";
import type { House } from "../open-house.ts";
import { findRun } from "../records/views.ts";
import { itemsOf } from "./inbox.ts";

/** A proposal by the id of its run, the start of one, or its loop's name. */
export async function findProposal(house: House, asked: string): Promise<{ readonly run: string; readonly proposed: Proposed }> {
  const ofLoop = (await house.journal.loops()).includes(asked);
  const open = ofLoop ? await stillThere(house, asked) : [];
  if (open.length > 1)
    throw new LoopError("bad-input", `${asked} has ${open.length} proposals that wait: ${open.join(", ")}`, {
      retry: "never",
      hint: "Write the id of the one you mean.",
    });
  const run = open[0] ?? (await findRun(house, asked));
  const { entries } = await house.journal.story(run);
  const proposed = proposedIn(entries);
  if (proposed) return { run, proposed };
  const { rest } = foldRun(entries);
  throw new LoopError("bad-input", `the run ${run} has no proposal to decide about${rest ? "" : ": it has not come to rest"}`, {
    retry: "never",
    hint: "`lw inbox` shows what waits for you.",
  });
}

/** The runs of a loop whose proposals wait, and that nobody has merged or thrown away. */
async function stillThere(house: House, loop: string): Promise<readonly string[]> {
  const runs: string[] = [];
  for (const { id, kind } of await itemsOf(house, loop)) {
    const proposed = kind === "proposal" ? proposedIn((await house.journal.story(id)).entries) : undefined;
    if (proposed && !(await goneAs(house, proposed))) runs.push(id);
  }
  return runs;
}

type Gone = { readonly how: "landed" | "withdrawn"; readonly why: string };

/** Somebody merged it, or threw its branch away: that is a decision too. */
export async function goneAs({ world }: Pick<House, "world">, { opened, branch, state }: Proposed): Promise<Gone | undefined> {
  if (isClosed(state) || state.acting || state.receipts.length > 0) return undefined;
  const { repo, base } = opened;
  try {
    if ((await world.mover.branchTip(repo, branch)) === undefined) return { how: "withdrawn", why: "its branch is gone" };
    const tip = await world.git.resolve(repo, base.ref);
    return tip !== undefined && (await world.mover.contains(repo, tip, state.commit))
      ? { how: "landed", why: "base contains it" }
      : undefined;
  } catch (error) {
    // A repository that cannot be read takes nothing out of the inbox.
    if (error instanceof LoopError) return undefined;
    throw error;
  }
}
