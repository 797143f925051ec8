// A score as we give it: each dimension measured, estimated or missing, and the sum of what is there by the weights that are left.
import { bandOf, DIMENSIONS, type PerDimension, WEIGHTS } from "./dimensions.ts";

export type Measure =
  /** `value` is of 0 to 1 between what is nothing and what is all; `raw` is what the formula gave; `how` shows it with its numbers. */
  | { readonly kind: "measured"; readonly value: number; readonly raw: number; readonly runs: number; readonly how: string }
  /** From a spec alone. */
  | { readonly kind: "estimated"; readonly value: number; readonly how: string }
  | { readonly kind: "missing"; readonly why: string };

export interface Score {
  /** Of 0 to 1; null where there is nothing to go by. */
  readonly score: number | null;
  /** Of 0 to 100, to one digit. */
  readonly display: number | null;
  readonly band: string | null;
  readonly label: string;
  readonly runs: number;
  /** How far the score may be off, of 0 to 1, with 95 in 100; null with fewer than three runs. */
  readonly interval: number | null;
  readonly dimensions: PerDimension<Measure>;
  /** What a reader should know before believing it. */
  readonly notes: readonly string[];
}

/** The sum of what is there, by the weights that are left. */
export function compose(dimensions: PerDimension<Measure>): number {
  const parts = DIMENSIONS.flatMap((dimension) => {
    const measure = dimensions[dimension];
    return measure.kind === "missing" ? [] : [{ weight: WEIGHTS[dimension], value: measure.value }];
  });
  const weight = parts.reduce((sum, part) => sum + part.weight, 0);
  return weight === 0 ? 0 : parts.reduce((sum, part) => sum + part.weight * part.value, 0) / weight;
}

/** As it is shown. */
export const shownAs = (score: number | null): Pick<Score, "score" | "display" | "band"> => ({
  score,
  display: score === null ? null : Number((score * 100).toFixed(1)),
  band: score === null ? null : bandOf(score),
});

/** How many of the eight are there. */
export const presentIn = (dimensions: PerDimension<Measure>): number =>
  DIMENSIONS.filter((dimension) => dimensions[dimension].kind !== "missing").length;
