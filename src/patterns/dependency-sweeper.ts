// Dependencies with an advisory, and those that are behind.
import type { ProductionLoop } from "../contract/production-loop.ts";

export const dependencySweeper: ProductionLoop = {
  name: "dependency-sweeper",
  does: "Once a week it tells which dependencies have an advisory or a newer version, by the repository's own package managers, each once.",
  needs: [
    "npm, pnpm, cargo or go in the repository",
    "for cargo also cargo-audit and cargo-outdated, for go also govulncheck",
    "the network: the registry is asked",
  ],
  costs: "$0.00: no model is asked",
  level: "L1",
  why: "a version that is newer proves nothing until the tests have run with it; a person says which to raise",
  reads: "dependencies",
  text: `name: dependency-sweeper
intent: Tell me which dependencies are vulnerable, and which are behind.
level: L1
target: { repo: .., base: {{base}} }
trigger: { use: weekly, with: { on: mon, at: "07:00" } }
gather: {{dependencies}}
maker: { use: triage }
verifiers: [{ use: grounded }]
`,
};
