// What a run does next: go on with a round, open one, or rest.

import { AS_WRITTEN } from "../contract/improve.ts";
import { factsOf, type ProposalFacts } from "../contract/proposal.ts";
import type { RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import { Limits } from "../contract/spec.ts";
import type { Rest } from "../contract/verdict.ts";
import { burnsInVain, type RoundMark } from "../guard/anomaly.ts";
import { capReached, capsOf, tellRefusal } from "../guard/budget.ts";
import { openRound, type RoundState, type RunState } from "../journal/fold.ts";
import { parseDuration } from "../std/duration.ts";
import { wasEnough, withBest } from "./ends.ts";
import { feedbackAfter, lessonsBesides } from "./feedback.ts";
import { termsOf } from "./terms.ts";
import { restOfBaseline } from "./weigh-base.ts";

export type Next =
  | { readonly kind: "resume"; readonly round: Round }
  | { readonly kind: "open"; readonly round: Omit<Round, "openedAt"> }
  | { readonly kind: "rest"; readonly rest: Rest };

/** Pure: the same records always give the same next move. */
export function nextRound({ loop, run }: { readonly loop: string; readonly run: string }, opened: RunOpened, state: RunState): Next {
  const open = openRound(state);
  // A round whose work is made costs nothing more; one that would have to make it again may not go past a cap.
  if (open && (isMade(open) || !usedUp(opened, state))) return { kind: "resume", round: open.round };
  const last = state.rounds.at(-1)?.verdict;
  if (last && last.kind !== "retry") return restWith(last);
  const early = state.rounds.length === 0 && state.baseline ? restOfBaseline(termsOf(opened), state.baseline) : undefined;
  if (early) return { kind: "rest", rest: early };
  const overrun = usedUp(opened, state) ?? roundsUsedUp(opened, state);
  if (overrun) return restWith({ kind: "halt", because: "budget", reason: overrun });
  const vain = burnsInVain(state.rounds.filter((round) => !isQuestion(round.verdict) && !wasEnough(round)).map(markOf));
  if (vain) return restWith({ kind: "halt", because: "stalled", reason: `${vain}: more of it would be spent in vain` });
  const number = state.rounds.length + 1;
  const told = feedbackAfter(opened.spec, state.rounds);
  const own = told ? lessonsBesides(opened.spec, state.rounds) : state.lessons;
  const before = [...(opened.parent?.lessons ?? []), ...(opened.outrun?.lessons ?? [])];
  const all = before.length > 0 ? [...before, ...own] : own;
  const lessons = all.length > MOST_LESSONS ? all.slice(-LESSONS_THEN) : all;
  const round = {
    id: `${run}.${number}`,
    run,
    loop,
    number,
    base: opened.base.commit,
    lessons,
    ...(told ? { told } : {}),
    ...versionNow(state),
  };
  return { kind: "open", round };

  /** A run that does not end well rests with the best that it has. */
  function restWith(rest: Rest): Next {
    return { kind: "rest", rest: withBest(opened, state, rest) };
  }
}

const versionNow = ({ version: { version } }: RunState): Pick<Round, "version"> => (version === AS_WRITTEN ? {} : { version });

/** A run of more rounds is told only the newest of its lessons: else what is on record would grow with the square of them. */
const MOST_LESSONS = 100;
const LESSONS_THEN = 20;

const isMade = ({ steps }: RoundState): boolean => steps.some(({ step }) => step === "make");

const roundsUsedUp = (opened: RunOpened, { rounds }: RunState): string | undefined => {
  const most = termsOf(opened).rounds;
  return rounds.filter(({ verdict }) => !isQuestion(verdict)).length >= most ? `all ${most} rounds are used` : undefined;
};

/** A round that ended in a question was no try. */
const isQuestion = (verdict: RoundState["verdict"]): boolean => verdict?.kind === "retry" && verdict.because === "question";

/** What can be seen of a round's progress. */
const markOf = ({ evidence, did }: RoundState): RoundMark => ({
  tree: evidence && changedTree(factsOf(evidence.proposal)),
  failing: (evidence?.proofs ?? []).flatMap(({ verifier, outcome, detail }) => (outcome === "holds" ? [] : [`${verifier}: ${detail}`])),
  did,
});

/** A change of nothing is no tree to go by. */
const changedTree = ({ tree, changes }: ProposalFacts): string | undefined => (changes.length > 0 ? tree : undefined);

/**
 * Which cap of the run is used up, if any. Caps that cannot be read count as used up: nothing unlimited by accident.
 * Those of days, of months and of the machine are asked where something is to be spent.
 */
export function usedUp({ spec }: RunOpened, { used, workedMs }: RunState): string | undefined {
  if (workedMs >= timeCapMs(spec)) return `the run has worked for ${Math.round(workedMs / 1000)}s of its ${spec.budget.time}`;
  const caps = capsOf(spec, Limits.parse({})).filter(({ scope, measure }) => scope === "run" && measure !== "timeMs");
  const reached = capReached(caps, () => used);
  return reached && tellRefusal(reached);
}

/** Timers and sums can hold this, and it is longer than anybody waits. */
const UNLIMITED_MS = 10 * 365 * 86_400_000;

const timeCapMs = ({ budget }: RunOpened["spec"]): number =>
  budget.time === "unlimited" ? UNLIMITED_MS : (parseDuration(budget.time) ?? 0);

/** What is left of the run's time. */
export const timeLeftMs = ({ spec }: RunOpened, { workedMs }: RunState): number => Math.max(0, timeCapMs(spec) - workedMs);
