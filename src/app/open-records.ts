// Opens what reading needs, and nothing that works: no makers, no git, no schema. Reading commands load only this.
import { join } from "node:path";
import type { Artifacts } from "../contract/artifacts.ts";
import type { Clock } from "../contract/clock.ts";
import type { JournalReader } from "../journal/journal.ts";
import { openSqliteJournal } from "../journal/sqlite-journal.ts";
import { isFile } from "../world/files/is-file.ts";
import { systemClock } from "../world/machine/clock.ts";
import { createArtifacts } from "../world/store/artifacts.ts";
import { isHeld } from "../world/store/lock.ts";
import { createStore } from "../world/store/store.ts";
import type { Home } from "./home.ts";

/** What is on record, for whoever only looks. */
export interface Records {
  readonly home: Home;
  readonly journal: JournalReader;
  readonly artifacts: Pick<Artifacts, "read">;
  /** Looking takes nothing: whoever holds the loop does not notice. */
  readonly locks: { isHeld(name: `loop ${string}`): Promise<boolean> };
  readonly clock: Clock;
  /** As long as the file STOP is there, no loop runs and nothing moves. Anybody can make it, also without this program. */
  readonly allStopped: () => Promise<boolean>;
  readonly close: () => void;
}

export async function openRecords(home: Home): Promise<Records> {
  const journal = await openSqliteJournal(createStore(home.folder), systemClock);
  return { ...lookAround(home), journal, artifacts: createArtifacts(home.artifacts), close: () => journal.close() };
}

/** What can be known of a home beside its records. */
export const lookAround = (home: Home): Pick<Records, "home" | "locks" | "clock" | "allStopped"> => ({
  home,
  clock: systemClock,
  locks: { isHeld: async (name) => isHeld(home.lockOf(name.slice("loop ".length))) },
  allStopped: () => isFile(killSwitchOf(home)),
});

export const killSwitchOf = ({ folder }: Home): string => join(folder, "STOP");
