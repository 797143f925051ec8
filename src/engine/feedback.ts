// What the next round is told of this one's verifiers, where the spec says so: chosen fields, to whom it says, within a bound. Pure.
import type { Evidence, Proof } from "../contract/evidence.ts";
import { type Feedback, namesForFeedback, type RoundMetrics } from "../contract/measuring.ts";
import { factsOf, type WorkerFact } from "../contract/proposal.ts";
import type { Told } from "../contract/round.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { membersOf } from "../contract/team-graph.ts";
import { type Untrusted, untrustedText } from "../contract/text.ts";
import type { Because } from "../contract/verdict.ts";
import type { RoundState } from "../journal/fold.ts";
import { tellFigure } from "../std/tell-figure.ts";
import { answerWhen, readWhen, type WhenValue } from "../std/when.ts";
import { CHARS_A_TOKEN, MOST_TOLD_TOKENS } from "./worker-fields.ts";

type Rule = Feedback[number];

type Telling = Pick<LoopSpec, "feedback" | "metrics" | "team" | "verifiers">;

/** Undefined where the spec says nothing about it: then lessons are what is told. */
export function feedbackAfter(spec: Telling, rounds: readonly RoundState[]): readonly Told[] | undefined {
  const { feedback } = spec;
  const last = rounds.at(-1);
  if (!feedback) return lessonsByWorker(spec, rounds);
  if (!last?.evidence) return undefined;
  const { evidence, round } = last;
  return feedback.flatMap((rule) => {
    const source = sourceOf(spec, rule, evidence);
    if (!source || !isDue(rule, source, round.number, evidence, Object.keys(spec.metrics ?? {}))) return [];
    const text = tellSource(rule, source);
    return hearersOf(spec, rule).map((to) => ({ from: rule.from, to, text }));
  });
}

/** What is told of: what a verifier saw, or what a worker handed over. */
type Source =
  | { readonly of: "verifier"; readonly proof: Proof }
  | { readonly of: "worker"; readonly says: NonNullable<WorkerFact["says"]> };

function sourceOf({ team }: Telling, { from }: Rule, { proofs, proposal }: Evidence): Source | undefined {
  if (team && Object.hasOwn(team.workers, from)) {
    const says = factsOf(proposal).team?.workers.find(({ id }) => id === from)?.says;
    return says && { of: "worker", says };
  }
  const proof = proofs.find(({ id, room }) => id === from && room !== "own");
  return proof && { of: "verifier", proof };
}

/** Whom it is for, where the rule does not say so: whose work was looked at. */
function hearersOf({ team, verifiers }: Telling, { from, to }: Rule): readonly string[] {
  if (to !== undefined) return [to];
  if (!team) return ["maker"];
  const { of } = verifiers.find(({ id }) => id === from) ?? {};
  return of ?? [...new Set(team.proposes.flatMap((name) => membersOf(team, name)))];
}

/** Where a team's checks look at some workers' results, what they refused goes to these; undefined where none does, or it is nobody's. */
function lessonsByWorker({ team, verifiers }: Telling, rounds: readonly RoundState[]): readonly Told[] | undefined {
  if (!team || verifiers.every(({ of }) => of === undefined)) return undefined;
  return rounds.slice(-MOST_ROUNDS).flatMap((round) =>
    refusedIn(round).flatMap(({ verifier, id = verifier, detail, of }) =>
      (of ?? ofInSpec(verifiers, id) ?? Object.keys(team.workers)).map((to) => ({
        from: id,
        to,
        text: untrustedText(`${id}: ${detail.slice(0, MOST_DETAIL)}`),
      })),
    ),
  );
}

const MOST_ROUNDS = 20;
const MOST_DETAIL = 6_000;

const ofInSpec = (verifiers: Telling["verifiers"], name: string): readonly string[] | undefined =>
  verifiers.find(({ id }) => id === name)?.of;

/** The checks that a round was refused by. */
const refusedIn = ({ evidence, verdict }: RoundState): readonly Proof[] =>
  verdict?.kind === "retry" && OF_VERIFIERS.includes(verdict.because)
    ? (evidence?.proofs ?? []).filter(({ outcome, room }) => outcome !== "holds" && room !== "own")
    : [];

/** What nobody can tell is told. */
function isDue({ when }: Rule, source: Source, number: number, { metrics }: Evidence, names: readonly string[]): boolean {
  if (when === undefined) return true;
  const reading = readWhen(when, namesForFeedback(names, source.of));
  const values = valuesIn(source.of === "verifier" ? source.proof : undefined, number, metrics?.values ?? {});
  return reading.kind !== "read" || answerWhen(reading.when, values) !== false;
}

const valuesIn =
  (proof: Proof | undefined, number: number, metrics: RoundMetrics["values"]) =>
  (name: string): WhenValue => {
    if (name === "round") return number;
    if (!proof) return metrics[name] ?? null;
    const { measured, outcome } = proof;
    if (name === "score") return measured?.score ?? null;
    if (name === "threshold") return measured?.threshold ?? null;
    if (name === "passed") return outcome === "unknown" || outcome === "gap" ? null : outcome === "holds";
    return metrics[name] ?? null;
  };

function tellSource({ from, tell, most = MOST_TOLD_TOKENS }: Rule, source: Source): Untrusted {
  const lines = tell.flatMap((field) => (source.of === "worker" ? tellField(field, source.says) : (TELL[field]?.(source.proof) ?? [])));
  const text = [`${from}:`, ...(lines.length === 0 ? ["nothing more is known"] : lines)].join("\n");
  const longest = most * CHARS_A_TOKEN;
  return untrustedText(text.length <= longest ? text : `${text.slice(0, longest)}…`);
}

function tellField(field: string, says: NonNullable<WorkerFact["says"]>): readonly string[] {
  const words = Object.hasOwn(says, field) ? says[field] : undefined;
  return words === undefined ? [] : field === "raw" ? [words] : [`${field}: ${words}`];
}

/** One for each of `TELLABLE`. */
const TELL: { readonly [field: string]: (proof: Proof) => readonly string[] } = {
  passed: ({ outcome }) => [
    outcome === "holds" ? "passed" : outcome === "unknown" || outcome === "gap" ? "nobody can tell" : "did not pass",
  ],
  scores: ({ measured }) => [
    ...(measured?.score === undefined
      ? []
      : [`score ${tellFigure(measured.score)}${measured.threshold === undefined ? "" : ` of at least ${tellFigure(measured.threshold)}`}`]),
    ...tellValues(measured),
  ],
  dimensions: ({ measured }) => tellValues(measured),
  codes: ({ measured }) => (measured?.codes ?? []).map((code) => `- ${code}`),
  hints: ({ measured }) => (measured?.hints ?? []).map((hint) => `- ${hint}`),
  raw: ({ detail }) => [detail],
};

const tellValues = (measured: Proof["measured"]): readonly string[] =>
  Object.entries(measured?.values ?? {}).map(([name, value]) => `${name} ${tellFigure(value)}`);

/** Lessons that no verifier taught are told all the same. */
const OF_VERIFIERS: readonly Because[] = ["check-failed", "below-target", "cannot-verify", "rejected"];

export const lessonsBesides = ({ feedback }: Pick<LoopSpec, "feedback">, rounds: readonly RoundState[]): readonly Untrusted[] =>
  rounds.flatMap((round) => {
    const { verdict } = round;
    if (verdict?.kind !== "retry") return [];
    const isTold = feedback ? OF_VERIFIERS.includes(verdict.because) : refusedIn(round).length > 0;
    return isTold ? [] : [verdict.lesson];
  });
