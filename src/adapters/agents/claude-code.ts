// Claude Code: CLAUDE.md that brings AGENTS.md in, skills (which are slash commands too), a sub-agent that checks, and the hooks.
//
// Format: code.claude.com/docs/en/memory, /skills, /sub-agents and /hooks (the 2.1.x reference, November 2026). `@AGENTS.md` on a line brings a file
// in; custom commands became skills; a sub-agent needs `name` and `description`, `tools` is a list with commas. In skills, `!` before
// code runs it and `$ARGUMENTS` is filled in: words of people come without those signs.
import { defineAgent } from "../../contract/agents.ts";
import { INSTRUCTIONS } from "./agents-md.ts";
import { CHECKER, ownSkills, skillFiles } from "./skills.ts";
import { withFrontMatter } from "./words.ts";

const SKILLS = ".claude/skills";
const SUB_AGENT = `.claude/agents/${CHECKER.name}.md`;

export const claudeCode = defineAgent({
  name: "claude-code",
  title: "Claude Code",
  summary: "CLAUDE.md brings AGENTS.md in; skills for the loops, a sub-agent that checks, and hooks for the guard and the referee.",
  notes: [
    "CLAUDE.md that is a link to AGENTS.md, or says `@AGENTS.md` already, is left as it is.",
    "Skills are slash commands as well: `/loopwright-inbox` (Claude Code 2.1.x, November 2026).",
    "Hooks stand in `.claude/settings.json`; `lw hook list` says what they can and cannot do.",
  ],
  signs: { paths: ["CLAUDE.md", ".claude"], programs: ["claude"] },
  asks: [],
  needs: ["agents-md"],
  pieces: ({ loops }) => [
    {
      kind: "block",
      path: "CLAUDE.md",
      name: "import",
      body: `@${INSTRUCTIONS}\n`,
      marks: "markdown",
      isNeedless: (theirs) => /^[ \t]*@(?:\.\/)?AGENTS\.md[ \t]*\r?$/m.test(theirs) || theirs.includes("<!-- loopwright:begin loops "),
    },
    ...skillFiles(SKILLS, loops),
    {
      kind: "file",
      path: SUB_AGENT,
      body: withFrontMatter({ name: CHECKER.name, description: CHECKER.description, tools: "Bash, Read, Grep, Glob" }, CHECKER.body),
      marks: "markdown",
    },
    { kind: "hook", adapter: "claude-code" },
    { kind: "server", agent: "claude-code" },
  ],
  own: [...ownSkills(SKILLS), SUB_AGENT],
});
