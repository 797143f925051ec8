// Gemini CLI: a BeforeTool hook on run_shell_command.
//
// Format: google-gemini/gemini-cli docs/hooks/reference.md and packages/core/src/hooks/hookRunner.ts: exit 2 with a reason
// on stderr blocks, exit 0 without output goes on, any other exit code is a warning that goes on. AfterAgent: `decision: "deny"`
// with a `reason` rejects the answer and makes the agent go on with the reason; timeouts are in milliseconds.
import { defineHookAdapter } from "../contract/adapters.ts";
import { fieldsOf, readRecord, textIn } from "../std/json-record.ts";
import { shellWord } from "../std/shell-word.ts";
import { hookGroup } from "./files/hook-group.ts";
import { addEntry, type JsonEntry, removeEntry } from "./files/json-entry.ts";
import { readSessionCall, sessionGroups } from "./files/stop-hook.ts";

const EVENTS = { begin: "SessionStart", stop: "AfterAgent" };
/** In milliseconds. */
const STOP_TIMEOUT = 3_600_000;

const SHELL_TOOL = "run_shell_command";

export const geminiCli = defineHookAdapter({
  name: "gemini-cli",
  summary: "Gemini CLI asks the guard before each shell command (BeforeTool).",
  notes: [
    'The reference knows only "allow" and "deny"; newer sources also have an "ask" that older versions take for a yes, so a command that needs a human is denied, with the reason.',
    "Gemini CLI lets a call through when its hook cannot start or times out (60 seconds): keep `lw` on the PATH.",
    "In a folder that is not trusted, hooks of the project do not run; install with the user's scope for those.",
  ],
  settings: { project: ".gemini/settings.json", user: ".gemini/settings.json" },

  readCall(input) {
    const call = readRecord(input);
    if (call.kind === "unreadable") return call;
    const tool = textIn(call.fields, "tool_name");
    if (tool === undefined) return { kind: "unreadable", why: "the call has no `tool_name`" };
    if (tool !== SHELL_TOOL) return { kind: "other" };
    const toolInput = fieldsOf(call.fields.get("tool_input"));
    const command = textIn(toolInput, "command");
    if (command === undefined) return { kind: "unreadable", why: `the ${SHELL_TOOL} call has no \`tool_input.command\`` };
    // The tool goes to this folder first; older versions call it `directory`.
    const folder = textIn(toolInput, "dir_path") ?? textIn(toolInput, "directory");
    return {
      kind: "command",
      command: folder === undefined ? command : `cd ${shellWord(folder)}\n${command}`,
      cwd: textIn(call.fields, "cwd"),
    };
  },

  answer(decision, reason) {
    return decision === "allow" ? { stdout: "", stderr: "", exitCode: 0 } : { stdout: "", stderr: `${reason}\n`, exitCode: 2 };
  },

  install: (settings, command) => addEntry(settings, entry(command)),
  uninstall: (settings, command) => removeEntry(settings, entry(command)),
  stopping: {
    readCall: (input) => readSessionCall(input, EVENTS),
    pass: (says) => ({ stdout: `${JSON.stringify(says === "" ? {} : { systemMessage: says })}\n`, stderr: "", exitCode: 0 }),
    block: (reason) => ({ stdout: `${JSON.stringify({ decision: "deny", reason })}\n`, stderr: "", exitCode: 0 }),
    ...sessionGroups(EVENTS, STOP_TIMEOUT),
  },
});

// No `|| exit 2` here: on Windows hooks run in a PowerShell that may not know `||`, and then the guard would never run.
const entry = (command: string): JsonEntry => hookGroup("BeforeTool", SHELL_TOOL, command);
