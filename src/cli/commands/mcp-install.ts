// lw mcp install and uninstall: our entry in another agent's settings.
import { describeMcpAgents, installMcp, uninstallMcp } from "../../app/hooks/install-mcp.ts";
import { openHooks } from "../../app/open-hooks.ts";
import { environmentOf } from "../../contract/around.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { type Call, printJson, wantsJson } from "../call.ts";
import { tellHookChange } from "../print/tell-hook-change.ts";

export async function changeMcp(call: Call, action: "install" | "uninstall", [agent, ...more]: readonly string[]): Promise<ExitName> {
  if (more.length > 0)
    throw new LoopError("bad-input", `lw mcp ${action} takes one agent`, { retry: "never", hint: "Call it once for each." });
  if (agent === undefined) return listAgents(call);
  const { options, io } = call;
  const env = environmentOf(call.env);
  const text = (name: string): string | undefined => (options[name] === undefined ? undefined : String(options[name]));
  const place = {
    agent,
    scope: options.user === true ? ("user" as const) : ("project" as const),
    project: io.cwd,
    home: env.get("HOME") ?? env.get("USERPROFILE") ?? "",
  };
  const wishes = { loop: text("loop"), base: text("base"), lookOnly: options.lookOnly === true };
  const mode = options.dryRun === true ? "show" : "write";
  const { settings } = openHooks(env);
  const result = await (action === "install" ? installMcp(place, wishes, mode, settings) : uninstallMcp(place, mode, settings));
  if (wantsJson(call)) printJson(call, result);
  else {
    tellHookChange(io, result, mode === "show");
    const notes = result.kind === "changed" ? (describeMcpAgents().find(({ name }) => name === agent)?.notes ?? []) : [];
    for (const note of notes) io.err(`    ${note}\n`);
  }
  return result.kind === "refused" ? "usage" : "done";
}

function listAgents(call: Call): ExitName {
  const agents = describeMcpAgents();
  if (wantsJson(call)) printJson(call, { agents });
  else
    for (const { name, notes, settings } of agents) {
      const places = [settings.project, settings.user && `with --user ~/${settings.user}`].filter((place) => place !== undefined);
      call.io.out(`${name}  ${places.join(", or ")}\n${notes.map((note) => `  - ${note}\n`).join("")}`);
    }
  return "done";
}
