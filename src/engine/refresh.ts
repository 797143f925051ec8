// Puts a proposal on the base of today: the same change, on the tip that base has now, for everybody to verify and decide about anew.
import { LoopError } from "../contract/errors.ts";
import type { Mover } from "../contract/git.ts";
import type { DecidedKind } from "../contract/proposal.ts";
import type { LoopRecord } from "../contract/record.ts";
import { DECIDING, isClosed, newestDeciding } from "../journal/proposals.ts";
import { decidingOf } from "./kinds/index.ts";
import { commitMessage } from "./names.ts";
import { type Proposed, proposedIn } from "./proposed.ts";
import { verifyAgain } from "./recheck.ts";
import type { Run } from "./run.ts";

/** What is to be written of it. Made twice it comes to the same commit, and it lies in the target before anybody hears of it. */
export async function refresh(run: Run<DecidedKind>, { round, state }: Proposed, onto: string, by?: string): Promise<LoopRecord> {
  const { opened, world, journal } = run;
  const times = (state.refreshed?.times ?? 0) + 1;
  const asked = { commit: state.commit, from: round.base, onto, message: commitMessage(opened, round) };
  const came = await world.workshop.transplant(opened.repo, { ...round, ...movedPlace(journal.run, times) }, asked);
  if (came.kind === "conflict") return { kind: "not-refreshed", base: onto, why: came.why, paths: came.paths.slice(0, MOST_PATHS) };
  return {
    kind: "refreshed",
    commit: came.commit,
    tree: came.tree,
    base: onto,
    before: { commit: state.commit, tree: state.tree, base: round.base },
    isSameChange: came.isSame,
    ...(by === undefined ? {} : { by }),
  };
}

/** Lets its branch say what is on record: only if nobody else put something there, or works on it. */
export async function moveBranch({ world, journal }: Run<DecidedKind>, proposed: Proposed, from: string): ReturnType<Mover["replace"]> {
  const { opened, round, branch, state } = proposed;
  const because = `${round.run} on a base that moved`;
  const moved = await world.mover.replace(opened.repo, { branch, from, to: state.commit, because });
  if (moved.kind === "moved") await world.workshop.forget(opened.repo, movedPlace(journal.run, state.refreshed?.times ?? 0));
  return moved;
}

/** How a proposal stands after somebody asked for it to be put on the base of today. */
export type Freshened =
  /** Base is where it was verified already. */
  { readonly kind: "fresh" } | { readonly kind: "stands"; readonly proposed: Proposed } | { readonly kind: "stuck"; readonly why: string };

/** Puts it there, and verifies it there in full. Safe to be killed at any moment, and to be begun again. */
export async function freshen(run: Run<DecidedKind>, by: string): Promise<Freshened> {
  for (;;) {
    await run.journal.refresh();
    const proposed = proposedIn(run.journal.entries);
    if (!proposed || isClosed(proposed.state) || proposed.state.acting) return { kind: "stuck", why: "nothing waits for a decision there" };
    const { state, round } = proposed;
    const newest = newestDeciding(run.journal.entries);
    const { branch, base } = await decidingOf(proposed).sight(proposed, run.world);
    if (!branch) return { kind: "stuck", why: "its branch is gone" };
    if (branch.commit !== state.commit && branch.commit === state.refreshed?.from) {
      const moved = await moveBranch(run, proposed, branch.commit);
      if (moved.kind === "refused") return { kind: "stuck", why: `${moved.why}. ${moved.hint}` };
      continue;
    }
    if (branch.commit !== state.commit)
      return { kind: "stuck", why: "the branch holds other commits than those that were proposed; take them over with `lw amend`" };
    if (base.commit === undefined) return { kind: "stuck", why: `${proposed.opened.base.ref} is gone` };
    if (base.commit !== round.base) {
      if (state.stuck?.base === base.commit) return { kind: "stuck", why: state.stuck.why };
      await run.journal.writeOnly(DECIDING, newest, await refresh(run, proposed, base.commit, by));
      continue;
    }
    if (!state.refreshed) return { kind: "fresh" };
    if (state.recheck?.tree === state.tree && state.recheck.base === round.base) return { kind: "stands", proposed };
    if (run.stop.asked())
      throw new LoopError("interrupted", "stopped before it was verified again", {
        retry: "later",
        hint: "Ask for it again with `lw refresh`.",
      });
    await verifyAgain(run, proposed);
  }
}

/** Stands for a round: what was put on another base is kept under this name until a branch holds it. */
const movedPlace = (run: string, times: number): { readonly id: string } => ({ id: `${run}.moved-${times}` });

const MOST_PATHS = 100;
