import { expect, it } from "vitest";
import type { Evidence } from "../../contract/evidence.ts";
import type { Entry, LoopRecord } from "../../contract/record.ts";
import { untrustedText } from "../../contract/text.ts";
import type { Rest } from "../../contract/verdict.ts";
import { resultFor, resultOf } from "../../receipts/receipt.ts";
import { receiptOf, statementOf } from "./receipt-of.ts";

const PLACE = { chain: "c".repeat(64), at: "2026-02-02T00:00:00.000Z", version: "0.1.0" };
const [COMMIT, TREE, BASE, AMENDED, AMENDED_TREE] = ["1", "2", "3", "4", "5"].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
  string,
];
const kept = (sha256: string) => ({ sha256, bytes: 1, truncated: false });
const entriesOf = (...records: readonly LoopRecord[]): readonly Entry[] =>
  records.map((record, index) => ({
    seq: 10 + index,
    at: `2026-01-01T00:00:${String(index).padStart(2, "0")}.000Z`,
    loop: "fix",
    run: "fix-1-abcde",
    prev: "",
    hash: `hash-${10 + index}`,
    record,
  }));

const opened = {
  kind: "run-opened",
  number: 1,
  spec: { name: "fix", intent: "Make it right.", level: "L2", maker: { use: "scripted" } },
  specHash: "5pec",
  policyHash: "p0l1cy",
  base: { ref: "main", commit: BASE },
  repo: "/w/repo",
} as unknown as LoopRecord; // a receipt tells these, and needs no more of the spec
const round: LoopRecord = {
  kind: "round-opened",
  round: { id: "r1", run: "fix-1-abcde", loop: "fix", number: 1, base: BASE, openedAt: "2026-01-01T00:00:01.000Z", lessons: [] },
};
const evidence: Evidence = {
  proposal: {
    kind: "commit",
    commit: COMMIT,
    tree: TREE,
    changes: [{ path: "a", before: undefined, after: { mode: "100644", blob: "b" } }],
    diff: kept("d1ff"),
    talk: { ended: "finished", summary: untrustedText("all is well") },
    box: { kind: "unused" },
  },
  findings: [{ rule: "skip", severity: "low", where: "a:1", why: "because" }],
  proofs: [{ verifier: "command", kind: "proof", outcome: "holds", detail: "exited 0", output: kept("0utput") }],
  taint: { kind: "clean" },
};
const accept: Rest = { kind: "accept", action: "propose" };
const closed: LoopRecord = { kind: "round-closed", roundId: "r1", evidence, verdict: { kind: "accept", action: "propose" } };
const rested = (rest: Rest): LoopRecord => ({ kind: "run-rested", rest, report: kept("4epo4t") });
const decided: LoopRecord = { kind: "decided", decision: "approve", tree: TREE, by: "ada", why: "read it" };

it("tells everything that a run came to, from its records alone", () => {
  const receipt = receiptOf(entriesOf(opened, round, closed, rested(accept)), PLACE);

  expect(receipt).toEqual({
    kind: "run",
    loop: "fix",
    run: "fix-1-abcde",
    number: 0,
    at: PLACE.at,
    version: "0.1.0",
    asked: {
      intent: "Make it right.",
      level: "L2",
      specHash: "5pec",
      policyHash: "p0l1cy",
      base: { ref: "main", commit: BASE },
      openedAt: "2026-01-01T00:00:00.000Z",
    },
    maker: { name: "scripted", rounds: 1, box: { kind: "unused" }, taint: "clean" },
    tested: { commit: COMMIT, tree: TREE, base: BASE, files: 1 },
    checks: [{ verifier: "command", kind: "proof", outcome: "holds", detail: "exited 0", output: kept("0utput") }],
    findings: [{ rule: "skip", severity: "low", where: "a:1" }],
    rest: accept,
    cost: { amounts: {} },
    decisions: [],
    rechecks: [],
    moved: [],
    artifacts: [
      { name: "report", ...kept("4epo4t") },
      { name: "diff", ...kept("d1ff") },
      { name: "output 1", ...kept("0utput") },
    ],
    journal: { chain: PLACE.chain, from: 10, to: 13, records: 4, head: "hash-13" },
  });
});

it("is about the commit, its tree, and the report", () => {
  const receipt = receiptOf(entriesOf(opened, round, closed, rested(accept)), PLACE)!;

  expect(statementOf(receipt).subject).toEqual([
    { name: "commit", digest: { gitCommit: COMMIT } },
    { name: "tree", digest: { gitTree: TREE } },
    { name: "report", digest: { sha256: "4epo4t" } },
  ]);
});

it("says nothing while the run goes on", () => {
  expect(receiptOf(entriesOf(opened, round), PLACE)).toBeUndefined();
  expect(receiptOf([], PLACE)).toBeUndefined();
});

it("counts the receipts before it, and does not speak of them", () => {
  const receipted: LoopRecord = { kind: "receipted", number: 0, receipt: kept("4ec"), subject: {}, covers: 13 };

  const receipt = receiptOf(entriesOf(opened, round, closed, rested(accept), receipted, decided), PLACE)!;

  expect([receipt.number, receipt.journal.records, receipt.decisions.map(({ decision, by }) => `${decision} ${by}`)]).toEqual([
    1,
    5,
    ["approve ada"],
  ]);
});

it("takes the last look at a tree for what it is worth, and a reviewer's tree only when that was verified", () => {
  const amended: LoopRecord = { kind: "amended", commit: AMENDED, tree: AMENDED_TREE, by: "ada", why: "" };
  const looked = (tree: string, kind: "accept" | "escalate"): LoopRecord => ({
    kind: "rechecked",
    tree,
    base: BASE,
    verdict: kind === "accept" ? { kind, action: "propose" } : { kind, because: "check-failed", reason: "red" },
  });
  const of = (...more: readonly LoopRecord[]) => receiptOf(entriesOf(opened, round, closed, rested(accept), ...more), PLACE)!;

  expect(resultFor(of(), TREE)).toBe("passed");
  expect(resultFor(of(), AMENDED_TREE)).toBeUndefined();
  expect(resultFor(of(amended), AMENDED_TREE)).toBeUndefined();
  expect(resultFor(of(amended, looked(AMENDED_TREE, "accept")), AMENDED_TREE)).toBe("passed");
  expect(resultFor(of(looked(TREE, "accept"), looked(TREE, "escalate")), TREE)).toBe("refused");
  expect(statementOf(of(amended, looked(AMENDED_TREE, "accept"))).subject).toContainEqual({
    name: "commit",
    digest: { gitCommit: AMENDED },
  });
});

it.each([
  [{ kind: "accept", action: "propose" }, "passed"],
  [{ kind: "nothing-to-do", reason: "" }, "nothing-to-do"],
  [{ kind: "escalate", because: "check-failed", reason: "" }, "refused"],
  [{ kind: "halt", because: "tampering", reason: "" }, "refused"],
  [{ kind: "escalate", because: "cannot-verify", reason: "" }, "unknown"],
  [{ kind: "halt", because: "budget", reason: "" }, "unknown"],
] as const)("reads %j as %s", (rest, result) => {
  expect(resultOf({ rest })).toBe(result);
});
