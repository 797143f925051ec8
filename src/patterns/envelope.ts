// Safety envelope: everything that passes between workers, and everything that is proposed, passes the guards first.
import type { Pattern } from "../contract/pattern.ts";

export const envelope: Pattern = {
  kind: "pattern",
  name: "envelope",
  purpose: "Put every text that passes through a loop through the same guards.",
  invariant: "What a guard refuses is neither handed on nor proposed.",
  needs: ["a model", "another that judges"],
  text: `name: envelope
intent: Summarise what was asked, and let nobody's data out.
level: L2
inputs:
  notes: { type: text, about: What is to be summarised, required: true, longest: 5000 }
team:
  workers:
    reader: { role: "Say what is in it.", use: {{use}}, with: {{with}}, reads: [inputs.notes], tools: [], gives: { as: markdown } }
    writer: { role: "Write the summary.", use: {{use}}, with: {{with}}, reads: [reader], tools: [], gives: { as: markdown, file: summary.md } }
  proposes: [writer]
guards:
  - { id: orders, rule: injection, at: brief, then: withhold, most: 0.5 }
  - { id: secrets-out, rule: secrets, at: result, then: halt }
  - { id: people-out, rule: personal, at: result, then: halt }
  - { id: people-last, rule: personal, at: proposal, then: halt }
verifiers:
  - { id: written, use: measure, with: { words: { least: 3 } } }
  - id: faithful
    use: rubric
    with: { judges: [{{judge}}], dimensions: { faithful: { criteria: It says nothing that was not there. } }, threshold: 0.6 }
budget: { rounds: 3, usd: $3.00 }
`,
};
