// Research: every source that is named was really gathered.
import type { Pattern } from "../contract/pattern.ts";

export const research: Pattern = {
  kind: "pattern",
  name: "research",
  purpose: "Gather evidence until what is asked is covered, and cite it.",
  invariant: "What cites a source that nobody gathered is made up, and ends the run.",
  needs: ["a model", "a repository with commits"],
  text: `name: research
intent: Say what changed lately and why, with the commits that show it.
level: L2
document: { files: ["*.md"] }
gather: [{ use: commits }]
maker: { use: {{use}}, with: {{with}} }
task: Write brief.md, and cite the commits that were gathered by their ids.
verifiers:
  - { id: cited, use: measure, with: { citations: { least: 1 } } }
budget: { rounds: 5, usd: $1.00 }
`,
};
