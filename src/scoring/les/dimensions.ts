// The eight dimensions of the Loop Effectiveness Score, their weights, and how they come to one number.

export const DIMENSIONS = ["effectiveness", "speed", "cost", "robustness", "scalability", "safety", "adaptability", "autonomy"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export type PerDimension<T> = { readonly [D in Dimension]: T };

/** As LES 1.0 says. */
export const WEIGHTS: PerDimension<number> = {
  effectiveness: 0.2,
  speed: 0.15,
  cost: 0.12,
  robustness: 0.13,
  scalability: 0.1,
  safety: 0.12,
  adaptability: 0.1,
  autonomy: 0.08,
};

/** As one of its implementations has it, which thereby gives other scores to the same runs. */
export const GYM_WEIGHTS: PerDimension<number> = {
  effectiveness: 0.25,
  speed: 0.15,
  cost: 0.15,
  robustness: 0.15,
  scalability: 0.1,
  safety: 0.1,
  adaptability: 0.05,
  autonomy: 0.05,
};

export const perDimension = <T>(of: (dimension: Dimension) => T): PerDimension<T> => ({
  effectiveness: of("effectiveness"),
  speed: of("speed"),
  cost: of("cost"),
  robustness: of("robustness"),
  scalability: of("scalability"),
  safety: of("safety"),
  adaptability: of("adaptability"),
  autonomy: of("autonomy"),
});

export const weigh = (values: PerDimension<number>, weights: PerDimension<number> = WEIGHTS): number =>
  total(DIMENSIONS.map((dimension) => weights[dimension] * values[dimension]));

/** With what each addition loses added at the end (Neumaier), as their language does: else the last digit is now and then another. */
function total(values: readonly number[]): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

export const clamp = (value: number): number => Math.min(1, Math.max(0, value));

/** Where a value lies between what is nothing and what is all. */
export const between = (value: number, floor: number, ceiling: number): number => clamp((value - floor) / (ceiling - floor));

/** By the exact value, as their language rounds: not by a product that was rounded already. */
export const round = (value: number, digits: number): number => Number(value.toFixed(digits));

const BANDS = [
  { from: 0.9, says: "production-grade" },
  { from: 0.75, says: "strong" },
  { from: 0.6, says: "functional" },
  { from: 0.4, says: "fragile" },
] as const;

/** What a score is called, of 0 to 1. */
export const bandOf = (score: number): string => BANDS.find(({ from }) => score >= from)?.says ?? "non-viable";
