// What is proposed now where somebody amended it: the diff of that very tree, which is on no record, read from the repository.
import type { ArtifactRef } from "../../contract/artifacts.ts";
import { type Proposed, proposedIn } from "../../engine/proposed.ts";
import type { Story } from "../../journal/journal.ts";
import type { House } from "../open-house.ts";

/** The smallest world in which it can be read. */
export interface Amending {
  readonly world: { readonly workshop: Pick<House["world"]["workshop"], "keepDiff"> };
}

export interface Amended {
  readonly repo: string;
  readonly base: string;
  readonly state: Proposed["state"] & { readonly amendedBy: string };
}

/** Undefined where what is proposed is what was proven. */
export function amendedIn({ entries }: Pick<Story, "entries">): Amended | undefined {
  const proposed = proposedIn(entries);
  const amendedBy = proposed?.state.amendedBy;
  if (!proposed || amendedBy === undefined) return undefined;
  return { repo: proposed.opened.repo, base: proposed.round.base, state: { ...proposed.state, amendedBy } };
}

/** The same bytes are kept once, however often they are looked at. */
export const diffNow = ({ world }: Amending, { repo, base, state }: Amended): Promise<ArtifactRef> =>
  world.workshop.keepDiff(repo, base, state.commit);
