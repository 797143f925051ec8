// Whether the runs of two differ, figure by figure, and "cannot tell" where that is the truth. Pure: figures in, verdicts out.
import type { ComparedRuns, FigureRow, ShareRow } from "../contract/compare.ts";
import { rankSum, shareInterval, sharesDiffer } from "../std/exact-tests.ts";

/** What one run came to; undefined where it is not known. */
export interface RunFigures {
  readonly run: string;
  readonly isProven: boolean;
  readonly score: number | undefined;
  readonly cost: number | undefined;
  readonly time: number | undefined;
  readonly rounds: number | undefined;
}

const FIGURES = [
  { name: "score", unit: "points", better: "higher" },
  { name: "cost", unit: "usd", better: "lower" },
  { name: "time", unit: "seconds", better: "lower" },
  { name: "rounds", unit: "rounds", better: "lower" },
] as const;

const CONFIDENCE = 0.95;

/** Who looks at five rows sees something in one of them by chance: each is held to a fifth of what all may be wrong. */
const LEVEL = (1 - CONFIDENCE) / (FIGURES.length + 1);

export function compareRuns(
  a: readonly RunFigures[],
  b: readonly RunFigures[],
): Pick<ComparedRuns, "confidence" | "level" | "proven" | "figures" | "verdict"> {
  const proven = provenRow(a, b);
  const figures = FIGURES.map((about) => figureRow(about, a, b));
  return { confidence: CONFIDENCE, level: LEVEL, proven, figures, verdict: inAWord([proven, ...figures]) };
}

function provenRow(a: readonly RunFigures[], b: readonly RunFigures[]): ShareRow {
  const count = (runs: readonly RunFigures[]) => ({ hits: runs.filter(({ isProven }) => isProven).length, of: runs.length });
  const side = (runs: readonly RunFigures[]): ShareRow["a"] => {
    const { hits, of } = count(runs);
    return { runs: of, hits, interval: [...shareInterval({ hits, of }, LEVEL)] };
  };
  const sides = { name: "proven" as const, a: side(a), b: side(b) };
  if (a.length === 0 || b.length === 0) return { ...sides, p: null, verdict: "cannot-tell", why: "one of them has no runs to look at" };
  const [one, other] = [count(a), count(b)];
  const { p, leastP } = sharesDiffer(one, other);
  const isHigher = other.hits / other.of > one.hits / one.of;
  return {
    ...sides,
    p,
    ...told(p, leastP, isHigher, one.hits / one.of === other.hits / other.of && (one.hits === 0 || one.hits === one.of)),
  };
}

function figureRow(about: (typeof FIGURES)[number], a: readonly RunFigures[], b: readonly RunFigures[]): FigureRow {
  const valuesOf = (runs: readonly RunFigures[]): readonly number[] => runs.flatMap((run) => run[about.name] ?? []);
  const [one, other] = [valuesOf(a), valuesOf(b)];
  const row = { ...about, a: spreadOf(one), b: spreadOf(other) };
  if (one.length === 0 || other.length === 0)
    return { ...row, difference: null, interval: null, p: null, verdict: "cannot-tell", why: "it is not known of one of them" };
  const { p, leastP, estimate, interval } = rankSum(one, other, LEVEL);
  const isSame = new Set([...one, ...other]).size === 1;
  const excludesNone = interval === null || interval[0] > 0 || interval[1] < 0;
  // Where many are equal the interval is the more careful of the two.
  return {
    ...row,
    difference: estimate,
    interval: interval ? [...interval] : null,
    p,
    ...told(excludesNone ? p : Math.max(p, 2 * LEVEL), leastP, estimate > 0, isSame),
  };
}

function told(p: number, leastP: number, isHigher: boolean, isSame: boolean): Pick<FigureRow, "verdict" | "why"> {
  if (isSame) return { verdict: "same", why: "it is the same in all runs" };
  if (p <= LEVEL) return { verdict: isHigher ? "b-higher" : "a-higher", why: `chance alone does this ${oftenIn(p)}` };
  if (leastP > LEVEL)
    return { verdict: "cannot-tell", why: `too few runs: chance alone makes even the clearest difference ${oftenIn(leastP)}` };
  return { verdict: "cannot-tell", why: `chance alone does this ${oftenIn(p)}, and once in ${Math.round(1 / LEVEL)} would be needed` };
}

const oftenIn = (p: number): string =>
  p >= 0.4 ? `${Math.round(p * 10)} times in 10` : `once in ${Math.round(1 / p) > 1000 ? "more than 1000" : Math.round(1 / p)}`;

function spreadOf(values: readonly number[]): FigureRow["a"] {
  const sorted = values.toSorted((one, other) => one - other);
  const half = Math.floor(sorted.length / 2);
  const median = sorted.length === 0 ? null : sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
  return { runs: sorted.length, median, least: sorted[0] ?? null, most: sorted.at(-1) ?? null };
}

/** Whether one of them is the better, only where nothing that is known speaks for the other. */
function inAWord(rows: readonly (FigureRow | ShareRow)[]): string {
  const better = rows.flatMap(({ verdict, ...row }) => {
    if (verdict !== "a-higher" && verdict !== "b-higher") return [];
    const isLower = "better" in row && row.better === "lower";
    return [{ name: row.name, side: (verdict === "b-higher") !== isLower ? "B" : "A" }];
  });
  const of = (side: string): readonly string[] => better.filter((one) => one.side === side).map(({ name }) => name);
  const [forA, forB] = [of("A"), of("B")];
  if (forA.length === 0 && forB.length === 0)
    return rows.every(({ verdict }) => verdict === "same") ? "They are the same." : "Cannot tell which is better.";
  const worth = (side: string, names: readonly string[]): string => `${side} is better in ${names.join(", ")}`;
  const parts = [...(forA.length > 0 ? [worth("A", forA)] : []), ...(forB.length > 0 ? [worth("B", forB)] : [])];
  return `${parts.join("; ")}.`;
}
