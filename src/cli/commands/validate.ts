// lw validate: checks specs without running them.
import { builtIn } from "../../app/crew.ts";
import { loadSpec } from "../../app/open-specs.ts";
import { LoopError } from "../../contract/errors.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { type Command, printJson, wantsJson } from "../call.ts";

export const validate: Command = async (call) => {
  const { args, io } = call;
  const results = await Promise.all(args.map(async (file) => ({ file, ...(await readOne(file, io.cwd)) })));
  const isSound = results.every(({ problems }) => problems.length === 0);
  if (wantsJson(call)) printJson(call, { ok: isSound, files: results });
  for (const { file, problems, warnings } of wantsJson(call) ? [] : results) {
    for (const problem of problems) io.out(`${formatProblem(problem)}\n`);
    for (const warning of warnings) io.err(`warning: ${formatProblem(warning)}\n`);
    if (problems.length === 0) io.out(`${file}: ok\n`);
  }
  return isSound ? "done" : "usage";
};

/** A file that cannot be read is one more problem, so that the others are still told. */
async function readOne(file: string, cwd: string) {
  try {
    const loading = await loadSpec(file, cwd, builtIn);
    return loading.kind === "refused" ? { problems: loading.problems, warnings: [] } : { problems: [], warnings: loading.loaded.warnings };
  } catch (error) {
    if (!(error instanceof LoopError)) throw error;
    return { problems: [{ file, line: 1, col: 1, path: "", problem: error.message, instead: error.hint }], warnings: [] };
  }
}
