// How far a loop may go by its record: who lets it go further, and what makes it fall back by itself.
import { LoopError } from "../../contract/errors.ts";
import type { FileFound } from "../../contract/git.ts";
import { factsOf } from "../../contract/proposal.ts";
import type { LoopRecord } from "../../contract/record.ts";
import type { Level, LoopSpec } from "../../contract/spec.ts";
import type { AutonomyView } from "../../contract/views.ts";
import { type Proposed, proposedIn } from "../../engine/proposed.ts";
import { adviseOn, levelAbove, levelBelow } from "../../journal/autonomy.ts";
import { aloneNext, groundOf, OWN_DOING, readPast, recordOn } from "../../journal/earned.ts";
import { lastOf } from "../../journal/journal.ts";
import { standingDeeds } from "../../journal/loop-facts.ts";
import type { House } from "../open-house.ts";
import type { Records } from "../open-records.ts";
import { holdLevel, loopStanding } from "./standing.ts";

type Base = Pick<House, "journal" | "world" | "killSwitch">;

export async function viewAutonomy(house: Pick<Records, "journal" | "killSwitch">, loop: string): Promise<AutonomyView> {
  const [last] = await house.journal.newestOf(loop, "run-opened", { most: 1 });
  if (!last) throw new LoopError("bad-input", `no loop is called ${loop}`, { retry: "never", hint: "`lw status` shows them." });
  const past = await readPast(house.journal, loop);
  const record = recordOn(past, groundOf(last.record), Number.POSITIVE_INFINITY);
  const { most } = await loopStanding(house, loop);
  const level = last.record.spec.level;
  // An L3 loop that has not earned it here proposes, as at L2.
  const held = level === "L3" && most === "L3" && aloneNext(past).kind === "not" ? "L2" : most;
  const next = levelAbove(held < level ? held : level);
  return { loop, level, held, record, next: { level: next, ...adviseOn(next, record) } };
}

/** A human lets the loop go one level further, with their name under it. The spec stays the upper bound: it is theirs to change. */
export async function promote(
  house: Base,
  loop: string,
  { by, how, why, anyway }: { readonly by: string; readonly how?: string; readonly why: string; readonly anyway: boolean },
): Promise<AutonomyView> {
  const view = await viewAutonomy(house, loop);
  if (!view.next.supports && !anyway)
    throw new LoopError("loop-held", `the record of ${loop} does not support ${view.next.level}: ${view.next.reasons.join("; ")}`, {
      retry: "never",
      hint: "Let it work longer at its level, or say --anyway and --why if you know better.",
    });
  const [last] = await house.journal.newestOf(loop, "run-opened", { most: 1 });
  const ground = last && view.next.level === "L3" ? { ground: groundOf(last.record) } : {};
  await holdLevel(house, loop, { most: view.next.level, by, ...(how === undefined ? {} : { how }), why, ...ground });
  return viewAutonomy(house, loop);
}

/** What a run showed that its loop should go less far from now on. Whoever let it go on after that run knew of it. */
export async function demoteIfNeeded(house: Base, loop: string, run: string): Promise<void> {
  const [last] = await house.journal.newestOf(loop, "run-opened", { most: 1 });
  if (last?.record.spec.level !== "L3") return;
  const { entries } = await house.journal.story(run);
  const rested = entries.findLast(({ record }) => record.kind === "run-rested");
  const held = await lastOf(house.journal, loop, "level-held");
  if (rested && held && held.seq > rested.seq) return;
  const why = whyDemoted(
    last.record.spec,
    entries.map(({ record }) => record),
  );
  if (why !== undefined) await demote(house, loop, last.record.spec.level, why);
}

/** A run without a box is no reason where the spec wanted none. */
function whyDemoted({ box }: LoopSpec, records: readonly LoopRecord[]): string | undefined {
  for (const record of records) {
    if (record.kind !== "round-closed") continue;
    const { verdict, evidence } = record;
    if (verdict.kind !== "accept" && verdict.because === "tampering") return "a change of its maker tried to fake its own success";
    const isMakerBroken = box?.maker.when !== "off" && factsOf(evidence.proposal).box?.kind === "none";
    const isCheckBroken = box?.verifiers.when !== "off" && evidence.proofs.some((proof) => proof.box?.kind === "none");
    if (isMakerBroken || isCheckBroken) return "its commands were to be boxed, and were not";
  }
  return undefined;
}

/** A no to what an L3 loop proposed is a no to its judgement; at L2 it is what the human is there for. */
export async function demoteAfterNo(house: Base, loop: string, by: string): Promise<void> {
  const [last] = await house.journal.newestOf(loop, "run-opened", { most: 1 });
  if (last?.record.spec.level === "L3") await demote(house, loop, "L3", `${by} rejected what it proposed`);
}

/** Only L3 falls: an L2 loop moves nothing without a human, and below that it could not propose at all. */
async function demote(house: Base, loop: string, level: Level, why: string): Promise<void> {
  const { most } = await loopStanding(house, loop);
  if (level !== "L3" || most !== "L3") return;
  await holdLevel(house, loop, { most: levelBelow(level), by: OWN_DOING, why });
}

/** All that speaks against a loop before it runs again: what was taken back, and what its last run showed, whose process may have died over it. */
export async function fallBackIfNeeded(house: Base, loop: string): Promise<void> {
  await noticeReverts(house, loop);
  const rested = await lastOf(house.journal, loop, "run-rested");
  if (rested) await demoteIfNeeded(house, loop, rested.run);
}

const MOST_LOOKED_AT = 20;

/** Looks whether what the loop did lately was taken back: its commit is gone from base, or another one says that it reverts it. */
export async function noticeReverts(house: Base, loop: string): Promise<void> {
  const settled = await house.journal.newestOf(loop, "proposal-settled", { most: MOST_LOOKED_AT });
  const reverted = await house.journal.newestOf(loop, "reverted", { most: MOST_LOOKED_AT * 2 });
  for (const run of standingDeeds({ settled, reverted })) {
    const why = await revertOf(house, run);
    if (why === undefined) continue;
    await house.journal.append([{ loop, run, record: { kind: "reverted", ...why } }]);
    const [last] = await house.journal.newestOf(loop, "run-opened", { most: 1 });
    if (last) await demote(house, loop, last.record.spec.level, why.why);
  }
}

async function revertOf({ journal, world }: Base, run: string): Promise<{ readonly commit: string; readonly why: string } | undefined> {
  const proposed = proposedIn((await journal.story(run)).entries);
  if (!proposed || !(proposed.state.settled?.how === "landed" || proposed.state.receipts.some(({ action }) => action === "merge")))
    return undefined;
  const { opened, state, round } = proposed;
  try {
    const tip = await world.git.resolve(opened.repo, opened.base.ref);
    if (tip === undefined) return undefined;
    if (!(await world.mover.contains(opened.repo, tip, state.commit)))
      return { commit: tip, why: `${state.commit.slice(0, 12)} is no longer in ${opened.base.ref}` };
    if (await isAsBefore(world, proposed, tip))
      return {
        commit: tip,
        why: `every file that ${state.commit.slice(0, 12)} changed is again as it was before it in ${opened.base.ref}`,
      };
    const { commits } = await world.git.walk(opened.repo, { ref: opened.base.ref, cursor: round.base, sinceMs: 0, most: 500 });
    const revert = commits.find(({ body, subject }) => `${subject}\n${body}`.includes(`This reverts commit ${state.commit}`));
    return revert && { commit: revert.commit, why: `${revert.commit.slice(0, 12)} reverts ${state.commit.slice(0, 12)}` };
  } catch (error) {
    // A repository that cannot be read says nothing about what was done to it.
    if (error instanceof LoopError) return undefined;
    throw error;
  }
}

/** A revert needs no words: what was changed is again as it was, whatever the commit that did it says. */
async function isAsBefore(
  { git }: Pick<House["world"], "git">,
  { opened, round, proposal, state }: Proposed,
  tip: string,
): Promise<boolean> {
  if (tip === state.commit || !("changes" in proposal) || proposal.changes.length === 0) return false;
  const paths = proposal.changes.map(({ path }) => path);
  const at = async (commit: string) =>
    git.filesAt(
      opened.repo,
      paths.map((path) => ({ commit, path })),
    );
  const [before, made, now] = await Promise.all([at(round.base), at(state.commit), at(tip)]);
  const isKnown = [...before, ...made, ...now].every(({ kind }) => kind !== "unread");
  return isKnown && isSame(before, now) && !isSame(before, made);
}

const isSame = (one: readonly FileFound[], other: readonly FileFound[]): boolean => JSON.stringify(one) === JSON.stringify(other);
