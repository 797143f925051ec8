// Asks the guard about a command with everything that is known of its surroundings: folder, level, policies.
import { askGuard } from "../../guard/command/ask-guard.ts";
import { type CommandDecision, POLICY_BROKEN } from "../../guard/command/decision.ts";
import type { PolicyReading } from "../../guard/command/policy.ts";
import type { Surroundings } from "../../guard/command/rule.ts";

/** A policy that cannot be read might have said no: then nothing is cleared. */
export function askWithPolicy(command: string, at: Omit<Surroundings, "policy">, policy: PolicyReading): CommandDecision {
  if (policy.kind === "read") return askGuard(command, { ...at, policy: policy.policy });
  const broken = policy.problems.map((problem) => ({
    rule: POLICY_BROKEN,
    severity: "high" as const,
    where: problem,
    why: "The policy cannot be read, so it cannot be known what it forbids.",
    instead: "Mend the policy file.",
  }));
  return { decision: "deny", findings: [...broken, ...askGuard(command, at).findings] };
}
