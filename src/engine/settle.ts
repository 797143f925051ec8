// Brings a proposal as far as decisions, gates and its level let it go. What to do next is decided by a pure function of the records.
import { LoopError } from "../contract/errors.ts";
import type { Level } from "../contract/spec.ts";
import type { World } from "../contract/world.ts";
import type { RunJournal } from "../journal/journal.ts";
import { countingApprovals, type Move, nextMove, type ProposalState, type Sighted } from "../journal/proposals.ts";
import { canonicalJson } from "../std/hash.ts";
import { askGates } from "./ask-gates.ts";
import { beginning, execute, findOut, prepared } from "./deeds.ts";
import { levelOf } from "./judge.ts";
import { type Proposed, proposedIn } from "./proposed.ts";
import { recheck } from "./recheck.ts";
import type { RunRoom } from "./run.ts";

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
