// What is not as it should be over many runs of a loop, where each by itself looks ordinary. Pure; idle runs are no sign of anything.
import type { Amounts, Measure } from "../contract/ledger.ts";
import { plainReason } from "./halts.ts";

/** What one run came to. Runs that somebody stopped are left out: whoever did knows why. */
export type RunMark =
  | {
      readonly kind: "proven";
      /** What it changed, from what to what; undefined where it changes nothing. */
      readonly change: string | undefined;
      /** Whether a person said no to it. */
      readonly isRefused: boolean;
      readonly used: Amounts;
    }
  /** Nothing was to be done. */
  | { readonly kind: "idle" }
  | { readonly kind: "unproven"; readonly because: string; readonly reason: string; readonly used: Amounts };

type Proven = Extract<RunMark, { kind: "proven" }>;
type Unproven = Extract<RunMark, { kind: "unproven" }>;

/** The same end so many times, with nothing proven in between. In a row without idle runs, fewer halt the loop. */
const MOST_SAME = 5;
/** The same change proposed and refused by people so many times. */
const MOST_REFUSED = 3;
/** Changes that undo one another, so many in turn. */
const MOST_CHANGES_IN_TURN = 4;
/** Failures that come in turn, so many of them. */
const MOST_FAILURES_IN_TURN = 6;
const PERIODS = [2, 3];
/** So many runs that came to something, and none of them proven. */
const MOST_UNPROVEN = 8;
/** So many proven changes say what one usually costs, and so many in a row that cost far more are no chance. */
const FEWEST_TO_COMPARE = 8;
const DEAR_IN_A_ROW = 3;
const TIMES_DEARER = 4;
const DEVIATIONS = 8;
/** Makes the median deviation comparable with a standard deviation. */
const MAD_SCALE = 1.4826;
/** Below this a change is nobody's worry, whatever it cost before. */
const FLOOR: { readonly [M in "microUsd" | "tokens"]: number } = { microUsd: 500_000, tokens: 100_000 };

/** How many of the newest runs matter. */
export const RUNS_THAT_MATTER = 60;
/** How many proven ones it takes before their cost says anything. */
export const FEWEST_PROVEN = FEWEST_TO_COMPARE + DEAR_IN_A_ROW;

/** What is not as it should be, in words, if anything is; the newest run comes first. */
export function anomalyIn(runs: readonly RunMark[]): string | undefined {
  const unproven = sinceProven(runs);
  const proven = runs.filter((run): run is Proven => run.kind === "proven");
  if (unproven.length > 0) return sameAgain(unproven) ?? failuresInTurn(unproven) ?? nothingProven(unproven);
  // What is idle now was looked at when it was not.
  if (runs[0]?.kind !== "proven") return undefined;
  return refusedAgain(proven) ?? changesInTurn(proven) ?? dearerAndDearer(runs);
}

/** The newest runs up to the last one that proved something, without idle ones; none if the newest is idle or proven. */
function sinceProven(runs: readonly RunMark[]): readonly Unproven[] {
  if (runs[0]?.kind !== "unproven") return [];
  const last = runs.findIndex(({ kind }) => kind === "proven");
  return runs.slice(0, last === -1 ? runs.length : last).filter((run): run is Unproven => run.kind === "unproven");
}

const keyOf = ({ because, reason }: Unproven): string => `${because}\0${plainReason(reason)}`;

function sameAgain(unproven: readonly Unproven[]): string | undefined {
  const keys = unproven.map(keyOf);
  const other = keys.findIndex((key) => key !== keys[0]);
  const times = other === -1 ? keys.length : other;
  return times >= MOST_SAME ? `${times} runs ended the same way, and nothing was proven in between: ${unproven[0]!.reason}` : undefined;
}

function failuresInTurn(unproven: readonly Unproven[]): string | undefined {
  const keys = unproven.slice(0, MOST_FAILURES_IN_TURN).map(keyOf);
  if (keys.length < MOST_FAILURES_IN_TURN) return undefined;
  const period = PERIODS.find((length) => keys.every((key, index) => index < length || key === keys[index - length]));
  if (period === undefined) return undefined;
  const told = unproven.slice(0, period).map(({ reason }) => reason.split("\n")[0]);
  return `the last ${keys.length} runs went around between ${period} failures: ${told.join("; ")}`;
}

const nothingProven = (unproven: readonly Unproven[]): string | undefined =>
  unproven.length >= MOST_UNPROVEN
    ? `${unproven.length} runs came to something, and none of them was proven; the last: ${unproven[0]!.reason}`
    : undefined;

function refusedAgain(proven: readonly Proven[]): string | undefined {
  const newest = proven.slice(0, MOST_REFUSED + 1);
  // The newest waits for its answer; those before it had theirs.
  const [now, ...before] = newest;
  const isSame = now?.change !== undefined && before.length === MOST_REFUSED;
  return isSame && before.every(({ change, isRefused }) => isRefused && change === now.change)
    ? `it proposes a change that people refused ${MOST_REFUSED} times already`
    : undefined;
}

function changesInTurn(proven: readonly Proven[]): string | undefined {
  const changes = proven.slice(0, MOST_CHANGES_IN_TURN).map(({ change }) => change);
  if (changes.length < MOST_CHANGES_IN_TURN || changes.includes(undefined)) return undefined;
  const isInTurn = changes[0] !== changes[1] && changes.every((change, index) => change === changes[index % 2]);
  return isInTurn ? `its last ${MOST_CHANGES_IN_TURN} proposals were two changes in turn: what one does the other undoes` : undefined;
}

/** What a proven change costs, with the runs in vain before it, beside what it used to cost. Medians, so that a few odd ones do not matter. */
function dearerAndDearer(runs: readonly RunMark[]): string | undefined {
  for (const measure of ["microUsd", "tokens"] as const) {
    const costs = costsOf(runs, measure);
    const [newest, history] = [costs.slice(-DEAR_IN_A_ROW), costs.slice(0, -DEAR_IN_A_ROW)];
    if (history.length < FEWEST_TO_COMPARE) continue;
    const usual = median(history);
    const spread = median(history.map((cost) => Math.abs(cost - usual)));
    const line = Math.max(FLOOR[measure], usual * TIMES_DEARER, usual + DEVIATIONS * MAD_SCALE * spread);
    const least = Math.min(...newest);
    if (least > line)
      return `each of its last ${DEAR_IN_A_ROW} proven changes cost ${tell(measure, least)} or more; ${tell(measure, usual)} was usual`;
  }
  return undefined;
}

/** Oldest first. */
function costsOf(runs: readonly RunMark[], measure: Measure): readonly number[] {
  const costs: number[] = [];
  let sum = 0;
  for (const run of runs.toReversed()) {
    if (run.kind === "idle") continue;
    sum += run.used[measure] ?? 0;
    if (run.kind !== "proven") continue;
    costs.push(sum);
    sum = 0;
  }
  return costs;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const tell = (measure: "microUsd" | "tokens", amount: number): string =>
  measure === "microUsd" ? `$${(amount / 1e6).toFixed(2)}` : `${Math.round(amount)} tokens`;
