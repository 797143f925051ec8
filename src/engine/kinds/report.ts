// A report: findings with citations. Nothing is copied, nothing is sealed, and what moves is how far its refs were read.
import type { Gathered } from "../../contract/connector.ts";
import type { ReportProposal } from "../../contract/proposal.ts";
import type { Cursors } from "../../contract/record.ts";
import { NOTHING_SEALED } from "../../guard/seal.ts";
import { gatheredIn } from "../gathered.ts";
import { NOTHING_PLANTED } from "../planted.ts";
import type { ProposalKind } from "../run.ts";
import { noRooms } from "../worlds/verifier-world.ts";

export const reportKind: ProposalKind<"report"> = {
  name: "report",
  holdsOut: false,
  make: (round, { opened, crew, meter, steps }, { gathered }) =>
    steps(round.id).recording("make", async () => {
      // A reporter works with what was gathered and reaches nobody: it has no limits, so that the first of them always does it.
      const [{ ref, make }] = crew.makers;
      await meter.round(round, ref.use);
      return make.report({ spec: opened.spec, round, gathered });
    }),
  scan: async () => [],
  plant: async () => NOTHING_PLANTED,
  sealing: () => NOTHING_SEALED,
  looks: async () => [{ suffix: "", room: undefined, tested: undefined }],
  verify: ({ round, proposal, verifier }, { opened, journal }, worldFor) =>
    verifier.verify({ proposal, repo: opened.repo, gathered: gatheredIn(round, journal) }, worldFor(noRooms)),
  async act(round, proposal, { opened, journal }) {
    const isRemembered = journal.entries.some(({ record }) => record.kind === "remembered" && record.roundId === round.id);
    if (!isRemembered)
      await journal.write({
        kind: "remembered",
        roundId: round.id,
        cursors: advance(opened.cursors, proposal, gatheredIn(round, journal)),
      });
    return { branch: undefined };
  },
};

/** A ref that could not be read keeps its old cursor. How far a source was read is the connector's word, and no maker's. */
const advance = (cursors: Cursors, { refs }: ReportProposal, gathered: readonly Gathered[]): Cursors => ({
  ...cursors,
  ...Object.fromEntries(refs.flatMap(({ ref, tip }) => (tip ? [[ref, tip]] : []))),
  ...Object.fromEntries(gathered.flatMap((brought) => (brought.kind === "things" ? Object.entries(brought.cursors) : []))),
});
