// A document: files that are no change of the target, kept in a repository of the loop's own on the version that was accepted last.

import { documentFindings } from "../../guard/document.ts";
import { NOTHING_SEALED } from "../../guard/seal.ts";
import { NOTHING_PLANTED } from "../planted.ts";
import type { ProposalKind } from "../run.ts";
import { decidingAbout, keepFiles, makeFiles, proposeFiles, proposeKept, verifyFiles } from "./files.ts";

export const documentKind = {
  name: "document",
  holdsOut: false,

  make: async (round, run, outside) => ({ kind: "document", ...(await makeFiles(round, run, outside)) }),

  async scan(round, { commit, changes }, { opened, world }) {
    const compared = await world.workshop.compareWithBase(round, commit);
    return documentFindings(changes, compared, opened.spec.document ?? {});
  },

  plant: async () => NOTHING_PLANTED,
  sealing: () => NOTHING_SEALED,
  looks: async () => [{ suffix: "", room: undefined, tested: undefined }],
  verify: verifyFiles,
  act: proposeFiles,
  keepBest: keepFiles,
  actOnBest: proposeKept,
  deciding: decidingAbout("document"),
} satisfies ProposalKind<"document">;
