// Debate: two argue, one sums up, and what speaks against it stays in what is proposed.
import type { Pattern } from "../contract/pattern.ts";

export const debate: Pattern = {
  kind: "pattern",
  name: "debate",
  purpose: "Hear both sides before somebody sums up.",
  invariant: "Who argues can change nothing, and what was said against it stands in what is accepted.",
  needs: ["a model", "another that judges"],
  text: `name: debate
intent: Come to a recommendation that has heard what speaks against it.
level: L2
inputs:
  question: { type: text, about: What is to be decided, required: true, longest: 1000 }
team:
  workers:
    pro: { role: Say what speaks for it., use: {{use}}, with: {{with}}, reads: [inputs.question], gives: { as: markdown }, tools: [] }
    con: { role: Say what speaks against it., use: {{use}}, with: {{with}}, reads: [inputs.question], gives: { as: markdown, file: against.md }, tools: [] }
    chair: { role: "Sum up, and decide.", use: {{use}}, with: {{with}}, gives: { as: markdown, file: recommendation.md }, tools: [] }
  joins:
    views: { of: [pro, con], how: synthesis, by: chair }
  proposes: [chair, con]
verifiers:
  - { id: written, use: measure, with: { words: { least: 3 } } }
  - id: fair
    use: rubric
    with: { judges: [{{judge}}], dimensions: { fair: { criteria: Both sides are weighed. } }, threshold: 0.6 }
budget: { rounds: 4, usd: $3.00 }
`,
};
