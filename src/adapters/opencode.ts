// opencode: a plugin file of our own that asks the guard in tool.execute.before.
//
// Format: opencode.ai/docs/plugins (anomalyco/opencode packages/web/src/content/docs/plugins.mdx; plugins/*.{ts,js} are
// loaded, every exported function is a plugin, an error thrown in tool.execute.before stops the tool) and the `bash` tool's
// parameters `command` and `workdir`. What the plugin sends and hears is ours: the call as JSON, and an exit code.
import { defineHookAdapter } from "../contract/adapters.ts";
import { fieldsOf, readRecord, textIn } from "../std/json-record.ts";
import { shellWord } from "../std/shell-word.ts";

const SHELL_TOOLS = ["bash", "shell"];

/** By this line we know our own file. */
const MARK = "// Written by `lw hook install opencode`. Do not edit; `lw hook uninstall opencode` removes it.";

export const opencode = defineHookAdapter({
  name: "opencode",
  summary: "opencode asks the guard before each shell command (a plugin with tool.execute.before).",
  notes: [
    "A plugin cannot ask before a tool runs, so a command that needs a human is denied, with the reason.",
    "opencode must be started anew to load the plugin; `--pure` starts it without plugins.",
    "Versions of 2025 did not show a subagent's commands to plugins (anomalyco/opencode#5894).",
    "When the guard cannot be started, or does not answer within 30 seconds, the plugin stops the command.",
  ],
  settings: { project: ".opencode/plugins/loopwright.js", user: ".config/opencode/plugins/loopwright.js" },

  readCall(input) {
    const call = readRecord(input);
    if (call.kind === "unreadable") return call;
    const tool = textIn(call.fields, "tool");
    if (tool === undefined) return { kind: "unreadable", why: "the call has no `tool`" };
    if (!SHELL_TOOLS.includes(tool)) return { kind: "other" };
    const args = fieldsOf(call.fields.get("args"));
    const command = textIn(args, "command");
    if (command === undefined) return { kind: "unreadable", why: `the ${tool} call has no \`args.command\`` };
    // The tool goes to this folder first.
    const folder = textIn(args, "workdir");
    return {
      kind: "command",
      command: folder === undefined ? command : `cd ${shellWord(folder)}\n${command}`,
      cwd: textIn(call.fields, "cwd"),
    };
  },

  answer(decision, reason) {
    return decision === "allow" ? { stdout: "", stderr: "", exitCode: 0 } : { stdout: "", stderr: `${reason}\n`, exitCode: 2 };
  },

  install(settings, command) {
    const text = pluginText(command);
    if (settings === text) return { kind: "unchanged" };
    if (settings !== undefined && !settings.startsWith(MARK)) return { kind: "refused", why: NOT_OURS };
    return { kind: "changed", text };
  },

  uninstall: (settings) => (settings.startsWith(MARK) ? { kind: "removed" } : { kind: "refused", why: NOT_OURS }),
});

const NOT_OURS = "it is not a file that Loopwright wrote. Move it away, then try again";

const pluginText = (command: string): string => `${MARK}
// Asks Loopwright's command guard before opencode runs a shell command. What cannot be asked is not run.
import { spawn } from 'node:child_process';

const SHELL_TOOLS = ${JSON.stringify(SHELL_TOOLS)};
const GUARD = ${JSON.stringify(command)};

export const LoopwrightGuard = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    if (!SHELL_TOOLS.includes(input.tool)) return;
    const reason = await reasonAgainst(JSON.stringify({ tool: input.tool, args: output.args, cwd: directory }));
    if (reason !== undefined) throw new Error(reason);
  },
});

const reasonAgainst = (call) =>
  new Promise((resolve) => {
    const guard = spawn(GUARD, { shell: true, timeout: 30_000, stdio: ["pipe", "ignore", "pipe"] });
    let said = "";
    guard.stderr.on("data", (text) => {
      said += text;
    });
    guard.on("error", (error) => resolve(\`The command guard could not be started (\${error.message}), so the command was not run.\`));
    guard.on("close", (code) =>
      resolve(code === 0 ? undefined : said.trim() || "The command guard ended without an answer, so the command was not run."),
    );
    guard.stdin.on("error", () => {}); // it ended before it read the call; how it ended is the answer
    guard.stdin.end(call);
  });
`;
