import { expect, it } from "vitest";
import { atTheirPlace } from "./at-their-place.ts";
import type { Fate } from "./translation.ts";

const fate = (path: string, line: number, to: string): Fate => ({ kind: "translated", path, line, col: 3, to, why: "" });
const FATES = [
  fate("inputs.schema.tone", 8, "inputs.tone"),
  fate("feedback_channels[0]", 20, ""),
  fate("feedback_channels[1]", 21, "feedback"),
  fate("feedback_channels[1].when", 22, "feedback"),
  fate("feedback_channels[2]", 24, "feedback"),
  fate("metrics[0]", 30, "metrics.quality"),
];

it.each([
  ["inputs.tone.default", "inputs.schema.tone:8"],
  ["feedback[0].when", "feedback_channels[1]:21"],
  ["feedback[1].when", "feedback_channels[2]:24"],
  ["metrics", "metrics[0]:30"],
  ["inputs.tones", "inputs.tones:1"],
])("tells of %s where the file says it", (path, expected) => {
  const problem = { file: "a.yaml", line: 99, col: 9, path, problem: "is wrong", instead: "Mend it." };

  const [told] = atTheirPlace("a.yaml", [problem], FATES);

  expect(`${told?.path}:${told?.line}`).toBe(expected);
  expect(atTheirPlace("a.yaml", [{ ...problem, file: "child.yaml" }], FATES)).toEqual([{ ...problem, file: "child.yaml" }]);
});
