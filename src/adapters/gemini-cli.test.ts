import { expect, it } from "vitest";
import { geminiCli } from "./gemini-cli.ts";

const call = (fields: object): string =>
  JSON.stringify({
    session_id: "b1f2",
    transcript_path: "/home/me/.gemini/tmp/shop/chats/session.json",
    cwd: "/work/shop",
    hook_event_name: "BeforeTool",
    timestamp: "2026-11-16T04:00:00.000Z",
    ...fields,
  });

it.each([
  [
    "a command",
    call({ tool_name: "run_shell_command", tool_input: { command: "npm test", description: "Run the tests", is_background: false } }),
    { kind: "command", command: "npm test", cwd: "/work/shop" },
  ],
  [
    "a command in another folder",
    call({ tool_name: "run_shell_command", tool_input: { command: "rm -rf x", dir_path: "/it's" } }),
    { kind: "command", command: "cd '/it'\\''s'\nrm -rf x", cwd: "/work/shop" },
  ],
  [
    "a command in another folder of an older version",
    call({ tool_name: "run_shell_command", tool_input: { command: "ls", directory: "sub" } }),
    { kind: "command", command: "cd sub\nls", cwd: "/work/shop" },
  ],
  [
    "a command without a folder",
    call({ tool_name: "run_shell_command", tool_input: { command: "ls" }, cwd: "" }),
    { kind: "command", command: "ls", cwd: undefined },
  ],
  ["a file being read", call({ tool_name: "read_file", tool_input: { file_path: "a" } }), { kind: "other" }],
  [
    "a tool of an MCP server",
    call({ tool_name: "mcp__x__run_shell_command", tool_input: {}, mcp_context: { server_name: "x" } }),
    { kind: "other" },
  ],
  [
    "a call without input",
    call({ tool_name: "run_shell_command" }),
    { kind: "unreadable", why: "the run_shell_command call has no `tool_input.command`" },
  ],
  ["no tool", call({}), { kind: "unreadable", why: "the call has no `tool_name`" }],
  ["text", '"ls"', { kind: "unreadable", why: "what came is JSON, but not an object" }],
])("understands %s", (_, input, expected) => {
  expect(geminiCli.readCall(input)).toEqual(expected);
});

it("says nothing to allow, and denies the rest by exit 2", () => {
  expect([geminiCli.answer("allow", ""), geminiCli.answer("ask", "look at it"), geminiCli.answer("deny", "no")]).toEqual([
    { stdout: "", stderr: "", exitCode: 0 },
    { stdout: "", stderr: "look at it\n", exitCode: 2 },
    { stdout: "", stderr: "no\n", exitCode: 2 },
  ]);
});

it("installs into settings with comments and keeps them", () => {
  expect(geminiCli.install('{\n  // my theme\n  "ui": {"theme": "x"}\n}\n', "lw hook run gemini-cli")).toEqual({
    kind: "changed",
    text: `{
  // my theme
  "ui": {"theme": "x"},
  "hooks": {
    "BeforeTool": [
      {
        "matcher": "run_shell_command",
        "hooks": [
          {
            "type": "command",
            "command": "lw hook run gemini-cli"
          }
        ]
      }
    ]
  }
}
`,
  });
});
