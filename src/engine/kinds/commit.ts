// A change: made in a copy, verified in others, with its sealed files as they are on base; what moves is a branch, and later more.
import type { CommitProposal, Talk } from "../../contract/proposal.ts";
import { isUntouched, planSeal } from "../../guard/seal.ts";
import type { RunState } from "../../journal/fold.ts";
import { untold } from "../hold-out.ts";
import { launchMaker } from "../launch-maker.ts";
import { branchOf, commitMessage } from "../names.ts";
import { withoutLent } from "../outfit.ts";
import { readAgentsFile, readBase, readGathered, readLessons } from "../read-outside.ts";
import type { ProposalKind } from "../run.ts";
import { scanChange } from "../scan-change.ts";
import { createRooms } from "../worlds/verifier-world.ts";

export const commitKind = {
  name: "commit",
  holdsOut: true,
  async make(round, run, { gathered, taint, hidden }) {
    const { opened, crew, journal, world } = run;
    const { spec, repo } = opened;
    const step = run.steps(round.id);
    const lessons = await readLessons(round, step);
    const apart = { hidden, leftOut: spec.prepare?.keep ?? [] };
    // Any check of base may have run the files that are hidden, and its red tests would name them.
    const base = hidden.length > 0 ? {} : { base: await readBase(journal.state.baseline, step) };
    const context = await readGathered(gathered, step);
    const agents = await readAgentsFile(opened, world.git, step);
    const told = { ...base, context, lessons, agents, untold: untold(crew) };
    const talk = await step.recording("make", () => launchMaker(round, run, { edit: crew.make.edit, told, taint, apart }));
    // A step that was recorded before there was a box, an outfit, or a brief on record has none.
    const { box, outfit, brief, ...said }: Talk & Pick<CommitProposal, "box" | "outfit" | "brief"> = talk;
    const work = await step.light("commit", () =>
      world.workshop.commitWorkspace(repo, round, commitMessage(opened, round), withoutLent(apart, outfit)),
    );
    return { kind: "commit", ...work, talk: said, ...(box ? { box } : {}), ...(outfit ? { outfit } : {}), ...(brief ? { brief } : {}) };
  },
  scan: (round, proposal, { opened, world }) => scanChange(round, proposal, opened.spec.seal, world),
  sealing: ({ changes }, { opened }) => planSeal(changes, opened.spec),
  /** With the sealed files as they are on base, which is what counts; and with its own, so that a human can see both. */
  async looks(round, { commit }, sealing, { world, steps }) {
    if (isUntouched(sealing)) return [{ suffix: "", room: undefined, tested: undefined }];
    const paths = [...sealing.restored, ...sealing.dropped].map(({ path }) => path);
    const tested = await steps(round.id).light("seal", () => world.workshop.undo(round, commit, paths));
    return [
      { suffix: "", room: "sealed", tested },
      { suffix: "-own", room: "own", tested: undefined },
    ];
  },
  async verify({ round, proposal, verifier, number, name, tested, timeLeftMs }, run, worldFor) {
    const { opened, journal, world } = run;
    const { state } = journal;
    const seen = { ...proposal, commit: tested ?? proposal.commit };
    const checkout = await world.workshop.checkOut(opened.repo, round, seen.commit, name);
    const claim = { proposal, checkout, timeLeftMs, quarantined: quarantinedFor(number, state) };
    return verifier.verify(claim, worldFor(createRooms(round, seen, name, { ...run, asOf: state.openedAt ?? round.openedAt })));
  },
  async act(round, { commit }, { opened, world }) {
    const branch = branchOf(round.id);
    await world.workshop.propose(opened.repo, round, commit, branch);
    return { branch };
  },
} satisfies ProposalKind<"commit">;

/** As it stood when base was looked at: what runs out or is ended meanwhile makes no difference to this run. */
const quarantinedFor = (number: number, { baseline }: RunState): readonly string[] =>
  baseline?.checks.find(({ verifiers }) => verifiers.some((verifier) => verifier.number === number))?.quarantined ?? [];
