// Reads the two files in loopwright's home that spending goes by: `limits.yaml`, what all loops may use together, and
// `prices.yaml`, what models cost. One that cannot be read stops everything that would spend: it might have said less.
import { join } from "node:path";
import * as z from "zod";
import { LoopError } from "../contract/errors.ts";
import type { Price } from "../contract/ledger.ts";
import { Limits } from "../contract/spec.ts";
import type { PriceTable } from "../guard/price.ts";
import { isZone } from "../std/day.ts";
import { readOptional } from "../world/spec-files.ts";
import { showPath } from "./spec-path.ts";
import { readSpecText } from "./spec-text.ts";

const rate = z.number().min(0).max(1_000_000);
const Prices = z.strictObject({
  models: z.record(z.string().min(1).max(100), z.strictObject({ input: rate, output: rate, cached: rate.optional() })),
});

const ZonedLimits = Limits.refine(({ zone }) => isZone(zone), {
  path: ["zone"],
  error: "is no time zone that this system knows: write e.g. UTC or Europe/Berlin",
});

export const limitsPath = (home: string): string => join(home, "limits.yaml");
const pricesPath = (home: string): string => join(home, "prices.yaml");

/** The defaults where there is no file. */
export async function loadLimits(home: string): Promise<Limits> {
  const path = limitsPath(home);
  return readWith(ZonedLimits, path, await readOptional(path));
}

/** The table that is shipped, with the user's own prices over it. */
export async function loadPrices(home: string): Promise<PriceTable> {
  const path = pricesPath(home);
  const [{ PRICES }, text] = await Promise.all([import("../guard/price-table.ts"), readOptional(path)]);
  if (text === undefined) return PRICES;
  const { models } = readWith(Prices, path, text);
  const own = Object.entries(models).map(([name, { input, output, cached }]): [string, Price] => [
    name.toLowerCase(),
    { input, output, ...(cached === undefined ? {} : { cached }) },
  ]);
  return { ...PRICES, models: { ...PRICES.models, ...Object.fromEntries(own) } };
}

function readWith<Schema extends z.ZodType>(schema: Schema, path: string, text: string | undefined): z.infer<Schema> {
  if (text === undefined) return schema.parse({});
  const read = readSpecText(text);
  const [broken] = read.problems;
  if (broken) throw unreadable(path, `line ${read.lineCol(broken.at).line}: ${broken.problem}`);
  const parsed = schema.safeParse(read.value ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `${showPath(issue.path.map((step) => (typeof step === "number" ? step : String(step))))}: ${issue.message}`,
  );
  throw unreadable(path, problems.join("; "));
}

const unreadable = (path: string, problem: string): LoopError =>
  new LoopError("bad-input", `${path} cannot be used: ${problem}`, {
    retry: "never",
    hint: "Mend it or take it away; without it the defaults hold. Nothing is spent while it cannot be read.",
  });
