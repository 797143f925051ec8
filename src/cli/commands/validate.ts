// lw validate: checks specs without running them, ours and those of other systems.

import type { CheckedFile } from "../../app/dialects/check-file.ts";
import { isRoot, lookForBox } from "../../app/open-doctor.ts";
import { partsOf } from "../../app/open-parts.ts";
import { checkFiles } from "../../app/open-specs.ts";
import { tellSandbox } from "../../app/tell-sandbox.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { fromOf, textsOf } from "../bindings.ts";
import { type Command, printJson, wantsJson } from "../call.ts";

export const validate: Command = async (call) => {
  const { args, io, options } = call;
  const results = await checkFiles(args, io.cwd, textsOf(options.library), await partsOf(call.home), fromOf(call));
  const isSound = results.every(({ problems }) => problems.length === 0);
  if (wantsJson(call)) printJson(call, { ok: isSound, files: results });
  for (const { file, problems, warnings, dialect } of wantsJson(call) ? [] : results) {
    for (const problem of problems) io.out(`${line(problem)}\n`);
    for (const warning of warnings) io.err(`warning: ${line(warning)}\n`);
    if (problems.length === 0) io.out(`${file}: ok${dialect ? ` (${dialect.form})` : ""}\n`);
    if (dialect && dialect.note !== "") io.err(`${file}: ${dialect.form}. ${dialect.note}\n`);
  }
  const box = await lookForBox(call.home, call);
  if (box.kind === "none") for (const said of tellSandbox(box, isRoot())) io.err(`${said}\n`);
  return isSound ? "done" : "usage";
};

/** With the rule that it is about, where other systems' rules have names. */
const line = (problem: CheckedFile["problems"][number]): string =>
  "code" in problem ? `${formatProblem(problem)} [${problem.code}]` : formatProblem(problem);
