// Startup validator: what would have to be true, how to find out cheaply, and when to stop.
import type { Pattern } from "../contract/pattern.ts";

export const startupValidator: Pattern = {
  kind: "loop",
  name: "startup-validator",
  purpose: "Turn an idea into what would refute it, and experiments that could.",
  invariant: "What speaks against the idea is proposed with it, and cannot be left out.",
  needs: ["a model that writes", "a model that judges"],
  text: `name: startup-validator
intent: Say what would have to be true for the idea to work, and how to find out cheaply that it is not.
level: L2
inputs:
  task: { type: text, about: The idea, required: true }
team:
  workers:
    analyst: { role: "List what must be true for it to work.", use: {{use}}, with: {{with}}, reads: [inputs.task], gives: { as: markdown }, tools: [] }
    skeptic: { role: "Say what speaks against it and what would refute it.", use: {{use}}, with: {{with}}, reads: [inputs.task, analyst], gives: { as: markdown, file: against.md }, tools: [] }
    designer: { role: "Design the cheapest experiments that could refute it, with when to stop.", use: {{use}}, with: {{with}}, reads: [inputs.task, analyst, skeptic], gives: { as: markdown, file: experiments.md }, tools: [] }
  proposes: [designer, skeptic]
verifiers:
  - { id: written, use: measure, with: { words: { least: 5 } } }
  - id: quality
    use: rubric
    with: { judges: [{{judge}}], dimensions: { testable: { criteria: Each experiment could refute something., weight: 0.6 }, honest: { criteria: What speaks against it is not softened., weight: 0.4 } }, threshold: 0.75 }
metrics: { quality: { from: quality, primary: true } }
until: { stall: [{ metric: quality, rounds: 3, gain: 0.03 }] }
guards:
  - { id: orders, rule: injection, at: brief, then: halt }
  - { id: secrets, rule: secrets, at: result, then: halt }
budget: { rounds: 6, usd: $2.00, perRound: { usd: $0.50 } }
`,
};
