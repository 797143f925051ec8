// What runs of a loop may come to, before they are run: many of them are played through, round by round, and the middle and the ends are told.

/** What nine of ten do not fall below, what half do, and what nine of ten do not go beyond. */
export interface Spread {
  readonly low: number;
  readonly usual: number;
  readonly high: number;
}

/** One run that was, or could be. */
export interface PlayedRun {
  readonly microUsd: number;
  readonly tokens: number;
  readonly timeMs: number;
  readonly rounds: number;
}

export type PlayedMeasure = keyof PlayedRun;
export const PLAYED: readonly PlayedMeasure[] = ["microUsd", "tokens", "timeMs", "rounds"];

export type Ceilings = { readonly [M in PlayedMeasure]?: number };

export interface RunModel {
  readonly rounds: number;
  /** Of one round, maker and opinions together. */
  readonly tokens: Spread;
  readonly timeMs: Spread;
  /** Millionths of a dollar for a token, as such rounds mix them. */
  readonly microUsdPerToken: number;
  /** How many of a hundred rounds end the run, because what they made is proven. */
  readonly endsPercent: number;
}

export interface Forecast {
  readonly run: { readonly [M in PlayedMeasure]: Spread };
  /** How many of a hundred runs are ended by a cap. */
  readonly cappedPercent: number;
}

const PLAYS = 2_000;

/** The same for the same model: chance begins anew each time. */
export function playRuns(model: RunModel, caps: Ceilings): readonly PlayedRun[] {
  const chance = createChance(1);
  return Array.from({ length: PLAYS }, () => playRun(model, caps, chance));
}

function playRun({ rounds, tokens, timeMs, microUsdPerToken, endsPercent }: RunModel, caps: Ceilings, chance: Chance): PlayedRun {
  let run: PlayedRun = { microUsd: 0, tokens: 0, timeMs: 0, rounds: 0 };
  while (run.rounds < rounds) {
    const used = draw(tokens, chance);
    run = {
      microUsd: run.microUsd + used * microUsdPerToken,
      tokens: run.tokens + used,
      timeMs: run.timeMs + draw(timeMs, chance),
      rounds: run.rounds + 1,
    };
    if (isAtCap(run, caps) || chance() * 100 < endsPercent) break;
  }
  return clamped(run, caps);
}

const isAtCap = (run: PlayedRun, caps: Ceilings): boolean =>
  PLAYED.some((measure) => measure !== "rounds" && run[measure] >= (caps[measure] ?? Infinity));

const clamped = (run: PlayedRun, caps: Ceilings): PlayedRun => ({
  microUsd: Math.min(run.microUsd, caps.microUsd ?? Infinity),
  tokens: Math.min(run.tokens, caps.tokens ?? Infinity),
  timeMs: Math.min(run.timeMs, caps.timeMs ?? Infinity),
  rounds: run.rounds,
});

export const forecastOf = (runs: readonly PlayedRun[], caps: Ceilings): Forecast => ({
  run: spreadsOf(runs),
  cappedPercent: Math.round((runs.filter((run) => isAtCap(run, caps)).length / Math.max(1, runs.length)) * 100),
});

const DAYS = 400;
const MOST_A_DAY = 300;

/** Days of so many runs each, drawn from those that were played or recorded; a day's caps end it. */
export function forecastDay(runs: readonly PlayedRun[], aDay: number, caps: Ceilings): Forecast["run"] {
  const chance = createChance(2);
  const isRare = aDay < 1;
  const count = Math.max(1, Math.min(MOST_A_DAY, Math.round(aDay)));
  const days = Array.from({ length: DAYS }, () => {
    const drawn = Array.from({ length: count }, () => runs[Math.floor(chance() * runs.length)]!);
    return clamped(drawn.reduce(plus), caps);
  });
  const spreads = spreadsOf(days);
  // What wakes less than once a day is told by the day all the same.
  return isRare ? scaled(spreads, aDay) : aDay > MOST_A_DAY ? capped(scaled(spreads, aDay / MOST_A_DAY), caps) : spreads;
}

const plus = (a: PlayedRun, b: PlayedRun): PlayedRun => ({
  microUsd: a.microUsd + b.microUsd,
  tokens: a.tokens + b.tokens,
  timeMs: a.timeMs + b.timeMs,
  rounds: a.rounds + b.rounds,
});

const scaled = (spreads: Forecast["run"], factor: number): Forecast["run"] => mapped(spreads, (amount) => amount * factor);
const capped = (spreads: Forecast["run"], caps: Ceilings): Forecast["run"] =>
  mapped(spreads, (amount, measure) => Math.min(amount, caps[measure] ?? Infinity));

function mapped(spreads: Forecast["run"], change: (amount: number, measure: PlayedMeasure) => number): Forecast["run"] {
  const each = (measure: PlayedMeasure): Spread => ({
    low: change(spreads[measure].low, measure),
    usual: change(spreads[measure].usual, measure),
    high: change(spreads[measure].high, measure),
  });
  return { microUsd: each("microUsd"), tokens: each("tokens"), timeMs: each("timeMs"), rounds: each("rounds") };
}

function spreadsOf(runs: readonly PlayedRun[]): Forecast["run"] {
  const each = (measure: PlayedMeasure): Spread => {
    const sorted = runs.map((run) => run[measure]).sort((a, b) => a - b);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { low: at(0.1), usual: at(0.5), high: at(0.9) };
  };
  return { microUsd: each("microUsd"), tokens: each("tokens"), timeMs: each("timeMs"), rounds: each("rounds") };
}

type Chance = () => number;

/** A small generator of numbers from 0 to 1 that anybody can run again. */
function createChance(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of ten below low, half below usual, one of ten above high; between them as amounts spread that multiply. */
function draw({ low, usual, high }: Spread, chance: Chance): number {
  if (usual <= 0) return 0;
  const normal = Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
  const width = (normal < 0 ? Math.log(usual / Math.max(low, 1)) : Math.log(high / usual)) / TENTH;
  return usual * Math.exp(width * normal);
}

/** How many widths from the middle one of ten lies. */
const TENTH = 1.2816;
