// The runs above one that was called: what it spends comes out of what they may use as well, and their caps end it.
import type { Amounts, Cap, Refusal } from "../../contract/ledger.ts";
import type { Spent } from "../../contract/record.ts";
import { capOver, capReached } from "../../guard/budget.ts";
import { minus, placesAbove } from "../../journal/ledger.ts";
import type { Spending } from "./spending.ts";

type Spender = Pick<Spending, "purse" | "journal">;

const isSummed = ({ scope, measure }: Cap): boolean =>
  scope !== "call" && !scope.startsWith("machine") && measure !== "rounds" && measure !== "timeMs";

/** The cap of a run above that is used up, leaving aside what the asker itself still holds. */
export async function overAbove(
  { purse: { above = [] }, journal }: Spender,
  day: string,
  left: Amounts | "asks-first",
): Promise<Refusal | undefined> {
  for (const { loop, run, roundId, worker, caps } of above) {
    const refusal = await overAt(journal, { loop, run, round: roundId, day }, caps.filter(isSummed), left);
    if (refusal) return { ...refusal, above: { loop, run, roundId, worker, isShare: false } };
  }
  return undefined;
}

/** The cap that is used up at one place; what is only set aside is asked for where it matters. */
export async function overAt(
  journal: Spender["journal"],
  place: Parameters<Spender["journal"]["takenAt"]>[0],
  caps: readonly Cap[],
  left: Amounts | "asks-first",
): Promise<Refusal | undefined> {
  const taken = await (place.run === journal.run ? journal.taken(place.round, place.day) : journal.takenAt(place));
  if (!capReached(caps, (scope) => (left === "asks-first" ? taken[scope] : minus(taken[scope], left)))) return undefined;
  return capOver(caps, { taken, held: await journal.heldAt(place) }, left);
}

/** How long somebody may still work, and by which cap. */
export interface TimeBound {
  readonly leftMs: number;
  /** Not there where no cap of time holds. */
  readonly by?: Refusal;
}

export const UNBOUND: TimeBound = { leftMs: Number.MAX_SAFE_INTEGER };

export const tighter = (one: TimeBound, other: TimeBound): TimeBound => (other.leftMs < one.leftMs ? other : one);

/** What one cap of time leaves, of which so much is taken. */
export const timeBoundOf = (cap: Cap, takenMs = 0, above?: Refusal["above"]): TimeBound => ({
  leftMs: Math.max(1, cap.most - takenMs),
  by: { cap, taken: takenMs, asked: 0, ...(above ? { above } : {}) },
});

/** What is left of the time of every run above, leaving aside what the asker itself holds: that was set aside for it to use. */
export async function timeLeftAbove({ purse: { above = [] }, journal }: Spender, day: string, held: Amounts): Promise<TimeBound> {
  let least = UNBOUND;
  for (const { loop, run, roundId, worker, caps } of above) {
    const taken = await journal.takenAt({ loop, run, round: roundId, day });
    for (const cap of caps)
      if (cap.measure === "timeMs" && cap.scope !== "call" && !cap.scope.startsWith("machine"))
        least = tighter(least, timeBoundOf(cap, minus(taken[cap.scope], held).timeMs, { loop, run, roundId, worker, isShare: false }));
  }
  return least;
}

/** How much of the time since then nobody else had counted, in each run above. */
export const timeAbove = ({ above }: Spending["purse"], sinceMs: number): { readonly timeAbove?: readonly number[] } =>
  above ? { timeAbove: above.map(({ tide }) => Math.round(tide.count(sinceMs))) } : {};

/** For what was spent without being reserved. */
export const spentAbove = ({ above }: Spending["purse"], sinceMs: number): Pick<Spent, "above" | "timeAbove"> =>
  above ? { ...placesAbove({ above }), ...timeAbove({ above } as Spending["purse"], sinceMs) } : {};

/** Beside how many others it may be that somebody works, up to the top. */
export const crowdAbove = ({ above = [] }: Spending["purse"]): number => above.reduce((all, { beside }) => all * beside, 1);
