// Where other agents keep the servers of the Model Context Protocol that they start, and how ours stands there. Data: one row each.
//
// Formats: Claude Code `.mcp.json` and `~/.claude.json` (code.claude.com/docs/en/mcp; it starts a server in the project's folder); Codex
// `config.toml`, `[mcp_servers.NAME]`, of a project only where it is trusted (developers.openai.com/codex/mcp); Gemini CLI
// `.gemini/settings.json` (its docs/tools/mcp-server.md); Cursor `mcp.json`, which replaces `${workspaceFolder}` (cursor.com/docs/mcp);
// OpenCode 1 `opencode.json`, `mcp.NAME` (opencode.ai/v1/docs/mcp-servers); Copilot CLI `~/.copilot/mcp-config.json`, where `tools` must be
// said; VS Code `.vscode/mcp.json`, `servers`, with `${workspaceFolder}` (code.visualstudio.com/docs/copilot/customization/mcp-servers).
import type { HookEdit } from "../contract/adapters.ts";
import { addMember, type NamedMember, removeMember } from "./files/json-member.ts";
import type { Json } from "./files/json-tree.ts";
import { addBlock, removeBlock, type TomlBlock } from "./files/toml-block.ts";

export interface McpSettings {
  readonly name: string;
  /** What a user has to know. */
  readonly notes: readonly string[];
  /** Relative to the project and to the home folder; undefined where the agent has none. */
  readonly settings: { readonly project?: string; readonly user?: string };
  /** How the agent writes the project's folder in what it starts; undefined where it starts servers there. */
  readonly projectFolder?: string;
  readonly install: (text: string | undefined, words: readonly string[]) => HookEdit;
  readonly uninstall: (text: string) => HookEdit;
}

const NAME = "loopwright";
type Words = readonly [command: string, ...args: string[]];

/** Whatever stands there under our name and starts our server is ours. */
const startsOurs = (value: Json): boolean => /"mcp"\s*,\s*"serve"/.test(JSON.stringify(value));

function inJson(path: readonly string[], entryOf: (words: Words) => Json): Pick<McpSettings, "install" | "uninstall"> {
  const member = (value: Json): NamedMember => ({ path, name: NAME, value, isOurs: startsOurs });
  return {
    install: (text, [command = "", ...args]) => addMember(text, member(entryOf([command, ...args]))),
    uninstall: (text) => removeMember(text, member(null)),
  };
}

const block = (words: readonly string[]): TomlBlock => ({
  table: ["mcp_servers", NAME],
  fields: [
    ["command", words[0] ?? ""],
    ["args", words.slice(1)],
  ],
});

const plain = ([command, ...args]: Words): Json => ({ command, args });

export const mcpSettings: readonly McpSettings[] = [
  {
    name: "claude-code",
    notes: ["Claude Code asks you once whether it may start a server that a project names."],
    settings: { project: ".mcp.json", user: ".claude.json" },
    ...inJson(["mcpServers"], ([command, ...args]) => ({ type: "stdio", command, args })),
  },
  {
    name: "codex",
    notes: ["Codex reads the file of a project only where you trust the project."],
    settings: { project: ".codex/config.toml", user: ".codex/config.toml" },
    install: (text, words) => addBlock(text, block(words)),
    uninstall: (text) => removeBlock(text, block([])),
  },
  {
    name: "gemini-cli",
    notes: ["Gemini CLI asks before each call of a tool, unless you trust the server; leave it so."],
    settings: { project: ".gemini/settings.json", user: ".gemini/settings.json" },
    ...inJson(["mcpServers"], plain),
  },
  {
    name: "cursor",
    notes: ["Cursor shows the server in its settings, where it has to be switched on once."],
    settings: { project: ".cursor/mcp.json", user: ".cursor/mcp.json" },
    projectFolder: "${workspaceFolder}",
    ...inJson(["mcpServers"], plain),
  },
  {
    name: "opencode",
    notes: ["This is the form of OpenCode 1; OpenCode 2 has its servers one level deeper."],
    settings: { project: "opencode.json", user: ".config/opencode/opencode.json" },
    ...inJson(["mcp"], (words) => ({ type: "local", command: words, enabled: true })),
  },
  {
    name: "copilot-cli",
    notes: ["Copilot CLI has no file of a project that only it reads: install it with --user."],
    settings: { user: ".copilot/mcp-config.json" },
    ...inJson(["mcpServers"], ([command, ...args]) => ({ type: "local", command, args, tools: ["*"] })),
  },
  {
    name: "vscode",
    notes: ["VS Code asks you once whether it may start the server."],
    settings: { project: ".vscode/mcp.json" },
    projectFolder: "${workspaceFolder}",
    ...inJson(["servers"], ([command, ...args]) => ({ type: "stdio", command, args })),
  },
];
