// opencode: reads AGENTS.md and .agents/skills; a sub-agent that checks, a command for each loop, and the plugin with the hooks.
//
// Format: opencode.ai/docs/agents, /commands, /skills and /plugins (1.18, November 2026): `.opencode/agents/NAME.md` with `description` and `mode`;
// `.opencode/commands/NAME.md` with `description`, in whose text `$ARGUMENTS`, `!` before code and `@path` are acted upon.
import { defineAgent } from "../../contract/agents.ts";
import { CHECKER, loopSkill } from "./skills.ts";
import { withFrontMatter } from "./words.ts";

const SUB_AGENT = `.opencode/agents/${CHECKER.name}.md`;
const COMMANDS = ".opencode/commands";

export const opencode = defineAgent({
  name: "opencode",
  title: "opencode",
  summary: "Reads AGENTS.md and .agents/skills; a sub-agent that checks, a command for each loop, and the plugin that asks the guard.",
  notes: [
    "Skills of `.claude/skills` are read by opencode too: with Claude Code beside it each is there twice, and the same (opencode.ai, November 2026).",
  ],
  signs: { paths: [".opencode", "opencode.json", "opencode.jsonc"], programs: ["opencode"] },
  asks: [],
  needs: ["agents-md"],
  pieces: ({ loops }) => [
    {
      kind: "file",
      path: SUB_AGENT,
      body: withFrontMatter({ description: CHECKER.description, mode: "subagent" }, CHECKER.body),
      marks: "markdown",
    },
    ...loops
      .map(loopSkill)
      .map(
        ({ name, description, body }) =>
          ({ kind: "file", path: `${COMMANDS}/${name}.md`, body: withFrontMatter({ description }, body), marks: "markdown" }) as const,
      ),
    { kind: "hook", adapter: "opencode" },
    { kind: "server", agent: "opencode" },
  ],
  own: [SUB_AGENT, `${COMMANDS}/loop-*.md`],
});
