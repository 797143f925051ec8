// Claude Code: a PreToolUse hook on the tools that run shell commands.
//
// Format: code.claude.com/docs/en/hooks (the Claude Code 2.1.x reference; `.claude/settings.json`, PreToolUse, exit codes,
// `hookSpecificOutput.permissionDecision`). That Monitor runs its `command` in the same shell as Bash, and is not matched
// by "Bash": anthropics/claude-code#95615 (2.1.278). That a deny in JSON was not always obeyed, and exit 2 is:
// anthropics/claude-code#4669, #18312. That an "ask" is taken for a yes in some permission modes: #77212 (bypassPermissions),
// #79356 and #89561 (auto); that `claude -p` denies it: #95726.
// Stop and SessionStart: the same reference; `decision: "block"` with a `reason` makes Claude go on, `timeout` is in seconds.
import { defineHookAdapter } from "../contract/adapters.ts";
import { fieldsOf, readRecord, textIn } from "../std/json-record.ts";
import { hookGroup } from "./files/hook-group.ts";
import { addEntry, type JsonEntry, removeEntry } from "./files/json-entry.ts";
import { readSessionCall, sessionGroups } from "./files/stop-hook.ts";

const SHELL_TOOLS = ["Bash", "PowerShell", "Monitor"];
/** The permission modes in which a question is answered without a human. */
const MODES_THAT_ASK_NOBODY = ["auto", "dontAsk", "bypassPermissions"];

const EVENTS = { begin: "SessionStart", stop: "Stop" };
/** In seconds: a loop's checks may take long, and a hook that is cut off lets the agent stop. */
const STOP_TIMEOUT = 3_600;

export const claudeCode = defineHookAdapter({
  name: "claude-code",
  summary: "Claude Code asks the guard before each shell command (PreToolUse).",
  notes: [
    "Claude Code lets a call through when its hook times out (600 seconds), so nothing but an answer counts as one.",
    "A hook that cannot start would also be let through; the installed command ends with `|| exit 2`, which turns that into a denial.",
    "Where lw is not installed, the form for a project lets the command through and says so, unless it was installed with `--if-missing deny`.",
    "Commands that you type yourself behind `!` do not pass the hook.",
    "GitHub Copilot CLI and Cursor read `.claude/settings.json` too, and then ask the guard through this hook.",
    "In the permission modes auto, dontAsk and bypassPermissions Claude Code asks nobody, so a command that needs a human is denied there; `claude -p` denies it by itself.",
  ],
  settings: { project: ".claude/settings.json", user: ".claude/settings.json", local: ".claude/settings.local.json" },
  inShell: true,

  readCall(input) {
    const call = readRecord(input);
    if (call.kind === "unreadable") return call;
    const tool = textIn(call.fields, "tool_name");
    if (tool === undefined) return { kind: "unreadable", why: "the call has no `tool_name`" };
    if (!SHELL_TOOLS.some((shell) => shell.toLowerCase() === tool.toLowerCase())) return { kind: "other" };
    const toolInput = fieldsOf(call.fields.get("tool_input"));
    const command = textIn(toolInput, "command");
    // A Monitor may listen to a web socket instead of a command.
    if (command === undefined && tool === "Monitor" && toolInput?.has("ws")) return { kind: "other" };
    if (command === undefined) return { kind: "unreadable", why: `the ${tool} call has no \`tool_input.command\`` };
    const asksNobody = MODES_THAT_ASK_NOBODY.includes(textIn(call.fields, "permission_mode") ?? "");
    return { kind: "command", command, cwd: textIn(call.fields, "cwd"), ...(asksNobody && { unattended: true }) };
  },

  answer(decision, reason) {
    switch (decision) {
      case "allow":
        // Silence leaves the user's own permissions in force; an "allow" would skip them.
        return { stdout: "", stderr: "", exitCode: 0 };
      case "ask": {
        const hookSpecificOutput = { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: reason };
        return { stdout: `${JSON.stringify({ hookSpecificOutput })}\n`, stderr: "", exitCode: 0 };
      }
      case "deny":
        return { stdout: "", stderr: `${reason}\n`, exitCode: 2 };
    }
  },

  install: (settings, command) => addEntry(settings, entry(command)),
  uninstall: (settings, command) => removeEntry(settings, entry(command)),
  stopping: {
    readCall: (input) => readSessionCall(input, EVENTS),
    pass: (says) => ({ stdout: says === "" ? "" : `${JSON.stringify({ systemMessage: says })}\n`, stderr: "", exitCode: 0 }),
    block: (reason) => ({ stdout: `${JSON.stringify({ decision: "block", reason })}\n`, stderr: "", exitCode: 0 }),
    ...sessionGroups(EVENTS, STOP_TIMEOUT),
  },
});

const entry = (command: string): JsonEntry => hookGroup("PreToolUse", SHELL_TOOLS.join("|"), `${command} || exit 2`);
