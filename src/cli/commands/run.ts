// lw run: runs a loop until it rests.
import { builtIn } from "../../app/crew.ts";
import { findSpec, loadSpec } from "../../app/open-specs.ts";
import { runSpec } from "../../app/runs/wake.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { describeEnding, watched } from "../print/tell-run.ts";
import { withHouse } from "../with-house.ts";

export const run: Command = async (call) => {
  const { io, args, options } = call;
  if (options.waking !== undefined) return (await import("./woken.ts")).runForKey(call, args[0]!, String(options.waking));
  if (options.resuming !== undefined) return (await import("./woken.ts")).takeUp(call, args[0]!, String(options.resuming));
  if (options.trial === true) return (await import("./woken.ts")).tryOut(call, args[0]!);
  const loading = await loadSpec(await findSpec(args[0]!, io.cwd), io.cwd, builtIn);
  if (loading.kind === "refused") {
    if (wantsJson(call)) printJson(call, { problems: loading.problems });
    for (const problem of loading.problems) io.err(`${formatProblem(problem)}\n`);
    return "usage";
  }
  const { loaded } = loading;
  for (const warning of loaded.warnings) io.err(`warning: ${formatProblem(warning)}\n`);
  return withHouse(call, async (house) => {
    const wishes = { onlyIfDue: options.ifDue === true, again: options.again === true };
    const result = await watched(call, house, (watch) => runSpec(house, loaded, wishes, watch));
    const { exit, document, tell } = await describeEnding(house, result);
    if (wantsJson(call)) printJson(call, document);
    else tell(io);
    return exit;
  });
};
