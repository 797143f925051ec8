// Any other agent: a command on stdin, an exit code back.
import { defineHookAdapter, type HookDecision } from "../contract/adapters.ts";
import { readRecord, textIn } from "../std/json-record.ts";

const EXIT_CODE: { readonly [D in HookDecision]: number } = { allow: 0, ask: 9, deny: 2 };

export const plain = defineHookAdapter({
  name: "plain",
  summary: "Any program asks the guard with a command on stdin: exit 0 allows, 2 denies, 9 asks.",
  notes: [
    'Write `{"command": "…", "cwd": "…"}` or a bare command line to `lw hook run plain`; the reason comes on stderr.',
    "Take every other exit code, and no answer in time, for a denial.",
  ],
  settings: undefined,

  readCall(input) {
    if (input.trim() === "") return { kind: "unreadable", why: "nothing came on stdin" };
    if (!/^\s*\{\s*(["}]|$)/.test(input)) return { kind: "command", command: input.replace(/\r?\n$/, ""), cwd: undefined };
    const call = readRecord(input);
    if (call.kind === "unreadable") return call;
    const command = textIn(call.fields, "command");
    return command === undefined
      ? { kind: "unreadable", why: "the call has no `command`" }
      : { kind: "command", command, cwd: textIn(call.fields, "cwd") };
  },

  answer: (decision, reason) => ({ stdout: "", stderr: decision === "allow" ? "" : `${reason}\n`, exitCode: EXIT_CODE[decision] }),

  install: () => ({ kind: "refused", why: NOTHING }),
  uninstall: () => ({ kind: "refused", why: NOTHING }),
});

const NOTHING = "there is nothing to install. Let your program run `lw hook run plain` before each command";
