// Memory: what was learnt is kept under a name, by those who may write there and in a form that is checked, and found by those who come after.
import type { Pattern } from "../contract/pattern.ts";

export const memory: Pattern = {
  kind: "pattern",
  name: "memory",
  purpose: "Keep what was learnt for those who come after.",
  invariant: "A note that does not have its form, or is by nobody who may write it, is never read.",
  needs: ["a model", "another that judges"],
  text: `name: memory
intent: Answer from what earlier rounds and runs have learnt.
level: L2
inputs:
  question: { type: text, about: What is asked, required: true, longest: 500 }
team:
  workers:
    learner:
      role: "Write down one thing that the question teaches, as a fact with how sure you are."
      use: {{use}}
      with: {{with}}
      reads: [inputs.question]
      tools: []
      gives: { as: json }
    answerer: { role: "Answer from what is known.", use: {{use}}, with: {{with}}, reads: [inputs.question, notes.facts], after: [learner], tools: [], gives: { as: markdown, file: answer.md } }
  proposes: [answerer]
notebook:
  keep: loop
  keys:
    facts: { writes: [learner], reads: [answerer], most: 50, age: 30d, schema: { type: object, required: [fact, confidence], properties: { fact: { type: string }, confidence: { type: number } } } }
verifiers:
  - { id: written, use: measure, with: { words: { least: 3 } } }
  - id: sound
    use: rubric
    with: { judges: [{{judge}}], dimensions: { sound: { criteria: It answers the question. } }, threshold: 0.6 }
budget: { rounds: 4, usd: $3.00 }
`,
};
