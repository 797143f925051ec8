// What changes and documents have in common: files that a maker left in its copy, as a commit that people decide about.

import type { ArtifactRef } from "../../contract/artifacts.ts";
import type { CrewOf } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import { type Instructions, THE_MAKER } from "../../contract/improve.ts";
import { type CommitProposal, type FilesKind, factsOf, type ProposalOf, type Talk } from "../../contract/proposal.ts";
import type { Round } from "../../contract/round.ts";
import { untrustedText } from "../../contract/text.ts";
import type { Accepted } from "../../contract/verdict.ts";
import type { CommitClaim } from "../../contract/verifier.ts";
import type { World } from "../../contract/world.ts";
import type { RunState } from "../../journal/fold.ts";
import { callMakers } from "../call-makers.ts";
import { gatheredIn, sourcesIn, walksIn } from "../gathered.ts";
import { untold } from "../hold-out.ts";
import { heededBy, instructionsOf, withOptionsOf } from "../instructions.ts";
import { branchOf, commitMessage } from "../names.ts";
import { baseUnderMaker, baseUnderRoom } from "../on-base.ts";
import { withoutLent } from "../outfit.ts";
import { readAgentsFile, readBase, readCauses, readGathered, readHeed, readInputs, readLessons, readTold } from "../read-outside.ts";
import type { Check, Deciding, Outside, ProposalKind, Run } from "../run.ts";
import { workAsTeam } from "../run-team.ts";
import { createRooms } from "../worlds/verifier-world.ts";

/** What the step of a maker wrote: steps that were recorded long ago have less. */
type Said = Talk & Pick<CommitProposal, "box" | "outfit" | "brief" | "maker" | "team"> & { readonly workedMs?: number };

/** What was made, whatever it is called then. */
type Made = Omit<CommitProposal, "kind">;

export async function makeFiles<K extends FilesKind>(round: Round, bare: Run<K>, { gathered, taint, hidden }: Outside): Promise<Made> {
  const instructions = instructionsOf(round, bare.opened, bare.journal.state);
  const run = { ...bare, crew: instructed(bare.crew, instructions) };
  const { opened, crew, journal, world } = run;
  const { spec, repo } = opened;
  const step = run.steps(round.id);
  const lessons = [...(await readLessons(round, step)), ...(await readTold(round, "maker", step))];
  const onBase = baseUnderMaker(run, { hidden });
  const apart = { hidden, leftOut: spec.prepare?.keep ?? [], ...(onBase ? { onBase } : {}) };
  // Any check of base may have run the files that are hidden, and its red tests would name them.
  const base = hidden.length > 0 ? {} : { base: await readBase(journal.state.baseline, step) };
  const context = await readGathered(gathered, step);
  const agents = await readAgentsFile(opened, world.git, step);
  const causes = await readCauses(opened, step);
  const inputs = await readInputs(opened, step);
  const heed = crew.team ? [] : await readHeed(heededBy(instructions, THE_MAKER), THE_MAKER, step);
  const told = { ...base, ...(causes ? { causes } : {}), inputs, context, heed, lessons, agents, untold: untold(crew) };
  const talk = crew.team
    ? await workAsTeam(round, run, { told, taint, apart }, crew.team)
    : await step.recording("make", () => callMakers(round, run, { told, taint, apart }));
  // A step that was recorded before there was a box, an outfit, or a brief on record has none.
  const { box, outfit, brief, maker, team, workedMs: _, ...said }: Said = talk;
  const work = await step.light("commit", () =>
    world.workshop.commitWorkspace(repo, round, commitMessage(opened, round), withoutLent(apart, outfit)),
  );
  const made = {
    ...(box ? { box } : {}),
    ...(outfit ? { outfit } : {}),
    ...(brief ? { brief } : {}),
    ...(maker ? { maker } : {}),
    ...(team ? { team } : {}),
  };
  return { ...work, talk: said, ...made };
}

/** The same crew, whose makers have the options of the round's instructions. */
function instructed<K extends FilesKind>(crew: CrewOf<K>, instructions: Instructions): CrewOf<K> {
  if (Object.keys(instructions.of).length === 0) return crew;
  const [first, ...others] = crew.makers;
  return {
    ...crew,
    makers: [withOptionsOf(first, THE_MAKER, instructions), ...others],
    ...(crew.team ? { team: new Map([...crew.team].map(([id, maker]) => [id, withOptionsOf(maker, id, instructions)])) } : {}),
  };
}

/** Each verifier in a fresh copy of its own; it is handed what it looks at as the commit that it is. */
export async function verifyFiles<K extends FilesKind>(
  { round, at = round, proposal, verifier, number, name, tested, timeLeftMs }: Check<K>,
  run: Run<K>,
  worldFor: Parameters<ProposalKind<K>["verify"]>[2],
): ReturnType<ProposalKind<K>["verify"]> {
  const { opened, journal, world } = run;
  const { state } = journal;
  const asCommit: CommitProposal = { ...proposal, kind: "commit" };
  const changes = asCommit.changes.filter(({ path }) => !tested?.without.includes(path));
  const seen = { ...asCommit, changes, commit: tested?.commit ?? proposal.commit };
  const onBase = baseUnderRoom(run, number, verifier);
  const checkout = onBase
    ? await world.workshop.openRoom(at, { name: `check-${name}`, commit: seen.commit, onBase })
    : await world.workshop.checkOut(opened.repo, at, seen.commit, name);
  const claim = {
    proposal: asCommit,
    checkout,
    timeLeftMs,
    ...seenOnBase(number, state),
    gathered: citableIn(round, run),
    earlier: diffsBefore(round, state),
  };
  return verifier.verify(claim, worldFor(createRooms(at, seen, name, { ...run, asOf: state.openedAt ?? round.openedAt })));
}

/** Puts it on a branch of its own, where it waits for a human. */
export async function proposeFiles(round: Round, { commit }: Pick<CommitProposal, "commit">, { opened, world }: Run, on: Accepted["on"]) {
  const branch = branchOf(round.id, on);
  await world.workshop.propose(opened.repo, round, commit, branch);
  return { branch };
}

/** Keeps it beyond its round, so that it can be proposed later. */
export const keepFiles = (round: Round, { commit }: Pick<CommitProposal, "commit">, { opened, world }: Run): Promise<void> =>
  world.workshop.keep(opened.repo, round, commit);

/** The same as proposing it, of a round whose own copies are gone. */
export async function proposeKept(round: Round, { commit }: Pick<CommitProposal, "commit">, { opened, world }: Run, on: Accepted["on"]) {
  const branch = branchOf(round.id, on);
  await world.workshop.proposeKept(opened.repo, round, commit, branch);
  return { branch };
}

export const decidingAbout = <K extends FilesKind>(kind: K): Deciding<K> => ({
  tip: ({ opened, branch }, { mover }) => mover.branchTip(opened.repo, branch),

  async sight({ opened, round, branch, state }, { mover, git }) {
    const tip = await mover.branchTip(opened.repo, branch);
    const base = await git.resolve(opened.repo, opened.base.ref);
    const contains = base !== undefined && (await containsIn(mover, opened.repo, base, state.commit));
    return { branch: tip === undefined ? undefined : { commit: tip }, base: { commit: base, contains }, verifiedOn: round.base };
  },

  /** The commits that somebody put on its branch. */
  async amend({ opened, round, branch, state }, { mover }) {
    const tip = await mover.branchTip(opened.repo, branch);
    if (tip === undefined)
      throw refusal(`the branch ${branch} is gone`, "Nothing can be taken from it; reject the proposal, or run the loop again.");
    if (tip === state.commit)
      throw refusal(`${branch} holds nothing that is not proposed already`, `Commit to ${branch} first, then amend.`);
    if (!(await mover.contains(opened.repo, tip, round.base)))
      throw refusal(
        `what is on ${branch} does not come after the base that was verified`,
        "Rebase it onto that commit, or run the loop again.",
      );
    return { commit: tip, tree: await mover.treeOf(opened.repo, tip) };
  },

  compare: ({ opened, round, state }, { comparing }) => comparing.betweenCommits(opened.repo, round.base, state.commit),

  async asAmended(round, { proposal, state }, { workshop }) {
    if (state.commit === proposal.commit) return proposal;
    const work = await workshop.describe(round, state.commit);
    // On another base it is still what its maker made.
    if (state.amendedBy === undefined) return { ...proposal, ...work };
    const talk = { ended: "finished", summary: untrustedText("a reviewer's commits") } as const;
    const amended = { kind, ...work, talk, box: { kind: "unused" } } as const;
    return amended as ProposalOf<FilesKind> as ProposalOf<K>; // of the kind that it was asked for
  },
});

/** A history that cannot be read shows nothing. */
const containsIn = (mover: World["mover"], repo: string, tip: string, commit: string): Promise<boolean> =>
  mover.contains(repo, tip, commit).catch((error: unknown) => {
    if (error instanceof LoopError) return false;
    throw error;
  });

const refusal = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });

/** What may rightly be cited of what connectors brought in this round: commits by their ids, everything else by its address. */
function citableIn(round: Round, { journal }: Pick<Run, "journal">): readonly string[] {
  const gathered = gatheredIn(round, journal);
  return [
    ...walksIn(gathered).flatMap(({ commits }) => commits.map(({ commit }) => commit)),
    ...sourcesIn(gathered).flatMap(({ things }) => things.flatMap(({ address }) => (address === undefined ? [] : [address]))),
  ];
}

const diffsBefore = ({ id }: Round, { rounds }: RunState): readonly ArtifactRef[] =>
  rounds
    .flatMap(({ round, evidence }) => (round.id === id ? [] : ((evidence && factsOf(evidence.proposal).artifacts.diff) ?? [])))
    .reverse();

/** As it stood when base was looked at: what runs out or is ended meanwhile makes no difference to this run. */
function seenOnBase(number: number, { baseline }: RunState): Pick<CommitClaim, "quarantined" | "red"> {
  const check = baseline?.checks.find(({ verifiers }) => verifiers.some((verifier) => verifier.number === number));
  const isWhole = check !== undefined && check.redCount === check.red.length && (check.state === "green" || check.redCount > 0);
  return { quarantined: check?.quarantined ?? [], ...(isWhole ? { red: check.red } : {}) };
}
