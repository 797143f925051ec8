import type { RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { Rest } from "../contract/verdict.ts";
import { openRound, type RoundState, type RunState } from "../journal/fold.ts";
import { parseCount } from "../std/count.ts";
import { parseDuration } from "../std/duration.ts";
import { parseUsd } from "../std/usd.ts";
import { restOfBaseline } from "./weigh-base.ts";

export type Next =
  | { readonly kind: "resume"; readonly round: Round }
  | { readonly kind: "open"; readonly round: Omit<Round, "openedAt"> }
  | { readonly kind: "rest"; readonly rest: Rest };

/** Pure: the same records always give the same next move. */
export function decideNext({ loop, run }: { readonly loop: string; readonly run: string }, opened: RunOpened, state: RunState): Next {
  const open = openRound(state);
  // A round whose work is made costs nothing more; one that would have to make it again may not go past a cap.
  if (open && (isMade(open) || !usedUp(opened, state))) return { kind: "resume", round: open.round };
  const last = state.rounds.at(-1)?.verdict;
  if (last && last.kind !== "retry") return { kind: "rest", rest: last };
  const early = state.rounds.length === 0 && state.baseline ? restOfBaseline(opened.spec, state.baseline) : undefined;
  if (early) return { kind: "rest", rest: early };
  const overrun = usedUp(opened, state) ?? roundsUsedUp(opened, state);
  if (overrun) return { kind: "rest", rest: { kind: "halt", because: "budget", reason: overrun } };
  const number = state.rounds.length + 1;
  return { kind: "open", round: { id: `${run}.${number}`, run, loop, number, base: opened.base.commit, lessons: state.lessons } };
}

const isMade = ({ steps }: RoundState): boolean => steps.some(({ step }) => step === "make");

const roundsUsedUp = ({ spec: { budget } }: RunOpened, { rounds }: RunState): string | undefined =>
  rounds.length >= budget.rounds ? `all ${budget.rounds} rounds are used` : undefined;

/** Which cap is used up, if any. Caps that cannot be read count as used up: nothing unlimited by accident. */
function usedUp({ spec: { budget } }: RunOpened, { spent, workedMs }: RunState): string | undefined {
  if (workedMs >= (parseDuration(budget.time) ?? 0)) return `the run has worked for ${Math.round(workedMs / 1000)}s of its ${budget.time}`;
  if (spent.usd >= (parseUsd(budget.usd) ?? 0)) return `$${spent.usd.toFixed(2)} of ${budget.usd} are spent`;
  if (spent.tokens >= (parseCount(budget.tokens) ?? 0)) return `${spent.tokens} of ${budget.tokens} tokens are used`;
  return undefined;
}

/** What is left of the run's time. */
export const timeLeftMs = ({ spec }: RunOpened, { workedMs }: RunState): number =>
  Math.max(0, (parseDuration(spec.budget.time) ?? 0) - workedMs);
