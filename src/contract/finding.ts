// A finding: one thing that a rule of the guard saw.

export type Severity = "critical" | "high" | "medium" | "low";

/** One thing a guard rule saw, and where. A finding states a fact; it decides nothing. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly where: string;
  readonly why: string;
  /** How sure the rule is, where it says so. */
  readonly confidence?: "high" | "medium" | "low";
  readonly file?: string;
  readonly line?: number;
  /** There where a guard of the spec says what follows from it. */
  readonly then?: "halt" | "escalate" | "withhold";
  /** The lines it is about, as they were and as they are. */
  readonly before?: string;
  readonly after?: string;
}
