// What the guard answers about a command, and why.
import type { Severity } from "../../contract/evidence.ts";

export type Decision = "allow" | "ask" | "deny";

export interface CommandFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly where: string;
  readonly why: string;
  readonly instead: string;
  /** The line of the policy that settled it, if one did. */
  readonly from?: string;
}

export interface CommandDecision {
  readonly decision: Decision;
  readonly findings: readonly CommandFinding[];
}

/** Said of every command while a policy cannot be read: it might have said no. */
export const POLICY_BROKEN = "policy-broken";
