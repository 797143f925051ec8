// Cline: reads AGENTS.md where there is no .clinerules; where there is, a rule of ours beside theirs.
//
// Format: docs.cline.bot/features/cline-rules (November 2026): every `.md` in `.clinerules/`, or one file of that name, or AGENTS.md. Rules of other
// agents are read only where there is no `.clinerules`, so that to make one would take theirs away.
import { defineAgent } from "../../contract/agents.ts";
import { aboutLoops } from "./agents-md.ts";

const RULES = ".clinerules";
const RULE = `${RULES}/loopwright.md`;

export const cline = defineAgent({
  name: "cline",
  title: "Cline",
  summary: "Reads AGENTS.md; a rule in .clinerules where that folder is there.",
  notes: [
    ".clinerules is not made where there is none: Cline would then no longer read the rules of other agents (docs.cline.bot, November 2026).",
    "Where .clinerules is one file, AGENTS.md has to be named there by hand.",
  ],
  signs: { paths: [RULES], programs: ["cline"] },
  asks: [RULES],
  needs: ["agents-md"],
  pieces: ({ loops, kindAt }) =>
    kindAt(RULES) === "folder" ? [{ kind: "file", path: RULE, body: aboutLoops({ loops }), marks: "markdown" }] : [],
  own: [RULE],
});
