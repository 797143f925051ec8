// Breakers that trip before a cap does: spending much faster than the loop ever did, and spending without getting anywhere. Pure.
import type { Amounts, Measure } from "../contract/ledger.ts";

/** What one run used, and how long it worked. */
export interface Pace {
  readonly used: Amounts;
  readonly workedMs: number;
}

const WATCHED = ["microUsd", "tokens", "calls"] as const satisfies readonly Measure[];
/** A loop that is new has no habits to break. */
const FEWEST_RUNS = 3;
const TIMES_FASTER = 5;
/** Below this, a minute's worth of spending is nobody's emergency, whatever the history says. */
const FLOOR_A_MINUTE: { readonly [M in (typeof WATCHED)[number]]: number } = { microUsd: 500_000, tokens: 100_000, calls: 60 };
/** A first call is a short time and a large number: it says nothing about a pace yet. */
const SHORTEST_MS = 60_000;

/** Why this run is a runaway, if it is one: per minute it uses many times what the loop's earlier runs did at their fastest. */
export function isRunaway(now: Pace, history: readonly Pace[]): string | undefined {
  const earlier = history.filter(({ workedMs }) => workedMs > 0);
  if (earlier.length < FEWEST_RUNS) return undefined;
  for (const measure of WATCHED) {
    const rate = perMinute(now, measure);
    const usual = Math.max(...earlier.map((pace) => perMinute(pace, measure)));
    const line = Math.max(FLOOR_A_MINUTE[measure], usual * TIMES_FASTER);
    if (rate > line) {
      return `this run uses ${tell(measure, rate)} a minute; at their fastest, the ${earlier.length} runs before it used ${tell(measure, usual)}`;
    }
  }
  return undefined;
}

const perMinute = ({ used, workedMs }: Pace, measure: Measure): number => ((used[measure] ?? 0) * 60_000) / Math.max(workedMs, SHORTEST_MS);

const tell = (measure: (typeof WATCHED)[number], amount: number): string =>
  measure === "microUsd" ? `$${(amount / 1e6).toFixed(2)}` : `${Math.round(amount)} ${measure}`;

/** What a round came to, as far as progress can be seen in it. */
export interface RoundMark {
  /** The tree it proposed; undefined when it changed nothing. */
  readonly tree: string | undefined;
  /** What was wrong with it, in the verifiers' words. */
  readonly failing: readonly string[];
  /** Its tool calls, in a word each. */
  readonly did: readonly string[];
}

/** Rounds in a row without a sign of life. */
const MOST_IDLE = 2;
/** Rounds in a row that fail in exactly the same way, whatever they changed. */
const MOST_SAME = 4;

/** Why it would be in vain to go on, if it would be: the last rounds spent without moving. */
export function burnsInVain(rounds: readonly RoundMark[]): string | undefined {
  const idle = tailWhile(rounds, (round, before) => sameSet(round.failing, before.failing) && (round.tree ?? "") === (before.tree ?? ""));
  if (idle.length >= MOST_IDLE && idle.every(({ tree }) => tree === undefined)) return `${idle.length} rounds in a row changed nothing`;
  if (idle.length >= MOST_IDLE && idle[0]?.tree !== undefined) return `${idle.length} rounds in a row proposed the same change`;
  const circling = tailWhile(
    rounds,
    (round, before) => round.did.length > 0 && sameSet(round.did, before.did) && sameSet(round.failing, before.failing),
  );
  if (circling.length >= MOST_IDLE) return `${circling.length} rounds in a row made the same tool calls and failed in the same way`;
  const same = tailWhile(rounds, (round, before) => round.failing.length > 0 && sameSet(round.failing, before.failing));
  return same.length >= MOST_SAME ? `${same.length} rounds in a row failed in exactly the same way` : undefined;
}

/** The last rounds, back to the first that is not like the one after it. */
function tailWhile(rounds: readonly RoundMark[], isLike: (round: RoundMark, before: RoundMark) => boolean): readonly RoundMark[] {
  let from = rounds.length - 1;
  while (from > 0 && isLike(rounds[from]!, rounds[from - 1]!)) from--;
  return rounds.slice(Math.max(0, from));
}

const sameSet = (a: readonly string[], b: readonly string[]): boolean => {
  const [these, those] = [new Set(a), new Set(b)];
  return these.size === those.size && [...these].every((one) => those.has(one));
};
