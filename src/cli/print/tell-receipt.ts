// A receipt, and what came of checking it, for people.
import type { ReceiptVerification } from "../../app/records/receipts.ts";
import type { RunReceipt } from "../../contract/receipt.ts";
import { firstLine } from "../../std/display-text.ts";
import { formatUsd } from "../../std/usd.ts";
import { columns, type Paint } from "./paint.ts";
import { tellRest } from "./words.ts";

export function tellVerification(verification: ReceiptVerification, paint: Paint): string {
  const { kind, why, result, receipt, aspects } = verification;
  const banner = { genuine: paint("green", "genuine"), "not-checked": paint("yellow", "NOT CHECKED"), refused: paint("red", "REFUSED") }[
    kind
  ];
  const lines = [
    `${banner}  ${firstLine(why, 300)}`,
    ...columns(aspects.map(({ name, aspect, why: told }) => [`  ${name}`, aspect.replaceAll("-", " "), firstLine(told, 300)])),
    ...(receipt && kind === "genuine" ? [`  the run ${receipt.run} was ${tellResult(result)}: ${tellRest(receipt.rest)}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

const tellResult = (result: ReceiptVerification["result"]): string =>
  ({ passed: "proven", refused: "REFUSED", unknown: "NOT PROVEN", "nothing-to-do": "not needed" })[result ?? "unknown"];

export function tellReceipt(verification: ReceiptVerification, paint: Paint): string {
  const { receipt, claims } = verification;
  const head = tellVerification(verification, paint);
  if (receipt) return `${head}\n${factsOf(receipt).join("\n")}\n`;
  // Not ours to vouch for: shown as one text, so that nothing in it looks like a line of ours.
  return claims === undefined ? head : `${head}\nWhat it says of itself, which nobody has checked:\n${JSON.stringify(claims, null, 2)}\n`;
}

function factsOf(receipt: RunReceipt): readonly string[] {
  const { loop, run, kind, asked, maker, tested, checks, findings, rest, cost, decisions, moved, settled, journal, at } = receipt;
  const line = (text: string): string => firstLine(text, 200);
  return columns([
    ["loop", `${loop}${kind === "referee" ? " (referee)" : ""}`],
    ["run", run],
    ["asked", line(asked.intent)],
    ["spec", asked.specHash],
    ["policy", asked.policyHash ?? "not on record"],
    ["base", `${line(asked.base.ref)} ${asked.base.commit}`],
    ["maker", `${line(maker.name)}${maker.insteadOf ? `, instead of ${line(maker.insteadOf.join(", "))}` : ""}, ${maker.rounds} round(s)`],
    ...(maker.models ?? []).map((model) => ["model", line(model)] as const),
    ...(tested ? [["commit", tested.commit ?? "none"] as const, ["tree", tested.tree] as const] : []),
    ...checks.map(
      ({ verifier, kind: footing, outcome, detail }) => ["check", `${verifier} (${footing}): ${outcome}; ${line(detail)}`] as const,
    ),
    ...findings.map(({ rule, severity, where }) => ["finding", `${severity} ${rule} ${line(where)}`] as const),
    ["verdict", line(tellRest(rest))],
    ["cost", `${formatUsd((cost.amounts.microUsd ?? 0) / 1e6)}, ${cost.amounts.tokens ?? 0} tokens (${cost.basis ?? "nothing counted"})`],
    ...decisions.map(
      ({ decision, by, why, at: when }) =>
        ["decided", `${decision} by ${line(by)} at ${when}${why === "" ? "" : `: ${line(why)}`}`] as const,
    ),
    ...moved.map(({ action, says }) => ["moved", `${line(action)}: ${line(says)}`] as const),
    ...(settled ? [["settled", `${settled.how}: ${line(settled.why)}`] as const] : []),
    ["journal", `records ${journal.from} to ${journal.to} of ${journal.chain}`],
    ["signed", at],
  ]);
}
