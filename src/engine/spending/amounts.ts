// Figures of spending, as they go on record.
import { LoopError } from "../../contract/errors.ts";
import type { Refusal, Usage } from "../../contract/ledger.ts";
import { tellRefusal, tellRemedy } from "../../guard/budget.ts";
import { type Costed, costOf, type PriceTable } from "../../guard/price.ts";

export function costed(usage: Usage, prices: PriceTable): Costed {
  const cost = costOf(usage, prices);
  if (cost) return cost;
  throw new LoopError("maker-failed", `the maker reported a spend that is no amount: $${usage.usd ?? 0}, ${usage.tokens ?? 0} tokens`, {
    retry: "never",
    hint: "Mend how the maker reports its usage; unknown spending is left out, not written as a number.",
  });
}

export const named = (model: string | undefined): { readonly model?: string } =>
  model === undefined ? {} : { model: model.slice(0, 100) };

export const overrun = (refusal: Refusal): LoopError =>
  new LoopError("budget-spent", tellRefusal(refusal), { retry: "never", hint: tellRemedy(refusal) });
