// GitHub Copilot CLI: a preToolUse hook in a file of our own among its hook files.
//
// Format: docs.github.com/en/copilot/reference/hooks-reference and its earlier form cli-hooks-reference (github/docs,
// content/copilot/reference/copilot-cli-reference/cli-hooks-reference.md): `toolName`, `toolArgs`, `cwd` on stdin; a
// `permissionDecision` on stdout with exit 0. A shell is called "bash", or "powershell" on Windows. `toolArgs` is JSON text
// in the reference of the hooks configuration and an object in recorded calls, so both are read. agentStop (same reference):
// `decision: "block"` with a `reason` forces another turn. Its call does not name the event, and has a `stopReason`.
import { defineHookAdapter } from "../contract/adapters.ts";
import { type Fields, fieldsOf, readRecord, textIn } from "../std/json-record.ts";
import { fieldOf } from "./files/hook-group.ts";
import { addEntry, type JsonEntry, removeEntry } from "./files/json-entry.ts";
import type { Json } from "./files/json-tree.ts";
import { editsOf, isCommand, sessionCall } from "./files/stop-hook.ts";

const SHELL_TOOLS = ["bash", "powershell"];

export const copilotCli = defineHookAdapter({
  name: "copilot-cli",
  summary: "GitHub Copilot CLI asks the guard before each shell command (preToolUse).",
  notes: [
    "Without a terminal (`copilot -p`) hooks of the repository may not be loaded (github/copilot-cli#3345); those of the user are.",
    "Copilot denies a call when its hook crashes, and earlier versions let it through; when a hook times out, every version lets it through.",
    "What needs a human is asked by Copilot CLI; with `--allow-all-tools` it answers yes by itself, and the cloud agent obeys only a denial.",
    "What is typed into a shell that already runs (`write_bash`) does not pass the guard.",
  ],
  settings: { project: ".github/hooks/loopwright.json", user: ".copilot/hooks/loopwright.json" },

  readCall(input) {
    const call = readRecord(input);
    if (call.kind === "unreadable") return call;
    const tool = textIn(call.fields, "toolName");
    if (tool === undefined) return { kind: "unreadable", why: "the call has no `toolName`" };
    if (!SHELL_TOOLS.includes(tool)) return { kind: "other" };
    const command = textIn(argumentsOf(call.fields.get("toolArgs")), "command");
    if (command === undefined) return { kind: "unreadable", why: `the ${tool} call has no \`toolArgs.command\`` };
    return { kind: "command", command, cwd: textIn(call.fields, "cwd") };
  },

  // An exit code other than 0 is a failed hook to Copilot, not an answer.
  answer(decision, reason) {
    if (decision === "allow") return { stdout: "", stderr: "", exitCode: 0 };
    return { stdout: `${JSON.stringify({ permissionDecision: decision, permissionDecisionReason: reason })}\n`, stderr: "", exitCode: 0 };
  },

  install: (settings, command) => addEntry(settings, entry(command)),
  uninstall: (settings, command) => removeEntry(settings, entry(command)),
  stopping: {
    readCall(input) {
      const call = readRecord(input);
      if (call.kind === "unreadable") return call;
      if (call.fields.has("stopReason")) return sessionCall("stop", call.fields, "sessionId");
      if (call.fields.has("source")) return sessionCall("begin", call.fields, "sessionId");
      return { kind: "unreadable", why: "the call has neither a `stopReason` nor a `source`" };
    },
    pass: () => ({ stdout: "", stderr: "", exitCode: 0 }),
    block: (reason) => ({ stdout: `${JSON.stringify({ decision: "block", reason })}\n`, stderr: "", exitCode: 0 }),
    ...editsOf((command, flags) => ["sessionStart", "agentStop"].map((event) => stopEntry(event, command, flags))),
  },
});

/** In seconds. */
const STOP_TIMEOUT = 3_600;

function stopEntry(event: string, command: string, flags: string): JsonEntry {
  const full = `${command}${flags}`;
  const item = { type: "command", bash: full, powershell: full, timeoutSec: STOP_TIMEOUT };
  return {
    path: ["hooks", event],
    item,
    isOurs: (hook: Json) => isCommand(fieldOf(hook, "bash"), command),
    isHere: (hook: Json) => JSON.stringify(hook) === JSON.stringify(item),
    besides: { version: 1 },
  };
}

function argumentsOf(value: unknown): Fields | undefined {
  if (typeof value !== "string") return fieldsOf(value);
  const reading = readRecord(value);
  return reading.kind === "record" ? reading.fields : undefined;
}

function entry(command: string): JsonEntry {
  const isOurs = (hook: Json): boolean => fieldOf(hook, "bash") === command;
  const item = { type: "command", bash: command, powershell: command };
  return { path: ["hooks", "preToolUse"], item, isOurs, isHere: isOurs, besides: { version: 1 } };
}
