// Opens what reading needs, and nothing that works: no makers, no git, no schema. Reading commands load only this.
import type { Artifacts } from "../contract/artifacts.ts";
import type { Clock, KillSwitch } from "../contract/clock.ts";
import type { Locks } from "../contract/locks.ts";
import type { JournalReader } from "../journal/journal.ts";
import { openSqliteJournal } from "../journal/sqlite-journal.ts";
import { createKillSwitch } from "../world/files/kill-switch.ts";
import { systemClock } from "../world/machine/clock.ts";
import { createArtifacts } from "../world/store/artifacts.ts";
import { createLocks } from "../world/store/locks.ts";
import { createStore } from "../world/store/store.ts";
import type { Home } from "./home.ts";

/** What is on record, for whoever only looks. */
export interface Records {
  readonly home: Home;
  readonly journal: JournalReader;
  readonly artifacts: Pick<Artifacts, "read">;
  /** Looking takes nothing: whoever holds the loop does not notice. */
  readonly locks: Pick<Locks, "isHeld">;
  readonly clock: Clock;
  readonly killSwitch: KillSwitch;
  readonly close: () => void;
}

export async function openRecords(home: Home): Promise<Records> {
  const journal = await openSqliteJournal(createStore(home.folder), systemClock);
  return { ...lookAround(home), journal, artifacts: createArtifacts(home.artifacts), close: () => journal.close() };
}

/** What can be known of a home beside its records. */
export const lookAround = (home: Home): Pick<Records, "home" | "clock" | "killSwitch"> & { readonly locks: Locks } => ({
  home,
  clock: systemClock,
  locks: createLocks(home.folder),
  killSwitch: createKillSwitch(home.killSwitch),
});
