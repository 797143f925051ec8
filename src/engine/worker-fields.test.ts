import { expect, it } from "vitest";
import { takeFields } from "./worker-fields.ts";

const spec = {
  metrics: {
    quality: { from: "plan.marks.quality" },
    sure: { from: "plan.sure" },
    cost: { from: "plan.round.usd" },
    text: { from: "plan.title" },
    other: { from: "planner.marks" },
  },
  feedback: [
    { from: "plan", to: "code", tell: ["title", "gaps", "marks", "__proto__"], most: 4 },
    { from: "plan", to: "critic", tell: ["title"], most: 1 },
  ],
};

it("takes figures and words that the spec asks for, within their bounds, and nothing else", () => {
  const text = JSON.stringify({ marks: { quality: 0.5 }, sure: true, title: "a title that is long", gaps: ["one", { a: 1 }], more: 1 });

  expect(takeFields(spec, "plan", text)).toEqual({
    figures: { "marks.quality": 0.5, sure: 1 },
    says: { title: "a title that", gaps: '- one\n- {"a"', marks: '{"quality":0' },
  });
});

it("takes nothing of what is no JSON, but its words where all of them are asked for", () => {
  expect(takeFields(spec, "plan", "{nope")).toEqual({});
  expect(takeFields({ feedback: [{ from: "plan", to: "code", tell: ["raw"] }] }, "plan", "# Plan")).toEqual({ says: { raw: "# Plan" } });
});
