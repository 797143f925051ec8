// A command as a proof: it holds when the command exits zero in a copy that the maker never touched, and its tests, if read, agree.
import * as z from "zod";
import { defineCommitVerifier } from "../contract/verifier.ts";
import { LOOK_AT_BASE } from "./look-at-base.ts";
import { RUN_OPTIONS, runTests, sightOf, withFigures } from "./run-tests.ts";

export const command = defineCommitVerifier({
  name: "command",
  kind: "proof",
  provesDocuments: true,
  summary: "Holds when a command, such as the test suite, exits zero in a clean copy of the proposed commit.",
  options: z.strictObject(RUN_OPTIONS),
  baseline: LOOK_AT_BASE,
  onlyRuns: ({ results }) => (results?.file === undefined ? [] : [results.file]),
  async verify({ checkout, quarantined }, options, world) {
    const run = await runTests(() => checkout, options, world);
    return withFigures(sightOf(run, options, quarantined), run);
  },
});
