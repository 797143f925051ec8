// lw stop: asks running loops to stop, and leaves them resumable.
import { stopAll } from "../../app/decisions/standing.ts";
import type { House } from "../../app/open-house.ts";
import { findLoop, viewLoops, viewOf } from "../../app/records/views.ts";
import { stopLoop } from "../../app/runs/stop-run.ts";
import { abandonRun } from "../../app/runs/wake.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { parseDuration } from "../../std/duration.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { whoever } from "../who.ts";
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
    if (options.all) return stopAllLoops(call, house, waitMs);
    if (args[0] === undefined)
      throw new LoopError("bad-input", "which loop should stop?", { retry: "never", hint: "Name it, or stop all of them with --all." });
    const loop = await findLoop(house, args[0]);
    const { run, wasRunning } = await stopLoop(house, loop, waitMs);
    const { left } = options.abandon ? await abandonRun(house, loop, "lw stop --abandon", () => {}) : { left: [] };
    if (wantsJson(call)) printJson(call, { wasRunning, ...(await viewOf(house, run)), ...(left.length > 0 ? { left } : {}) });
    else if (options.abandon) io.out(`abandoned  ${run}\n`);
    else io.out(`${wasRunning ? "stopped" : "was not running"}  ${run}\n  Go on with: lw resume ${loop}\n`);
    for (const place of left) io.err(`lw: ${place} could not be removed\n    Remove that folder by hand.\n`);
    return "done";
  });

/** First the switch, so that none begins while the others end. */
async function stopAllLoops(call: Call, house: House, waitMs: number): Promise<ExitName> {
  await stopAll(house, whoever(call));
  const running = (await viewLoops(house)).filter(({ state }) => state === "running").map(({ loop }) => loop);
  // Those that rest meanwhile, and those that take long, have seen the switch all the same.
  await Promise.allSettled(running.map((loop) => stopLoop(house, loop, waitMs)));
  if (wantsJson(call)) printJson(call, { allStopped: true, running, switch: house.home.killSwitch });
  else call.io.out(`everything is stopped; ${running.length} loop(s) were running\n  Go on with: lw resume --all\n`);
  return "done";
}
