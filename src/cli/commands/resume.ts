// lw resume: goes on with runs that were stopped or killed, with loops that were paused or halted, and with what was approved.
import { approvedIn, type CarriedOut, carryOutApproved } from "../../app/decisions/carry-out.ts";
import { freeAll, freeLoop, loopStanding } from "../../app/decisions/standing.ts";
import type { House } from "../../app/open-house.ts";
import { signLoop } from "../../app/records/sign.ts";
import { findLoop, viewLoops } from "../../app/records/views.ts";
import { followLastRun } from "../../app/runs/after-run.ts";
import { canResume, nothingToResume, resumeRun } from "../../app/runs/wake.ts";
import { LoopError } from "../../contract/errors.ts";
import { EXIT, type ExitName, exitOfError } from "../../contract/exit.ts";
import { besideOf } from "../beside.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { exitOfStandstill, tellStandstill } from "../print/tell-decided.ts";
import { tellResumed } from "../print/tell-resumed.ts";
import { describeEnding, type Ending, watched } from "../print/tell-run.ts";
import { whoever } from "../who.ts";
import { withHouse } from "../with-house.ts";

export const resume: Command = (call) =>
  withHouse(call, async (house) => {
    const [asked] = call.args;
    // Whoever lets everything go on again has not looked at what was approved before: that is left to the next word.
    const wasStopped = call.options.all === true && (await house.killSwitch.isOn());
    if (call.options.all) await freeAll(house);
    if (asked && (await freed(call, house, await findLoop(house, asked)))) return "done";
    const endings = asked
      ? await resumeLoop(call, house, await findLoop(house, asked))
      : [...(await resumeAll(call, house)), ...(wasStopped ? await leaveApproved(call, house) : await carryOutAll(call, house))];
    if (wantsJson(call)) printJson(call, { resumed: endings.length, runs: endings.map(({ document }) => document) });
    const isAllStopped = asked === undefined && (await house.killSwitch.isOn());
    const told = tellResumed({ hasFreedAll: wasStopped, isAllStopped, runs: endings.length });
    if (!wantsJson(call)) for (const line of told) call.io.err(`lw: ${line}\n`);
    return worst(endings.map(({ exit }) => exit));
  });

/** Ends a pause or a halt; true when there is nothing else to go on with. */
async function freed(call: Call, house: House, loop: string): Promise<boolean> {
  const wasHeld = await freeLoop(house, loop, whoever(call), String(call.options.why ?? ""));
  if (!wasHeld || (await isInterrupted(house, loop))) return false;
  if (wantsJson(call)) printJson(call, { resumed: 0, runs: [], freed: loop });
  else call.io.out(`free again  ${loop}\n`);
  await tellLeft(call, house, loop);
  return true;
}

const isInterrupted = async (house: House, loop: string): Promise<boolean> =>
  (await viewLoops(house)).some((view) => view.loop === loop && view.state === "interrupted");

/** Only freed: nothing moves by the word that ended a pause, a halt or a stop. */
async function tellLeft(call: Call, house: House, loop: string): Promise<void> {
  for (const { round } of await approvedIn(house, loop))
    call.io.err(`lw: ${round.run} was approved; \`lw run\`, \`lw approve\` or \`lw resume ${loop}\` carries it out\n`);
}

async function leaveApproved(call: Call, house: House): Promise<readonly Ending[]> {
  for (const loop of await house.journal.loops()) await tellLeft(call, house, loop);
  return [];
}

async function resumeLoop(call: Call, house: House, loop: string): Promise<readonly Ending[]> {
  if (await canResume(house, loop)) return [await resumeOne(call, house, loop, "try")];
  const endings = await carryOutOne(call, house, loop);
  if (endings.length === 0) throw nothingToResume(loop);
  return endings;
}

/** One that cannot go on does not keep the others from it. */
async function resumeAll(call: Call, house: House): Promise<readonly Ending[]> {
  const endings: Ending[] = [];
  for (const { loop, state } of await viewLoops(house)) {
    if (state !== "interrupted" || house.stop.asked()) continue;
    // Whoever paused it did not mean "until somebody resumes everything".
    if ((await loopStanding(house, loop)).state === "paused") continue;
    endings.push(await resumeOne(call, house, loop, "wait").catch((error: unknown) => failed(call, loop, error)));
  }
  // Whoever was killed after a run had come to rest may have left it without its receipt.
  for (const loop of await house.journal.loops()) {
    const unsigned = await signLoop(house, loop, () => {}).catch((error: unknown) => failed(call, loop, error));
    if (unsigned) endings.push(unsigned);
  }
  return endings;
}

/** Whoever was killed in the middle of an approval, or between a run's rest and what follows it, may have left it undone. */
async function carryOutAll(call: Call, house: House): Promise<readonly Ending[]> {
  const endings: Ending[] = [];
  for (const loop of await house.journal.loops()) {
    if ((await loopStanding(house, loop)).barred !== undefined) continue;
    endings.push(...(await carryOutOne(call, house, loop).catch((error: unknown) => [failed(call, loop, error)])));
  }
  return endings;
}

async function carryOutOne(call: Call, house: House, loop: string): Promise<readonly Ending[]> {
  const came = await watched(call, house, async (watch) => [
    ...(await followLastRun(house, loop, watch)),
    ...(await carryOutApproved(house, loop, watch)),
  ]);
  return came.map((one) => describeCarriedOut(call, one));
}

function describeCarriedOut(call: Call, came: CarriedOut): Ending {
  const { run, loop } = came;
  if (came.kind === "failed") return failed(call, loop, came.error);
  const { standstill } = came;
  const decision = standstill.state.approvals.length > 0 ? "approved" : "alone";
  const tell: Ending["tell"] = (io) => {
    io.out(`${decision === "approved" ? "approved" : "acted alone"}  ${run}\n`);
    tellStandstill(io, standstill);
  };
  if (!wantsJson(call)) tell(call.io);
  return { exit: exitOfStandstill(standstill), document: { run, loop, decision, outcome: standstill }, tell };
}

function failed(call: Call, loop: string, error: unknown): Ending {
  if (!(error instanceof LoopError)) throw error;
  const { code, message, hint } = error;
  call.io.err(`lw: ${message}\n    ${hint}\n`);
  return { exit: exitOfError(code), document: { loop, error: { code, message, hint } }, tell: () => {} };
}

/** Who names a loop means now: a limit that somebody lifted is then found out. */
async function resumeOne(call: Call, house: House, loop: string, limits: "wait" | "try"): Promise<Ending> {
  const tell = (word: string): void => call.io.err(`lw: ${word}\n`);
  const result = await watched(call, house, (watch) => resumeRun(house, loop, watch, { limits, beside: besideOf(call), tell }));
  const ending = await describeEnding(house, result);
  if (!wantsJson(call)) ending.tell(call.io);
  return ending;
}

const worst = (exits: readonly ExitName[]): ExitName => exits.reduce((a, b) => (EXIT[b].code > EXIT[a].code ? b : a), "done");
