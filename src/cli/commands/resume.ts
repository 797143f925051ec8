import { freeAll, freeLoop, loopStanding } from "../../app/decisions/standing.ts";
import type { House } from "../../app/open-house.ts";
import { signLoop } from "../../app/records/sign.ts";
import { findLoop, viewLoops } from "../../app/records/views.ts";
import { resumeRun } from "../../app/runs/wake.ts";
import { LoopError } from "../../contract/errors.ts";
import { EXIT, type ExitName, exitOfError } from "../../contract/exit.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { describeEnding, type Ending, watched } from "../print/tell-run.ts";
import { whoever } from "../who.ts";
import { withHouse } from "../with-house.ts";

export const resume: Command = (call) =>
  withHouse(call, async (house) => {
    const [asked] = call.args;
    if (call.options.all) await freeAll(house);
    if (asked && (await freed(call, house, await findLoop(house, asked)))) return "done";
    const endings = asked ? [await resumeOne(call, house, await findLoop(house, asked))] : await resumeAll(call, house);
    if (wantsJson(call)) printJson(call, { resumed: endings.length, runs: endings.map(({ document }) => document) });
    else if (endings.length === 0) call.io.err("lw: nothing was interrupted\n");
    return worst(endings.map(({ exit }) => exit));
  });

/** Ends a pause or a halt; true when there is nothing else to go on with. */
async function freed(call: Call, house: House, loop: string): Promise<boolean> {
  const wasHeld = await freeLoop(house, loop, whoever(call), String(call.options.why ?? ""));
  const isOpen = (await viewLoops(house)).some((view) => view.loop === loop && view.state === "interrupted");
  if (!wasHeld || isOpen) return false;
  if (wantsJson(call)) printJson(call, { resumed: 0, runs: [], freed: loop });
  else call.io.out(`free again  ${loop}\n`);
  return true;
}

/** One that cannot go on does not keep the others from it. */
async function resumeAll(call: Call, house: House): Promise<readonly Ending[]> {
  const endings: Ending[] = [];
  for (const { loop, state } of await viewLoops(house)) {
    if (state !== "interrupted" || house.stop.asked()) continue;
    // Whoever paused it did not mean "until somebody resumes everything".
    if ((await loopStanding(house, loop)).state === "paused") continue;
    endings.push(await resumeOne(call, house, loop).catch((error: unknown) => failed(call, loop, error)));
  }
  // Whoever was killed after a run had come to rest may have left it without its receipt.
  for (const loop of await house.journal.loops()) {
    const unsigned = await signLoop(house, loop, () => {}).catch((error: unknown) => failed(call, loop, error));
    if (unsigned) endings.push(unsigned);
  }
  return endings;
}

function failed(call: Call, loop: string, error: unknown): Ending {
  if (!(error instanceof LoopError)) throw error;
  const { code, message, hint } = error;
  call.io.err(`lw: ${message}\n    ${hint}\n`);
  return { exit: exitOfError(code), document: { loop, error: { code, message, hint } }, tell: () => {} };
}

async function resumeOne(call: Call, house: House, loop: string): Promise<Ending> {
  const result = await watched(call, house, (watch) => resumeRun(house, loop, watch));
  const ending = await describeEnding(house, result);
  if (!wantsJson(call)) ending.tell(call.io);
  return ending;
}

const worst = (exits: readonly ExitName[]): ExitName => exits.reduce((a, b) => (EXIT[b].code > EXIT[a].code ? b : a), "done");
