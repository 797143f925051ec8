// Reflection: a draft is looked at before it counts, and what was wrong goes back to who wrote it.
import type { Pattern } from "../contract/pattern.ts";

export const reflection: Pattern = {
  kind: "pattern",
  name: "reflection",
  purpose: "Look at a draft again before it counts, and write it better.",
  invariant: "Nothing moves before the reflection has passed it.",
  needs: ["a model that writes", "another that judges"],
  text: `name: reflection
intent: Write a note that holds up when it is read again.
level: L2
inputs:
  topic: { type: text, about: What the note is about, required: true, longest: 500 }
document: { files: ["*.md"] }
maker: { use: {{use}}, with: {{with}} }
task: Write the note on the topic into note.md.
verifiers:
  - { id: written, use: measure, with: { words: { least: 3 } } }
  - id: reflect
    use: rubric
    with:
      judges: [{{judge}}]
      dimensions: { sound: { criteria: Nothing in it contradicts itself or the topic. } }
      threshold: 0.7
feedback:
  - { from: reflect, tell: [scores, hints], most: 300, when: not passed }
act: [{ use: write-document, with: { folder: ../notes } }]
budget: { rounds: 3, usd: $1.00 }
`,
};
