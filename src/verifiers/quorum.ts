// Several judges, each on its own: what enough of them agree on counts, and disagreement goes to a human.
import * as z from "zod";
import { defineCommitVerifier, type Sight } from "../contract/verifier.ts";
import { displayLine } from "../std/display-text.ts";
import { compareModels } from "../std/model-names.ts";
import { askJudge, JUDGE_OPTIONS, type Judged } from "./ask-judge.ts";
import { reasonLines } from "./judge.ts";

const options = z
  .strictObject({
    judges: z
      .array(z.strictObject(JUDGE_OPTIONS))
      .min(2)
      .max(9)
      .meta({ description: "The judges, each with the options of `judge`. None sees what another says." }),
    agree: z
      .int()
      .min(2)
      .meta({ description: "How many of them must say the same: more than half.", examples: [2] }),
  })
  .refine(({ judges, agree }) => agree <= judges.length && agree * 2 > judges.length, {
    error: "must be more than half of the judges, and not more than there are",
    path: ["agree"],
  })
  .superRefine(({ judges }, context) => {
    for (const [at, { model }] of judges.entries()) {
      const twin = judges.slice(0, at).find((before) => compareModels(before.model, model) !== "other");
      if (twin) context.addIssue({ code: "custom", path: ["judges", at, "model"], message: notAnother(model, twin.model) });
    }
  });

/** Two names of one model are one voice, and so are two that may be. */
const notAnother = (model: string, before: string): string =>
  compareModels(model, before) === "same"
    ? `must each be another model, and ${model} is ${before} under another name or once more: one that is asked twice has one voice`
    : `must each be another model, and nobody can tell whether ${model} is ${before}: name both in full, or ask another one`;

export const quorum = defineCommitVerifier({
  name: "quorum",
  kind: "opinion",
  provesDocuments: true,
  summary: "Asks several judges, each on its own, and says what enough of them agree on. Where they disagree a human must look.",
  options,
  models: ({ judges, agree }) => (agree === judges.length ? judges : []),
  async verify(claim, { judges, agree }, world) {
    const voices: Voice[] = [];
    for (const judge of judges) voices.push({ model: judge.model, judged: await askJudge(claim, judge, world) });
    const sight = countVoices(voices, agree);
    const passes = voices.map(({ judged }) => (judged.kind === "none" ? judged.passes : undefined)).find((error) => error !== undefined);
    // Those who were only busy or away may still be heard; that is worth waiting for where it would decide.
    if (sight.outcome === "unknown" && passes) throw passes;
    return { ...sight, output: await world.desk.keep(voices.map(({ judged }) => judged.transcript).join("\n\n")) };
  },
});

interface Voice {
  readonly model: string;
  readonly judged: Judged;
}

/**
 * Who is missing or unsure agrees with nobody. Judges who contradict each other are two equal checks that disagree, which is a gap;
 * where nobody contradicts and too many are silent, nobody could tell.
 */
function countVoices(voices: readonly Voice[], agree: number): Pick<Sight, "outcome" | "detail"> {
  const count = (verdict: string): number => voices.filter(({ judged }) => said(judged) === verdict).length;
  const [held, refuted] = [count("holds"), count("refuted")];
  const silent = voices.length - held - refuted;
  const outcome = held >= agree ? "holds" : refuted >= agree ? "refuted" : held > 0 && refuted > 0 ? "gap" : "unknown";
  const counted = `${held} of ${voices.length} judges say holds, ${refuted} refuted, ${silent} nothing; ${agree} must agree`;
  return { outcome, detail: [counted, ...voices.flatMap(voiceLines)].join("\n") };
}

const said = (judged: Judged): string => (judged.kind === "opinion" ? judged.opinion.verdict : "none");

const voiceLines = ({ model, judged }: Voice): readonly string[] =>
  judged.kind === "none"
    ? [`no opinion of ${model}: ${displayLine(judged.why, 300)}`]
    : [`${model} says: ${judged.opinion.verdict}`, ...reasonLines(judged.opinion)];
