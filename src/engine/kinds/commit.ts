// A change: made in a copy, verified in others, with its sealed files as they are on base; what moves is a branch, and later more.
import { isUntouched, planSeal } from "../../guard/seal.ts";
import type { ProposalKind } from "../run.ts";
import { scanChange } from "../scan-change.ts";
import { decidingAbout, keepFiles, makeFiles, proposeFiles, proposeKept, verifyFiles } from "./files.ts";

export const commitKind = {
  name: "commit",
  holdsOut: true,

  make: async (round, run, outside) => ({ kind: "commit", ...(await makeFiles(round, run, outside)) }),

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

  verify: verifyFiles,
  act: proposeFiles,
  keepBest: keepFiles,
  actOnBest: proposeKept,
  deciding: decidingAbout("commit"),
} satisfies ProposalKind<"commit">;
