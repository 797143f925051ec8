// Opens what reading needs, and nothing that works: no makers, no git, no schema. Reading commands load only this.
import type { Artifacts } from "../contract/artifacts.ts";
import type { Clock, KillSwitch } from "../contract/clock.ts";
import { isLoopError, LoopError } from "../contract/errors.ts";
import type { Texts } from "../contract/files.ts";
import type { Locks } from "../contract/locks.ts";
import type { JournalReader } from "../journal/journal.ts";
import { openSqliteJournal } from "../journal/sqlite-journal.ts";
import { createKillSwitch } from "../world/files/kill-switch.ts";
import { texts } from "../world/files/spec-files.ts";
import { systemClock } from "../world/machine/clock.ts";
import { createArtifacts } from "../world/store/artifacts.ts";
import { copyJournal } from "../world/store/copy-journal.ts";
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
  /** What people wrote: settings, specs, policies. */
  readonly texts: Texts;
  /** Why the home cannot be written to; what is on record is then read in a copy. Undefined where it can. */
  readonly unwritable?: string;
  readonly close: () => Promise<void> | void;
}

export async function openRecords(home: Home): Promise<Records> {
  return { ...lookAround(home), artifacts: createArtifacts(home.artifacts), ...(await openToRead(home.folder)) };
}

/** The journal for who only looks: also of a home that cannot be written to, on a disk that is full, read-only or somebody else's. */
export async function openToRead(folder: string): Promise<Pick<Records, "journal" | "unwritable" | "close">> {
  try {
    const journal = await openSqliteJournal(createStore(folder), systemClock);
    return { journal, close: () => journal.close() };
  } catch (error) {
    const copy = isLoopError(error) && error.code === "store-unusable" ? await copyJournal(folder) : undefined;
    if (copy?.kind !== "copied" || !isLoopError(error)) throw error;
    const journal = await openSqliteJournal(createStore(copy.folder), systemClock).catch(async (failure: unknown) => {
      await copy.remove();
      throw failure;
    });
    return {
      journal,
      unwritable: error.message,
      close: async () => {
        journal.close();
        await copy.remove();
      },
    };
  }
}

/** For who works in a home that somebody else serves. */
export async function mustBeThere({ folder }: Pick<Home, "folder">): Promise<void> {
  if ((await texts.list(folder)).length > 0) return;
  throw new LoopError("store-unusable", `there is no home at ${folder}: it was moved or deleted while it was served`, {
    retry: "later",
    hint: "Put the folder back where it was, or serve it where it is now.",
  });
}

/** What can be known of a home beside its records. */
export const lookAround = (home: Home): Pick<Records, "home" | "clock" | "killSwitch" | "texts"> & { readonly locks: Locks } => ({
  home,
  clock: systemClock,
  locks: createLocks(home.folder),
  killSwitch: createKillSwitch(home.killSwitch),
  texts,
});
