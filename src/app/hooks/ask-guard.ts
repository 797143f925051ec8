// The command guard with everything that is known of a command's surroundings: folder, level, policies.
import { type CommandDecision, decideCommand } from "../../guard/command/decide.ts";
import type { PolicyReading } from "../../guard/command/policy.ts";
import type { Surroundings } from "../../guard/command/rule.ts";
import { canonicalJson, sha256 } from "../../std/hash.ts";

/** A policy that cannot be read might have said no: then nothing is cleared. */
export function askGuard(command: string, at: Omit<Surroundings, "policy">, policy: PolicyReading): CommandDecision {
  if (policy.kind === "read") return decideCommand(command, { ...at, policy: policy.policy });
  const broken = policy.problems.map((problem) => ({
    rule: "policy-broken",
    severity: "high" as const,
    where: problem,
    why: "The policy cannot be read, so it cannot be known what it forbids.",
    instead: "Mend the policy file.",
  }));
  return { decision: "deny", findings: [...broken, ...decideCommand(command, at).findings] };
}

/** Of everything besides the spec that a run goes by: the rules for commands, and the caps on spending. */
export const policyHash = (policy: PolicyReading, limits: object): string =>
  sha256(canonicalJson(JSON.parse(JSON.stringify({ policy, limits }))));
