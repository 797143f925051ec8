// Reads the two files in loopwright's home that spending goes by: `limits.yaml`, what all loops may use together, and
// `prices.yaml`, what models cost. One that cannot be read stops everything that would spend: it might have said less.
import { join } from "node:path";
import * as z from "zod";
import type { Price } from "../contract/ledger.ts";
import { Limits } from "../contract/spec.ts";
import type { PriceTable } from "../guard/price.ts";
import { isZone } from "../std/day.ts";
import { readHomeFile } from "./read-home-file.ts";

const rate = z.number().min(0).max(1_000_000);
const Prices = z.strictObject({
  models: z.record(z.string().min(1).max(100), z.strictObject({ input: rate, output: rate, cached: rate.optional() })).default({}),
});
const SPENDING = "Nothing is spent while it cannot be read.";

const ZonedLimits = Limits.refine(({ zone }) => isZone(zone), {
  path: ["zone"],
  error: "is no time zone that this system knows: write e.g. UTC or Europe/Berlin",
});

export const limitsPath = (home: string): string => join(home, "limits.yaml");
const pricesPath = (home: string): string => join(home, "prices.yaml");

/** The defaults where there is no file. */
export async function loadLimits(home: string): Promise<Limits> {
  return readHomeFile(ZonedLimits, limitsPath(home), SPENDING);
}

/** The table that is shipped, with the user's own prices over it. */
export async function loadPrices(home: string): Promise<PriceTable> {
  const { PRICES } = await import("../guard/price-table.ts");
  const { models } = await readHomeFile(Prices, pricesPath(home), SPENDING);
  const own = Object.entries(models).map(([name, { input, output, cached }]): [string, Price] => [
    name.toLowerCase(),
    { input, output, ...(cached === undefined ? {} : { cached }) },
  ]);
  return { ...PRICES, models: { ...PRICES.models, ...Object.fromEntries(own) } };
}
