// AGENTS.md, which many agents read: what the loops are, and what counts as done. Others build on it.
//
// Format: agents.md (plain Markdown, no fields; looked up November 2026). Skills below `.agents/skills`: agentskills.io (`name` and
// `description` in the front matter), as Codex, Gemini CLI, opencode, Copilot, Cursor and Zed read them.
import { defineAgent, type TaughtLoop, type Teaching } from "../../contract/agents.ts";
import { ownSkills, skillFiles } from "./skills.ts";
import { plainCode, plainWords } from "./words.ts";

export const INSTRUCTIONS = "AGENTS.md";
const SKILLS = ".agents/skills";

export const agentsMd = defineAgent({
  name: "agents-md",
  title: "AGENTS.md",
  summary: "A block in AGENTS.md with the loops and what counts as done, and skills in .agents/skills, for every agent that reads them.",
  notes: [
    "AGENTS.md has no fields; the block stands between two comments, and everything around it is yours (agents.md, November 2026).",
    "Skills follow agentskills.io of November 2026: a folder each, with `name` and `description`.",
  ],
  signs: { paths: ["AGENTS.md"], programs: [] },
  asks: [],
  needs: [],
  pieces: ({ loops }) => [
    { kind: "block", path: INSTRUCTIONS, name: "loops", body: aboutLoops({ loops }), marks: "markdown" },
    ...skillFiles(SKILLS, loops),
  ],
  own: ownSkills(SKILLS),
});

/** The same words wherever an agent reads instructions. */
export const aboutLoops = ({ loops }: Pick<Teaching, "loops">): string => `## Loops

Recurring work of this repository is written down as loops for Loopwright (\`lw\`): what to do, how far it may go, and the checks that prove it. Who makes a change does not decide about its checks.

- Work is done when \`lw referee\` says so, not when it looks done. Run \`lw referee --begin\` before you change anything, \`lw referee\` before you say that you are finished, and mend what it names.
- Leave specs, sealed tests, \`.loopwright/\` and CI as they are, unless a person asked for exactly that.
- A command that the guard refuses comes with another one that it offers. Take that, not a detour.
- Only people approve. \`lw inbox\` says what waits for them.

${loops.length === 0 ? "There is no loop yet: `lw init` writes one.\n" : loops.map(lineOf).join("")}`;

const lineOf = ({ name, intent, level, spec, proofs }: TaughtLoop): string => {
  const proven = proofs.length === 0 ? "" : ` Proven by ${proofs.map(plainCode).join(", ")}.`;
  const what = plainWords(intent);
  return `- **${name}** (${plainWords(level)}, ${plainCode(spec)}): ${what}${/[.!?！]$/.test(what) ? "" : "."}${proven}\n`;
};
