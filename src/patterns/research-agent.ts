// Research agent: a brief whose claims are told apart by how well they are supported.
import type { Pattern } from "../contract/pattern.ts";

export const researchAgent: Pattern = {
  kind: "loop",
  name: "research-agent",
  purpose: "Answer a question with a brief that says what is known, by what, and what is not.",
  invariant: "Who doubts it can change nothing, and what was doubted stands in what is proposed.",
  needs: ["a model that writes", "a model that judges"],
  text: `name: research-agent
intent: Answer the question with a brief that says what supports each claim and what is uncertain.
level: L2
inputs:
  task: { type: text, about: The question, required: true }
team:
  workers:
    query_planner: { role: "Take the question apart into what must be found out.", use: {{use}}, with: {{with}}, reads: [inputs.task], gives: { as: markdown }, tools: [] }
    retriever: { role: "Write down what is known about each, with where it is from.", use: {{use}}, with: {{with}}, reads: [inputs.task, query_planner], gives: { as: markdown }, tools: [] }
    synthesizer: { role: "Write the brief from that, and nothing else.", use: {{use}}, with: {{with}}, reads: [inputs.task, retriever], gives: { as: markdown, file: brief.md }, tools: [] }
    critic: { role: "Say which claims are not supported by what was found.", use: {{use}}, with: {{with}}, reads: [synthesizer, retriever], gives: { as: markdown, file: doubts.md }, tools: [] }
  proposes: [synthesizer, critic]
verifiers:
  - { id: written, use: measure, with: { words: { least: 5 } } }
  - id: quality
    use: rubric
    with: { judges: [{{judge}}], dimensions: { supported: { criteria: Every claim is supported by what was found., weight: 0.6 }, open: { criteria: What is uncertain is said., weight: 0.4 } }, threshold: 0.75 }
metrics: { quality: { from: quality, primary: true } }
until: { stall: [{ metric: quality, rounds: 3, gain: 0.03 }] }
guards:
  - { id: orders, rule: injection, at: brief, then: halt }
  - { id: secrets, rule: secrets, at: result, then: halt }
budget: { rounds: 6, usd: $2.50, perRound: { usd: $0.50 } }
`,
};
