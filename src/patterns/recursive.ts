// Recursive improvement: a loop proposes how its own instructions could become better, and a person takes it or not.
import type { Pattern } from "../contract/pattern.ts";

export const recursive: Pattern = {
  kind: "pattern",
  name: "recursive",
  purpose: "Let a loop propose better instructions for itself, measured by a check that it does not see.",
  invariant: "It never changes itself alone, and no change can touch its verifiers, gates, budget, seal or level.",
  needs: ["a model", "a command that proves the change"],
  text: `name: recursive
intent: Make the change, and learn from what was refused.
level: L2
maker: { use: {{use}}, with: {{with}} }
verifiers:
  - { id: tests, use: command, with: { run: {{test}} } }
metrics: { passing: { from: tests, primary: true } }
improve: { use: propose, steps: 3, lasts: loop }
budget: { rounds: 4, usd: $3.00 }
`,
};
