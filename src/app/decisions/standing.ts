// What holds for a loop as a whole, whatever its spec says: paused, halted, held at a level, or everything stopped.
import { LoopError } from "../../contract/errors.ts";
import type { LoopRecord } from "../../contract/record.ts";
import type { Rest } from "../../contract/verdict.ts";
import { ENDS_THAT_MATTER, haltAfter, type RunEnd } from "../../guard/halts.ts";
import { lastOf } from "../../journal/journal.ts";
import { type Standing, standingOf } from "../../journal/standing.ts";
import type { House } from "../open-house.ts";
import type { Records } from "../open-records.ts";
import { findAnomaly } from "./anomalies.ts";

type Reading = Pick<Records, "journal" | "killSwitch">;
type Writing = Reading & Pick<House, "journal">;

/** Records that belong to a loop and to none of its runs. */
const placeOf = (loop: string) => ({ loop, run: `${loop}-standing` });

export const loopStanding = ({ journal, killSwitch }: Reading, loop: string): Promise<Standing> => standingOf(journal, killSwitch, loop);

export const pauseLoop = (house: Writing, loop: string, by: string, why: string, how?: string): Promise<unknown> =>
  house.journal.append([{ ...placeOf(loop), record: { kind: "loop-paused", by, ...(how === undefined ? {} : { how }), why } }]);

/** Clears a pause or a halt; gives back whether there was one. */
export async function freeLoop(house: Writing, loop: string, by: string, why: string, how?: string): Promise<boolean> {
  const { state } = await loopStanding(house, loop);
  if (state !== "paused" && state !== "halted") return false;
  await house.journal.append([{ ...placeOf(loop), record: { kind: "loop-resumed", by, ...(how === undefined ? {} : { how }), why } }]);
  return true;
}

export const stopAll = (house: Pick<House, "killSwitch" | "clock">, by: string): Promise<void> =>
  house.killSwitch.turnOn(`stopped by ${by} at ${house.clock.now().toISOString()}\n`);

/** Lets loops run again that everybody was kept from. */
export const freeAll = ({ killSwitch }: Pick<House, "killSwitch">): Promise<void> => killSwitch.turnOff();

/** How the run ended may be one time too many. It is said once of the same ends. */
export async function haltIfNeeded(house: Writing, loop: string): Promise<void> {
  const [resumed, halted] = [await lastOf(house.journal, loop, "loop-resumed"), await lastOf(house.journal, loop, "loop-halted")];
  const rested = await house.journal.newestOf(loop, "run-rested", { after: resumed?.seq ?? 0, most: ENDS_THAT_MATTER });
  if (halted && halted.seq > Math.max(resumed?.seq ?? 0, rested[0]?.seq ?? 0)) return;
  const halt = haltAfter(rested.map(({ record }) => endOf(record.rest))) ?? (await anomalyOf(house, loop, resumed?.seq ?? 0));
  if (halt) await house.journal.append([{ ...placeOf(loop), record: { kind: "loop-halted", ...halt } }]);
}

async function anomalyOf(
  { journal }: Writing,
  loop: string,
  after: number,
): Promise<{ readonly because: string; readonly reason: string } | undefined> {
  const reason = await findAnomaly(journal, loop, after);
  return reason === undefined ? undefined : { because: "anomaly", reason };
}

/** Who stopped it knows why; a question, and what waits for a decision, is in the inbox already. */
function endOf(rest: Rest): RunEnd {
  if (rest.kind === "accept" || rest.kind === "nothing-to-do" || rest.because === "stopped" || rest.because === "question")
    return { kind: "well" };
  return { kind: "badly", because: rest.because, reason: rest.reason };
}

/** Holds a loop at a level, or lets it go again as far as its spec says. */
export const holdLevel = (
  house: Writing,
  loop: string,
  held: Omit<Extract<LoopRecord, { kind: "level-held" }>, "kind">,
): Promise<unknown> => house.journal.append([{ ...placeOf(loop), record: { kind: "level-held", ...held } }]);

export const heldBack = (loop: string, why: string): LoopError =>
  new LoopError("loop-held", why, { retry: "later", hint: `\`lw inbox\` tells more; \`lw resume ${loop}\` lets it go on.` });
