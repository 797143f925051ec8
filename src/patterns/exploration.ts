// Exploration: ways are tried one after the other, each from one before it, and left again where they lead down.
import type { Pattern } from "../contract/pattern.ts";

export const exploration: Pattern = {
  kind: "pattern",
  name: "exploration",
  purpose: "Try several ways, and go back where one leads down.",
  invariant: "Each try names the one that it came from, and a try that was worse is left for that one, byte by byte.",
  needs: ["a model", 'a command that writes {"score": …} to score.json'],
  text: `name: exploration
intent: Find the way that scores best.
level: L2
maker: { use: {{use}}, with: {{with}} }
verifiers:
  - { id: scored, use: check, with: { run: {{test}}, answers: score, file: score.json } }
metrics: { value: { from: scored, primary: true, target: 0.9 } }
until: { stall: [{ metric: value, rounds: 4, gain: 0.01 }] }
improve:
  use: search
  space: { output: [1k, 2k, 4k, 8k] }
  steps: 3
  undo: { drop: 0 }
budget: { rounds: 8, usd: $3.00 }
`,
};
