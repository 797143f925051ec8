import { expect, it } from "vitest";
import type { Entry, LoopRecord } from "../contract/record.ts";
import type { AutonomyRecord } from "../contract/views.ts";
import { adviseOn, type Deeds, readRecord } from "./autonomy.ts";

let seq = 0;
const entry = <R extends LoopRecord>(run: string, record: R): Entry<R> => ({
  seq: ++seq,
  at: "",
  loop: "fix",
  run,
  record,
  prev: "",
  hash: "",
});
const rested = (run: string, because?: "tampering" | "check-failed") =>
  entry(run, {
    kind: "run-rested" as const,
    rest: because ? { kind: "escalate" as const, because, reason: "" } : { kind: "accept" as const, action: "propose" as const },
    report: { sha256: "", bytes: 0, truncated: false },
  });
const decided = (run: string, decision: "approve" | "reject") =>
  entry(run, { kind: "decided" as const, decision, tree: "t", by: "ada", why: "" });
const settled = (run: string, how: "acted" | "released" | "withdrawn") => entry(run, { kind: "proposal-settled" as const, how, why: "" });
const NONE: Deeds = { rested: [], decided: [], amended: [], settled: [], reverted: [] };

it("tells what people took as it was, what they changed, what they refused, and what was taken back, and counts no act of its own as theirs", () => {
  const record = readRecord({
    rested: [..."abcdef".split("").map((run) => rested(run)), rested("g", "tampering"), rested("h", "check-failed")],
    decided: [decided("a", "approve"), decided("b", "approve"), decided("c", "reject"), decided("old", "reject")],
    amended: [entry("b", { kind: "amended", commit: "", tree: "", by: "ada", why: "" })],
    settled: [settled("a", "acted"), settled("b", "released"), settled("d", "acted"), settled("e", "withdrawn")],
    reverted: [entry("d", { kind: "reverted", commit: "r", why: "" })],
  });

  expect(record).toEqual({
    accepted: 6,
    approved: 1,
    amended: 1,
    rejected: 1,
    acted: 2,
    alone: 1,
    reverted: 1,
    escalated: 2,
    tampering: 1,
  });
});

it("supports L3 only after enough decisions of which nearly all were yes, and nothing was taken back", () => {
  const good: AutonomyRecord = { ...readRecord(NONE), accepted: 12, approved: 12 };

  expect([
    adviseOn("L3", good).supports,
    adviseOn("L3", { ...good, approved: 9 }).supports,
    adviseOn("L3", { ...good, approved: 9, rejected: 3 }).supports,
    adviseOn("L3", { ...good, reverted: 1 }).reasons,
    adviseOn("L3", { ...good, tampering: 1 }).supports,
    adviseOn("L2", { ...good, accepted: 5 }).supports,
    adviseOn("L2", { ...good, accepted: 4 }).supports,
    adviseOn("L1", { ...good, reverted: 9 }).supports,
  ]).toEqual([true, false, false, ["1 of its actions had to be taken back"], false, true, false, true]);
});
