// Multi-agent coordination: specialists with regions of their own, whose work is brought together once.
import type { Pattern } from "../contract/pattern.ts";

export const multiAgent: Pattern = {
  kind: "pattern",
  name: "multi-agent",
  purpose: "Split the work between specialists, each with a region of its own.",
  invariant: "Nobody changes another's region, and two who changed the same lines are no commit.",
  needs: ["a model", "a command that proves the change"],
  text: `name: multi-agent
intent: Make the change in both parts of the house at once.
level: L2
team:
  workers:
    lead: { role: "Say what each of the two has to do.", use: {{use}}, with: {{with}}, reads: [repo], tools: [list, read, search], gives: { as: handover } }
    front: { role: Change the front., use: {{use}}, with: {{with}}, reads: [lead], gives: { as: commit }, paths: ["front/**"] }
    back: { role: Change the back., use: {{use}}, with: {{with}}, reads: [lead], gives: { as: commit }, paths: ["back/**"] }
  proposes: [front, back]
verifiers:
  - { id: tests, use: command, with: { run: {{test}} } }
budget: { rounds: 3, usd: $3.00 }
`,
};
