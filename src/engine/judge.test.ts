import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BoxFact } from "../contract/commands.ts";
import type { Evidence, Finding, Proof, Severity } from "../contract/evidence.ts";
import type { Proposal } from "../contract/proposal.ts";
import { LoopSpec } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import { type Case, judge } from "./judge.ts";
import { aloneOn, levelOf, whyHeldBack } from "./level-of.ts";

const specOf = (about: { level?: string; rounds?: number; tampering?: string } = {}): LoopSpec =>
  LoopSpec.parse({
    name: "keep-green",
    intent: "Keep main green.",
    level: about.level ?? "L2",
    maker: { use: "shell" },
    verifiers: [{ use: "command" }],
    budget: { rounds: about.rounds ?? 3 },
    gate: { tampering: about.tampering ?? "escalate" },
  });

const caseOf = (about: Partial<Case> = {}): Case => {
  const spec = about.spec ?? specOf();
  return { spec, terms: { rounds: spec.budget.rounds, want: "any", proposes: true }, roundNumber: 1, triedTrees: [], ...about };
};

const change = { path: "src/a.ts", before: undefined, after: { mode: "100644", blob: "b2" } };
const commitOf = (
  about: { ended?: "finished" | "gave-up"; changes?: readonly (typeof change)[]; tree?: string; box?: BoxFact } = {},
): Proposal => ({
  kind: "commit",
  commit: "c0ffee",
  tree: about.tree ?? "7ree",
  changes: about.changes ?? [change],
  diff: { sha256: "", bytes: 0, truncated: false },
  talk: { ended: about.ended ?? "finished", summary: untrustedText("I was told to stop") },
  ...(about.box ? { box: about.box } : {}),
});
const report: Proposal = { kind: "report", items: [], refs: [], divergence: [], summary: "" };
const proofOf = (outcome: Proof["outcome"], kind: Proof["kind"] = "proof"): Proof => ({
  verifier: kind === "proof" ? "command" : "review",
  kind,
  outcome,
  detail: `it ${outcome}`,
  output: undefined,
});
const findingOf = (severity: Severity): Finding => ({
  rule: "test-removed",
  severity,
  where: "a.test.ts was deleted",
  why: "Put it back.",
});
const evidenceOf = (about: Partial<Evidence> = {}): Evidence => ({
  proposal: commitOf(),
  findings: [],
  proofs: [proofOf("holds")],
  ...about,
});

const SEAL = { restored: ["test/a.js"], dropped: ["conftest.py"] };
const sealedProof = (outcome: Proof["outcome"]): Proof => ({ ...proofOf(outcome), room: "sealed" });
const ownProof = (outcome: Proof["outcome"]): Proof => ({ ...proofOf(outcome), room: "own" });

const lastRound = { roundNumber: 3 };
const TAMPERED = "test-removed: a.test.ts was deleted. Put it back.";

it.each<readonly [string, Partial<Case>, Partial<Evidence>, ReturnType<typeof judge>]>([
  [
    "two equivalent checks that disagree are for a human, whatever else holds or fails",
    {},
    { proofs: [proofOf("holds"), proofOf("refuted"), proofOf("gap")] },
    { kind: "escalate", because: "gap", reason: "command: it gap" },
  ],
  [
    "a gap that somebody only thinks to see is for a human too",
    {},
    { proofs: [proofOf("holds"), proofOf("gap", "opinion")] },
    { kind: "escalate", because: "gap", reason: "review: it gap" },
  ],
  ["a proven change is proposed", {}, {}, { kind: "accept", action: "propose" }],
  [
    "a change of sealed files that holds both ways is proposed",
    {},
    { seal: SEAL, proofs: [sealedProof("holds"), ownProof("holds")] },
    { kind: "accept", action: "propose" },
  ],
  [
    "a change that holds only with its own sealed files is for a human",
    {},
    { seal: SEAL, proofs: [sealedProof("refuted"), ownProof("holds")] },
    {
      kind: "escalate",
      because: "seal",
      reason:
        "it passes only with its own version of sealed files (test/a.js, conftest.py); with base's version: command (with base's version of the sealed files): it refuted",
    },
  ],
  [
    "a moved test that does not compile beside its old self, and holds without it, is for a human, who sees the files",
    {},
    { seal: SEAL, proofs: [sealedProof("unknown"), ownProof("holds")] },
    {
      kind: "escalate",
      because: "seal",
      reason:
        "it passes only with its own version of sealed files (test/a.js, conftest.py); with base's version: command (with base's version of the sealed files): it unknown",
    },
  ],
  [
    "a change that breaks its own sealed files is refused",
    {},
    { seal: SEAL, proofs: [sealedProof("holds"), ownProof("refuted")] },
    {
      kind: "retry",
      because: "check-failed",
      lesson: untrustedText("command (with its own version of the sealed files): it refuted"),
    },
  ],
  [
    "what holds only in the proposal's own room proves nothing",
    {},
    { seal: SEAL, proofs: [ownProof("holds")] },
    { kind: "escalate", because: "cannot-verify", reason: "no proof holds: nothing was shown" },
  ],
  [
    "what holds only of what a worker made proves nothing",
    {},
    { proofs: [{ ...proofOf("holds"), of: ["plan"] }] },
    { kind: "escalate", because: "cannot-verify", reason: "no proof holds: nothing was shown" },
  ],
  [
    "what a check of a worker's result held back is refused by what the check says",
    {},
    { proposal: commitOf({ ended: "gave-up", changes: [] }), proofs: [{ ...proofOf("refuted"), of: ["plan"] }] },
    { kind: "retry", because: "check-failed", lesson: untrustedText("command (of plan): it refuted") },
  ],
  [
    "what nobody could check held it back for a human",
    {},
    { proposal: commitOf({ ended: "gave-up", changes: [] }), proofs: [{ ...proofOf("unknown"), of: ["plan"] }] },
    { kind: "escalate", because: "cannot-verify", reason: "command (of plan): it unknown" },
  ],
  [
    "a proven change of an L3 loop is proposed too: nothing acts alone",
    { spec: specOf({ level: "L3" }) },
    {},
    { kind: "accept", action: "propose" },
  ],
  ["a proven report is reported", {}, { proposal: report }, { kind: "accept", action: "report" }],
  [
    "a proven report of an L1 loop is reported",
    { spec: specOf({ level: "L1" }) },
    { proposal: report },
    { kind: "accept", action: "report" },
  ],
  [
    "a proven change of an L1 loop is beyond its level",
    { spec: specOf({ level: "L1" }) },
    {},
    { kind: "escalate", because: "outside-level", reason: "an L1 loop may only report, and its maker proposed a change" },
  ],
  [
    "a proven change that removes a test is tampering",
    {},
    { findings: [findingOf("high")] },
    { kind: "escalate", because: "tampering", reason: TAMPERED },
  ],
  [
    "so is a critical one",
    {},
    { findings: [findingOf("low"), findingOf("critical")] },
    { kind: "escalate", because: "tampering", reason: TAMPERED },
  ],
  [
    "lesser findings are told and sink nothing",
    {},
    { findings: [findingOf("medium"), findingOf("low")] },
    { kind: "accept", action: "propose" },
  ],
  [
    "tampering may be tried again where the gate says so",
    { spec: specOf({ tampering: "retry" }) },
    { findings: [findingOf("high")] },
    { kind: "retry", because: "tampering", lesson: untrustedText(TAMPERED) },
  ],
  [
    "but not with the same tree",
    { spec: specOf({ tampering: "retry" }), triedTrees: ["7ree"] },
    { findings: [findingOf("high")] },
    { kind: "escalate", because: "tampering", reason: TAMPERED },
  ],
  [
    "and not in the last round",
    { spec: specOf({ tampering: "retry" }), ...lastRound },
    { findings: [findingOf("high")] },
    { kind: "escalate", because: "tampering", reason: TAMPERED },
  ],
  [
    "a maker that gave up is tried again",
    {},
    { proposal: commitOf({ ended: "gave-up" }), proofs: [] },
    { kind: "retry", because: "maker-unfinished", lesson: untrustedText("The maker did not finish: I was told to stop") },
  ],
  [
    "unless it was the last round",
    lastRound,
    { proposal: commitOf({ ended: "gave-up" }), proofs: [] },
    { kind: "escalate", because: "maker-unfinished", reason: "The maker did not finish: I was told to stop" },
  ],
  [
    "the same tree again is stalled, whatever the checks say now",
    { triedTrees: ["7ree"] },
    {},
    { kind: "escalate", because: "stalled", reason: "the maker proposed exactly what an earlier round already refuted" },
  ],
  [
    "a change of nothing is refused",
    {},
    { proposal: commitOf({ changes: [] }), proofs: [] },
    { kind: "retry", because: "check-failed", lesson: untrustedText("The maker changed nothing.") },
  ],
  [
    "a fabrication is handed over at once",
    {},
    { proofs: [proofOf("holds"), proofOf("fabricated")] },
    { kind: "escalate", because: "fabricated", reason: "command: it fabricated" },
  ],
  [
    "what could not be checked is handed over at once",
    {},
    { proofs: [proofOf("holds"), proofOf("unknown")] },
    { kind: "escalate", because: "cannot-verify", reason: "command: it unknown" },
  ],
  [
    "a failed check is a lesson",
    {},
    { proofs: [proofOf("refuted"), proofOf("holds")] },
    { kind: "retry", because: "check-failed", lesson: untrustedText("command: it refuted") },
  ],
  [
    "and in the last round a human's",
    lastRound,
    { proofs: [proofOf("refuted")] },
    { kind: "escalate", because: "check-failed", reason: "command: it refuted" },
  ],
  [
    "no proof at all proves nothing",
    {},
    { proofs: [] },
    { kind: "escalate", because: "cannot-verify", reason: "no proof holds: nothing was shown" },
  ],
  [
    "opinions alone prove nothing",
    {},
    { proofs: [proofOf("holds", "opinion")] },
    { kind: "escalate", because: "cannot-verify", reason: "no proof holds: nothing was shown" },
  ],
  [
    "an opinion can sink what is proven",
    {},
    { proofs: [proofOf("holds"), proofOf("refuted", "opinion")] },
    { kind: "retry", because: "check-failed", lesson: untrustedText("review: it refuted") },
  ],
  [
    "an unsure opinion too",
    {},
    { proofs: [proofOf("holds"), proofOf("unknown", "opinion")] },
    { kind: "escalate", because: "cannot-verify", reason: "review: it unknown" },
  ],
])("%s", (_, the, evidence, verdict) => {
  expect(judge(caseOf(the), evidenceOf(evidence))).toEqual(verdict);
});

describe("whatever the evidence", () => {
  const outcomes = ["holds", "refuted", "fabricated", "gap", "unknown"] as const;
  const proofs = fc.array(
    fc.record({ kind: fc.constantFrom("proof" as const, "opinion" as const), outcome: fc.constantFrom(...outcomes) }),
    { maxLength: 4 },
  );
  const proposals = fc.oneof(
    fc.constant(report),
    fc
      .record({
        ended: fc.constantFrom("finished" as const, "gave-up" as const),
        changes: fc.constantFrom([], [change]),
        tree: fc.constantFrom("7ree", "other"),
      })
      .map(commitOf),
  );
  const evidences = fc.record({
    proposal: proposals,
    findings: fc.array(fc.constantFrom<Severity>("critical", "high", "medium", "low").map(findingOf), { maxLength: 3 }),
    proofs: proofs.map((some) => some.map(({ outcome, kind }) => proofOf(outcome, kind))),
  });
  const cases = fc.record({
    spec: fc
      .record({
        level: fc.constantFrom("L1", "L2", "L3"),
        tampering: fc.constantFrom("escalate", "retry"),
        rounds: fc.integer({ min: 1, max: 3 }),
      })
      .map(specOf),
    roundNumber: fc.integer({ min: 1, max: 4 }),
    triedTrees: fc.subarray(["7ree"]),
  });

  it("accepts nothing without a proof that holds, and nothing against which anything speaks", () => {
    fc.assert(
      fc.property(cases, evidences, (about, evidence) => {
        const the = caseOf(about);
        const verdict = judge(the, evidence);
        if (verdict.kind !== "accept") return;
        expect(evidence.proofs.some(({ kind, outcome }) => kind === "proof" && outcome === "holds")).toBe(true);
        expect(evidence.proofs.every(({ outcome }) => outcome === "holds")).toBe(true);
        expect(evidence.findings.filter(({ severity }) => severity === "critical" || severity === "high")).toEqual([]);
        if (evidence.proposal.kind === "commit")
          expect([evidence.proposal.talk.ended, evidence.proposal.changes.length > 0]).toEqual(["finished", true]);
        expect(verdict.action).toBe(evidence.proposal.kind === "commit" ? "propose" : "report");
        expect(the.spec.level === "L1" && evidence.proposal.kind === "commit").toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it("an opinion never floats what would sink without it", () => {
    fc.assert(
      fc.property(cases, evidences, (about, evidence) => {
        const the = caseOf(about);
        const without = judge(the, { ...evidence, proofs: evidence.proofs.filter(({ kind }) => kind === "proof") });
        if (judge(the, evidence).kind === "accept") expect(without.kind).toBe("accept");
      }),
    );
  });

  it("never asks for another round after the last", () => {
    fc.assert(
      fc.property(cases, evidences, (about, evidence) => {
        const the = caseOf(about);
        if (judge(the, evidence).kind === "retry") expect(the.roundNumber).toBeLessThan(the.spec.budget.rounds);
      }),
    );
  });
});

describe("the level that counts", () => {
  const boxed: BoxFact = { kind: "bubblewrap", network: "closed", writes: [], hides: [] };
  const none: BoxFact = { kind: "none", why: "bubblewrap (bwrap) is not on the PATH" };
  const evidenceIn = (maker: BoxFact | undefined, verifier: BoxFact | undefined): Evidence => ({
    proposal: commitOf(maker ? { box: maker } : {}),
    findings: [],
    proofs: [{ ...proofOf("holds"), ...(verifier ? { box: verifier } : {}) }],
  });

  it.each<readonly [string, BoxFact | undefined, BoxFact | undefined, string]>([
    ["is the spec's where every command was in a box", boxed, boxed, "L3"],
    ["is the spec's where no command was run", { kind: "unused" }, { kind: "unused" }, "L3"],
    ["is L2 where the maker had no box", none, boxed, "L2"],
    ["is L2 where a verifier had no box", boxed, none, "L2"],
    ["is L2 where nothing is said about a box", undefined, boxed, "L2"],
  ])("%s", (_, maker, verifier, level) => {
    expect(levelOf(specOf({ level: "L3" }), evidenceIn(maker, verifier))).toBe(level);
  });

  it("is not raised by a box", () => {
    expect(["L1", "L2"].map((level) => levelOf(specOf({ level }), evidenceIn(none, none)))).toEqual(["L1", "L2"]);
  });
});

describe("a maker that asks", () => {
  const question = untrustedText("Add or subtract?");
  const asking = (ended: "finished" | "asked", changes: readonly (typeof change)[]): Proposal => {
    const proposal = commitOf({ changes });
    return proposal.kind === "commit" ? { ...proposal, talk: { ended, summary: untrustedText(""), question } } : proposal;
  };
  const handedOver = { kind: "escalate", because: "question", reason: "the maker asks: Add or subtract?" };

  it.each([
    ["stopped to ask, whatever it left", asking("asked", [change])],
    ["changed nothing and ends with a question", asking("finished", [])],
  ])("is handed over with its question when it %s", (_, proposal) => {
    expect(judge(caseOf(), evidenceOf({ proposal, proofs: [] }))).toEqual(handedOver);
  });

  it("is judged by its change when it made one and only wonders at the end", () => {
    expect(judge(caseOf(), evidenceOf({ proposal: asking("finished", [change]) }))).toEqual({ kind: "accept", action: "propose" });
  });
});

describe("what only a referee sees", () => {
  const seen = (rule: string): Finding => ({ rule, severity: "high", where: ".env was added", why: "It is protected." });

  it("refuses what touched a protected path, whatever holds, and does not call it tampering", () => {
    expect(judge(caseOf(), evidenceOf({ findings: [seen("changed-meanwhile"), seen("protected-path")] }))).toEqual({
      kind: "escalate",
      because: "outside-level",
      reason: "protected paths were touched: .env was added. It is protected.",
    });
  });

  it.each(["changed-meanwhile", "not-begun"])("cannot tell after %s", (rule) => {
    expect(judge(caseOf({ spec: specOf({ tampering: "retry" }) }), evidenceOf({ findings: [seen(rule)] }))).toMatchObject({
      kind: "escalate",
      because: "cannot-verify",
    });
  });
});

describe("a change that is proven in part", () => {
  const proofs = [
    { ...proofOf("holds"), stillRed: ["three", "four"] },
    { ...proofOf("holds"), stillRed: ["three"] },
  ];

  it("is accepted as that, with what is still red", () => {
    expect(judge(caseOf(), evidenceOf({ proofs }))).toEqual({ kind: "accept", action: "propose", on: "part", stillRed: ["three", "four"] });
  });

  it("never moves alone", () => {
    const boxed = (all: readonly Proof[]) => all.map((proof) => ({ ...proof, box: { kind: "unused" as const } }));
    const evidence = (all: readonly Proof[]) =>
      evidenceOf({ proposal: { ...commitOf(), box: { kind: "unused" } } as Proposal, proofs: boxed(all) });
    expect(levelOf(specOf({ level: "L3" }), evidence([proofOf("holds")]))).toBe("L3");
    expect(levelOf(specOf({ level: "L3" }), evidence(proofs))).toBe("L2");
  });
});

describe("a check that had nothing to look at, and holds because the spec takes that for enough", () => {
  const boxed = (proof: Proof): Proof => ({ ...proof, box: { kind: "unused" } });
  const evidence = evidenceOf({
    proposal: { ...commitOf(), box: { kind: "unused" } } as Proposal,
    proofs: [boxed(proofOf("holds")), boxed({ ...proofOf("holds"), verifier: "replay", emptyHanded: "no call could be noted" })],
  });
  const why = "replay found nothing that it could look at: no call could be noted";

  it("lets a person decide, and nobody act alone", () => {
    expect(judge(caseOf({ spec: specOf({ level: "L3" }) }), evidence)).toEqual({ kind: "accept", action: "propose" });
    expect(levelOf(specOf({ level: "L3" }), evidence)).toBe("L2");
  });

  it("is told beside what else speaks against it", () => {
    const heldBack = whyHeldBack(specOf({ level: "L3" }), evidence);

    expect(heldBack).toBe(why);
    expect(whyHeldBack(specOf({ level: "L2" }), evidence)).toBe(undefined);
    expect(aloneOn({ kind: "earned" }, heldBack)).toEqual({ kind: "not", why });
    expect(aloneOn({ kind: "not", why: "too few" }, heldBack)).toEqual({ kind: "not", why: `${why}; too few` });
    expect(aloneOn({ kind: "earned" }, undefined)).toEqual({ kind: "earned" });
  });
});

describe("a document", () => {
  const { kind: _, ...made } = commitOf() as Extract<Proposal, { kind: "commit" }>;
  const document: Proposal = { kind: "document", ...made };
  const opinion = { proposal: document, proofs: [proofOf("holds", "opinion")] };

  it("is accepted where opinions alone speak for it, and is said to be so", () => {
    expect(judge(caseOf(), evidenceOf(opinion))).toEqual({ kind: "accept", action: "propose", on: "opinion" });
    expect(judge(caseOf(), evidenceOf({ proposal: document }))).toEqual({ kind: "accept", action: "propose" });
    expect(judge(caseOf(), evidenceOf({ ...opinion, proposal: commitOf() })).kind).toBe("escalate");
    expect(judge(caseOf(), evidenceOf({ proposal: document, proofs: [] })).kind).toBe("escalate");
  });

  it("never moves alone on opinions", () => {
    const boxed = { proposal: { ...document, box: { kind: "unused" as const } } };
    expect(levelOf(specOf({ level: "L3" }), evidenceOf({ ...boxed, proofs: [proofOf("holds", "opinion")] }))).toBe("L2");
  });
});
