// A change: made in a copy, verified in others, with its sealed files as they are on base; what moves is a branch, and later more.
import type { LoopSpec } from "../../contract/spec.ts";
import { ownFindings } from "../../guard/protected.ts";
import { isUntouched, planSeal, undoneBy } from "../../guard/seal.ts";
import type { RunState } from "../../journal/fold.ts";
import { ownPaths } from "../names.ts";
import { plantNew } from "../plant.ts";
import type { ProposalKind } from "../run.ts";
import { scanChange } from "../scan-change.ts";
import { decidingAbout, keepFiles, makeFiles, proposeFiles, proposeKept, verifyFiles } from "./files.ts";

export const commitKind = {
  name: "commit",
  holdsOut: true,

  make: async (round, run, outside) => ({ kind: "commit", ...(await makeFiles(round, run, outside)) }),

  async scan(round, proposal, { opened, world }) {
    const own = ownFindings(proposal.changes, ownPaths(opened), loosenedIn(opened.spec));
    return [...own, ...(await scanChange(round, proposal, opened.spec.seal, world))];
  },

  plant: plantNew,

  sealing: ({ changes }, { opened, journal }, { found }) =>
    planSeal(changes, opened.spec, { read: decidingOn(journal.state), found: new Set(found) }),

  /** With the sealed files as they are on base, which is what counts; and with its own, so that a human can see both. */
  async looks(round, { commit }, sealing, { world, steps }) {
    if (isUntouched(sealing)) return [{ suffix: "", room: undefined, tested: undefined }];
    const sealed = await steps(round.id).light("seal", () => world.workshop.undo(round, commit, undoneBy(sealing)));
    const tested = { commit: sealed, without: sealing.dropped.map(({ path }) => path) };
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

/** What the checks of base were seen to read. */
const decidingOn = ({ baseline }: RunState): ReadonlySet<string> =>
  new Set(baseline?.checks.flatMap(({ reads }) => (reads?.kind === "traced" ? reads.decides : [])));

/** Which entries of the list that is always in force this loop's gates leave out. */
const loosenedIn = ({ gate }: LoopSpec): readonly string[] =>
  gate.all.flatMap(({ use, with: options }) => (use === "allowlist" && Array.isArray(options?.loosen) ? options.loosen : []));
