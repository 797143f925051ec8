// Finds the proposal that somebody means: by the id of its run, the start of one, or its loop's name.
import { LoopError } from "../../contract/errors.ts";
import { type Proposed, proposedIn } from "../../engine/proposed.ts";
import { foldRun } from "../../journal/fold.ts";
import type { Story } from "../../journal/journal.ts";
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
  const open = ofLoop ? (await itemsOf(house, asked)).filter(({ kind }) => kind === "proposal") : [];
  if (open.length > 1)
    throw new LoopError("bad-input", `${asked} has ${open.length} proposals that wait: ${open.map(({ id }) => id).join(", ")}`, {
      retry: "never",
      hint: "Write the id of the one you mean.",
    });
  const run = open[0]?.id ?? (await findRun(house, asked));
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
