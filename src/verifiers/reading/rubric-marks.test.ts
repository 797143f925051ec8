import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelReply } from "../../contract/models.ts";
import { type Rubric, readMarks, weighMarks } from "./rubric-marks.ts";

const RUBRIC: Rubric = {
  dimensions: {
    fidelity: { weight: 3, scale: [0, 1], criteria: "true" },
    style: { weight: 1, scale: [1, 5], criteria: "nice" },
  },
  threshold: 0.6,
  how: "weighted",
};
const NONCE = "n0nce";
const good = { question: NONCE, marks: { fidelity: 0.5, style: 3 }, hints: ["Say where it comes from."] };
const answer = (value: unknown): ModelReply["said"] => ({ kind: "answer", text: "", value });
const text = (words: string): ModelReply["said"] => ({ kind: "text", text: words });

describe("marks by a rubric", () => {
  it("are read from one answer to this question, and brought to one scale", () => {
    const marks = { marks: { fidelity: 0.5, style: 0.5 }, hints: ["Say where it comes from."] };

    for (const said of [answer(good), text(JSON.stringify(good)), text(`<think>hm</think>\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\``)])
      expect(readMarks(said, NONCE, RUBRIC)).toEqual({ kind: "read", marks });
  });

  it.each<readonly [string, ModelReply["said"]]>([
    ["another question", answer({ ...good, question: "other" })],
    ["a dimension that is missing", answer({ ...good, marks: { fidelity: 1 } })],
    ["a dimension too many", answer({ ...good, marks: { ...good.marks, charm: 1 } })],
    ["a mark off its scale", answer({ ...good, marks: { fidelity: 1, style: 6 } })],
    ["a mark that is none", answer({ ...good, marks: { fidelity: "high", style: 3 } })],
    ["more than was asked for", answer({ ...good, verdict: "accept" })],
    ["two answers", text(`${JSON.stringify(good)}\n${JSON.stringify(good)}`)],
    ["an answer in prose", text(`I would say ${JSON.stringify(good)}`)],
    ["calls", { kind: "calls", text: "", calls: [{ id: "1", tool: "marks", input: good }] }],
    ["nothing", text("")],
  ])("are not read from %s", (_, said) => {
    expect(readMarks(said, NONCE, RUBRIC).kind).toBe("unreadable");
  });

  it("come to the median of the judges, with what they disagree in", () => {
    const of = (fidelity: number, style: number) => ({ marks: { fidelity, style }, hints: [] });

    expect(weighMarks([of(1, 1), of(0, 0), of(0.5, 1)], RUBRIC)).toEqual({
      score: 0.625,
      dimensions: { fidelity: 0.5, style: 1 },
      low: 0,
      high: 1,
      missed: ["fidelity"],
    });
    expect(weighMarks([of(0.9, 0.2)], { ...RUBRIC, how: "min" }).score).toBe(0.2);
    // Of two, the lower: doubt counts against.
    expect(weighMarks([of(0, 0), of(1, 1)], RUBRIC).score).toBe(0);
  });

  it("never lie outside of what the judges gave", () => {
    const marks = fc.record({ fidelity: fc.double({ min: 0, max: 1, noNaN: true }), style: fc.double({ min: 0, max: 1, noNaN: true }) });
    fc.assert(
      fc.property(fc.array(marks, { minLength: 1, maxLength: 9 }), (all) => {
        const { score, low, high } = weighMarks(
          all.map((one) => ({ marks: one, hints: [] })),
          RUBRIC,
        );
        expect(score).toBeGreaterThanOrEqual(low);
        expect(score).toBeLessThanOrEqual(high);
      }),
    );
  });
});
