// Caps of a run that what was reported afterwards went past: nobody could end it before, so it is said.
import type { Amounts } from "../contract/ledger.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { parseCount } from "../std/count.ts";
import { formatUsd, parseUsd } from "../std/usd.ts";

/** What is known only once it is reported. */
const REPORTED = [
  { field: "usd", measure: "microUsd", read: microUsd, tell: (amount: number) => formatUsd(amount / 1e6) },
  { field: "tokens", measure: "tokens", read: parseCount, tell: String },
  { field: "calls", measure: "calls", read: parseCount, tell: String },
  { field: "tools", measure: "tools", read: parseCount, tell: String },
] as const;

/** `$0.80 used of $0.50 (budget.usd)`; a cap that is reached and no more was kept. A spec on record from before there were budgets has none. */
export const passedCaps = (budget: Partial<LoopSpec["budget"]> | undefined, used: Amounts): readonly string[] =>
  REPORTED.flatMap(({ field, measure, read, tell }) => {
    const written = budget?.[field];
    const most = written === undefined ? undefined : read(String(written));
    const amount = used[measure] ?? 0;
    return most !== undefined && amount > most ? [`${tell(amount)} used of ${written} (budget.${field})`] : [];
  });

function microUsd(text: string): number | undefined {
  const usd = parseUsd(text);
  return usd === undefined ? undefined : Math.round(usd * 1e6);
}
