// What the checks of a round cost beside one run of the tests: by what each verifier runs, and by what was measured. Pure.
import type { Spread } from "./forecast.ts";

/** How often a verifier runs the tests in a round, or what takes as long. */
export interface Times {
  readonly least: number;
  readonly most: number;
}

interface Asked {
  readonly use: string;
  readonly with?: { readonly [option: string]: unknown } | undefined;
}

/** Base and proposal, and base with new tests; once with twins among them, or once for each kind; once noted, and calls made again. */
const RUNS: { readonly [verifier: string]: (options: Asked["with"]) => Times } = {
  command: () => ({ least: 1, most: 1 }),
  holdout: () => ({ least: 1, most: 1 }),
  witness: () => ({ least: 2, most: 3 }),
  twins: () => ({ least: 1, most: 3 }),
  replay: () => ({ least: 1, most: 2 }),
  mutation: (options) => ({ least: 1, most: 1 + numberOf(options, "mutants", 8) + numberOf(options, "expectations", 0) }),
  isomorphic: () => ({ least: 2, most: 22 }),
};

const numberOf = (options: Asked["with"], name: string, usual: number): number => {
  const value = options?.[name];
  return typeof value === "number" ? value : usual;
};

export interface CheckTimes {
  readonly each: readonly ({ readonly use: string } & Times)[];
  readonly all: Times;
  /** One run of the tests, as it was measured on base; undefined where base was never looked at. */
  readonly plainMs: number | undefined;
  /** All checks of a round, as they were measured; undefined where there was no round yet. */
  readonly roundMs: Spread | undefined;
}

export interface Measured {
  /** Looks at base: how long one took, and how many runs it was. */
  readonly looks: readonly { readonly tookMs: number; readonly runs: number }[];
  /** By round, how long its checks took. */
  readonly roundsMs: readonly number[];
}

/** Undefined where no check runs tests. */
export function checkTimesOf(verifiers: readonly Asked[], { looks, roundsMs }: Measured): CheckTimes | undefined {
  const each = verifiers.flatMap(({ use, with: options }) => {
    const times = Object.hasOwn(RUNS, use) ? RUNS[use]!(options) : undefined;
    return times ? [{ use, ...times }] : [];
  });
  if (each.length === 0) return undefined;
  const sum = (of: keyof Times): number => each.reduce((all, times) => all + times[of], 0);
  const runs = looks.reduce((all, look) => all + look.runs, 0);
  const sorted = [...roundsMs].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return {
    each,
    all: { least: sum("least"), most: sum("most") },
    plainMs: runs === 0 ? undefined : Math.round(looks.reduce((all, look) => all + look.tookMs, 0) / runs),
    roundMs: sorted.length === 0 ? undefined : { low: at(0.1), usual: at(0.5), high: at(0.9) },
  };
}
