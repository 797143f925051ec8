// Receipts: opened from their envelopes, and what they say of a commit.

import { RECEIPT_TYPE, type RunReceipt, type RunResult, type Statement } from "../contract/receipt.ts";
import { isWhole } from "../contract/verdict.ts";
import type { PublicKey } from "../std/ed25519.ts";
import { isObject } from "../std/json-record.ts";
import { type Opened, openEnvelope } from "./dsse.ts";

export type OpenedReceipt =
  | { readonly kind: "signed"; readonly receipt: RunReceipt; readonly subject: Statement["subject"]; readonly by: readonly string[] }
  | Exclude<Opened, { kind: "signed" }>;

export function openReceipt(text: string, keys: readonly PublicKey[]): OpenedReceipt {
  const opened = openEnvelope(text, keys);
  if (opened.kind !== "signed") return opened;
  const receipt = receiptIn(opened.statement);
  if (!receipt) return { kind: "refused", why: "it is signed, but it is no receipt" };
  return { kind: "signed", receipt, subject: opened.statement.subject, by: opened.by };
}

/** The receipt that a statement is, if it is one. */
export const receiptIn = ({ predicate, predicateType }: Statement): RunReceipt | undefined =>
  predicateType === RECEIPT_TYPE && isReceipt(predicate) ? predicate : undefined;

/** How the run ended; what is not an accepted, and so proven, round is never a pass. */
export function resultOf({ rest }: Pick<RunReceipt, "rest">): RunResult {
  switch (rest.kind) {
    // The checks of the best round, or of a part, hold; that it was enough, nothing shows.
    case "accept":
      return isWhole(rest) ? "passed" : "unknown";
    case "nothing-to-do":
      return "nothing-to-do";
    case "escalate":
    case "halt":
      return UNKNOWN.has(rest.because) ? "unknown" : "refused";
  }
}

/** What was neither proven nor shown to be wrong: two checks that disagree, or a human who has yet to look, among them. */
const UNKNOWN: ReadonlySet<string> = new Set([
  "cannot-verify",
  "gap",
  "seal",
  "maker-unfinished",
  "stalled",
  "below-target",
  "outside-failure",
  "stopped",
  "bug",
  "budget",
  "runaway",
  "question",
]);

/** What it says of one tree: the last look at it counts. Undefined where it says nothing of it. */
export function resultFor(receipt: RunReceipt, tree: string): RunResult | undefined {
  const again = receipt.rechecks.findLast((recheck) => recheck.tree === tree);
  // What opinions alone spoke for the first time, they speak for again: nothing is proven of it.
  if (again) return again.verdict === "accept" ? resultOf(receipt) : "refused";
  return receipt.tested?.tree === tree ? resultOf(receipt) : undefined;
}

/** Whoever signed it wrote it with a version of ours; only what is read here is looked at. */
function isReceipt(value: unknown): value is RunReceipt {
  if (!isObject(value)) return false;
  const {
    kind,
    loop,
    run,
    number,
    at,
    asked,
    maker,
    tested,
    checks,
    findings,
    rest,
    cost,
    decisions,
    rechecks,
    moved,
    artifacts,
    journal,
  } = value;
  return (
    (kind === "run" || kind === "referee") &&
    [loop, run, at].every((text) => typeof text === "string" && text !== "") &&
    typeof number === "number" &&
    [asked, maker, cost, journal].every(isObject) &&
    (tested === undefined || (isObject(tested) && typeof tested.tree === "string" && typeof tested.base === "string")) &&
    [checks, findings, decisions, moved, artifacts].every(Array.isArray) &&
    Array.isArray(rechecks) &&
    rechecks.every((recheck) => isObject(recheck) && typeof recheck.tree === "string" && typeof recheck.verdict === "string") &&
    isObject(rest) &&
    ["accept", "escalate", "halt", "nothing-to-do"].includes(String(rest.kind))
  );
}
