// Pull requests that stand otherwise than when somebody looked last.
import type { ProductionLoop } from "../contract/production-loop.ts";

export const prBabysitter: ProductionLoop = {
  name: "pr-babysitter",
  does: "Every hour it tells which open pull requests are new, were answered, failed or passed their checks, conflict, or wait for a review.",
  needs: ["a repository on GitHub or GitLab", "a token that may read it"],
  costs: "$0.00: no model is asked; on GitHub one request for fifty pull requests",
  level: "L1",
  why: "it changes nothing of other people's branches; it says which of them need somebody",
  reads: "forge",
  text: `name: pr-babysitter
intent: Tell me which pull requests need somebody.
level: L1
target: { repo: .., base: {{base}} }
trigger: { use: every, with: { interval: 1h } }
gather:
  - { use: pull-requests, with: {{place}} }
maker: { use: triage }
verifiers: [{ use: grounded }]
`,
};
