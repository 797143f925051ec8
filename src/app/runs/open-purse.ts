// What the spending of a run goes by, besides its spec.
import type { Purse } from "../../engine/spending/spending.ts";
import { dayIn } from "../../std/day.ts";
import type { House } from "../open-house.ts";
import { loadLimits, loadPrices } from "../read-limits.ts";

/** How many earlier runs say what is usual for a loop. */
const HISTORY = 10;

/** What the run's spending goes by: the limits and prices of this home, and how fast the loop has spent so far. */
export async function openPurse(house: House, { loop, run: current }: { readonly loop: string; readonly run: string }): Promise<Purse> {
  const limits = await loadLimits(house.home.folder);
  const day = dayIn(limits.zone, house.world.clock.now());
  const runs = (await house.journal.newestOf(loop, "run-opened", { most: HISTORY + 1 }))
    .filter((entry) => entry.run !== current)
    .slice(0, HISTORY);
  const tallies = await Promise.all(runs.map(({ run }) => house.journal.taken({ loop, run, round: "", day })));
  const history = tallies.map(({ run: used }) => ({ used, workedMs: used.timeMs ?? 0 }));
  return { limits, prices: await loadPrices(house.home.folder), history };
}
