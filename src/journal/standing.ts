// What holds for a loop as a whole, whatever its spec says: paused, halted, held at a level, or everything stopped.
import type { KillSwitch } from "../contract/clock.ts";
import type { JournalReader } from "./journal.ts";
import { type Standing as RecordedStanding, readStanding } from "./loop-facts.ts";

export interface Standing extends Omit<RecordedStanding, "state"> {
  readonly state: RecordedStanding["state"] | "all-stopped";
}

/** The switch stands above what is on record of the loop. */
export async function standingOf(journal: Pick<JournalReader, "newestOf">, killSwitch: KillSwitch, loop: string): Promise<Standing> {
  const recorded = await readStanding(journal, loop);
  if (!(await killSwitch.isOn())) return recorded;
  return { ...recorded, state: "all-stopped", barred: `everything is stopped: ${killSwitch.path} is there`, since: undefined };
}
