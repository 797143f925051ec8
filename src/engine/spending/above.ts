// The runs above one that was called: what it spends comes out of what they may use as well, and their caps end it.
import type { Amounts, Cap, Refusal } from "../../contract/ledger.ts";
import type { Spent } from "../../contract/record.ts";
import { capReached } from "../../guard/budget.ts";
import { minus, placesAbove } from "../../journal/ledger.ts";
import type { Spending } from "./spending.ts";

type Spender = Pick<Spending, "purse" | "journal">;

const isSummed = ({ scope, measure }: Cap): boolean =>
  scope !== "call" && !scope.startsWith("machine") && measure !== "rounds" && measure !== "timeMs";

/** The cap of a run above that is used up, leaving aside what the asker itself still holds. */
export async function reachedAbove({ purse: { above = [] }, journal }: Spender, day: string, left: Amounts): Promise<Refusal | undefined> {
  for (const { loop, run, roundId, caps } of above) {
    const taken = await journal.takenAt({ loop, run, round: roundId, day });
    const refusal = capReached(caps.filter(isSummed), (scope) => minus(taken[scope], left));
    if (refusal) return refusal;
  }
  return undefined;
}

/** What is left of the time of every run above. */
export async function timeLeftAbove({ purse: { above = [] }, journal }: Spender, day: string): Promise<number> {
  let least = Number.MAX_SAFE_INTEGER;
  for (const { loop, run, roundId, caps } of above) {
    const taken = await journal.takenAt({ loop, run, round: roundId, day });
    for (const { scope, measure, most } of caps)
      if (measure === "timeMs" && scope !== "call" && !scope.startsWith("machine"))
        least = Math.min(least, most - (taken[scope].timeMs ?? 0));
  }
  return Math.max(1, least);
}

/** How much of the time since then nobody else had counted, in each run above. */
export const timeAbove = ({ above }: Spending["purse"], sinceMs: number): { readonly timeAbove?: readonly number[] } =>
  above ? { timeAbove: above.map(({ tide }) => Math.round(tide.count(sinceMs))) } : {};

/** For what was spent without being reserved. */
export const spentAbove = ({ above }: Spending["purse"], sinceMs: number): Pick<Spent, "above" | "timeAbove"> =>
  above ? { ...placesAbove({ above }), ...timeAbove({ above } as Spending["purse"], sinceMs) } : {};

/** Beside how many others it may be that somebody works, up to the top. */
export const crowdAbove = ({ above = [] }: Spending["purse"]): number => above.reduce((all, { beside }) => all * beside, 1);
