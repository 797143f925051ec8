// A second pair of eyes: a model that did not make the change is asked what it thinks of it.
import * as z from "zod";
import { defineCommitVerifier, type Sight } from "../contract/verifier.ts";
import { displayLine } from "../std/display-text.ts";
import { askJudge, JUDGE_OPTIONS, type Judged } from "./ask-judge.ts";
import type { Opinion } from "./opinion.ts";

export const judge = defineCommitVerifier({
  name: "judge",
  kind: "opinion",
  provesDocuments: true,
  summary:
    "Asks a model that did not make the change. It can sink a proposal and never float one; no answer, or one of no good shape, is no agreement.",
  options: z.strictObject(JUDGE_OPTIONS),
  models: (options) => [options],
  async verify(claim, options, world) {
    const judged = await askJudge(claim, options, world);
    // What passes by itself leaves the round open, so that the maker's work is not lost.
    if (judged.kind === "none" && judged.passes) throw judged.passes;
    return { ...sightOf(judged, options.model), output: await world.desk.keep(judged.transcript) };
  },
});

function sightOf(judged: Judged, model: string): Pick<Sight, "outcome" | "detail"> {
  if (judged.kind === "none") return { outcome: "unknown", detail: `no opinion of ${model}: ${displayLine(judged.why, 500)}` };
  const { verdict } = judged.opinion;
  return {
    outcome: verdict === "unsure" ? "unknown" : verdict,
    detail: [`${model} says: ${verdict}`, ...reasonLines(judged.opinion)].join("\n"),
  };
}

const MOST_REASONS = 20;

/** This becomes the maker's lesson, and is shown to people. */
export const reasonLines = ({ reasons }: Opinion): readonly string[] =>
  reasons.slice(0, MOST_REASONS).map(({ file, line, why }) => `- ${displayLine(file, 200)}:${line}: ${displayLine(why, 500)}`);
