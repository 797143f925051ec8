// Brings a proposal as far as decisions, gates and its level let it go. What to do next is decided by a pure function of the records.
import type { DecidedKind } from "../contract/proposal.ts";
import type { LoopRecord } from "../contract/record.ts";
import type { Level } from "../contract/spec.ts";
import { aloneWith, readPast } from "../journal/earned.ts";
import { countingApprovals, DECIDING, newestDeciding, nextMove, type ProposalState, type Sighted } from "../journal/proposals.ts";
import { standingOf } from "../journal/standing.ts";
import { askGates } from "./ask-gates.ts";
import { shownBeside } from "./box-wish.ts";
import { beginning, execute, findOut, prepared } from "./deeds.ts";
import { decidingOf } from "./kinds/index.ts";
import { aloneOn, levelOf, whyHeldBack } from "./level-of.ts";
import { type Proposed, proposedIn } from "./proposed.ts";
import { verifyAgain } from "./recheck.ts";
import { moveBranch, refresh } from "./refresh.ts";
import type { Run } from "./run.ts";
import { inheritedBy, type StandsOn, standsOn, unlessChanged } from "./stands-on.ts";

/** Where it came to a stop, and why. */
export interface Standstill {
  readonly kind: "waits" | "settled" | "failed";
  readonly why: string;
  readonly state: ProposalState;
}

/** Goes on until nothing more may be done. Safe to be killed at any moment, and to be begun again. */
export async function settleProposal(run: Run<DecidedKind>): Promise<Standstill | undefined> {
  for (;;) {
    await run.journal.refresh();
    const proposed = proposedIn(run.journal.entries);
    if (!proposed) return undefined;
    const newest = newestDeciding(run.journal.entries);
    const seen = await lookOutside(run, proposed);
    const came = await go(run, proposed, seen, (record) => run.journal.writeOnly(DECIDING, newest, record));
    if (came !== "go-on") return came;
  }
}

/** One move. Whoever decided while we looked outside makes us look again: then nothing is written. */
async function go(
  run: Run<DecidedKind>,
  proposed: Proposed,
  seen: Sighted,
  write: (record: LoopRecord) => Promise<"written" | "overtaken">,
): Promise<Standstill | "go-on"> {
  const { journal } = run;
  const { state } = proposed;
  const move = nextMove(state, seen);
  switch (move.kind) {
    case "wait":
      if ((await journal.refresh()) && isOther(proposedIn(journal.entries)?.state, state)) return "go-on";
      return { kind: state.failed ? "failed" : "waits", why: move.why, state };
    case "settle": {
      if ((await write({ kind: "proposal-settled", how: move.how, why: move.why })) === "overtaken") return "go-on";
      return { kind: "settled", why: move.why, state: proposedIn(journal.entries)?.state ?? state };
    }
    case "refresh":
      await write(await refresh(run, proposed, move.onto));
      return "go-on";
    case "move-branch": {
      const moved = await moveBranch(run, proposed, move.from);
      return moved.kind === "moved" ? "go-on" : { kind: "waits", why: `${moved.why}. ${moved.hint}`, state };
    }
    case "recheck": {
      const stands = await lookWhatStands(run, proposed);
      if (stands.kind === "stands") {
        const { seq, at, verdict } = stands;
        await journal.write({ kind: "rechecked", tree: state.tree, base: proposed.round.base, verdict, standsOn: { seq, at } });
      } else await verifyAgain(run, proposed);
      return "go-on";
    }
    case "begin": {
      const ready = await prepared(run, proposed, move.number);
      if (ready.kind === "refused") return { kind: "waits", why: `${ready.why}. ${ready.hint}`, state };
      // Gates and plans take their time, and a yes may have run out meanwhile.
      if (nextMove(state, { ...seen, now: run.world.clock.now() }).kind !== "begin") return "go-on";
      if ((await write(beginning(proposed, run.crew.act[move.number - 1]!, move.number, ready.says))) === "overtaken") return "go-on";
      await journal.write(await execute(run, proposed, move.number));
      return "go-on";
    }
    case "find-out":
      await journal.write(await findOut(run, proposed, move.number));
      return "go-on";
  }
}

/** What was proven a moment ago is not proven again. To look at all programs of the machine takes a moment, which is spent only where it decides. */
async function lookWhatStands({ journal, world, rules }: Run<DecidedKind>, proposed: Proposed): Promise<StandsOn> {
  const { opened, evidence, round } = proposed;
  const surroundings = evidence.surroundings === undefined ? undefined : await world.surroundings.word(inheritedBy(opened.spec));
  const stands = standsOn(proposed, journal.entries, { at: world.clock.now(), surroundings, rules: await rules() });
  if (stands.kind === "again") return stands;
  return unlessChanged(stands, round, await world.surroundings.newestChange({ in: shownBeside(opened), without: [opened.repo] }));
}

const isOther = (now: ProposalState | undefined, before: ProposalState): boolean => JSON.stringify(now) !== JSON.stringify(before);

/** What each action would do now, without doing it. */
export async function planActions(run: Run<DecidedKind>): Promise<readonly { readonly action: string; readonly says: string }[]> {
  const proposed = proposedIn(run.journal.entries);
  if (!proposed) return [];
  return Promise.all(
    run.crew.act.map(async ({ name }, index) => {
      const ready = await prepared(run, proposed, index + 1);
      return { action: name, says: ready.kind === "ready" ? ready.says : `would be refused: ${ready.why}` };
    }),
  );
}

async function lookOutside(run: Run<DecidedKind>, proposed: Proposed): Promise<Sighted> {
  const { world, crew, records, journal } = run;
  const { opened, evidence, state } = proposed;
  const { barred, most } = await standingOf(records, world.killSwitch, journal.loop);
  const sight = await decidingOf(proposed).sight(proposed, world);
  const level = lesserLevel(levelOf(opened.spec, evidence), most);
  const alone =
    opened.spec.level === "L3"
      ? aloneOn(aloneWith(await readPast(records, journal.loop), journal.run), whyHeldBack(opened.spec, evidence))
      : undefined;
  const now = world.clock.now();
  const approvals = countingApprovals(state, now);
  const isAsked =
    barred === undefined && (approvals.length > 0 || (level === "L3" && alone !== undefined && alone.kind !== "not")) && !state.acting;
  const { answers, rulings } = isAsked ? await askGates(run, proposed, { level, approvals, now }) : { answers: [], rulings: [] };
  const against = answers.filter(({ kind }) => kind !== "yes");
  return {
    now,
    level,
    ...sight,
    barred,
    actions: crew.act.length,
    gates: against.length === 0 ? { kind: "open" } : { kind: "closed", why: against.map(({ why }) => why).join("; ") },
    // An L3 loop acts inside its allowlist, and without one there is no inside.
    // What is only the best there was is for a person to take or leave.
    mayGoAlone:
      alone !== undefined &&
      alone.kind !== "not" &&
      !proposed.best &&
      isAsked &&
      against.length === 0 &&
      rulings.length > 0 &&
      rulings.every(({ verdict }) => verdict === "inside"),
    ...(alone?.kind === "not" ? { unearned: alone.why } : {}),
  };
}

const lesserLevel = (one: Level, other: Level): Level => (one < other ? one : other);
