// Branches that were merged and are still there, and those that everybody forgot.
import type { ProductionLoop } from "../contract/production-loop.ts";

export const postMergeCleanup: ProductionLoop = {
  name: "post-merge-cleanup",
  does: "Once a week it names branches that are merged and still there, stale, or far behind base, each once for every state.",
  needs: ["nothing but the repository"],
  costs: "$0.00: no model is asked",
  level: "L1",
  why: "a branch that is deleted takes work with it that is nowhere else; a person says so",
  reads: "repository",
  text: `name: post-merge-cleanup
intent: Name the branches that can go, and those that need a decision.
level: L1
target: { repo: .., base: {{base}} }
trigger: { use: weekly, with: { on: mon, at: "07:00" } }
gather:
  - { use: branches, with: { stale: 30d, behind: 100 } }
maker: { use: triage }
verifiers: [{ use: grounded }]
`,
};
