// Simulation: a proposal is tried in a model first, over scenarios and seeds, and is not done below its target.
import type { Pattern } from "../contract/pattern.ts";

export const simulation: Pattern = {
  kind: "pattern",
  name: "simulation",
  purpose: "Try it in a model of the world before the world gets it.",
  invariant: "Nothing that missed the target in the simulation counts as done or moves by itself.",
  needs: ["a model", 'a command that runs scenarios and writes {"score": …} to score.json'],
  text: `name: simulation
intent: Find settings that hold in every scenario.
level: L2
maker: { use: {{use}}, with: {{with}} }
verifiers:
  - { id: simulated, use: check, with: { run: {{test}}, answers: score, file: score.json } }
metrics: { success: { from: simulated, primary: true, target: 0.9 } }
until:
  success: [{ when: success >= 0.9 }]
  stall: [{ metric: success, rounds: 20, gain: 0.01 }]
act: [{ use: merge }]
budget: { rounds: 100, usd: $5.00 }
`,
};
