// Writing assistant: outline, draft and edit, judged by somebody who wrote none of it.
import type { Pattern } from "../contract/pattern.ts";

export const writingAssistant: Pattern = {
  kind: "loop",
  name: "writing-assistant",
  purpose: "Write a text for its readers: outline, draft, edit.",
  invariant: "Nothing is accepted before somebody who wrote none of it has passed it.",
  needs: ["a model that writes", "a model that judges"],
  text: `name: writing-assistant
intent: Write the text that is asked for, so that its readers can use it at once.
level: L2
inputs:
  task: { type: text, about: What to write and for whom, required: true }
team:
  workers:
    outliner: { role: "Outline the text for its readers.", use: {{use}}, with: {{with}}, reads: [inputs.task], gives: { as: markdown }, tools: [] }
    drafter: { role: "Write it by the outline.", use: {{use}}, with: {{with}}, reads: [inputs.task, outliner], gives: { as: markdown }, tools: [] }
    editor: { role: "Make it shorter and plainer without losing anything.", use: {{use}}, with: {{with}}, reads: [inputs.task, drafter], gives: { as: markdown, file: text.md }, tools: [] }
  proposes: [editor]
verifiers:
  - { id: written, use: measure, with: { words: { least: 5 } } }
  - id: quality
    use: rubric
    with: { judges: [{{judge}}], dimensions: { whole: { criteria: It says everything that was asked for., weight: 0.5 }, plain: { criteria: A reader outside the trade can follow it., weight: 0.5 } }, threshold: 0.75 }
metrics: { quality: { from: quality, primary: true } }
until: { stall: [{ metric: quality, rounds: 3, gain: 0.03 }] }
guards:
  - { id: orders, rule: injection, at: brief, then: halt }
  - { id: secrets, rule: secrets, at: result, then: halt }
budget: { rounds: 6, usd: $2.00, perRound: { usd: $0.50 } }
`,
};
