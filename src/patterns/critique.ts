// Critique: a critic of its own, who sees the work and not the reasoning, and can change nothing.
import type { Pattern } from "../contract/pattern.ts";

export const critique: Pattern = {
  kind: "pattern",
  name: "critique",
  purpose: "Let somebody else say what is wrong, and rewrite by that.",
  invariant: "The critic sees nothing of the writer's reasoning, and has no tools that write.",
  needs: ["a model that writes", "a model that judges"],
  text: `name: critique
intent: Write a page that an independent critic could not fault.
level: L2
inputs:
  topic: { type: text, about: What the page is about, required: true, longest: 500 }
team:
  workers:
    writer: { role: Write a draft., use: {{use}}, with: {{with}}, reads: [inputs.topic], gives: { as: markdown } }
    critic: { role: "Say where it is wrong, what the problem is and how to mend it.", use: {{use}}, with: {{with}}, reads: [writer], gives: { as: markdown }, tools: [] }
    editor: { role: Rewrite the draft by what the critic says., use: {{use}}, with: {{with}}, reads: [inputs.topic, writer, critic], gives: { as: markdown, file: page.md }, tools: [] }
  proposes: [editor]
verifiers:
  - { id: written, use: measure, with: { words: { least: 3 } } }
  - id: quality
    use: rubric
    with: { judges: [{{judge}}], dimensions: { sound: { criteria: Every claim follows from what is said. } }, threshold: 0.7 }
metrics: { quality: { from: quality, primary: true } }
budget: { rounds: 5, usd: $1.00 }
`,
};
