// What tokens cost: from a dated table, pessimistic where it does not know.
import type { Amounts, Basis, Price, Usage } from "../contract/ledger.ts";
import { MOST_AT_ONCE } from "../contract/ledger.ts";

export interface PriceTable {
  /** When these prices were looked up. */
  readonly asOf: string;
  readonly models: { readonly [model: string]: Price };
}

export interface Costed {
  readonly amounts: Amounts;
  readonly basis: Basis;
  readonly note?: string;
}

/**
 * All that a usage comes to. Money that was reported is believed when it is more than nothing. A cost of zero beside tokens is
 * what subscriptions report, and is worked out instead. What is no amount at all is refused by giving undefined.
 */
export function costOf(usage: Usage, table: PriceTable): Costed | undefined {
  const { usd, tokens, input = 0, output = 0, cached = 0, reasoning = 0, calls = 0, tools = 0 } = usage;
  const figures = [usd ?? 0, tokens ?? 0, input, output, cached, reasoning, calls, tools];
  if (!figures.every((figure) => Number.isFinite(figure) && figure >= 0)) return undefined;
  const kinds = { input, output, cached, reasoning };
  const all = Math.max(tokens ?? 0, input + output + cached + reasoning);
  const counted = whole({ ...kinds, tokens: all, calls, tools });
  if (usd !== undefined && usd > 0) return { amounts: whole({ ...counted, microUsd: usd * 1e6 }), basis: "reported" };
  if (all === 0) return { amounts: counted, basis: usd === undefined && tools === 0 ? "unknown" : "reported" };
  const { price, note } = priceOf(usage, table);
  // Tokens of no kind could all be the dear ones.
  const untold = Math.max(0, all - (input + output + cached + reasoning));
  const microUsd = input * price.input + (output + reasoning + untold) * price.output + cached * (price.cached ?? price.input);
  return { amounts: whole({ ...counted, microUsd }), basis: usage.price && !usage.isGuess ? "reported" : "estimated", note };
}

/** How much output there is room for, beside the input, in what was granted. */
export function outputWithin(granted: Amounts, estimate: Pick<Usage, "input" | "output" | "model" | "price">, table: PriceTable): number {
  const { input = 0, output = 0 } = estimate;
  const { price } = priceOf(estimate, table);
  const paid = price.output > 0 ? ((granted.microUsd ?? 0) - input * price.input) / price.output : output;
  return Math.max(0, Math.floor(Math.min(output, paid, (granted.tokens ?? 0) - input)));
}

const priceOf = ({ model, price }: Pick<Usage, "model" | "price">, table: PriceTable): { readonly price: Price; readonly note: string } =>
  price ? { price, note: "priced as the spec says" } : priceFor(model, table);

/** The price of a model, by its name or the longest beginning of it that is known; the dearest of all when it is not. */
export function priceFor(model: string | undefined, table: PriceTable): { readonly price: Price; readonly note: string } {
  const name = model === undefined ? undefined : knownName(model, table);
  const price = name === undefined ? undefined : table.models[name];
  if (price) return { price, note: `priced as ${name}, prices of ${table.asOf}` };
  const who = model === undefined ? "no model was named" : `no price is known for ${model}`;
  return { price: dearest(table), note: `${who}: priced at the dearest known rate, prices of ${table.asOf}` };
}

/** `anthropic/claude-sonnet-4-5-20250929` is `claude-sonnet-4-5` with more said about it. */
function knownName(model: string, { models }: PriceTable): string | undefined {
  const bare = model.toLowerCase().trim();
  const tails = [bare, ...[...bare.matchAll(/[/:]/g)].map(({ index }) => bare.slice(index + 1))];
  for (const tail of tails) {
    if (Object.hasOwn(models, tail)) return tail;
    const dated = /^(.+?)[-@:](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)(?:-v\d+(?::\d+)?)?$/.exec(tail)?.[1];
    if (dated !== undefined && Object.hasOwn(models, dated)) return dated;
  }
  return undefined;
}

/** Of each kind the highest that anybody asks. */
export function dearest({ models }: PriceTable): Price {
  const all = Object.values(models);
  return { input: Math.max(...all.map(({ input }) => input)), output: Math.max(...all.map(({ output }) => output)) };
}

/** Rounded up: a call that costs less than can be counted still costs something. */
export function whole(amounts: Amounts): Amounts {
  const entries = Object.entries(amounts).flatMap(([measure, amount]) =>
    amount ? [[measure, Math.min(MOST_AT_ONCE, Math.ceil(amount))] as const] : [],
  );
  return Object.fromEntries(entries);
}
