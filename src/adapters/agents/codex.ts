// Codex: reads AGENTS.md and .agents/skills by itself; a custom agent that checks, and the hooks.
//
// Format: developers.openai.com/codex/skills, /codex/subagents and /codex/hooks (November 2026): `.codex/agents/NAME.toml` with `name`, `description` and
// `developer_instructions`; skills in `.agents/skills`; hooks in `.codex/hooks.json`.
import { defineAgent } from "../../contract/agents.ts";
import { CHECKER } from "./skills.ts";
import { tomlText } from "./words.ts";

const SUB_AGENT = `.codex/agents/${CHECKER.name}.toml`;

export const codex = defineAgent({
  name: "codex",
  title: "Codex",
  summary: "Reads AGENTS.md and .agents/skills; a custom agent that checks, and hooks for the guard and the referee.",
  notes: [
    "Codex skips hooks of a project until you have trusted them with `/hooks` (developers.openai.com/codex, November 2026).",
    "In `.codex/config.toml` stands one table, that of our server; hooks, skills and agents have files of their own.",
  ],
  signs: { paths: [".codex"], programs: ["codex"] },
  asks: [],
  needs: ["agents-md"],
  pieces: () => [
    {
      kind: "file",
      path: SUB_AGENT,
      body: [
        `name = ${tomlText(CHECKER.name)}`,
        `description = ${tomlText(CHECKER.description)}`,
        `developer_instructions = ${tomlText(CHECKER.body)}`,
        "",
      ].join("\n"),
      marks: "hashes",
    },
    { kind: "hook", adapter: "codex" },
    { kind: "server", agent: "codex" },
  ],
  own: [SUB_AGENT],
});
