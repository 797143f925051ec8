// Whether a round is enough, whether it is in vain to go on, and which round was the best. Pure.
import type { Proof } from "../contract/evidence.ts";
import { type Metrics, namesForEnds, type RoundMetrics, type Until } from "../contract/measuring.ts";
import { isDecided } from "../contract/proposal.ts";
import type { RunOpened } from "../contract/record.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import type { Because, BestRound, Rest, Verdict } from "../contract/verdict.ts";
import type { RoundState, RunState } from "../journal/fold.ts";
import { tellFigure } from "../std/tell-figure.ts";
import { answerWhen, readWhen, type WhenAnswer } from "../std/when.ts";
import { standsOn } from "./level-of.ts";
import { primaryOf, valuesForEnds, worth } from "./measure-round.ts";
import { type Terms, termsOf } from "./terms.ts";

/** One round as the ends see it. */
export interface Measurement {
  readonly number: number;
  readonly values: RoundMetrics["values"];
  readonly proofs: readonly Proof[];
  /** Whether the checks alone would accept it. */
  readonly holds: boolean;
  readonly because: Because | undefined;
}

export interface EndCase {
  readonly spec: LoopSpec;
  readonly terms: Terms;
  /** Those before it, oldest first; rounds that only asked a question are not among them. */
  readonly past: readonly Measurement[];
  readonly now: Measurement;
  /** Which cap of the run is used up by now, if one is. */
  readonly overrun: string | undefined;
}

/** Whether anything but checks and budget ends runs of this spec. */
export const hasEnds = ({ metrics, until }: Pick<LoopSpec, "metrics" | "until">): boolean => metrics !== undefined || until !== undefined;

/** The verdict of the checks, as the ends have it: what is unsafe first, then the budget, success, failure, and a stall. */
export function endRound(the: EndCase, verdict: Verdict): Verdict {
  if (isUnsafe(verdict)) return hardened(the, "safety", verdict) ?? verdict;
  if (the.overrun !== undefined && (verdict.kind === "accept" || verdict.kind === "retry"))
    return { kind: "halt", because: "budget", reason: the.overrun };
  if (verdict.kind === "accept" && isSuccess(the)) return verdict;
  const fallen = verdict.kind === "accept" ? belowTarget(the) : eased(the, verdict);
  return failed(the, fallen) ?? stalled(the, fallen) ?? fallen;
}

const UNSAFE: readonly Because[] = ["tampering", "injection", "blocked", "outside-level"];

const isUnsafe = (verdict: Verdict): boolean => verdict.kind !== "accept" && UNSAFE.includes(verdict.because);

/** Whether this round alone would be enough. */
export const isEnough = (the: Pick<EndCase, "spec">, round: Measurement): boolean =>
  round.holds && goalsOf(the.spec).every(({ when }) => answerIn(the.spec, when, round) === true);

interface Goal {
  readonly when: string;
  readonly times: number;
}

/** What the spec asks for; else that the primary metric reaches its target; else that the checks hold. */
export function goalsOf({ until, metrics }: Pick<LoopSpec, "until" | "metrics">): readonly Goal[] {
  if (until?.success) return until.success.map(({ when, times = 1 }) => ({ when, times }));
  const primary = primaryOf(metrics);
  const { target, better } = (primary !== undefined && metrics?.[primary]) || {};
  return target === undefined ? [] : [{ when: `${primary} ${better === "lower" ? "<=" : ">="} ${plainNumber(target)}`, times: 1 }];
}

/** The grammar knows no exponents. */
const plainNumber = (figure: number): string => {
  const text = String(figure);
  return text.includes("e") ? figure.toFixed(20).replace(/0+$/, "").replace(/\.$/, "") : text;
};

/** All conditions, each in as many rounds in a row as it says, and the checks hold in all of these. */
const isSuccess = (the: EndCase): boolean => {
  const rounds = [...the.past, the.now];
  return goalsOf(the.spec).every(({ when, times }) => {
    const last = rounds.slice(-times);
    return last.length === times && last.every((round) => round.holds && answerIn(the.spec, when, round) === true);
  });
};

/** What cannot be read was refused with the spec; in one that was not, it is not known. */
function answerIn(spec: LoopSpec, when: string, { values, number, proofs }: Measurement): WhenAnswer {
  const ids = spec.verifiers.flatMap(({ id }) => id ?? []);
  const reading = readWhen(when, namesForEnds(Object.keys(spec.metrics ?? {}), ids));
  return reading.kind === "read" ? answerWhen(reading.when, valuesForEnds(values, number, proofs)) : "unknown";
}

/** The checks hold, and it is not enough yet. */
function belowTarget(the: EndCase): Verdict {
  const { spec, now } = the;
  const missed = goalsOf(spec).filter(({ when }) => answerIn(spec, when, now) !== true);
  const figures = Object.entries(now.values).map(
    ([name, value]) => `${name} ${value === null ? "is not known" : `is ${tellFigure(value)}`}`,
  );
  const why =
    missed.length > 0
      ? `The checks hold, and the goal is not reached: ${missed.map(({ when }) => `\`${when}\``).join(", ")}.`
      : "The checks hold and the goal is reached, and that must be so in more rounds in a row.";
  const best = bestOf(spec, [...the.past, now]);
  const told = [
    why,
    figures.length > 0 ? `In this round ${figures.join(", ")}.` : "",
    best && best.number !== now.number ? tellBest(best) : "",
  ];
  return refuse(the, "below-target", told.filter(Boolean).join(" "));
}

const tellBest = ({ number, value }: { readonly number: number; readonly value: number | null }): string =>
  value === null ? `The first whose checks hold is round ${number}.` : `The best so far is round ${number} with ${tellFigure(value)}.`;

function refuse({ terms, now }: EndCase, because: Because, lesson: string): Verdict {
  return now.number < terms.rounds
    ? { kind: "retry", because, lesson: untrustedText(lesson) }
    : { kind: "escalate", because, reason: lesson };
}

type Failure = NonNullable<Until["fail"]>[number];

const onRule = (spec: LoopSpec, on: string): Extract<Failure, { on: string }> | undefined =>
  (spec.until?.fail ?? []).flatMap((rule) => ("on" in rule && rule.on === on ? [rule] : []))[0];

/** The same end, halted or handed over as the spec says; undefined where it says nothing about it. */
function hardened({ spec }: EndCase, on: string, verdict: Verdict): Verdict | undefined {
  const rule = onRule(spec, on);
  if (!rule || verdict.kind === "accept") return undefined;
  return { kind: rule.then ?? "escalate", because: verdict.because, reason: verdict.kind === "retry" ? verdict.lesson : verdict.reason };
}

/** A check that could not be made may be tried again, if the spec says how often: nothing else is eased. */
function eased(the: EndCase, verdict: Verdict): Verdict {
  if (verdict.kind !== "escalate" || verdict.because !== "cannot-verify") return verdict;
  const times = onRule(the.spec, "cannot-verify")?.times ?? 1;
  const isUnclear = the.now.proofs.some(({ outcome }) => outcome === "unknown");
  return isUnclear && inARow(the, "cannot-verify") < times ? refuse(the, "cannot-verify", verdict.reason) : verdict;
}

/** How many rounds ended like this in a row, this one among them. */
function inARow({ past, now }: EndCase, because: Because): number {
  const rounds = [...past, { ...now, because }];
  const before = rounds.toReversed().findIndex((round) => round.because !== because);
  return before === -1 ? rounds.length : before;
}

function failed(the: EndCase, verdict: Verdict): Verdict | undefined {
  for (const rule of the.spec.until?.fail ?? []) {
    const ended = "on" in rule ? failedOn(the, rule, verdict) : failedWhen(the, rule, verdict);
    if (ended) return ended;
  }
  return undefined;
}

function failedOn(the: EndCase, { on, times = 1 }: Extract<Failure, { on: string }>, verdict: Verdict): Verdict | undefined {
  if (verdict.kind === "accept" || verdict.because !== on || inARow(the, on) < times) return undefined;
  return hardened(the, on, verdict);
}

/** Where nobody can tell whether it holds, it does. */
function failedWhen(
  the: EndCase,
  { when, times = 1, then = "escalate" }: Extract<Failure, { when: string }>,
  verdict: Verdict,
): Verdict | undefined {
  if (verdict.kind !== "retry") return undefined;
  const last = [...the.past, the.now].slice(-times);
  const isMet = last.length === times && last.every((round) => answerIn(the.spec, when, round) !== false);
  return isMet
    ? { kind: then, because: "check-failed", reason: `the spec ends the run when \`${when}\`, and so it is, or nobody can tell` }
    : undefined;
}

function stalled(the: EndCase, verdict: Verdict): Verdict | undefined {
  if (verdict.kind !== "retry") return undefined;
  const rounds = [...the.past, the.now];
  for (const { metric, rounds: within, gain, then = "escalate" } of the.spec.until?.stall ?? [])
    if (isStalled(the.spec.metrics, metric, { rounds, within, gain }))
      return {
        kind: then,
        because: "stalled",
        reason: `${metric} became no better by ${gain} in the last ${within} round(s): more of it would be spent in vain`,
      };
  return undefined;
}

interface StallCase {
  readonly rounds: readonly Pick<Measurement, "values">[];
  readonly within: number;
  readonly gain: number;
}

/** The best of the last rounds against the best of all before them. One nobody could measure is no gain. */
export function isStalled(metrics: Metrics | undefined, metric: string, { rounds, within, gain }: StallCase): boolean {
  if (rounds.length <= within) return false;
  const best = (some: StallCase["rounds"]): number =>
    some.reduce((most, { values }) => Math.max(most, worth(metrics, metric, values[metric] ?? null)), Number.NEGATIVE_INFINITY);
  const [before, lately] = [best(rounds.slice(0, -within)), best(rounds.slice(-within))];
  if (lately === Number.NEGATIVE_INFINITY) return true;
  return before !== Number.NEGATIVE_INFINITY && lately - before < gain;
}

/** The best round whose checks hold: the first of those that nothing was better than. Where the metric was measured in none of them, none is the best. */
export function bestOf(
  { metrics }: Pick<LoopSpec, "metrics">,
  rounds: readonly Pick<Measurement, "number" | "values" | "holds">[],
): { readonly number: number; readonly metric: string | null; readonly value: number | null } | undefined {
  const primary = primaryOf(metrics);
  const valueIn = ({ values }: Pick<Measurement, "values">): number | null => (primary === undefined ? null : (values[primary] ?? null));
  const holding = rounds.filter(({ holds }) => holds);
  const [first, ...others] = holding;
  if (!first) return undefined;
  const worthOf = (round: Pick<Measurement, "values">): number => worth(metrics, primary ?? "", valueIn(round));
  const best = others.reduce((known, round) => (worthOf(round) > worthOf(known) ? round : known), first);
  const value = valueIn(best);
  return primary !== undefined && value === null ? undefined : { number: best.number, metric: primary ?? null, value };
}

/** What earlier rounds measured. One that only asked a question was no try. */
export function measurementsIn({ rounds }: RunState): readonly Measurement[] {
  return rounds.flatMap(({ round: { number }, evidence, verdict }) => {
    if (!verdict || (verdict.kind === "retry" && verdict.because === "question")) return [];
    const { values = {}, holds = false } = evidence?.metrics ?? {};
    const because = verdict.kind === "accept" ? undefined : verdict.because;
    return [{ number, values, holds, proofs: evidence?.proofs ?? [], because }];
  });
}

/** Ends after which the best that was proven is still worth somebody's look. What is unsafe, made up or stopped by a person is not. */
const PROPOSES_BEST: readonly Because[] = [
  "budget",
  "runaway",
  "stalled",
  "below-target",
  "check-failed",
  "cannot-verify",
  "maker-unfinished",
  "gap",
];

/** How the run rests: with the best of its rounds, where it did not end well and one of them holds. */
export function withBest(opened: RunOpened, state: RunState, rest: Rest): Rest {
  const { spec } = opened;
  if (!hasEnds(spec) || rest.kind === "accept" || rest.kind === "nothing-to-do" || !PROPOSES_BEST.includes(rest.because)) return rest;
  const best = bestOf(spec, measurementsIn(state));
  const round = state.rounds.find(({ round: { number } }) => number === best?.number);
  if (!best || !round?.evidence || !termsOf(opened).proposes || !isDecided(round.evidence.proposal)) return rest;
  const roundId = round.round.id;
  const { because, reason } = rest;
  const kept: BestRound = { roundId, ...best, because, reason };
  return { kind: "accept", action: "propose", ...standsOn(round.evidence), best: kept };
}

/** Whether what this round made is better than all before it, and so has to be kept. */
export function isBestYet(spec: LoopSpec, past: readonly Measurement[], now: Measurement): boolean {
  return now.holds && bestOf(spec, [...past, now])?.number === now.number;
}

/** Rounds that were good enough, only not often enough: proposing the same again is then no sign of a stall. */
export const wasEnough = ({ evidence }: Pick<RoundState, "evidence">): boolean => evidence?.metrics?.isEnough === true;
