// Brings a proposal as far as decisions, gates and its level let it go. What to do next is decided by a pure function of the records.
import { relative } from "node:path";
import type { Act, ActionWorld, Deed } from "../contract/action.ts";
import type { Allowlist, Ruling } from "../contract/allowlist.ts";
import { LoopError } from "../contract/errors.ts";
import type { Evidence } from "../contract/evidence.ts";
import type { GateAnswer, Passing } from "../contract/gate.ts";
import type { CommitProposal } from "../contract/proposal.ts";
import type { LoopRecord, RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { Level } from "../contract/spec.ts";
import type { World } from "../contract/world.ts";
import { checkAllowlist, doubtsAbout } from "../guard/allowlist.ts";
import { changeSetOf } from "../guard/diff/change-set-of.ts";
import { foldRun } from "../journal/fold.ts";
import {
  countingApprovals,
  foldProposal,
  type Move,
  nextMove,
  type ProposalState,
  proposedAs,
  type Sighted,
} from "../journal/proposals.ts";
import type { RunJournal } from "../journal/run-journal.ts";
import { canonicalJson, sha256 } from "../std/hash.ts";
import { levelOf } from "./judge.ts";
import { createNotifierWorld } from "./part-worlds.ts";
import { recheck } from "./recheck.ts";
import { branchOf, type RunRoom } from "./run-round.ts";

/** A proposal that a run came to rest with, and everything that is on record about it. */
export interface Proposed {
  readonly opened: RunOpened;
  readonly round: Round;
  readonly evidence: Evidence;
  readonly proposal: CommitProposal;
  readonly branch: string;
  readonly state: ProposalState;
}

/** Undefined where the run did not come to rest with a change that waits to be decided about. */
export function proposedIn(entries: RunJournal["entries"]): Proposed | undefined {
  const { opened, rest, rounds } = foldRun(entries);
  const last = rounds.at(-1);
  const proposal = last?.evidence?.proposal;
  if (!opened || rest?.verdict.kind !== "accept" || rest.verdict.action !== "propose") return undefined;
  if (!last?.evidence || proposal?.kind !== "commit") return undefined;
  const state = foldProposal(proposedAs(proposal), entries);
  return { opened, round: last.round, evidence: last.evidence, proposal, branch: branchOf(last.round.id), state };
}

export interface SettleRoom extends Omit<RunRoom, "journal"> {
  /** The records as they are now: others write to them. */
  readonly reread: () => Promise<RunJournal>;
  /** Runs the work while nobody else decides about this loop. */
  readonly decided: <T>(work: () => Promise<T>) => Promise<T>;
  /** What holds for the loop as a whole. */
  readonly standing: () => Promise<Standing>;
}

export interface Standing {
  /** Why nothing may move, if so. */
  readonly barred: string | undefined;
  /** The most that the loop may do, whatever its spec says. */
  readonly most: Level;
}

/** Where it came to a stop, and why. */
export interface Standstill {
  readonly kind: "waits" | "settled" | "failed";
  readonly why: string;
  readonly state: ProposalState;
}

/** Goes on until nothing more may be done. Safe to be killed at any moment, and to be begun again. */
export async function settleProposal(room: SettleRoom): Promise<Standstill | undefined> {
  for (;;) {
    const before = proposedIn((await room.reread()).entries);
    if (!before) return undefined;
    const seen = await lookOutside(room, before);
    const wanted = nextMove(before.state, seen);
    const ready = wanted.kind === "begin" ? await prepared(room, before, wanted.number) : undefined;
    if (ready?.kind === "refused") return { kind: "waits", why: `${ready.why}. ${ready.hint}`, state: before.state };

    const { move, now, journal } = await room.decided(async () => {
      const journal = await room.reread();
      const now = proposedIn(journal.entries) ?? before;
      // Gates were asked about what was decided then; whoever decided meanwhile makes us look again.
      const isSame = canonicalJson(now.state.approvals) === canonicalJson(before.state.approvals);
      const move: Move = isSame ? nextMove(now.state, { ...seen, now: room.world.clock.now() }) : { kind: "wait", why: "" };
      if (isSame && move.kind === "begin")
        await journal.append(beginning(now, room.crew.act[move.number - 1]!, move.number, ready?.says ?? ""));
      if (isSame && move.kind === "settle") await journal.append({ kind: "proposal-settled", how: move.how, why: move.why });
      return { move: isSame ? move : undefined, now, journal };
    });
    if (move === undefined) continue;
    switch (move.kind) {
      case "wait":
        return { kind: now.state.failed ? "failed" : "waits", why: move.why, state: now.state };
      case "settle":
        return { kind: "settled", why: move.why, state: proposedIn((await room.reread()).entries)?.state ?? now.state };
      case "recheck": {
        const number = journal.entries.filter(({ record }) => record.kind === "rechecked").length + 1;
        const { verdict } = await recheck({ ...room, journal }, { ...now, commit: now.state.commit, number });
        await journal.append({ kind: "rechecked", tree: now.state.tree, base: now.round.base, verdict });
        break;
      }
      case "begin":
        await journal.append(await execute(room, now, move.number));
        break;
      case "find-out":
        await journal.append(await findOut(room, now, move.number));
        break;
    }
  }
}

/** What each action would do now, without doing it. */
export async function planActions(room: SettleRoom): Promise<readonly { readonly action: string; readonly says: string }[]> {
  const proposed = proposedIn((await room.reread()).entries);
  if (!proposed) return [];
  return Promise.all(
    room.crew.act.map(async ({ name }, index) => {
      const ready = await prepared(room, proposed, index + 1);
      return { action: name, says: ready.kind === "ready" ? ready.says : `would be refused: ${ready.why}` };
    }),
  );
}

// ── what is seen ────────────────────────────────────────────────────────────────────────────────────────────────

async function lookOutside(room: SettleRoom, proposed: Proposed): Promise<Sighted> {
  const { world, crew } = room;
  const { opened, round, evidence, branch, state } = proposed;
  const { barred, most } = await room.standing();
  const tip = await world.mover.branchTip(opened.repo, branch);
  const base = await world.git.resolve(opened.repo, opened.base.ref);
  const contains = base !== undefined && (await containsIn(world, opened.repo, base, state.commit));
  const level = lesserLevel(levelOf(opened.spec, evidence), most);
  const now = world.clock.now();
  const approvals = countingApprovals(state, now);
  const isAsked = barred === undefined && (approvals.length > 0 || level === "L3") && !state.acting;
  const { answers, rulings } = isAsked ? await askGates(room, proposed, { level, approvals, now }) : { answers: [], rulings: [] };
  const against = answers.filter(({ kind }) => kind !== "yes");
  return {
    now,
    level,
    branch: tip === undefined ? undefined : { commit: tip },
    base: { commit: base, contains },
    verifiedOn: round.base,
    barred,
    actions: crew.act.length,
    gates: against.length === 0 ? { kind: "open" } : { kind: "closed", why: against.map(({ why }) => why).join("; ") },
    // An L3 loop acts inside its allowlist, and without one there is no inside.
    mayGoAlone: isAsked && against.length === 0 && rulings.length > 0 && rulings.every(({ verdict }) => verdict === "inside"),
  };
}

/** A history that cannot be read shows nothing. */
const containsIn = (world: World, repo: string, tip: string, commit: string): Promise<boolean> =>
  world.mover.contains(repo, tip, commit).catch((error: unknown) => {
    if (error instanceof LoopError) return false;
    throw error;
  });

const lesserLevel = (one: Level, other: Level): Level => (one < other ? one : other);

async function askGates(
  room: SettleRoom,
  { opened, round, evidence, branch, state }: Proposed,
  { level, approvals, now }: Pick<Passing, "level" | "approvals" | "now">,
): Promise<{ readonly answers: readonly GateAnswer[]; readonly rulings: readonly Ruling[] }> {
  const { crew, world } = room;
  const { spec, repo, folder, base } = opened;
  const { proc, env } = createNotifierWorld(`${round.run}.gate`, room);
  const rulings: Ruling[] = [];
  const allowlist = async (list: Allowlist): Promise<Ruling> => {
    const ruling = await ruleOn(world, { opened, evidence }, { base: round.base, commit: state.commit }, list);
    rulings.push(ruling);
    return ruling;
  };
  const passing: Passing = {
    loop: round.loop,
    run: round.run,
    intent: spec.intent,
    level,
    repo,
    folder,
    branch,
    commit: state.commit,
    tree: state.tree,
    base,
    evidence,
    approvals,
    now,
  };
  const answers: GateAnswer[] = [];
  for (const { name, ask } of crew.gates) {
    // A gate that cannot be asked says no.
    const answer = await ask(passing, { allowlist, proc, env, http: world.http }).catch((error: unknown): GateAnswer => {
      if (!(error instanceof LoopError)) throw error;
      return { kind: "no", why: `the gate ${name} could not be asked: ${error.message}` };
    });
    answers.push({ ...answer, why: `${name}: ${answer.why}` });
  }
  return { answers, rulings };
}

/** The allowlist's answer to a commit of the target, read from its objects. */
export async function ruleOn(
  { comparing }: Pick<World, "comparing">,
  { opened, evidence }: Pick<Proposed, "opened" | "evidence">,
  { base, commit }: { readonly base: string; readonly commit: string },
  list: Allowlist,
): Promise<Ruling> {
  const compared = await comparing.betweenCommits(opened.repo, base, commit);
  return checkAllowlist(changeSetOf(compared), list, { doubts: doubtsAbout(evidence), own: ownPaths(opened) });
}

/** Where the loop's own files lie, if they lie in the target. */
const ownPaths = ({ repo, specPath }: RunOpened): readonly string[] => {
  const way = relative(repo, specPath);
  return way.startsWith("..") ? [] : [way];
};

// ── what is done ────────────────────────────────────────────────────────────────────────────────────────────────

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

const actionWorld = (room: SettleRoom, mark: string): ActionWorld => {
  const { proc, files, env } = createNotifierWorld(`${mark}.act`, room);
  return { git: room.world.mover, http: room.world.http, proc, files, env };
};

const beginning = (proposed: Proposed, { name }: Act, number: number, plan: string): LoopRecord => ({
  kind: "action-began",
  deed: keyOf(proposed, number),
  action: name,
  number,
  plan,
});

const prepared = (room: SettleRoom, proposed: Proposed, number: number) =>
  room.crew.act[number - 1]!.prepare(deedOf(proposed, number), actionWorld(room, proposed.round.run));

/** A failure that is thrown says nothing about whether it happened: nothing is recorded, and the next try finds out. */
async function execute(room: SettleRoom, proposed: Proposed, number: number): Promise<LoopRecord> {
  const act = room.crew.act[number - 1]!;
  const deed = deedOf(proposed, number);
  const done = await act.execute(deed, actionWorld(room, proposed.round.run));
  return done.kind === "done"
    ? { kind: "action-done", deed: deed.key, receipt: { action: act.name, ...done.receipt } }
    : { kind: "action-failed", deed: deed.key, why: done.why, hint: done.hint, retry: "never" };
}

async function findOut(room: SettleRoom, proposed: Proposed, number: number): Promise<LoopRecord> {
  const act = room.crew.act[number - 1];
  const { deed } = proposed.state.acting ?? { deed: "" };
  if (!act) return { kind: "action-unclear", deed, why: `the spec no longer says what the action number ${number} is` };
  const found = await act.confirm(deedOf(proposed, number), actionWorld(room, proposed.round.run));
  switch (found.kind) {
    case "done":
      return { kind: "action-done", deed, receipt: { action: act.name, ...found.receipt } };
    case "not-done":
      return { kind: "action-failed", deed, why: `${act.name} was begun and did not happen`, hint: "It may begin again.", retry: "later" };
    case "unclear":
      return { kind: "action-unclear", deed, why: found.why };
  }
}
