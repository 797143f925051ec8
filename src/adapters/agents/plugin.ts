// The plugin for Claude Code that comes with the package: the skills, the sub-agent that checks, and our server of the Model Context Protocol.
//
// Format: code.claude.com/docs/en/plugins and /plugin-marketplaces (2.1.x, November 2026): `.claude-plugin/plugin.json` with `name`, everything else at the root of the
// plugin; `.claude-plugin/marketplace.json` with `name`, `owner` and `plugins`. It has no hooks: they belong to a repository, where `lw` is there.
import { CHECKER, skills, skillText } from "./skills.ts";
import { withFrontMatter } from "./words.ts";

const NAME = "loopwright";
const DESCRIPTION = "Lets the agent set Loopwright up, write loops, take refusals, read the inbox, and check changes with the referee.";

/** Path from the plugin's folder → text. */
export const pluginFiles = (version: string): ReadonlyMap<string, string> =>
  new Map([
    [
      ".claude-plugin/plugin.json",
      json({ name: NAME, version, description: DESCRIPTION, license: "MIT", keywords: ["loops", "verification"] }),
    ],
    [
      ".claude-plugin/marketplace.json",
      json({ name: NAME, owner: { name: NAME }, plugins: [{ name: NAME, source: "./", version, description: DESCRIPTION }] }),
    ],
    [".mcp.json", json({ mcpServers: { [NAME]: { command: "lw", args: ["mcp", "serve"] } } })],
    [
      `agents/${CHECKER.name}.md`,
      withFrontMatter({ name: CHECKER.name, description: CHECKER.description, tools: "Bash, Read, Grep, Glob" }, CHECKER.body),
    ],
    ...skills.map((skill) => [`skills/${skill.name}/SKILL.md`, skillText(skill)] as const),
  ]);

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
