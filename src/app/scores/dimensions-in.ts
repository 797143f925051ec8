// A score as it is printed: each dimension with what it stands on and what it weighs.
import type { DimensionScore, LintAnswer } from "../../contract/score.ts";
import { perDimension, WEIGHTS } from "../../scoring/les/dimensions.ts";
import type { Measure, Score } from "../../scoring/les/score.ts";

type Printed = Pick<LintAnswer, "score" | "display" | "band" | "label" | "dimensions">;

export const dimensionsIn = ({ score, display, band, label, dimensions }: Omit<Score, "runs" | "interval">): Printed => ({
  score,
  display,
  band,
  label,
  dimensions: perDimension((dimension) => printed(dimensions[dimension], WEIGHTS[dimension])),
});

function printed(measure: Measure, weight: number): DimensionScore {
  switch (measure.kind) {
    case "measured":
      return { basis: "measured", value: measure.value, raw: measure.raw, runs: measure.runs, weight, how: measure.how };
    case "estimated":
      return { basis: "estimated", value: measure.value, weight, how: measure.how };
    case "missing":
      return { basis: "missing", weight, why: measure.why };
  }
}
