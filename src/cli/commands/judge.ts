// lw judge: judges the recorded evidence of a run again, by another spec.
import { findRun } from "../../app/records/find-run.ts";
import { judgeRun, type RunAgain } from "../../app/records/judge-again.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Verdict } from "../../contract/verdict.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { firstLine } from "../../std/display-text.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { createPaint, type Paint } from "../print/paint.ts";
import { isGood, tellRest, tellVerdict } from "../print/words.ts";
import { withHouse } from "../with-house.ts";

export const judge: Command = (call) =>
  withHouse(call, async (house) => {
    const { policy } = call.options;
    if (typeof policy !== "string") throw noPolicy();
    const judging = await judgeRun(house, await findRun(house, call.args[0]!), policy, call.io.cwd);
    if (judging.kind === "refused") {
      if (wantsJson(call))
        printJson(call, { error: { code: "bad-input", message: "the policy is not sound" }, problems: judging.problems });
      else for (const problem of judging.problems) call.io.err(`${formatProblem(problem)}\n`);
      return "usage";
    }
    const { exitName, ...again } = judging.again;
    if (wantsJson(call)) printJson(call, again);
    else call.io.out(tellAgain(judging.again, createPaint(call.io.outColor)));
    return exitName;
  });

const noPolicy = (): LoopError =>
  new LoopError("bad-input", "there is nothing to judge by", { retry: "never", hint: "Name a spec, or a part of one, with --policy." });

function tellAgain({ run, policy, rounds, before, after, cannotTell, exit }: RunAgain, paint: Paint): string {
  const lines = [
    `${paint("bold", run)}  judged again by ${policy}`,
    ...rounds.flatMap((round) => [
      `  Round ${round.number}  ${tell(round.before)} → ${round.reached ? painted(round.after, paint) : paint("dim", "not reached")}`,
      ...(round.after && round.after.kind !== "accept" ? reasonOf(round.after).map((line) => paint("dim", `           ${line}`)) : []),
      ...round.missing.map((line) => `           ${paint("yellow", firstLine(line, 200))}`),
    ]),
    `  Run      ${before ? tellRest(before) : "not at rest"} → ${after && !cannotTell ? tellRest(after) : paint("yellow", "cannot tell")}`,
    ...(cannotTell ? [`           ${firstLine(cannotTell, 300)}`] : []),
    paint("dim", `exit ${exit.code}: ${exit.means}`),
  ];
  return `${lines.join("\n")}\n`;
}

const tell = (verdict: Verdict | null): string => (verdict ? tellVerdict(verdict) : "no verdict");

const painted = (verdict: Verdict | null, paint: Paint): string =>
  verdict ? paint(isGood(verdict) ? "green" : "yellow", tellVerdict(verdict)) : "no verdict";

const reasonOf = (verdict: Exclude<Verdict, { kind: "accept" }>): readonly string[] =>
  (verdict.kind === "retry" ? verdict.lesson : verdict.reason)
    .split("\n")
    .slice(0, 6)
    .map((line) => firstLine(line, 200));
