import { expect, it } from "vitest";
import type { DiffFinding } from "../guard/diff/scan.ts";
import { recordFindings } from "./scan-change.ts";

const finding: DiffFinding = {
  rule: "test-removed",
  severity: "high",
  confidence: "high",
  file: "a.test.js",
  line: 7,
  what: "lost a test",
  why: "Put it back.",
  before: "x".repeat(5_000),
};

it("records where, with the lines it is about, cut to a size", () => {
  expect(recordFindings([finding, { ...finding, line: undefined }])).toEqual([
    {
      rule: "test-removed",
      severity: "high",
      where: "a.test.js:7 lost a test",
      why: "Put it back.",
      confidence: "high",
      file: "a.test.js",
      line: 7,
      before: "x".repeat(600),
    },
    {
      rule: "test-removed",
      severity: "high",
      where: "a.test.js lost a test",
      why: "Put it back.",
      confidence: "high",
      file: "a.test.js",
      before: "x".repeat(600),
    },
  ]);
});

it("keeps the first fifty, and says how many more there were and how grave", () => {
  const many = Array.from({ length: 60 }, (_, index): DiffFinding => ({ ...finding, severity: index < 55 ? "high" : "low" }));

  const recorded = recordFindings(many);

  expect(recorded).toHaveLength(51);
  expect(recorded.at(-1)).toEqual({
    rule: "more-findings",
    severity: "high",
    where: "10 more",
    why: "See all of them with `lw scan-diff`.",
  });
});
