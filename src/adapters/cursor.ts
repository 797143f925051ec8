// Cursor: a beforeShellExecution hook in hooks.json.
//
// Format: cursor.com/docs/agent/hooks (version 1 of hooks.json; `command` and `cwd` on stdin; `permission`, `user_message`
// and `agent_message` on stdout; `failClosed`). That "ask" runs the command unasked in Auto-review mode, while "deny" holds
// in every mode: Cursor forum topic 173694 (Cursor 3.21.16).
import { defineHookAdapter, type HookDecision } from "../contract/adapters.ts";
import { readRecord, textIn } from "../std/json-record.ts";
import { fieldOf } from "./files/hook-group.ts";
import { addEntry, type JsonEntry, removeEntry } from "./files/json-entry.ts";
import type { Json } from "./files/json-tree.ts";

const EVENT = "beforeShellExecution";

const PERMISSION: { readonly [D in HookDecision]: "allow" | "deny" } = { allow: "allow", ask: "deny", deny: "deny" };

export const cursor = defineHookAdapter({
  name: "cursor",
  summary: "Cursor asks the guard before each shell command (beforeShellExecution).",
  notes: [
    "In Auto-review mode Cursor runs a command that a hook wants to be asked about, so such a command is denied, with the reason.",
    "With `failClosed` a hook that crashes, times out or says nothing is a denial; Cursor versions before that setting let such a call through.",
    "Whether a permission of a hook skips Cursor's own question is not documented.",
  ],
  settings: { project: ".cursor/hooks.json", user: ".cursor/hooks.json" },

  readCall(input) {
    const call = readRecord(input);
    if (call.kind === "unreadable") return call;
    const event = textIn(call.fields, "hook_event_name");
    if (event !== undefined && event !== EVENT) return { kind: "other" };
    const command = textIn(call.fields, "command");
    if (command === undefined) return { kind: "unreadable", why: "the call has no `command`" };
    return { kind: "command", command, cwd: textIn(call.fields, "cwd") };
  },

  // Always an answer: no output at all is a failure to Cursor.
  answer(decision, reason) {
    const messages = decision === "allow" ? {} : { user_message: reason, agent_message: reason };
    return { stdout: `${JSON.stringify({ permission: PERMISSION[decision], ...messages })}\n`, stderr: "", exitCode: 0 };
  },

  install: (settings, command) => addEntry(settings, entry(command)),
  uninstall: (settings, command) => removeEntry(settings, entry(command)),
});

function entry(command: string): JsonEntry {
  const isOurs = (hook: Json): boolean => fieldOf(hook, "command") === command;
  return { path: ["hooks", EVENT], item: { command, failClosed: true }, isOurs, isHere: isOurs, besides: { version: 1 } };
}
