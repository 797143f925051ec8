// Optimisation: a change of the loop itself stays only by a margin.
import type { Pattern } from "../contract/pattern.ts";

export const optimization: Pattern = {
  kind: "pattern",
  name: "optimization",
  purpose: "Vary what a loop is set to, keep what is better by a margin, stop when nothing is gained.",
  invariant: "No change stays that did not gain the margin.",
  needs: ["a model", 'a command that writes {"score": …} to score.json'],
  text: `name: optimization
intent: Raise the score until it no longer rises.
level: L2
maker: { use: {{use}}, with: {{with}} }
verifiers:
  - { id: scored, use: check, with: { run: {{test}}, answers: score, file: score.json } }
metrics: { value: { from: scored, primary: true, target: 0.95 } }
until: { stall: [{ metric: value, rounds: 3, gain: 0.02 }] }
improve:
  use: search
  space: { output: [1k, 2k, 4k, 8k] }
  gain: 0.02
  lasts: loop
budget: { rounds: 20, usd: $3.00 }
`,
};
