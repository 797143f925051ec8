import { abandonRun } from "../../app/run-spec.ts";
import { stopLoop } from "../../app/stop-loop.ts";
import { findLoop, viewOf } from "../../app/views.ts";
import { LoopError } from "../../contract/errors.ts";
import { parseDuration } from "../../std/duration.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { withHouse } from "../with-house.ts";

export const stop: Command = (call) =>
  withHouse(call, async (house) => {
    const { io, args, options } = call;
    const waitMs = parseDuration(typeof options.wait === "string" ? options.wait : "30s");
    if (waitMs === undefined)
      throw new LoopError("bad-input", `--wait ${String(options.wait)} is not a length of time`, {
        retry: "never",
        hint: "Write e.g. --wait 30s.",
      });
    const loop = await findLoop(house, args[0]!);
    const { run, wasRunning } = await stopLoop(house, loop, waitMs);
    if (options.abandon) await abandonRun(house, loop, "lw stop --abandon", () => {});
    if (wantsJson(call)) printJson(call, { wasRunning, ...(await viewOf(house, run)) });
    else if (options.abandon) io.out(`abandoned  ${run}\n`);
    else io.out(`${wasRunning ? "stopped" : "was not running"}  ${run}\n  Go on with: lw resume ${loop}\n`);
    return "done";
  });
