import { describe, expect, it } from "vitest";
import { claudeCode } from "./claude-code.ts";

const call = (fields: object): string =>
  JSON.stringify({
    session_id: "5f1c3f6e-5d0b-4f0e-9d7e-2f9a3b1f8a11",
    transcript_path: "/home/me/.claude/projects/-work-shop/5f1c3f6e.jsonl",
    cwd: "/work/shop",
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_use_id: "toolu_01ABC123def456",
    ...fields,
  });

describe("reading a call", () => {
  it.each([
    [
      "a Bash command",
      call({
        tool_name: "Bash",
        tool_input: { command: "npm test", description: "Run the tests", timeout: 120000, run_in_background: false },
      }),
      { kind: "command", command: "npm test", cwd: "/work/shop" },
    ],
    [
      "a PowerShell command",
      call({ tool_name: "PowerShell", tool_input: { command: "Get-ChildItem" } }),
      { kind: "command", command: "Get-ChildItem", cwd: "/work/shop" },
    ],
    [
      "a command of a Monitor",
      call({ tool_name: "Monitor", tool_input: { command: "tail -f log", timeout_ms: 5000 } }),
      { kind: "command", command: "tail -f log", cwd: "/work/shop" },
    ],
    [
      "a shell by the name that Copilot gives it",
      call({ tool_name: "bash", tool_input: { command: "ls" } }),
      { kind: "command", command: "ls", cwd: "/work/shop" },
    ],
    [
      "a command without a folder",
      call({ tool_name: "Bash", tool_input: { command: "ls" }, cwd: undefined }),
      { kind: "command", command: "ls", cwd: undefined },
    ],
    [
      "a command while nobody is asked",
      call({ tool_name: "Bash", tool_input: { command: "ls" }, permission_mode: "bypassPermissions" }),
      { kind: "command", command: "ls", cwd: "/work/shop", unattended: true },
    ],
    ["a Monitor of a web socket", call({ tool_name: "Monitor", tool_input: { ws: { url: "wss://example.org" } } }), { kind: "other" }],
    [
      "a file being written",
      call({ tool_name: "Write", tool_input: { file_path: "/work/shop/a.ts", content: "rm -rf /" } }),
      { kind: "other" },
    ],
    ["a tool of an MCP server", call({ tool_name: "mcp__memory__create", tool_input: { command: "x" } }), { kind: "other" }],
    [
      "a Bash call without a command",
      call({ tool_name: "Bash", tool_input: {} }),
      { kind: "unreadable", why: "the Bash call has no `tool_input.command`" },
    ],
    [
      "a Bash call whose command is no text",
      call({ tool_name: "Bash", tool_input: { command: ["rm"] } }),
      { kind: "unreadable", why: "the Bash call has no `tool_input.command`" },
    ],
    ["no tool", call({}), { kind: "unreadable", why: "the call has no `tool_name`" }],
    ["a list", "[]", { kind: "unreadable", why: "what came is JSON, but not an object" }],
    ["nothing", "", { kind: "unreadable", why: "what came is not JSON (Unexpected end of JSON input)" }],
  ])("understands %s", (_, input, expected) => {
    expect(claudeCode.readCall(input)).toEqual(expected);
  });
});

it("says nothing to allow, asks in JSON, and denies by exit 2", () => {
  expect([claudeCode.answer("allow", ""), claudeCode.answer("ask", "look at it"), claudeCode.answer("deny", "no")]).toEqual([
    { stdout: "", stderr: "", exitCode: 0 },
    {
      stdout: '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"look at it"}}\n',
      stderr: "",
      exitCode: 0,
    },
    { stdout: "", stderr: "no\n", exitCode: 2 },
  ]);
});

it("installs beside the hooks of others, and comes out without a trace", () => {
  const settings = `{
  "permissions": { "allow": ["Bash(npm run lint)"] },
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [{ "type": "command", "command": "./mine.sh", "timeout": 5 }]
      }
    ]
  },
  "model": "opus"
}
`;

  const installed = claudeCode.install(settings, "lw hook run claude-code");

  const text = `{
  "permissions": { "allow": ["Bash(npm run lint)"] },
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [{ "type": "command", "command": "./mine.sh", "timeout": 5 }]
      },
      {
        "matcher": "Bash|PowerShell|Monitor",
        "hooks": [
          {
            "type": "command",
            "command": "lw hook run claude-code || exit 2"
          }
        ]
      }
    ]
  },
  "model": "opus"
}
`;
  expect(installed).toEqual({ kind: "changed", text });
  expect(claudeCode.uninstall(text, "lw hook run claude-code")).toEqual({ kind: "changed", text: settings });
});

it("keeps a group that holds more than our command, and adds its own beside it", () => {
  const group =
    '{"matcher":"Bash","hooks":[{"type":"command","command":"lw hook run claude-code || exit 2"},{"type":"command","command":"./mine.sh"}]}';
  const settings = `{"hooks":{"PreToolUse":[${group}]}}`;

  expect(claudeCode.uninstall(settings, "lw hook run claude-code")).toEqual({ kind: "unchanged" });
  expect(claudeCode.install(settings, "lw hook run claude-code")).toEqual({
    kind: "changed",
    text: `{"hooks":{"PreToolUse":[${group},{ "matcher": "Bash|PowerShell|Monitor", "hooks": [ { "type": "command", "command": "lw hook run claude-code || exit 2" } ] }]}}`,
  });
});
