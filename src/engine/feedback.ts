// What the next round is told of this one's verifiers, where the spec says so: chosen fields, to whom it says, within a bound. Pure.
import type { Evidence, Proof } from "../contract/evidence.ts";
import { type Feedback, namesForFeedback, type RoundMetrics } from "../contract/measuring.ts";
import type { Told } from "../contract/round.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { type Untrusted, untrustedText } from "../contract/text.ts";
import type { Because } from "../contract/verdict.ts";
import type { RoundState } from "../journal/fold.ts";
import { tellFigure } from "../std/tell-figure.ts";
import { answerWhen, readWhen, type WhenValue } from "../std/when.ts";

type Rule = Feedback[number];

/** Undefined where the spec says nothing about it: then lessons are what is told. */
export function feedbackAfter(
  { feedback, metrics }: Pick<LoopSpec, "feedback" | "metrics">,
  rounds: readonly RoundState[],
): readonly Told[] | undefined {
  const last = rounds.at(-1);
  if (!feedback || !last?.evidence) return undefined;
  const { evidence, round } = last;
  return feedback.flatMap((rule) => {
    const proof = evidence.proofs.find(({ id, room }) => id === rule.from && room !== "own");
    if (!proof || !isDue(rule, proof, round.number, evidence, Object.keys(metrics ?? {}))) return [];
    return [{ from: rule.from, to: rule.to ?? "maker", text: tellProof(rule, proof) }];
  });
}

/** What nobody can tell is told. */
function isDue({ when }: Rule, proof: Proof, number: number, { metrics }: Evidence, names: readonly string[]): boolean {
  if (when === undefined) return true;
  const reading = readWhen(when, namesForFeedback(names));
  return reading.kind !== "read" || answerWhen(reading.when, valuesIn(proof, number, metrics?.values ?? {})) !== false;
}

const valuesIn =
  ({ measured, outcome }: Proof, number: number, metrics: RoundMetrics["values"]) =>
  (name: string): WhenValue => {
    if (name === "round") return number;
    if (name === "score") return measured?.score ?? null;
    if (name === "threshold") return measured?.threshold ?? null;
    if (name === "passed") return outcome === "unknown" || outcome === "gap" ? null : outcome === "holds";
    return metrics[name] ?? null;
  };

const CHARS_A_TOKEN = 3;
const MOST_TOKENS = 1000;

function tellProof({ from, tell, most = MOST_TOKENS }: Rule, proof: Proof): Untrusted {
  const lines = tell.flatMap((field) => TELL[field](proof));
  const text = [`${from}:`, ...(lines.length === 0 ? ["nothing more is known"] : lines)].join("\n");
  const longest = most * CHARS_A_TOKEN;
  return untrustedText(text.length <= longest ? text : `${text.slice(0, longest)}…`);
}

const TELL: { readonly [field in Rule["tell"][number]]: (proof: Proof) => readonly string[] } = {
  passed: ({ outcome }) => [
    outcome === "holds" ? "passed" : outcome === "unknown" || outcome === "gap" ? "nobody can tell" : "did not pass",
  ],
  scores: ({ measured }) => [
    ...(measured?.score === undefined
      ? []
      : [`score ${tellFigure(measured.score)}${measured.threshold === undefined ? "" : ` of at least ${tellFigure(measured.threshold)}`}`]),
    ...Object.entries(measured?.values ?? {}).map(([name, value]) => `${name} ${tellFigure(value)}`),
  ],
  codes: ({ measured }) => (measured?.codes ?? []).map((code) => `- ${code}`),
  hints: ({ measured }) => (measured?.hints ?? []).map((hint) => `- ${hint}`),
  raw: ({ detail }) => [detail],
};

/** Lessons that no verifier taught are told all the same. */
const OF_VERIFIERS: readonly Because[] = ["check-failed", "below-target", "cannot-verify", "rejected"];

export const lessonsBesides = (rounds: readonly RoundState[]): readonly Untrusted[] =>
  rounds.flatMap(({ verdict }) => (verdict?.kind === "retry" && !OF_VERIFIERS.includes(verdict.because) ? [verdict.lesson] : []));
