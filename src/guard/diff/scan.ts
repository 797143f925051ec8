// The diff scanner: every rule is asked about a change, and the findings give one verdict.

import type { ChangeSet } from "../../contract/change-set.ts";
import type { Severity } from "../../contract/evidence.ts";
import type { Syntax } from "../../contract/syntax.ts";
import type { Confidence, DiffRule } from "./rule.ts";
import { diffRules } from "./rules/index.ts";
import { viewChanges } from "./view.ts";

export interface DiffFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly file: string;
  readonly line: number | undefined;
  readonly what: string;
  readonly why: string;
  readonly before?: string;
  readonly after?: string;
}

export interface DiffScan {
  /** `cannot-tell`: nothing bad was seen, and not everything could be looked at. */
  readonly verdict: "clean" | "suspect" | "tampering" | "cannot-tell";
  readonly findings: readonly DiffFinding[];
}

/** Findings about what could not be seen: they never make a change clean, and never by themselves call it tampering. */
export const BLIND_RULE = "not-understood";

export function scanChangeSet(set: ChangeSet, syntax: Syntax, rules: readonly DiffRule[] = diffRules): DiffScan {
  const view = viewChanges(set, syntax);
  const findings = rules.flatMap((rule) =>
    rule
      .find(view)
      .map(({ severity = rule.severity, ...sighting }): DiffFinding => ({ rule: rule.id, severity, why: rule.why, ...sighting })),
  );
  const sorted = findings.toSorted(
    (one, other) => RANK[other.severity] - RANK[one.severity] || compareText(one.file, other.file) || (one.line ?? 0) - (other.line ?? 0),
  );
  return { verdict: verdictOf(sorted), findings: sorted };
}

const RANK: { readonly [severity in Severity]: number } = { low: 0, medium: 1, high: 2, critical: 3 };

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function verdictOf(findings: readonly DiffFinding[]): DiffScan["verdict"] {
  const seen = findings.filter(({ rule }) => rule !== BLIND_RULE);
  if (seen.some(({ severity }) => RANK[severity] >= RANK.high)) return "tampering";
  if (seen.some(({ severity }) => severity === "medium")) return "suspect";
  return findings.some(({ rule, severity }) => rule === BLIND_RULE && severity !== "low") ? "cannot-tell" : "clean";
}
