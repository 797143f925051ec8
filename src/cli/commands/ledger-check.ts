// `lw ledger check`: whether a commit may be merged.
import { resolve } from "node:path";
import { type CommitCheck, checkCommit } from "../../app/records/check-commit.ts";
import { trustedKeys } from "../../app/records/receipts.ts";
import { verifyHome } from "../../app/records/verify-home.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { createPaint } from "../print/paint.ts";
import { withHouse } from "../with-house.ts";

export const checkLedger: Command = (call) =>
  withHouse(call, async (house) => {
    const { options, io } = call;
    const require = [
      ...new Set(
        String(options.require ?? "")
          .split(",")
          .map((name) => name.trim())
          .filter(Boolean),
      ),
    ];
    if (require.length === 0)
      throw new LoopError("bad-input", "--require names no loop, so there is nothing to check", {
        retry: "never",
        hint: "Write e.g. lw ledger check --require fix,docs --commit HEAD.",
      });
    const verification = await verifyHome(house);
    const repo = resolve(io.cwd, String(options.repo ?? "."));
    const keyFiles = [options.key ?? []].flat().map(String);
    // Keys that are named count besides those of this home.
    const keys = [...(await trustedKeys(house, [], io.cwd)), ...(keyFiles.length > 0 ? await trustedKeys(house, keyFiles, io.cwd) : [])];
    const checked = await checkCommit(house, { repo, commit: String(options.commit ?? "HEAD"), require, keys });
    const exit = verification.kind === "broken" ? "tampering" : exitOf(checked);
    if (wantsJson(call)) printJson(call, { ...checked, home: verification.kind, problems: verification.problems, ok: exit === "done" });
    else
      tell(
        call,
        checked,
        verification.problems.map(({ why }) => why),
      );
    return exit;
  });

/** What is refused weighs more than what nobody looked at. */
function exitOf({ loops }: CommitCheck): ExitName {
  if (loops.every(({ result }) => result === "passed")) return "done";
  return loops.some(({ result }) => result === "refused") ? "checkFailed" : "cannotVerify";
}

function tell({ io }: Call, { commit, loops, ignored }: CommitCheck, broken: readonly string[]): void {
  const paint = createPaint(io.outColor);
  const lines = [
    ...broken.map((why) => `${paint("red", "BROKEN")}  the journal: ${why}`),
    ...loops.map(({ loop, result, run, at }) =>
      result === "passed"
        ? `${paint("green", "proven")}  ${loop}: ${run} at ${at}`
        : `${paint("red", result === "missing" ? "NOTHING ON RECORD" : "NOT PROVEN")}  ${loop}: ${
            result === "missing" ? `no receipt that counts is about ${commit}` : `${run} at ${at} was ${result}`
          }`,
    ),
  ];
  io.out(`${lines.join("\n")}\n`);
  for (const why of ignored) io.err(`lw: left out: ${why}\n`);
}
