// Human in the loop: a person is asked in time, and silence is never a yes.
import type { Pattern } from "../contract/pattern.ts";

export const human: Pattern = {
  kind: "pattern",
  name: "human",
  purpose: "Ask a person before it counts, and again before it moves.",
  invariant: "Past the deadline without a yes nothing counts, and nothing has moved.",
  needs: ["a model", "a command that proves the change", "a person"],
  text: `name: human
intent: Make the change, and let a person see it in time.
level: L2
maker: { use: {{use}}, with: {{with}} }
verifiers:
  - { id: tests, use: command, with: { run: {{test}} } }
  - { id: seen, use: human, with: { ask: Is this change what you want?, within: 2d } }
gate: { all: [{ use: ask }] }
act: [{ use: merge }]
budget: { rounds: 3, usd: $1.00 }
`,
};
