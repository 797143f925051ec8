// Verification: what counts is what the engine itself ran, and nothing that the maker says.
import type { Pattern } from "../contract/pattern.ts";

export const verification: Pattern = {
  kind: "pattern",
  name: "verification",
  purpose: "Let checks that can be run drive every retry.",
  invariant: "A maker that claims success while a test is red is not accepted.",
  needs: ["a model", "a command that proves the change"],
  text: `name: verification
intent: Make the failing check pass.
level: L2
maker: { use: {{use}}, with: {{with}} }
verifiers:
  - { id: tests, use: command, with: { run: {{test}} } }
budget: { rounds: 10, usd: $3.00 }
`,
};
