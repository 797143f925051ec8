// A receipt in which every text that a stranger could have written says the same thing.
import type { RunReceipt } from "../../src/contract/receipt.ts";
import { sha256 } from "../../src/std/hash.ts";

export const receiptSaying = (text: string, more: Partial<RunReceipt> = {}): RunReceipt => ({
  kind: "run",
  loop: text,
  run: text,
  number: 1,
  at: "2026-11-16T12:00:00.000Z",
  version: "0.1.0",
  asked: {
    intent: text,
    level: "L2",
    specHash: "5".repeat(64),
    policyHash: "9".repeat(64),
    base: { ref: text, commit: "b".repeat(40) },
    openedAt: "2026-11-16T11:00:00.000Z",
  },
  maker: { name: text, rounds: 2, box: { kind: "none", why: text }, taint: "tainted" },
  tested: { commit: "c".repeat(40), tree: "7".repeat(40), base: "b".repeat(40), files: 3 },
  checks: [
    {
      verifier: text,
      kind: "proof",
      outcome: "holds",
      detail: text,
      output: { sha256: sha256(text), bytes: text.length, truncated: true },
      box: { kind: "bubblewrap", network: "listed", reaches: [text], writes: [text], hides: [text] },
    },
    { verifier: "judge", kind: "opinion", outcome: "holds", detail: text, output: undefined, room: "own" },
  ],
  findings: [{ rule: text, severity: "low", where: text }],
  rest: { kind: "accept", action: "propose" },
  cost: { amounts: { microUsd: 500_000, tokens: 1200, timeMs: 90_000 }, basis: "estimated" },
  decisions: [{ decision: "approve", by: text, why: text, at: "2026-11-16T13:00:00.000Z", tree: "7".repeat(40) }],
  rechecks: [{ commit: "c".repeat(40), tree: "7".repeat(40), base: text, verdict: "accept", at: "2026-11-16T13:30:00.000Z" }],
  moved: [{ action: text, says: text, facts: { [text]: text } }],
  settled: { how: "acted", why: text },
  artifacts: [{ name: text, sha256: "d".repeat(64), bytes: 12, truncated: true }],
  journal: { chain: "e".repeat(64), from: 3, to: 9, records: 7, head: "f".repeat(64) },
  ...more,
});
