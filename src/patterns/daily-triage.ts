// What came in since yesterday: commits, TODOs and branches, in one report.
import type { ProductionLoop } from "../contract/production-loop.ts";

export const dailyTriage: ProductionLoop = {
  name: "daily-triage",
  does: "Every morning it tells what landed, ranked by what deserves a look, with new TODOs and branches that somebody should look at.",
  needs: ["nothing but the repository"],
  costs: "$0.00: no model is asked",
  level: "L1",
  why: "it tells people what to look at; what follows is theirs to say",
  reads: "repository",
  text: `name: daily-triage
intent: Tell me what landed that I should look at, and what was left to do.
level: L1
target: { repo: .., base: {{base}} }
trigger: { use: daily, with: { at: "07:00" } }
gather:
  - { use: commits, with: { refs: [{{base}}], since: 7d } }
  - { use: todos }
  - { use: branches, with: { stale: 30d } }
maker: { use: triage }
verifiers: [{ use: grounded }]
`,
};
