// Finds the proposal that somebody means: by the id of its run, the start of one, or its loop's name.
import { LoopError } from "../../contract/errors.ts";
import { decidingOf } from "../../engine/kinds/index.ts";
import { type Proposed, proposedIn } from "../../engine/proposed.ts";
import { foldRun } from "../../journal/fold.ts";
import type { Story } from "../../journal/journal.ts";
import { isClosed } from "../../journal/proposals.ts";
import type { House } from "../open-house.ts";
import { findRun } from "../records/find-run.ts";
import { itemsOf } from "./inbox.ts";

export interface Found extends Story {
  readonly run: string;
  /** Undefined where the run did not come to rest with one. */
  readonly proposed: Proposed | undefined;
}

export async function findProposed(house: House, asked: string): Promise<Found> {
  const ofLoop = (await house.journal.loops()).includes(asked);
  const open = ofLoop ? await stillThere(house, asked) : [];
  if (open.length > 1)
    throw new LoopError("bad-input", `${asked} has ${open.length} proposals that wait: ${open.join(", ")}`, {
      retry: "never",
      hint: "Write the id of the one you mean.",
    });
  const run = open[0] ?? (await findRun(house, asked));
  const story = await house.journal.story(run);
  return { run, ...story, proposed: proposedIn(story.entries) };
}

/** The same, where nothing but a proposal will do. */
export async function findProposal(house: House, asked: string): Promise<Found & { readonly proposed: Proposed }> {
  const found = await findProposed(house, asked);
  const { run, proposed, entries } = found;
  if (proposed) return { ...found, proposed };
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
export async function goneAs({ world }: Pick<House, "world">, proposed: Proposed): Promise<Gone | undefined> {
  const { state } = proposed;
  if (isClosed(state) || state.acting || state.receipts.length > 0) return undefined;
  try {
    const { branch, base } = await decidingOf(proposed).sight(proposed, world);
    if (!branch) return { how: "withdrawn", why: "its branch is gone" };
    return base.contains ? { how: "landed", why: "base contains it" } : undefined;
  } catch (error) {
    // A repository that cannot be read takes nothing out of the inbox.
    if (error instanceof LoopError) return undefined;
    throw error;
  }
}
