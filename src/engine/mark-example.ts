// Lets a rubric look at an example as if somebody had proposed it: nothing is made, and what it costs goes through the meter.

import { type FilesKind, KINDS } from "../contract/proposal.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import type { CommitClaim, Sight, Verify, VerifyOf } from "../contract/verifier.ts";
import { canonicalJson, sha256 } from "../std/hash.ts";
import { timeLeftMs } from "./next-round.ts";
import type { Run } from "./run.ts";
import { createDesk, createVerifierWorld, noRooms } from "./worlds/verifier-world.ts";

/** Of what a rubric asks, and whom. */
export const rubricHash = (options: LoopSpec["verifiers"][number]["with"]): string =>
  sha256(canonicalJson(JSON.parse(JSON.stringify(options ?? {}))));

export async function markExample(run: Run, index: number, number: number, text: string): Promise<Sight> {
  const { opened, journal, world, meter, crew } = run;
  const verifier = crew.verifiers[index];
  if (!verifier || !looksAtFiles(verifier)) throw new TypeError("only what looks at files can be calibrated");
  const id = `${journal.run}.${number}`;
  const left = timeLeftMs(opened, journal.state);
  const calls = meter.calls({ id }, { maker: verifier.name });
  const claim: CommitClaim = {
    proposal: {
      kind: "commit",
      commit: "0".repeat(40),
      tree: sha256(text),
      changes: [],
      diff: await world.artifacts.keep(asDiff(text)),
      talk: { ended: "finished", summary: untrustedText("") },
    },
    checkout: { work: "", home: "" },
    timeLeftMs: left,
  };
  try {
    return await verifier.verify(claim, {
      ...createVerifierWorld(id, left, opened.spec.budget, run, noRooms),
      desk: createDesk({ verifier: verifier.name, timeLeftMs: left, findings: [], proofs: [], meter: calls }, run),
    });
  } finally {
    await calls.settleAll();
  }
}

const looksAtFiles = (verifier: Verify): verifier is VerifyOf<FilesKind> => KINDS[verifier.proves].hasFiles;

/** As the rubric would see it in a round: a file that is new. */
function asDiff(text: string): string {
  const lines = text.split("\n");
  return [
    "diff --git a/example.md b/example.md",
    "new file mode 100644",
    "--- /dev/null",
    "+++ b/example.md",
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    "",
  ].join("\n");
}
