import type { Finding, Severity } from "../contract/evidence.ts";

/** A rule is data plus one pure function, and carries the examples that prove it. */
export interface Rule<Subject, Example = Subject> {
  readonly id: string;
  readonly severity: Severity;
  /** Shown to the maker and to the human: what is wrong, then what to do instead. */
  readonly why: string;
  /** The offending pieces of the subject; none means the rule is silent. */
  readonly find: (subject: Subject) => readonly string[];
  readonly examples: { readonly flags: readonly Example[]; readonly passes: readonly Example[] };
}

/** Asks every rule: findings are facts, and all of them are told. */
export function scan<Subject>(rules: readonly Rule<Subject, unknown>[], subject: Subject): readonly Finding[] {
  return rules.flatMap((rule) => rule.find(subject).map((where) => ({ rule: rule.id, severity: rule.severity, where, why: rule.why })));
}
