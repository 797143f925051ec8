// A change: made in a copy, verified in others, with its sealed files as they are on base; what moves is a branch, and later more.
import { LoopError } from "../../contract/errors.ts";
import type { CommitProposal, Talk } from "../../contract/proposal.ts";
import { untrustedText } from "../../contract/text.ts";
import type { World } from "../../contract/world.ts";
import { isUntouched, planSeal } from "../../guard/seal.ts";
import type { RunState } from "../../journal/fold.ts";
import { callMakers } from "../call-makers.ts";
import { untold } from "../hold-out.ts";
import { branchOf, commitMessage } from "../names.ts";
import { withoutLent } from "../outfit.ts";
import { readAgentsFile, readBase, readCauses, readGathered, readInputs, readLessons } from "../read-outside.ts";
import type { Deciding, ProposalKind } from "../run.ts";
import { scanChange } from "../scan-change.ts";
import { createRooms } from "../worlds/verifier-world.ts";

const deciding: Deciding<"commit"> = {
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
    const talk = { ended: "finished", summary: untrustedText("a reviewer's commits") } as const;
    return { kind: "commit", ...(await workshop.describe(round, state.commit)), talk, box: { kind: "unused" } };
  },
};

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
    const causes = await readCauses(opened, step);
    const inputs = await readInputs(opened, step);
    const told = { ...base, ...(causes ? { causes } : {}), inputs, context, lessons, agents, untold: untold(crew) };
    const talk = await step.recording("make", () => callMakers(round, run, { told, taint, apart }));
    // A step that was recorded before there was a box, an outfit, or a brief on record has none.
    const { box, outfit, brief, maker, ...said }: Talk & Pick<CommitProposal, "box" | "outfit" | "brief" | "maker"> = talk;
    const work = await step.light("commit", () =>
      world.workshop.commitWorkspace(repo, round, commitMessage(opened, round), withoutLent(apart, outfit)),
    );
    const made = { ...(box ? { box } : {}), ...(outfit ? { outfit } : {}), ...(brief ? { brief } : {}), ...(maker ? { maker } : {}) };
    return { kind: "commit", ...work, talk: said, ...made };
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
  deciding,
} satisfies ProposalKind<"commit">;

/** A history that cannot be read shows nothing. */
const containsIn = (mover: World["mover"], repo: string, tip: string, commit: string): Promise<boolean> =>
  mover.contains(repo, tip, commit).catch((error: unknown) => {
    if (error instanceof LoopError) return false;
    throw error;
  });

const refusal = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });

/** As it stood when base was looked at: what runs out or is ended meanwhile makes no difference to this run. */
const quarantinedFor = (number: number, { baseline }: RunState): readonly string[] =>
  baseline?.checks.find(({ verifiers }) => verifiers.some((verifier) => verifier.number === number))?.quarantined ?? [];
