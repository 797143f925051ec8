import { LoopError } from "../contract/errors.ts";
import type { Evidence, Proof, Proposal, Talk } from "../contract/evidence.ts";
import type { Amounts } from "../contract/ledger.ts";
import type { CommitProposal, Crew, Gathered, Make, ReportProposal, Verify } from "../contract/parts.ts";
import type { Cursors, RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { Admitted, Taint } from "../contract/text.ts";
import type { Verdict } from "../contract/verdict.ts";
import type { Watch } from "../contract/watch.ts";
import type { Finished, Rooms, World } from "../contract/world.ts";
import { capsOf, fullBudget, softLines } from "../guard/budget.ts";
import { whole } from "../guard/price.ts";
import { isUntouched, planSeal, type SealPlan } from "../guard/seal.ts";
import { foldRun } from "../journal/fold.ts";
import type { RunJournal } from "../journal/journal.ts";
import { plus } from "../journal/ledger.ts";
import { formatDuration } from "../std/duration.ts";
import { writeBrief } from "./brief.ts";
import { timeLeftMs } from "./decide-next.ts";
import { judge } from "./judge.ts";
import { chargeCheck, countRound, openLaunch, type Purse, type Spending } from "./meter.ts";
import { createMakerWorld, createRooms, createVerifierWorld, type Decide, noRooms, outOfTime } from "./part-worlds.ts";
import { readLessons, taintBy } from "./read-outside.ts";
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
  readonly purse: Purse;
}

/** The heart: work order in, evidence and verdict out. Each step outlives a crash; the judgement is pure and needs no step. */
export async function runRound(round: Round, room: RunRoom): Promise<{ readonly evidence: Evidence; readonly verdict: Verdict }> {
  const step = durableSteps(room.journal, round.id, room.world, room.watch);

  const gathered = room.crew.gather.length === 0 ? [] : await step("gather", () => gatherAll(round, room));
  const taint = taintBy(gathered);
  const proposal = await makeProposal(round, room, { gathered, taint }, step);
  const findings = await step("scan", async () =>
    proposal.kind === "commit" ? scanProposal(round, proposal, room.opened.spec.seal, room.world) : [],
  );
  const sealing = proposal.kind === "commit" ? planSeal(proposal.changes, room.opened.spec) : NOTHING_SEALED;
  const proofs = isWorthVerifying(proposal) ? await verifyAll(round, room, { proposal, sealing }, step) : [];

  const evidence: Evidence = { proposal, findings, proofs, ...sealEvidence(sealing), taint };
  const verdict = judge({ spec: room.opened.spec, roundNumber: round.number, triedTrees: triedTrees(room) }, evidence);

  if (verdict.kind === "accept") await step("act", () => act(round, room, proposal));
  return { evidence, verdict };
}

/** Where an accepted proposal waits for a human. */
export const branchOf = (roundId: string): string => `loopwright/${roundId}`;

interface Outside {
  readonly gathered: readonly Gathered[];
  readonly taint: Taint;
}

async function makeProposal(round: Round, room: RunRoom, { gathered, taint }: Outside, step: Steps): Promise<Proposal> {
  const { opened, crew, world } = room;
  const { spec, repo } = opened;
  const { make } = crew;
  if (make.proposes === "report") {
    return step("make", async () => {
      await countRound(spendingOf(round, room));
      return make.report({ spec, round, gathered });
    });
  }

  const lessons = await readLessons(round, step);
  const talk = await step("make", () => launchMaker(round, room, { lessons, taint, edit: make.edit }));
  const work = await step("commit", () => world.workshop.commitWorkspace(repo, round, commitMessage(opened, round)));
  return { kind: "commit", ...work, talk };
}

interface Order {
  readonly lessons: readonly Admitted[];
  readonly taint: Taint;
  readonly edit: Extract<Make, { proposes: "commit" }>["edit"];
}

/** Something is set aside before the maker is started, and settled whatever becomes of it. What its budget ends is kept. */
async function launchMaker(round: Round, room: RunRoom, { lessons, taint, edit }: Order): Promise<Talk> {
  const { opened, journal, world } = room;
  const { spec, repo } = opened;
  const state = foldRun(journal.entries);
  const kept = state.rounds.find(({ round: { id } }) => id === round.id)?.kept;
  const launch = await openLaunch(spendingOf(round, room));
  try {
    const workspace = await world.workshop.openWorkspace(repo, round);
    if (kept) await world.workshop.restore(round, kept);
    const left = Math.min(timeLeftMs(opened, state), launch.timeLeftMs);
    const nearCaps = softLines(capsOf(spec, room.purse.limits), fullBudget(spec.budget).warnAt, (scope) => launch.taken[scope]);
    const brief = writeBrief({
      spec,
      roundNumber: round.number,
      lessons,
      timeLeft: formatDuration(left),
      nearCaps,
      goesOn: kept !== undefined,
    });
    await world.files.writeText(workspace.brief, brief);
    const makerWorld = createMakerWorld({ roundId: round.id, workspace, timeLeftMs: left, taint }, spec, launch, room);
    return await edit({ spec, round, workspace, brief, timeLeftMs: left }, makerWorld);
  } catch (error) {
    if (isOverrun(error)) await keepWork(round, room);
    throw error;
  } finally {
    await launch.settle();
  }
}

const isOverrun = (error: unknown): boolean => error instanceof LoopError && (error.code === "budget-spent" || error.code === "runaway");

async function keepWork(round: Round, { opened, journal, world, watch }: RunRoom): Promise<void> {
  const work = await world.workshop.commitWorkspace(opened.repo, round, commitMessage(opened, round));
  if (work.changes.length === 0) return;
  await world.workshop.keep(opened.repo, round, work.commit);
  watch({ kind: "recorded", entry: await journal.append({ kind: "kept", roundId: round.id, work }) });
}

const spendingOf = (round: Round, { opened, journal, world, purse, watch }: RunRoom): Spending => ({
  spec: opened.spec,
  roundId: round.id,
  journal,
  world,
  purse,
  watch,
});

const gatherAll = (round: Round, { opened: { repo, base, cursors }, crew, world }: RunRoom): Promise<readonly Gathered[]> =>
  Promise.all(crew.gather.map((gather) => gather({ repo, baseRef: base.ref, cursors, nowMs: Date.parse(round.openedAt) }, world)));

/** A change of nothing, or one that its maker gave up, needs no proof to be refused. */
const isWorthVerifying = (proposal: Proposal): boolean =>
  proposal.kind === "report" || (proposal.changes.length > 0 && proposal.talk.ended === "finished");

interface ToVerify {
  readonly proposal: Proposal;
  readonly sealing: SealPlan;
}

/**
 * One verifier after the other, each in a copy of its own, so that none sees what another left behind. A proposal that changed
 * sealed files is verified twice: with them as they are on base, which is what counts, and with its own, so that a human can see both.
 */
async function verifyAll(round: Round, room: RunRoom, { proposal, sealing }: ToVerify, step: Steps): Promise<readonly Proof[]> {
  const proofs: Proof[] = [];
  const sealed =
    proposal.kind === "commit" && !isUntouched(sealing)
      ? await step("seal", () => sealedCommit(round, room, proposal, sealing))
      : undefined;
  for (const [index, verifier] of room.crew.verifiers.entries()) {
    const { name, kind } = verifier;
    const number = `${index + 1}`;
    const sight = await step(`verify-${number}`, () => verifyOne(round, room, { proposal, verifier, name: number, tested: sealed }));
    proofs.push({ verifier: name, kind, ...sight, ...(sealed ? { room: "sealed" } : {}) });
    if (!sealed) continue;
    const own = await step(`verify-${number}-own`, () =>
      verifyOne(round, room, { proposal, verifier, name: `${number}-own`, tested: undefined }),
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
  readonly verifier: Verify;
  /** Its number, and which of its two looks this is. */
  readonly name: string;
  /** The commit that is looked at, where it is not the proposal's own. */
  readonly tested: string | undefined;
}

async function verifyOne(round: Round, room: RunRoom, { proposal, verifier, name, tested }: OneCheck) {
  const { opened, journal, world } = room;
  const left = timeLeftMs(opened, foldRun(journal.entries));
  if (left === 0) throw outOfTime(opened.spec.budget);
  let used: Amounts = {};
  const add = ({ tookMs, used: told = {} }: Finished): void => {
    used = plus(used, whole({ timeMs: tookMs, ...told }));
  };
  const worldWith = (rooms: Rooms) => createVerifierWorld(round.id, left, opened.spec.budget, room, rooms, add);
  try {
    if (verifier.proves === "report") return await verifier.verify({ proposal: asReport(proposal), repo: opened.repo }, worldWith(noRooms));
    const commit = asCommit(proposal);
    const seen = { ...commit, commit: tested ?? commit.commit };
    const checkout = await world.workshop.checkOut(opened.repo, round, seen.commit, name);
    return await verifier.verify({ proposal: commit, checkout, timeLeftMs: left }, worldWith(createRooms(round, seen, name, room)));
  } finally {
    await chargeCheck(spendingOf(round, room), used);
  }
}

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
const triedTrees = ({ journal }: RunRoom): readonly string[] =>
  foldRun(journal.entries).rounds.flatMap(({ evidence }) =>
    evidence?.proposal.kind === "commit" && evidence.proposal.talk.ended === "finished" ? [evidence.proposal.tree] : [],
  );

const commitMessage = ({ spec }: RunOpened, round: Round): string => `${spec.name}: ${spec.intent}\n\nLoopwright-Round: ${round.id}\n`;

/** A spec whose maker and verifiers do not fit together is refused when it is read; this is the last line. */
function asCommit(proposal: Proposal): CommitProposal {
  if (proposal.kind !== "commit") throw new TypeError("a verifier of commits was given a report");
  return proposal;
}
function asReport(proposal: Proposal): ReportProposal {
  if (proposal.kind !== "report") throw new TypeError("a verifier of reports was given a commit");
  return proposal;
}
