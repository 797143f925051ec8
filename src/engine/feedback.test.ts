import { describe, expect, it } from "vitest";
import type { Proof } from "../contract/evidence.ts";
import { untrustedText } from "../contract/text.ts";
import type { RoundState } from "../journal/fold.ts";
import { feedbackAfter, lessonsBesides } from "./feedback.ts";

const proof = (more: Partial<Proof> = {}): Proof => ({
  verifier: "check",
  kind: "proof",
  id: "style",
  outcome: "refuted",
  detail: "line one\nline two",
  output: undefined,
  measured: { score: 0.5, threshold: 0.8, values: { depth: 3 }, codes: ["vague"], hints: [untrustedText("Name the file.")] },
  ...more,
});

const roundWith = (proofs: readonly Proof[]): RoundState => ({
  round: { id: "r.1", run: "r", loop: "l", number: 1, base: "b", openedAt: "", lessons: [] },
  steps: [],
  spent: { usd: 0, tokens: 0 },
  did: [],
  kept: undefined,
  failures: [],
  evidence: {
    proposal: { kind: "report", items: [], refs: [], divergence: [], summary: "" },
    findings: [],
    proofs,
    metrics: { values: { quality: 0.5 }, holds: false, isEnough: false },
  },
  verdict: { kind: "retry", because: "check-failed", lesson: untrustedText("everything") },
});

const told = (rule: object, proofs: readonly Proof[] = [proof()]) =>
  feedbackAfter({ feedback: [{ from: "style", tell: ["codes"], ...rule }], metrics: { quality: { from: "style" } } }, [roundWith(proofs)]);

describe("feedback", () => {
  it("tells the chosen fields, and nothing else", () => {
    expect(told({ tell: ["passed", "scores"] })).toEqual([
      { from: "style", to: "maker", text: "style:\ndid not pass\nscore 0.5 of at least 0.8\ndepth 3" },
    ]);
    expect(told({ tell: ["codes", "hints"] })?.[0]?.text).toBe("style:\n- vague\n- Name the file.");
    expect(told({ tell: ["raw"], to: "writer" })).toEqual([{ from: "style", to: "writer", text: "style:\nline one\nline two" }]);
  });

  it("is never longer than the spec says", () => {
    expect(told({ tell: ["raw"], most: 3 })?.[0]?.text).toBe("style:\nli…");
  });

  it("is told when its condition holds, or when nobody can tell", () => {
    expect(told({ when: "score < threshold and quality < 1" })).toHaveLength(1);
    expect(told({ when: "score >= threshold" })).toEqual([]);
    expect(told({ when: "score >= threshold" }, [proof({ measured: {} })])).toHaveLength(1);
    expect(told({ when: "passed" }, [proof({ outcome: "unknown" })])).toHaveLength(1);
  });

  it("says nothing of a look that does not count, nor where the spec asks for nothing", () => {
    expect(told({}, [proof({ room: "own" })])).toEqual([]);
    expect(feedbackAfter({}, [roundWith([proof()])])).toBeUndefined();
  });

  it("takes the place of what verifiers taught, and of no other lesson", () => {
    const unfinished: RoundState = {
      ...roundWith([]),
      verdict: { kind: "retry", because: "maker-unfinished", lesson: untrustedText("it gave up") },
    };

    expect(lessonsBesides([roundWith([proof()]), unfinished])).toEqual(["it gave up"]);
  });
});
