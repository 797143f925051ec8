import type { Gathered } from "../contract/connector.ts";
import type { Evidence } from "../contract/evidence.ts";
import type { CommitProposal, Proposal, ReportProposal, Talk } from "../contract/proposal.ts";
import type { Cursors } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { Taint } from "../contract/text.ts";
import type { Verdict } from "../contract/verdict.ts";
import { foldRun } from "../journal/fold.ts";
import { examine } from "./examine.ts";
import { drawHidden, heldOutEvidence, untold } from "./hold-out.ts";
import { launchMaker } from "./launch-maker.ts";
import { branchOf, commitMessage } from "./names.ts";
import { withoutLent } from "./outfit.ts";
import { missingModulesHint, withPrepared } from "./prepare.ts";
import { readAgentsFile, readBase, readGathered, readLessons, taintBy } from "./read-outside.ts";
import { refereeRound } from "./referee-round.ts";
import type { RunRoom } from "./run.ts";
import { countRound, spendingOf } from "./spending/meter.ts";
import { durableSteps, type Steps } from "./steps.ts";

/** The heart: work order in, evidence and verdict out. Each step outlives a crash; the judgement is pure and needs no step. */
export async function runRound(round: Round, bare: RunRoom): Promise<{ readonly evidence: Evidence; readonly verdict: Verdict }> {
  const step = durableSteps(bare.journal, round.id, bare.world, bare.watch);
  if (bare.referee) return refereeRound(round, bare, bare.referee, step);

  const gathered = bare.crew.gather.length === 0 ? [] : await step("gather", () => gatherAll(round, bare));
  const taint = taintBy(gathered);
  const hidden = await drawHidden(bare);
  const room = await withPrepared(bare);
  const proposal = await makeProposal(round, room, { gathered, taint, hidden }, step);
  const { evidence, verdict } = await examine(round, room, { proposal, taint, hidden }, step);

  if (verdict.kind === "accept") await step("act", () => act(round, room, proposal));
  const heldOut = heldOutEvidence(round, room, hidden, verdict);
  const hints = await missingModulesHint(room, evidence.proofs);
  return { evidence: { ...evidence, ...(heldOut ? { heldOut } : {}), ...(hints.length > 0 ? { hints } : {}) }, verdict };
}

interface Outside {
  readonly gathered: readonly Gathered[];
  readonly taint: Taint;
  /** Files of base that the maker does not get to see. */
  readonly hidden: readonly string[];
}

async function makeProposal(round: Round, room: RunRoom, { gathered, taint, hidden }: Outside, step: Steps): Promise<Proposal> {
  const { opened, crew, journal, world } = room;
  const { spec, repo } = opened;
  const { make } = crew;
  if (make.proposes === "report") {
    return step("make", async () => {
      await countRound(spendingOf(round, room));
      return make.report({ spec, round, gathered });
    });
  }

  const lessons = await readLessons(round, step);
  const apart = { hidden, leftOut: spec.prepare?.keep ?? [] };
  // Any check of base may have run the files that are hidden, and its red tests would name them.
  const base = hidden.length > 0 ? {} : { base: await readBase(foldRun(journal.entries).baseline, step) };
  const context = await readGathered(gathered, step);
  const agents = await readAgentsFile(opened, world.git, step);
  const told = { ...base, context, lessons, agents, untold: untold(crew) };
  const talk = await step("make", () => launchMaker(round, room, { edit: make.edit, told, taint, apart }));
  // A step that was recorded before there was a box, an outfit, or a brief on record has none.
  const { box, outfit, brief, ...said }: Talk & MakeFacts = talk;
  const work = await step("commit", () =>
    world.workshop.commitWorkspace(repo, round, commitMessage(opened, round), withoutLent(apart, outfit)),
  );
  return { kind: "commit", ...work, talk: said, ...(box ? { box } : {}), ...(outfit ? { outfit } : {}), ...(brief ? { brief } : {}) };
}

type MakeFacts = Pick<CommitProposal, "box" | "outfit" | "brief">;

const gatherAll = (round: Round, { opened: { repo, base, cursors }, crew, world }: RunRoom): Promise<readonly Gathered[]> =>
  Promise.all(crew.gather.map((gather) => gather({ repo, baseRef: base.ref, cursors, nowMs: Date.parse(round.openedAt) }, world)));

async function act(
  round: Round,
  { opened, journal, world }: RunRoom,
  proposal: Proposal,
): Promise<{ readonly branch: string | undefined }> {
  if (proposal.kind === "report") {
    const isRemembered = journal.entries.some(({ record }) => record.kind === "remembered" && record.roundId === round.id);
    if (!isRemembered) await journal.append({ kind: "remembered", roundId: round.id, cursors: advance(opened.cursors, proposal) });
    return { branch: undefined };
  }
  const branch = branchOf(round.id);
  await world.workshop.propose(opened.repo, round, proposal.commit, branch);
  return { branch };
}

/** A ref that could not be read keeps its old cursor. */
const advance = (cursors: Cursors, { refs }: ReportProposal): Cursors => ({
  ...cursors,
  ...Object.fromEntries(refs.flatMap(({ ref, tip }) => (tip ? [[ref, tip]] : []))),
});
