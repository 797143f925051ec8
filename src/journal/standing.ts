// What holds for a loop as a whole, whatever its spec says: paused, halted, held at a level, or everything stopped.
import type { KillSwitch } from "../contract/clock.ts";
import type { Level } from "../contract/spec.ts";
import { type JournalReader, lastOf } from "./journal.ts";

export interface Standing {
  readonly state: "free" | "paused" | "halted" | "all-stopped";
  /** Why nothing may move, if so. */
  readonly barred: string | undefined;
  /** The most that the loop may do, whatever its spec says. */
  readonly most: Level;
  readonly since: string | undefined;
}

export async function standingOf(journal: Pick<JournalReader, "newestOf">, killSwitch: KillSwitch, loop: string): Promise<Standing> {
  const [paused, halted, resumed, held] = await Promise.all([
    lastOf(journal, loop, "loop-paused"),
    lastOf(journal, loop, "loop-halted"),
    lastOf(journal, loop, "loop-resumed"),
    lastOf(journal, loop, "level-held"),
  ]);
  const most = held?.record.most ?? "L3";
  if (await killSwitch.isOn())
    return { state: "all-stopped", barred: `everything is stopped: ${killSwitch.path} is there`, most, since: undefined };
  const since = resumed?.seq ?? 0;
  if (halted && halted.seq > since && halted.seq > (paused?.seq ?? 0))
    return { state: "halted", barred: `the loop is halted (${halted.record.because}): ${halted.record.reason}`, most, since: halted.at };
  if (paused && paused.seq > since) {
    const { by, why } = paused.record;
    return { state: "paused", barred: `the loop was paused by ${by}${why === "" ? "" : `: ${why}`}`, most, since: paused.at };
  }
  return { state: "free", barred: undefined, most, since: undefined };
}
