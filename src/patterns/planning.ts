// Planning: nobody changes anything before there is a plan that holds.
import type { Pattern } from "../contract/pattern.ts";

export const planning: Pattern = {
  kind: "pattern",
  name: "planning",
  purpose: "Plan before anything is changed, and plan again where the plan does not hold.",
  invariant: "Whoever changes something works by a plan that has passed its check.",
  needs: ["a model", "a command that proves the change"],
  text: `name: planning
intent: Make the change step by step, by a plan that was looked at first.
level: L2
team:
  workers:
    planner:
      role: "Plan the change in steps, each with an id and the file that it touches."
      use: {{use}}
      with: {{with}}
      reads: [repo]
      tools: [list, read, search]
      gives: { as: json, file: plan.json, schema: { type: object, required: [steps], properties: { steps: { type: array, items: { type: object } } } } }
    doer: { role: Carry out the plan step by step., use: {{use}}, with: {{with}}, reads: [planner], gives: { as: commit } }
  proposes: [doer]
verifiers:
  - { id: plan, use: check, of: [planner], before: [doer], with: { run: "grep -q '\\"id\\"' plan.json" } }
  - { id: tests, use: command, with: { run: {{test}} } }
budget: { rounds: 5, usd: $2.00 }
`,
};
