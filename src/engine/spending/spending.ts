// What every piece of spending in a run goes by.
import type { Limits, LoopSpec } from "../../contract/spec.ts";
import type { World } from "../../contract/world.ts";
import type { Pace } from "../../guard/anomaly.ts";
import type { PriceTable } from "../../guard/price.ts";
import type { CapsAbove } from "../../journal/ledger.ts";
import type { RunJournal } from "../../journal/run-journal.ts";
import { dayIn } from "../../std/day.ts";
import type { Tide } from "../steps.ts";

/** A run above, with how many it lets work side by side and up to when its time is counted. */
export interface Above extends CapsAbove {
  readonly beside: number;
  readonly tide: Tide;
}

/** What all spending of a run goes by, besides its spec. */
export interface Purse {
  readonly limits: Limits;
  readonly prices: PriceTable;
  /** Earlier runs of the loop. */
  readonly history: readonly Pace[];
  /** The runs that called it, nearest first. Not there in a run that nobody called. */
  readonly above?: readonly Above[];
}

/** What a launch, or a check, spends with. */
export interface Spending {
  readonly spec: LoopSpec;
  readonly roundId: string;
  readonly journal: RunJournal;
  readonly world: Pick<World, "clock" | "census">;
  readonly purse: Purse;
}

export const asking = ({ roundId, world, purse }: Spending) => ({
  roundId,
  today: dayIn(purse.limits.zone, world.clock.now()),
  owner: world.census.self(),
  isGone: world.census.isGone,
  ...(purse.above ? { above: purse.above } : {}),
});
