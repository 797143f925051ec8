import { describe, expect, it } from "vitest";
import type { Proof } from "../contract/evidence.ts";
import { Team } from "../contract/spec.ts";
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
  feedbackAfter(
    {
      feedback: [{ from: "style", tell: ["codes"], ...rule }],
      metrics: { quality: { from: "style" } },
      verifiers: [{ use: "check", id: "style" }],
      team: undefined,
    },
    [roundWith(proofs)],
  );

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
    expect(feedbackAfter({ verifiers: [{ use: "check" }] }, [roundWith([proof()])])).toBeUndefined();
  });

  it("takes the place of what verifiers taught, and of no other lesson", () => {
    const unfinished: RoundState = {
      ...roundWith([]),
      verdict: { kind: "retry", because: "maker-unfinished", lesson: untrustedText("it gave up") },
    };

    expect(lessonsBesides({ feedback: [] }, [roundWith([proof()]), unfinished])).toEqual(["it gave up"]);
  });
});

describe("in a team", () => {
  const team = Team.parse({
    workers: {
      plan: { role: "Plan.", use: "shell", gives: { as: "json" } },
      code: { role: "Code.", use: "shell", gives: { as: "commit" } },
      critic: { role: "Doubt.", use: "shell", gives: { as: "json" } },
    },
    proposes: ["code"],
  });
  const verifiers = [
    { use: "check", id: "style", of: ["plan"] },
    { use: "command", id: "tests" },
  ];
  const worker = (id: string, more: object = {}) => ({ id, use: "shell", ended: "made" as const, tries: 1, ...more });
  const proposal = {
    kind: "commit" as const,
    commit: "c",
    tree: "t",
    changes: [],
    diff: { sha256: "d", bytes: 0, truncated: false },
    talk: { ended: "finished" as const, summary: untrustedText("") },
    team: { workers: [worker("plan"), worker("critic", { says: { gaps: "- none", raw: "{}" } })], joins: [], conflicts: [] },
  };
  const round = (proofs: readonly Proof[]): RoundState => {
    const known = roundWith(proofs);
    return { ...known, evidence: { ...known.evidence!, proposal } };
  };

  it("goes without further words to whose work was looked at, and from a worker in the fields that were chosen", () => {
    const feedback = [
      { from: "style", tell: ["codes"] },
      { from: "tests", tell: ["passed"] },
      { from: "critic", to: "plan", tell: ["gaps", "missing"], when: "round > 0" },
    ];

    expect(feedbackAfter({ team, verifiers, feedback }, [round([proof(), proof({ id: "tests" })])])).toEqual([
      { from: "style", to: "plan", text: "style:\n- vague" },
      { from: "tests", to: "code", text: "tests:\ndid not pass" },
      { from: "critic", to: "plan", text: "critic:\ngaps: - none" },
    ]);
  });

  it("is by default what each check refused, told to those that it looked at, and to everybody where that is the proposal", () => {
    const refused = round([proof({ of: ["plan"], detail: "no steps" }), proof({ id: "tests", detail: "1 failed" })]);
    const unfinished: RoundState = {
      ...round([]),
      verdict: { kind: "retry", because: "maker-unfinished", lesson: untrustedText("it gave up") },
    };

    expect(feedbackAfter({ team, verifiers }, [refused, unfinished])).toEqual([
      { from: "style", to: "plan", text: "style: no steps" },
      ...["plan", "code", "critic"].map((to) => ({ from: "tests", to, text: "tests: 1 failed" })),
    ]);
    expect(lessonsBesides({}, [refused, unfinished])).toEqual(["it gave up"]);
    expect(feedbackAfter({ team, verifiers: [{ use: "command" }] }, [refused])).toBeUndefined();
  });
});
