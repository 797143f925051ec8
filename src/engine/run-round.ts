import type { Gathered } from "../contract/connector.ts";
import type { Crew } from "../contract/crew.ts";
import type { Evidence, Finding, Proof } from "../contract/evidence.ts";
import type { CommitProposal, Proposal, ReportProposal, Talk } from "../contract/proposal.ts";
import type { Cursors, RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { Taint } from "../contract/text.ts";
import type { Verdict } from "../contract/verdict.ts";
import type { Verify } from "../contract/verifier.ts";
import type { Watch } from "../contract/watch.ts";
import type { Rooms } from "../contract/workshop.ts";
import type { World } from "../contract/world.ts";
import { isUntouched, planSeal, type SealPlan } from "../guard/seal.ts";
import type { Recollection } from "../journal/flakes.ts";
import type { RunState } from "../journal/fold.ts";
import type { KeptNote } from "../journal/notes.ts";
import type { RunJournal } from "../journal/run-journal.ts";
import { timeLeftMs } from "./decide-next.ts";
import { createDesk } from "./desk.ts";
import { displacedFindings, drawHidden, heldOutEvidence, hushed, untold } from "./hold-out.ts";
import { judge } from "./judge.ts";
import { launchMaker } from "./launch-maker.ts";
import { countCommands, countRound, openCalls, type Purse, spendingOf } from "./meter.ts";
import { withoutLent } from "./outfit.ts";
import { createRooms, createVerifierWorld, type Decide, noRooms, outOfTime, verifierBox } from "./part-worlds.ts";
import { missingModulesHint, preparedEvidence, tellPrepared, withPrepared } from "./prepare.ts";
import { readAgentsFile, readBase, readGathered, readLessons, taintBy } from "./read-outside.ts";
import { type RefereeDesk, refereeRound } from "./referee-round.ts";
import { scanProposal } from "./scan-proposal.ts";
import { durableSteps, type Steps } from "./steps.ts";

/** Everything one run has at hand. */
export interface RunRoom {
  readonly opened: RunOpened;
  readonly crew: Crew;
  readonly journal: RunJournal;
  readonly world: World;
  readonly watch: Watch;
  readonly decide: Decide;
  /** What earlier runs of the loop saw of base. */
  readonly recall?: () => Promise<Recollection>;
  /** What makers of this loop wrote down, newest first; where it is not there, only those of this run are known. */
  readonly notes?: () => Promise<readonly KeptNote[]>;
  readonly purse: Purse;
  /** There when somebody else's change is judged, and no maker is called. */
  readonly referee?: RefereeDesk;
}

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

interface Made {
  readonly proposal: Proposal;
  readonly taint: Taint;
  /** Files of base that the maker did not get to see. */
  readonly hidden: readonly string[];
  /** What was seen of it before it was scanned, and what is looked at when the verifiers are done. */
  readonly seen?: readonly Finding[];
  readonly lookAgain?: () => Promise<readonly Finding[]>;
}

/** Everything that can be seen of a proposal, and what follows from it. */
export async function examine(
  round: Round,
  room: RunRoom,
  { proposal, taint, hidden, seen: before = [], lookAgain }: Made,
  step: Steps,
): Promise<{ readonly evidence: Evidence; readonly verdict: Verdict }> {
  const scanned = await step("scan", async () =>
    proposal.kind === "commit" ? scanProposal(round, proposal, room.opened.spec.seal, room.world) : [],
  );
  const sealing = proposal.kind === "commit" ? planSeal(proposal.changes, room.opened.spec) : NOTHING_SEALED;
  const early = [...before, ...scanned, ...displacedFindings(proposal)];
  const seen = isWorthVerifying(proposal) ? await verifyAll(round, room, { proposal, findings: early, sealing }, step) : [];
  const findings = lookAgain ? [...early, ...(await lookAgain())] : early;

  const prepared = preparedEvidence(room, proposal);
  const proofs = seen.map((proof) => tellPrepared(proof, prepared));
  const evidence: Evidence = { proposal, findings, proofs, ...sealEvidence(sealing), taint, ...(prepared ? { prepared } : {}) };
  const judged = judge({ spec: room.opened.spec, roundNumber: round.number, triedTrees: triedTreesIn(room.journal.state) }, evidence);
  const refuted = proofs.filter(({ outcome }) => outcome === "refuted").map(({ verifier }) => verifier);
  const verdict = hushed(judged, hidden, refuted);
  return { evidence, verdict };
}

/** Where an accepted proposal waits for a human. */
export const branchOf = (roundId: string): string => `loopwright/${roundId}`;

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
  const base = hidden.length > 0 ? {} : { base: await readBase(journal.state.baseline, step) };
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

/** A change of nothing, or one that its maker gave up, needs no proof to be refused. */
export const isWorthVerifying = (proposal: Proposal): boolean =>
  proposal.kind === "report" || (proposal.changes.length > 0 && proposal.talk.ended === "finished");

interface ToVerify {
  readonly proposal: Proposal;
  readonly findings: readonly Finding[];
  readonly sealing: SealPlan;
}

/**
 * One verifier after the other, each in a copy of its own, so that none sees what another left behind. A proposal that changed
 * sealed files is verified twice: with them as they are on base, which is what counts, and with its own, so that a human can see both.
 */
async function verifyAll(round: Round, room: RunRoom, { proposal, findings, sealing }: ToVerify, step: Steps): Promise<readonly Proof[]> {
  const proofs: Proof[] = [];
  const sealed =
    proposal.kind === "commit" && !isUntouched(sealing)
      ? await step("seal", () => sealedCommit(round, room, proposal, sealing))
      : undefined;
  for (const [index, verifier] of room.crew.verifiers.entries()) {
    const { name, kind } = verifier;
    const number = `${index + 1}`;
    const sight = await step(`verify-${number}`, () =>
      verifyOne(round, room, { proposal, findings, proofs, verifier, number: index + 1, name: number, tested: sealed }),
    );
    proofs.push({ verifier: name, kind, ...sight, ...(sealed ? { room: "sealed" } : {}) });
    if (!sealed) continue;
    const own = await step(`verify-${number}-own`, () =>
      verifyOne(round, room, { proposal, findings, proofs, verifier, number: index + 1, name: `${number}-own`, tested: undefined }),
    );
    proofs.push({ verifier: name, kind, ...own, room: "own" });
  }
  return proofs;
}

const sealedCommit = (round: Round, { world }: RunRoom, { commit }: CommitProposal, { restored, dropped }: SealPlan): Promise<string> =>
  world.workshop.undo(
    round,
    commit,
    [...restored, ...dropped].map(({ path }) => path),
  );

const NOTHING_SEALED: SealPlan = { restored: [], dropped: [], added: [] };

const sealEvidence = (plan: SealPlan): Pick<Evidence, "seal"> =>
  isUntouched(plan) ? {} : { seal: { restored: plan.restored.map(({ path }) => path), dropped: plan.dropped.map(({ path }) => path) } };

interface OneCheck {
  readonly proposal: Proposal;
  /** What was seen of it so far. */
  readonly findings: readonly Finding[];
  readonly proofs: readonly Proof[];
  readonly verifier: Verify;
  readonly number: number;
  /** Its number, and which of its two looks this is. */
  readonly name: string;
  /** The commit that is looked at, where it is not the proposal's own. */
  readonly tested: string | undefined;
}

async function verifyOne(round: Round, bare: RunRoom, check: OneCheck) {
  const { room, enforced } = verifierBox(bare);
  const sight = await lookAt(round, room, check);
  return { ...sight, box: enforced() };
}

async function lookAt(round: Round, room: RunRoom, { proposal, findings, proofs, verifier, number, name, tested }: OneCheck) {
  const { opened, journal, world } = room;
  const state = journal.state;
  const left = timeLeftMs(opened, state);
  if (left === 0) throw outOfTime(opened.spec.budget);
  const spending = spendingOf(round, room);
  const commands = countCommands(spending);
  const calls = openCalls(spending, { maker: verifier.name });
  const desk = createDesk({ verifier: verifier.name, timeLeftMs: left, findings, proofs, meter: calls }, room);
  const worldWith = (rooms: Rooms) => ({ ...createVerifierWorld(round.id, left, opened.spec.budget, room, rooms, commands.add), desk });
  try {
    if (verifier.proves === "report") return await verifier.verify({ proposal: asReport(proposal), repo: opened.repo }, worldWith(noRooms));
    const commit = asCommit(proposal);
    const seen = { ...commit, commit: tested ?? commit.commit };
    const checkout = await world.workshop.checkOut(opened.repo, round, seen.commit, name);
    const claim = { proposal: commit, checkout, timeLeftMs: left, quarantined: quarantinedFor(number, state) };
    const rooms = createRooms(round, seen, name, { ...room, asOf: state.openedAt ?? round.openedAt });
    return await verifier.verify(claim, worldWith(rooms));
  } finally {
    await calls.settleAll();
    await commands.settle();
  }
}

/** As it stood when base was looked at: what runs out or is ended meanwhile makes no difference to this run. */
const quarantinedFor = (number: number, { baseline }: RunState): readonly string[] =>
  baseline?.checks.find(({ verifiers }) => verifiers.some((verifier) => verifier.number === number))?.quarantined ?? [];

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

/** What earlier rounds finished and lost. A change that its maker only gave up was never refuted. */
export const triedTreesIn = ({ rounds }: RunState): readonly string[] =>
  rounds.flatMap(({ evidence }) =>
    evidence?.proposal.kind === "commit" && evidence.proposal.talk.ended === "finished" ? [evidence.proposal.tree] : [],
  );

export const commitMessage = ({ spec }: RunOpened, round: Round): string =>
  `${spec.name}: ${spec.intent}\n\nLoopwright-Round: ${round.id}\nLoopwright-Receipt: ${round.run}\n`;

/** A spec whose maker and verifiers do not fit together is refused when it is read; this is the last line. */
function asCommit(proposal: Proposal): CommitProposal {
  if (proposal.kind !== "commit") throw new TypeError("a verifier of commits was given a report");
  return proposal;
}
function asReport(proposal: Proposal): ReportProposal {
  if (proposal.kind !== "report") throw new TypeError("a verifier of reports was given a commit");
  return proposal;
}
