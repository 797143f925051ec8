// Jobs of CI that failed, with the step and the end of the log on record.
import type { ProductionLoop } from "../contract/production-loop.ts";

export const ciSweeper: ProductionLoop = {
  name: "ci-sweeper",
  does: "Every half hour it tells which jobs of CI failed since it looked last, in which step; the end of each log is on record.",
  needs: ["a repository on GitHub or GitLab with CI", "a token that may read it"],
  costs: "$0.00: no model is asked; a request when nothing failed",
  level: "L1",
  why: "a log is printed by whoever can have a job run; it says where to look and proves nothing",
  reads: "forge",
  text: `name: ci-sweeper
intent: Tell me which jobs of CI failed, and where.
level: L1
target: { repo: .., base: {{base}} }
trigger: { use: every, with: { interval: 30m } }
gather:
  - { use: ci, with: {{place}} }
maker: { use: triage }
verifiers: [{ use: grounded }]
`,
};
