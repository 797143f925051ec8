// What one run has at hand.
import type { Crew } from "../contract/crew.ts";
import type { RunOpened } from "../contract/record.ts";
import type { Watch } from "../contract/watch.ts";
import type { World } from "../contract/world.ts";
import type { Recollection } from "../journal/flakes.ts";
import type { RunJournal } from "../journal/journal.ts";
import type { KeptNote } from "../journal/notes.ts";
import type { RefereeDesk } from "./referee-round.ts";
import type { Purse } from "./spending/meter.ts";
import type { Decide } from "./worlds/guard-proc.ts";

/** Everything one run has at hand. */
export interface RunRoom {
  readonly opened: RunOpened;
  readonly crew: Crew;
  readonly journal: RunJournal;
  readonly world: World;
  readonly watch: Watch;
  readonly decide: Decide;
  /** What earlier runs of the loop saw of base. */
  readonly recall?: () => Promise<Recollection>;
  /** What makers of this loop wrote down, newest first; where it is not there, only those of this run are known. */
  readonly notes?: () => Promise<readonly KeptNote[]>;
  readonly purse: Purse;
  /** There when somebody else's change is judged, and no maker is called. */
  readonly referee?: RefereeDesk;
}
