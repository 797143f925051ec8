// lw compare: which of two is better, as far as it can be told.
import { partsOf } from "../../app/open-parts.ts";
import { compareTwo } from "../../app/scores/compare.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { createPaint } from "../print/paint.ts";
import { tellCompared } from "../print/tell-compared.ts";

export const compare: Command = (call) =>
  withRecords(call, async (records) => {
    const [a = "", b = ""] = call.args;
    const compared = await compareTwo(records, [a, b], call.io.cwd, await partsOf(call.home));
    if (compared.kind === "refused") {
      if (wantsJson(call)) printJson(call, { problems: compared.problems });
      else for (const problem of compared.problems) call.io.err(`${formatProblem(problem)}\n`);
      return "usage";
    }
    if (wantsJson(call)) printJson(call, compared.answer);
    else call.io.out(tellCompared(compared.answer, createPaint(call.io.outColor)));
    return "done";
  });
