import { expect, it } from "vitest";
import { codex } from "./codex.ts";

const call = (fields: object): string =>
  JSON.stringify({
    session_id: "019a2f6b-1111-7000-8000-000000000000",
    turn_id: "turn-1",
    transcript_path: null,
    cwd: "/work/shop",
    hook_event_name: "PreToolUse",
    model: "gpt-5.6-codex",
    permission_mode: "default",
    tool_use_id: "call-1",
    ...fields,
  });

it.each([
  [
    "a command",
    call({ tool_name: "Bash", tool_input: { command: "cargo test" } }),
    { kind: "command", command: "cargo test", cwd: "/work/shop" },
  ],
  [
    "a command without a folder",
    call({ tool_name: "Bash", tool_input: { command: "ls" }, cwd: undefined }),
    { kind: "command", command: "ls", cwd: undefined },
  ],
  ["a patch", call({ tool_name: "apply_patch", tool_input: { command: "*** Begin Patch" } }), { kind: "other" }],
  ["a tool of an MCP server", call({ tool_name: "mcp__fs__read", tool_input: { path: "a" } }), { kind: "other" }],
  [
    "a call without a command",
    call({ tool_name: "Bash", tool_input: { cmd: "ls" } }),
    { kind: "unreadable", why: "the Bash call has no `tool_input.command`" },
  ],
  ["no tool", "{}", { kind: "unreadable", why: "the call has no `tool_name`" }],
  ["null", "null", { kind: "unreadable", why: "what came is JSON, but not an object" }],
])("understands %s", (_, input, expected) => {
  expect(codex.readCall(input)).toEqual(expected);
});

it("denies what it would ask, because an ask would let the call through", () => {
  expect([codex.answer("allow", ""), codex.answer("ask", "look at it"), codex.answer("deny", "no")]).toEqual([
    { stdout: "", stderr: "", exitCode: 0 },
    { stdout: "", stderr: "look at it\n", exitCode: 2 },
    { stdout: "", stderr: "no\n", exitCode: 2 },
  ]);
});

it("writes hooks.json", () => {
  expect(codex.install(undefined, "lw hook run codex")).toEqual({
    kind: "changed",
    text: `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {
            "type": "command",
            "command": "lw hook run codex || exit 2"
          }
        ]
      }
    ]
  }
}
`,
  });
});
