// Coding agent: a change that the tests prove, looked at by somebody who did not write it.
import type { Pattern } from "../contract/pattern.ts";

export const codingAgent: Pattern = {
  kind: "loop",
  name: "coding-agent",
  purpose: "Implement a change so that the tests pass and the change stays in scope.",
  invariant: "A change that is larger than its bound, or that leaves a test red, is not accepted, whatever its reviewer says.",
  needs: ["a model that writes", "a model that judges", "a command that proves the change"],
  text: `name: coding-agent
intent: Implement the change that is asked for, so that the tests pass and nothing else changes.
level: L2
inputs:
  task: { type: text, about: What to change, required: true }
team:
  workers:
    architect: { role: "Say which files are touched and how the change is tested, before anything is changed.", use: {{use}}, with: {{with}}, reads: [inputs.task, repo], tools: [list, read, search], gives: { as: markdown } }
    implementer: { role: Implement the change by that plan., use: {{use}}, with: {{with}}, reads: [inputs.task, architect], gives: { as: commit } }
  proposes: [implementer]
verifiers:
  - { id: tests, use: command, with: { run: {{test}} } }
  - { id: small, use: scope, with: { maxFiles: 20, maxLines: 600 } }
  - id: review
    use: rubric
    with: { judges: [{{judge}}], dimensions: { asked: { criteria: "The change does what was asked, and nothing else.", weight: 0.6 }, plain: { criteria: The change can be read without its author., weight: 0.4 } }, threshold: 0.7 }
budget: { rounds: 6, usd: $3.00, perRound: { usd: $1.00 } }
`,
};
