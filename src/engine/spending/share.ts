// A worker's share of what its run may use: what it used so far, in all its tries and rounds, from the records alone.
import { LoopError } from "../../contract/errors.ts";
import type { Amounts, Cap, Measure } from "../../contract/ledger.ts";
import type { Entry } from "../../contract/record.ts";
import { whole } from "../../guard/price.ts";
import { lesser, minus, plus } from "../../journal/ledger.ts";

interface ShareOf {
  readonly worker: string;
  readonly most: Amounts;
}

/** What was charged and settled on reservations of this worker. */
export function usedBy(entries: readonly Entry[], worker: string): Amounts {
  const own = new Set(entries.flatMap(({ seq, record }) => (record.kind === "reserved" && record.who.worker === worker ? [seq] : [])));
  return entries.reduce<Amounts>((sum, { record }) => {
    if ((record.kind !== "spent" && record.kind !== "settled") || record.reservation === undefined) return sum;
    return own.has(record.reservation) && record.amounts ? plus(sum, record.amounts) : sum;
  }, {});
}

const measuresOf = (most: Amounts): readonly Measure[] => Object.keys(most) as readonly Measure[]; // the keys it was made with

/** What is left of each measure that the share names. */
const leftOf = (entries: readonly Entry[], { worker, most }: ShareOf): Amounts => {
  const used = usedBy(entries, worker);
  return Object.fromEntries(measuresOf(most).map((measure) => [measure, Math.max(0, (most[measure] ?? 0) - (used[measure] ?? 0))]));
};

export const isShareSpent = (entries: readonly Entry[], share: ShareOf): boolean =>
  Object.values(leftOf(entries, share)).some((left) => left === 0);

export const shareSpent = ({ worker }: ShareOf): LoopError =>
  new LoopError("budget-spent", `the worker ${worker} has used its share of the budget`, {
    retry: "never",
    hint: `Give it more with \`team.workers.${worker}.budget\`.`,
  });

export function mustHaveShare(entries: readonly Entry[], share: ShareOf): void {
  if (isShareSpent(entries, share)) throw shareSpent(share);
}

/** One call may not cost more than is left of the share. */
export const shareCaps = (entries: readonly Entry[], share: ShareOf): readonly Cap[] =>
  Object.entries(leftOf(entries, share)).flatMap(([measure, left]) =>
    measure === "microUsd" || measure === "tokens"
      ? [{ scope: "call", measure, most: left, written: String(left), from: `team.workers.${share.worker}.budget` } as const]
      : [],
  );

/** Those who work side by side set aside no more together than one maker does alone, and each no more than is left of its share. */
export function sharedOut(estimate: Amounts, share: ShareOf & { readonly beside: number }, entries: readonly Entry[]): Amounts {
  const parts = Object.fromEntries(Object.entries(estimate).map(([measure, amount]) => [measure, amount / share.beside]));
  const left = leftOf(entries, share);
  const bounded = lesser(parts, { ...parts, ...left });
  return whole(minus(bounded, {}));
}
