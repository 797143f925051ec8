// lw verify and lw verify-iso: look cited commits up in a repository.
import { resolve } from "node:path";
import { verifyCommits, verifyCommitsTwice } from "../../app/open-lookups.ts";
import { gatherIds, type Verification } from "../../app/records/verify-commits.ts";
import { environmentOf } from "../../contract/around.ts";
import { displayLine } from "../../std/display-text.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { createPaint } from "../print/paint.ts";

export const verify: Command = (call) => answer(call, verifyCommits);

export const verifyIso: Command = (call) => answer(call, verifyCommitsTwice);

async function answer(call: Call, lookUp: typeof verifyCommits) {
  const [folder = ".", ...words] = call.args;
  const repo = resolve(call.io.cwd, folder);
  const verification = await lookUp({ repo, ids: await gatherIds(words, call.io.input) }, environmentOf(call.env));
  if (wantsJson(call)) printJson(call, { repo, ...asJson(verification) });
  else tell(call, verification);
  return verification.exit;
}

const asJson = (verification: Verification) =>
  verification.kind === "refused"
    ? { verified: false, error: { code: "cannot-verify", message: verification.why, hint: verification.hint }, lookups: [] }
    : { verified: verification.exit === "done", lookups: verification.lookups };

/** Only what is not a commit is listed: it is what somebody must look at. */
function tell({ io }: Call, verification: Verification): void {
  if (verification.kind === "refused") {
    io.err(`lw: cannot verify: ${verification.why}\n    ${verification.hint}\n`);
    return;
  }
  const { lookups } = verification;
  const paint = createPaint(io.outColor);
  const wrong = lookups.filter(({ outcome }) => outcome !== "commit");
  for (const { asked, outcome, why } of wrong)
    io.out(`${displayLine(asked, 80)}  ${paint(outcome === "unknown" ? "yellow" : "red", outcome)}: ${displayLine(why, 300)}\n`);
  const sum = `${lookups.length - wrong.length} of ${lookups.length} are commits of this repository`;
  io.out(`${paint(wrong.length === 0 ? "green" : "bold", sum)}\n`);
}
