// Business strategy: options, what each costs and risks, and one that is chosen with its reasons.
import type { Pattern } from "../contract/pattern.ts";

export const businessStrategyAgent: Pattern = {
  kind: "loop",
  name: "business-strategy-agent",
  purpose: "Weigh options, and choose one with what speaks against it.",
  invariant: "Options are written before anybody chooses, and what was not chosen stays in what is proposed.",
  needs: ["a model that writes", "a model that judges"],
  text: `name: business-strategy-agent
intent: Choose between real options, with what each costs, risks and would need.
level: L2
inputs:
  task: { type: text, about: What is to be decided, required: true }
team:
  workers:
    scout: { role: "Write down the situation and what is not known.", use: {{use}}, with: {{with}}, reads: [inputs.task], gives: { as: markdown }, tools: [] }
    strategist: { role: "Write three options with what each costs, risks and needs.", use: {{use}}, with: {{with}}, reads: [inputs.task, scout], gives: { as: markdown, file: options.md }, tools: [] }
    operator: { role: "Choose one, and write what is done in the next ninety days.", use: {{use}}, with: {{with}}, reads: [inputs.task, strategist], gives: { as: markdown, file: plan.md }, tools: [] }
  proposes: [operator, strategist]
verifiers:
  - { id: written, use: measure, with: { words: { least: 5 } } }
  - id: quality
    use: rubric
    with: { judges: [{{judge}}], dimensions: { real: { criteria: The options differ and could all be taken., weight: 0.5 }, usable: { criteria: Somebody could begin tomorrow., weight: 0.5 } }, threshold: 0.75 }
metrics: { quality: { from: quality, primary: true } }
until: { stall: [{ metric: quality, rounds: 3, gain: 0.03 }] }
guards:
  - { id: orders, rule: injection, at: brief, then: halt }
  - { id: secrets, rule: secrets, at: result, then: halt }
budget: { rounds: 6, usd: $2.50, perRound: { usd: $0.50 } }
`,
};
