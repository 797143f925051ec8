// GitHub Copilot: reads AGENTS.md and .agents/skills; its own instructions where a repository has them, an agent that checks, and the hooks of its CLI.
//
// Format: docs.github.com/en/copilot (custom instructions, agent skills, custom agents; November 2026): `.github/copilot-instructions.md`; skills in `.github/skills`,
// `.claude/skills` or `.agents/skills`; `.github/agents/NAME.agent.md` with `name` and `description`.
import { defineAgent } from "../../contract/agents.ts";
import { aboutLoops } from "./agents-md.ts";
import { CHECKER } from "./skills.ts";
import { withFrontMatter } from "./words.ts";

const INSTRUCTIONS = ".github/copilot-instructions.md";
const SUB_AGENT = `.github/agents/${CHECKER.name}.agent.md`;

export const copilot = defineAgent({
  name: "copilot",
  title: "GitHub Copilot",
  summary: "Reads AGENTS.md and .agents/skills; a block in copilot-instructions.md where that is there, an agent that checks, and hooks.",
  notes: [
    "copilot-instructions.md is not made where there is none: Copilot reads AGENTS.md, and other agents would read that file instead of theirs.",
    "Where `.claude/settings.json` has the hooks too, Copilot CLI asks the guard twice (docs.github.com, November 2026).",
  ],
  signs: { paths: [INSTRUCTIONS, ".github/agents", ".github/hooks"], programs: ["copilot"] },
  asks: [INSTRUCTIONS],
  needs: ["agents-md"],
  pieces: ({ loops, kindAt }) => [
    ...(kindAt(INSTRUCTIONS) === "file"
      ? [{ kind: "block", path: INSTRUCTIONS, name: "loops", body: aboutLoops({ loops }), marks: "markdown" } as const]
      : []),
    {
      kind: "file",
      path: SUB_AGENT,
      body: withFrontMatter({ name: CHECKER.name, description: CHECKER.description }, CHECKER.body),
      marks: "markdown",
    },
    { kind: "hook", adapter: "copilot-cli" },
  ],
  own: [SUB_AGENT],
});
