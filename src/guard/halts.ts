// When a loop should not be woken again before a human has looked: it ends the same way over and over, or goes back and forth between failures. Pure.

/** How one run of a loop ended. */
export type RunEnd = { readonly kind: "well" } | { readonly kind: "badly"; readonly because: string; readonly reason: string };

/** The same failure so many times in a row. */
const MOST_SAME = 3;
/** Two failures in turn, so many runs in a row. */
const MOST_TURNS = 4;
/** So many runs in a row that came to nothing, whatever was wrong with them. */
const MOST_IN_VAIN = 6;
/** Ends that say at once that something is wrong with the loop itself. */
const AT_ONCE = ["runaway", "bug"];

/** How many of the newest ends matter. */
export const ENDS_THAT_MATTER = MOST_IN_VAIN;

/** Why it should be halted, if it should; the newest end comes first. Runs that end well, in whatever order, are no pattern. */
export function haltAfter(ends: readonly RunEnd[]): { readonly because: string; readonly reason: string } | undefined {
  const bad = leading(ends);
  const [newest] = bad;
  if (!newest) return undefined;
  if (AT_ONCE.includes(newest.because)) return { because: newest.because, reason: newest.reason };
  const keys = bad.map(({ because, reason }) => `${because}\0${plainReason(reason)}`);
  const same = keys.findIndex((key) => key !== keys[0]);
  const repeated = same === -1 ? keys.length : same;
  if (repeated >= MOST_SAME) return { because: "same-failure", reason: `${repeated} runs in a row ended the same way: ${newest.reason}` };
  const turns = keys.slice(0, MOST_TURNS);
  if (turns.length === MOST_TURNS && turns[0] === turns[2] && turns[1] === turns[3])
    return { because: "oscillation", reason: `it goes back and forth between two failures: ${newest.reason}; ${bad[1]?.reason ?? ""}` };
  return bad.length >= MOST_IN_VAIN
    ? { because: "no-progress", reason: `${bad.length} runs in a row came to nothing; the last: ${newest.reason}` }
    : undefined;
}

function leading(ends: readonly RunEnd[]): readonly Extract<RunEnd, { kind: "badly" }>[] {
  const bad: Extract<RunEnd, { kind: "badly" }>[] = [];
  for (const end of ends) {
    if (end.kind === "well") break;
    bad.push(end);
  }
  return bad;
}

/** Without what changes from run to run: ids, numbers, times. */
export const plainReason = (reason: string): string =>
  reason
    .replace(/[0-9a-f]{7,64}/g, "#")
    .replace(/\d+/g, "#")
    .slice(0, 500);
