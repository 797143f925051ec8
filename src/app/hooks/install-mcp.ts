// Puts our server of the Model Context Protocol into other agents' settings, and takes it out again.
import { join } from "node:path";
import { type McpSettings, mcpSettings } from "../../adapters/mcp-settings.ts";
import type { SettingsFiles } from "../../contract/adapters.ts";
import { closest } from "../../std/closest.ts";
import { changeSettingsFile, type HookChange } from "./change-settings-file.ts";

export interface McpPlace {
  readonly agent: string;
  readonly scope: "project" | "user";
  /** The absolute folder of the project, and the user's own. */
  readonly project: string;
  readonly home: string;
}

/** By which loop, and from where, the referee judges; and whether nothing but looking is wanted. */
export interface McpWishes {
  readonly loop: string | undefined;
  readonly base: string | undefined;
  readonly lookOnly: boolean;
}

export function installMcp(place: McpPlace, wishes: McpWishes, mode: "write" | "show", files: SettingsFiles): Promise<HookChange> {
  return change(place, mode, files, (agent, text) => agent.install(text, wordsFor(agent, place, wishes)));
}

export function uninstallMcp(place: McpPlace, mode: "write" | "show", files: SettingsFiles): Promise<HookChange> {
  return change(place, mode, files, (agent, text) => (text === undefined ? { kind: "unchanged" } : agent.uninstall(text)));
}

/** The command that starts our server. */
export function wordsFor(
  { projectFolder }: McpSettings,
  { scope }: Pick<McpPlace, "scope">,
  { loop, base, lookOnly }: McpWishes,
): readonly string[] {
  const repo = scope === "project" && projectFolder !== undefined ? ["--repo", projectFolder] : [];
  const named = (name: string, value: string | undefined): readonly string[] => (value === undefined ? [] : [name, value]);
  return ["lw", "mcp", "serve", ...repo, ...named("--loop", loop), ...named("--base", base), ...(lookOnly ? ["--look-only"] : [])];
}

async function change(
  { agent: asked, scope, project, home }: McpPlace,
  mode: "write" | "show",
  files: SettingsFiles,
  edit: (agent: McpSettings, text: string | undefined) => ReturnType<McpSettings["install"]>,
): Promise<HookChange> {
  const agent = mcpSettings.find(({ name }) => name === asked);
  if (!agent) {
    const names = mcpSettings.map(({ name }) => name);
    const near = closest(asked, names);
    return {
      kind: "refused",
      why: `no agent that we know of is called ${asked}${near ? ` (did you mean ${near}?)` : ""}; there are ${names.join(", ")}.`,
    };
  }
  const file = agent.settings[scope];
  if (file === undefined)
    return {
      kind: "refused",
      why: `${agent.name} has no settings of ${scope === "project" ? "a project: try --user" : "a user: leave out --user"}.`,
    };
  return changeSettingsFile(join(scope === "project" ? project : home, file), mode, files, (text) => edit(agent, text));
}

export const describeMcpAgents = (): readonly Pick<McpSettings, "name" | "notes" | "settings">[] =>
  mcpSettings.map(({ name, notes, settings }) => ({ name, notes, settings }));
