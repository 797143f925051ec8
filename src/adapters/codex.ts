// Codex: a PreToolUse hook in hooks.json, which can deny and cannot ask.
//
// Format: developers.openai.com/codex/hooks, and the source in openai/codex codex-rs/hooks (src/events/pre_tool_use.rs,
// src/engine/output_parser.rs, schema/generated/pre-tool-use.command.input.schema.json): the shell tool is always called
// "Bash", exit 2 with a reason on stderr blocks, and both `permissionDecision: "ask"` and a bare "allow" are errors that
// let the call through. Stop (src/events/stop.rs, schema/generated/stop.command.*.schema.json): `decision: "block"` with a `reason`
// makes it go on; an empty object lets it stop.
import { defineHookAdapter } from "../contract/adapters.ts";
import { fieldsOf, readRecord, textIn } from "../std/json-record.ts";
import { hookGroup } from "./files/hook-group.ts";
import { addEntry, type JsonEntry, removeEntry } from "./files/json-entry.ts";
import { readSessionCall, sessionGroups } from "./files/stop-hook.ts";

const EVENTS = { begin: "SessionStart", stop: "Stop" };
/** In seconds. */
const STOP_TIMEOUT = 3_600;

export const codex = defineHookAdapter({
  name: "codex",
  summary: "Codex asks the guard before each shell command (PreToolUse).",
  notes: [
    "Codex skips a new or changed hook until you have trusted it with `/hooks`; hooks of a project also need the project to be trusted.",
    "Codex's hooks cannot ask, so a command that needs a human is denied, with the reason.",
    "Older versions need `[features] hooks = true` (once `codex_hooks`) in config.toml; today hooks are on.",
    "Codex does not tell the hook about every way to run a command: Code Mode (openai/codex#23411), and text typed into a running session.",
    "Codex lets a call through when its hook times out; a hook that cannot start is a denial by `|| exit 2` in the installed command.",
  ],
  settings: { project: ".codex/hooks.json", user: ".codex/hooks.json" },

  readCall(input) {
    const call = readRecord(input);
    if (call.kind === "unreadable") return call;
    const tool = textIn(call.fields, "tool_name");
    if (tool === undefined) return { kind: "unreadable", why: "the call has no `tool_name`" };
    if (tool !== "Bash") return { kind: "other" };
    const command = textIn(fieldsOf(call.fields.get("tool_input")), "command");
    if (command === undefined) return { kind: "unreadable", why: "the Bash call has no `tool_input.command`" };
    return { kind: "command", command, cwd: textIn(call.fields, "cwd") };
  },

  answer(decision, reason) {
    return decision === "allow" ? { stdout: "", stderr: "", exitCode: 0 } : { stdout: "", stderr: `${reason}\n`, exitCode: 2 };
  },

  install: (settings, command) => addEntry(settings, entry(command)),
  uninstall: (settings, command) => removeEntry(settings, entry(command)),
  stopping: {
    readCall: (input) => readSessionCall(input, EVENTS),
    pass: (says) => ({ stdout: `${JSON.stringify(says === "" ? {} : { systemMessage: says })}\n`, stderr: "", exitCode: 0 }),
    block: (reason) => ({ stdout: `${JSON.stringify({ decision: "block", reason })}\n`, stderr: "", exitCode: 0 }),
    ...sessionGroups(EVENTS, STOP_TIMEOUT),
  },
});

const entry = (command: string): JsonEntry => hookGroup("PreToolUse", "Bash", `${command} || exit 2`);
