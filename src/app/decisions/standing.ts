// What holds for a loop as a whole, whatever its spec says: paused, halted, held at a level, or everything stopped.
import { LoopError } from "../../contract/errors.ts";
import type { LoopRecord } from "../../contract/record.ts";
import type { Rest } from "../../contract/verdict.ts";
import type { Standing } from "../../engine/settle-proposal.ts";
import { ENDS_THAT_MATTER, haltAfter, type RunEnd } from "../../guard/halts.ts";
import type { House } from "../open-house.ts";
import { killSwitchOf, type Records } from "../open-records.ts";

type Reading = Pick<Records, "journal" | "allStopped" | "home">;
type Writing = Reading & Pick<House, "journal">;

export interface LoopStanding extends Standing {
  readonly state: "free" | "paused" | "halted" | "all-stopped";
  readonly since: string | undefined;
}

/** Records that belong to a loop and to none of its runs. */
const placeOf = (loop: string) => ({ loop, run: `${loop}-standing` });

export const killSwitch = ({ home }: Pick<Records, "home">): string => killSwitchOf(home);

export async function standingOf(house: Reading, loop: string): Promise<LoopStanding> {
  const [paused, halted, resumed, held] = await Promise.all([
    house.journal.lastOf(loop, "loop-paused"),
    house.journal.lastOf(loop, "loop-halted"),
    house.journal.lastOf(loop, "loop-resumed"),
    house.journal.lastOf(loop, "level-held"),
  ]);
  const most = held?.record.most ?? "L3";
  if (await house.allStopped())
    return { state: "all-stopped", barred: `everything is stopped: ${killSwitch(house)} is there`, most, since: undefined };
  const since = resumed?.seq ?? 0;
  if (halted && halted.seq > since && halted.seq > (paused?.seq ?? 0))
    return { state: "halted", barred: `the loop is halted (${halted.record.because}): ${halted.record.reason}`, most, since: halted.at };
  if (paused && paused.seq > since) {
    const { by, why } = paused.record;
    return { state: "paused", barred: `the loop was paused by ${by}${why === "" ? "" : `: ${why}`}`, most, since: paused.at };
  }
  return { state: "free", barred: undefined, most, since: undefined };
}

export const pauseLoop = (house: Writing, loop: string, by: string, why: string): Promise<unknown> =>
  house.journal.append(placeOf(loop), { kind: "loop-paused", by, why });

/** Clears a pause or a halt; gives back whether there was one. */
export async function freeLoop(house: Writing, loop: string, by: string, why: string): Promise<boolean> {
  const { state } = await standingOf(house, loop);
  if (state !== "paused" && state !== "halted") return false;
  await house.journal.append(placeOf(loop), { kind: "loop-resumed", by, why });
  return true;
}

export const stopAll = (house: Pick<House, "home" | "world">, by: string): Promise<void> =>
  house.world.files.writeText(killSwitch(house), `stopped by ${by} at ${house.world.clock.now().toISOString()}\n`);

/** How the run ended may be one time too many. */
export async function haltIfNeeded(house: Writing, loop: string): Promise<void> {
  const resumed = await house.journal.lastOf(loop, "loop-resumed");
  const rested = await house.journal.newestOf(loop, "run-rested", { afterSeq: resumed?.seq ?? 0, most: ENDS_THAT_MATTER });
  const halt = haltAfter(rested.map(({ record }) => endOf(record.rest)));
  if (halt) await house.journal.append(placeOf(loop), { kind: "loop-halted", ...halt });
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
): Promise<unknown> => house.journal.append(placeOf(loop), { kind: "level-held", ...held });

export const heldBack = (loop: string, why: string): LoopError =>
  new LoopError("loop-held", why, { retry: "later", hint: `\`lw inbox\` tells more; \`lw resume ${loop}\` lets it go on.` });
