// lw score: what a loop is worth, by what happened, or before that by what its spec lets one expect.
import { partsOf } from "../../app/open-parts.ts";
import { readTheirs } from "../../app/open-specs.ts";
import { type Scored, scoreFile, scoreNamed } from "../../app/scores/score.ts";
import { scoreAs, TOOLS, type Tool } from "../../app/scores/score-as.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { createPaint } from "../print/paint.ts";
import { tellCompat, tellScore } from "../print/tell-score.ts";

export const score: Command = async (call) => {
  const [asked = ""] = call.args;
  const { cwd } = call.io;
  if (call.options.compat !== undefined) return compat(call, asked, toolOf(call.options.compat));
  if (/[./\\]/.test(asked)) return tell(call, await scoreFile(asked, cwd, await partsOf(call.home)));
  return withRecords(call, async (records) => tell(call, await scoreNamed(records, asked, cwd, await partsOf(call.home))));
};

function tell(call: Call, scored: Scored): ExitName {
  if (scored.kind === "refused") {
    if (wantsJson(call)) printJson(call, { problems: scored.problems });
    else for (const problem of scored.problems) call.io.err(`${formatProblem(problem)}\n`);
    return "usage";
  }
  if (wantsJson(call)) printJson(call, scored.answer);
  else call.io.out(tellScore(scored.answer, call.options.explain === true, createPaint(call.io.outColor)));
  return "done";
}

async function compat(call: Call, file: string, tool: Tool): Promise<ExitName> {
  const { cwd } = call.io;
  const tasks: readonly unknown[] = Array.isArray(call.options.task) ? call.options.task : [];
  const answer = scoreAs(tool, await readTheirs(file, cwd), await Promise.all(tasks.map((task) => readTheirs(String(task), cwd))));
  if (wantsJson(call)) printJson(call, answer);
  else call.io.out(tellCompat(answer, call.options.explain === true, createPaint(call.io.outColor)));
  return "done";
}

function toolOf(asked: unknown): Tool {
  const tool = TOOLS.find((name) => name === asked);
  if (tool) return tool;
  throw new LoopError("bad-input", `no tool of the standard is called ${String(asked)}`, {
    retry: "never",
    hint: `Write one of ${TOOLS.join(", ")}.`,
  });
}
