// Carries out one action of a proposal, or finds out what became of one that was begun.
import type { Act, ActionWorld, Deed } from "../contract/action.ts";
import type { LoopRecord } from "../contract/record.ts";
import { canonicalJson, sha256 } from "../std/hash.ts";
import type { Proposed } from "./proposed.ts";
import type { Run } from "./run.ts";
import { createNotifierWorld } from "./worlds/telling-world.ts";

/** The same for the same action on the same tree, whoever does it and how often. */
export const keyOf = ({ round, state }: Pick<Proposed, "round" | "state">, number: number): string =>
  sha256(canonicalJson([round.run, state.tree, number])).slice(0, 32);

const deedOf = ({ opened, round, branch, state, evidence }: Proposed, number: number): Deed => ({
  loop: round.loop,
  run: round.run,
  intent: opened.spec.intent,
  repo: opened.repo,
  folder: opened.folder,
  branch,
  commit: state.commit,
  tree: state.tree,
  base: { ref: opened.base.ref, commit: round.base },
  key: keyOf({ round, state }, number),
  ...(opened.target ? { target: opened.target, at: round.openedAt } : {}),
  title: `${round.loop}: ${opened.spec.intent}`.slice(0, 200),
  report: reportOf({ opened, round, branch, state, evidence }),
});

const reportOf = ({ opened, round, state, evidence }: Pick<Proposed, "opened" | "round" | "branch" | "state" | "evidence">): string =>
  [
    `**${opened.spec.intent}**`,
    "",
    `Proposed by the loop \`${round.loop}\` (${round.run}) on \`${opened.base.ref}\` at ${round.base.slice(0, 12)}.`,
    "",
    ...evidence.proofs.map(({ verifier, kind, outcome }) => `- ${verifier} (${kind}): ${outcome}`),
    ...state.approvals.map(({ by, why }) => `- approved by ${by}${why === "" ? "" : `: ${why}`}`),
    "",
    `Tree ${state.tree}.`,
  ].join("\n");

const actionWorld = (run: Run, mark: string): ActionWorld => {
  const { proc, files, env } = createNotifierWorld(`${mark}.act`, run);
  return { git: run.world.mover, http: run.world.http, proc, files, env };
};

export const beginning = (proposed: Proposed, { name }: Act, number: number, plan: string): LoopRecord => ({
  kind: "action-began",
  deed: keyOf(proposed, number),
  action: name,
  number,
  plan,
});

export const prepared = (run: Run, proposed: Proposed, number: number) =>
  run.crew.act[number - 1]!.prepare(deedOf(proposed, number), actionWorld(run, proposed.round.run));

/** A failure that is thrown says nothing about whether it happened: nothing is recorded, and the next try finds out. */
export async function execute(run: Run, proposed: Proposed, number: number): Promise<LoopRecord> {
  const act = run.crew.act[number - 1]!;
  const deed = deedOf(proposed, number);
  const done = await act.execute(deed, actionWorld(run, proposed.round.run));
  return done.kind === "done"
    ? { kind: "action-done", deed: deed.key, receipt: { action: act.name, ...done.receipt } }
    : { kind: "action-failed", deed: deed.key, why: done.why, hint: done.hint, retry: "never" };
}

export async function findOut(run: Run, proposed: Proposed, number: number): Promise<LoopRecord> {
  const act = run.crew.act[number - 1];
  const { deed } = proposed.state.acting ?? { deed: "" };
  if (!act) return { kind: "action-unclear", deed, why: `the spec no longer says what the action number ${number} is` };
  const found = await act.confirm(deedOf(proposed, number), actionWorld(run, proposed.round.run));
  switch (found.kind) {
    case "done":
      return { kind: "action-done", deed, receipt: { action: act.name, ...found.receipt } };
    case "not-done":
      return { kind: "action-failed", deed, why: `${act.name} was begun and did not happen`, hint: "It may begin again.", retry: "later" };
    case "unclear":
      return { kind: "action-unclear", deed, why: found.why };
  }
}
