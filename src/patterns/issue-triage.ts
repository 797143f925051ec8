// Issues that were opened or changed, with who wrote them.
import type { ProductionLoop } from "../contract/production-loop.ts";

export const issueTriage: ProductionLoop = {
  name: "issue-triage",
  does: "Every morning it tells which issues are new or changed since it looked last, with author, age and labels.",
  needs: ["a repository on GitHub or GitLab", "a token that may read it, unless it is public"],
  costs: "$0.00: no model is asked; a request or two when nothing is new",
  level: "L1",
  why: "issues are strangers' words; what they ask for is for a person to say",
  reads: "forge",
  text: `name: issue-triage
intent: Tell me which issues are new or changed.
level: L1
target: { repo: .., base: {{base}} }
trigger: { use: daily, with: { at: "07:00" } }
gather:
  - { use: issues, with: {{place}} }
maker: { use: triage }
verifiers: [{ use: grounded }]
`,
};
