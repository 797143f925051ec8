// How far a loop is ready to go, by what its spec says and by what is on record of it, and never further than both show. Pure.
import type { Level } from "../contract/spec.ts";
import type { Advice } from "../contract/views.ts";

/** What the spec alone shows; each list says what stands against a level. */
export interface SpecShows {
  /** Why no level at all: it proves nothing, has no end, or does nothing. */
  readonly vain: readonly string[];
  /** What else weighs much, and what weighs less. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** Whether anything is proven by what it is, and not by its form or by somebody's opinion. */
  readonly isProven: boolean;
  /** Whether it has a list of what it may change alone, and something that it does then. */
  readonly hasAllowlist: boolean;
  readonly acts: boolean;
}

export interface RecordShows {
  /** What its record says about each level. */
  readonly advice: { readonly L2: Advice; readonly L3: Advice };
  /** How many runs by this work there are on record. */
  readonly runs: number;
  /** How far it is held; L3 where it is not. */
  readonly held: Level;
}

export interface Demand {
  readonly level: Level;
  readonly from: "spec" | "record";
  readonly asks: string;
  readonly isMet: boolean;
  /** What is seen of it. */
  readonly sees: string;
}

export interface Readiness {
  /** Null: not even to be let report. */
  readonly readyFor: Level | null;
  /** What the spec alone, and the record alone, would let it do. */
  readonly bySpec: Level | null;
  readonly byRecord: Level | null;
  readonly demands: readonly Demand[];
  /** What it takes to be ready for the next level, or for what it claims. */
  readonly missing: readonly string[];
}

const LEVELS: readonly Level[] = ["L1", "L2", "L3"];

/** `claims` is the level that the spec says; undefined for a loop that has none. */
export function readinessOf(claims: Level | undefined, spec: SpecShows, seen: RecordShows): Readiness {
  const demands = [...specDemands(spec), ...recordDemands(seen)];
  const readyBy = (isCounted: (demand: Demand) => boolean): Level | null => {
    const short = LEVELS.findIndex((level) => demands.some((demand) => demand.level === level && !demand.isMet && isCounted(demand)));
    return short === -1 ? "L3" : (LEVELS[short - 1] ?? null);
  };
  const readyFor = readyBy(() => true);
  const wanted = claims ?? nextAfter(readyFor);
  return {
    readyFor,
    bySpec: readyBy(({ from }) => from === "spec"),
    byRecord: readyBy(({ from }) => from === "record"),
    demands,
    missing: demands
      .filter(
        ({ level, isMet }) => !isMet && LEVELS.indexOf(level) <= Math.max(LEVELS.indexOf(wanted), LEVELS.indexOf(nextAfter(readyFor))),
      )
      .map(({ level, asks, sees }) => `for ${level}: ${asks} (${sees})`),
  };
}

/** A spec that claims more than it is ready for. */
export const claimsTooMuch = (claims: Level | undefined, readyFor: Level | null): boolean =>
  readyFor === null || (claims !== undefined && LEVELS.indexOf(claims) > LEVELS.indexOf(readyFor));

const nextAfter = (level: Level | null): Level => LEVELS[level === null ? 0 : Math.min(LEVELS.indexOf(level) + 1, 2)]!;

const none = (what: readonly string[], asks: string, level: Level): Demand => ({
  level,
  from: "spec",
  asks,
  isMet: what.length === 0,
  sees: what.length === 0 ? "none" : what.join("; "),
});

const yes = (isMet: boolean, asks: string, level: Level): Demand => ({
  level,
  from: "spec",
  asks,
  isMet,
  sees: isMet ? "there" : "missing",
});

const specDemands = ({ vain, errors, warnings, isProven, hasAllowlist, acts }: SpecShows): readonly Demand[] => [
  none(vain, "somebody works, a check can say no, and it ends", "L1"),
  none(errors, "nothing in it weighs as an error", "L2"),
  yes(isProven, "a proof of the result itself, by somebody else than who made it", "L2"),
  none(warnings, "nothing in it weighs as a warning", "L3"),
  yes(hasAllowlist, "an allowlist of what it may change alone", "L3"),
  yes(acts, "an action that it takes", "L3"),
];

function recordDemands({ advice, runs, held }: RecordShows): readonly Demand[] {
  return (["L2", "L3"] as const).flatMap((level): readonly Demand[] => {
    const { supports, reasons } = advice[level];
    return [
      {
        level,
        from: "record",
        asks: `a record that supports ${level}`,
        isMet: supports,
        sees: supports ? `${runs} runs of it` : runs === 0 ? "no run of it is on record" : reasons.join("; "),
      },
      {
        level,
        from: "record",
        asks: "nobody holds it lower",
        isMet: held >= level,
        sees: held >= level ? "it is not held" : `it is held at ${held}`,
      },
    ];
  });
}
