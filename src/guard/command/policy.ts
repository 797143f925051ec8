// What a project and a user add to the rules: allow, ask or deny, by rule, program, arguments or path. Deny wins.

import { compileGlobs } from "../../std/glob.ts";
import type { Call } from "./call.ts";
import type { CommandFinding, Decision } from "./decision.ts";

/** One line of a policy. All that it names must fit. */
export interface PolicyEntry {
  readonly decision: Decision;
  readonly rule?: string | undefined;
  readonly program?: string | undefined;
  /** Words that must stand among the arguments, in this order; `*` in a word stands for anything. */
  readonly args?: readonly string[] | undefined;
  /** A glob that one of the arguments or redirections must match. */
  readonly path?: string | undefined;
  readonly why?: string | undefined;
  /** Whose policy it is. A project comes with its repository, so it may not loosen what is critical. */
  readonly owner: "user" | "project";
  /** `file:line`, for those who wonder why. */
  readonly from: string;
}

export type CommandPolicy = readonly PolicyEntry[];

/** Findings that the policy adds to a call, and those of the rules that it lets stand. */
export function applyPolicy(policy: CommandPolicy, call: Call, findings: readonly CommandFinding[]): readonly CommandFinding[] {
  if (policy.length === 0) return findings;
  const added = policy
    .filter((entry) => entry.decision !== "allow" && entry.rule === undefined && fitsCall(entry, call))
    .map((entry) => asFinding(entry, call));
  return [...findings.flatMap((finding) => settle(policy, call, finding)), ...added];
}

/** The strictest entry that speaks about this finding decides; none leaves it as it is. */
function settle(policy: CommandPolicy, call: Call, finding: CommandFinding): readonly CommandFinding[] {
  const about = policy.filter(
    (entry) =>
      (entry.rule === undefined || entry.rule === finding.rule) &&
      fitsCall(entry, call) &&
      (entry.rule !== undefined || entry.decision === "allow"),
  );
  const strictest = (["deny", "ask", "allow"] as const).flatMap((decision) => about.filter((entry) => entry.decision === decision))[0];
  if (!strictest) return [finding];
  if (strictest.decision !== "allow")
    return [{ ...finding, severity: strictest.decision === "deny" ? "high" : "medium", from: strictest.from }];
  if (finding.severity === "critical" && strictest.owner === "project") return [finding];
  return [{ ...finding, severity: "low", from: strictest.from }];
}

function fitsCall({ program, args, path }: PolicyEntry, call: Call): boolean {
  if (program !== undefined && program !== call.program) return false;
  if (
    args !== undefined &&
    !standsAmong(
      args,
      call.args.map(({ text }) => text),
    )
  )
    return false;
  if (path === undefined) return true;
  const isMeant = compileGlobs([path]);
  return [...call.args, ...call.redirects.map(({ target }) => target)].some(({ text }) => isMeant(text.replace(/^\.\//, "")));
}

function standsAmong(wanted: readonly string[], words: readonly string[]): boolean {
  let at = 0;
  return wanted.every((pattern) => {
    const found = words.findIndex((word, index) => index >= at && fitsWord(pattern, word));
    at = found + 1;
    return found >= 0;
  });
}

function fitsWord(pattern: string, word: string): boolean {
  const pieces = pattern.split("*");
  if (pieces.length === 1) return pattern === word;
  const [first = "", ...others] = pieces;
  if (!word.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = word.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return pieces.at(-1) === "" || word.endsWith(pieces.at(-1)!);
}

const asFinding = ({ decision, why, from }: PolicyEntry, call: Call): CommandFinding => ({
  rule: "policy",
  severity: decision === "deny" ? "high" : "medium",
  where: call.text.slice(0, 300),
  why: why ?? `The policy says ${decision}.`,
  instead: "Do it another way, or have the policy changed.",
  from,
});

export type PolicyReading =
  | { readonly kind: "read"; readonly policy: CommandPolicy }
  | { readonly kind: "broken"; readonly problems: readonly string[] };
