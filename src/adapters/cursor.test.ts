import { expect, it } from "vitest";
import { cursor } from "./cursor.ts";

const call = (fields: object): string =>
  JSON.stringify({
    conversation_id: "c-1",
    generation_id: "g-1",
    model: "composer",
    hook_event_name: "beforeShellExecution",
    cursor_version: "3.21.16",
    workspace_roots: ["/work/shop"],
    user_email: null,
    transcript_path: null,
    ...fields,
  });

it.each([
  [
    "a command",
    call({ command: "npm test", cwd: "/work/shop", sandbox: false }),
    { kind: "command", command: "npm test", cwd: "/work/shop" },
  ],
  ["a command without a folder", call({ command: "ls", cwd: "" }), { kind: "command", command: "ls", cwd: undefined }],
  ["a call that does not name its event", '{"command": "ls"}', { kind: "command", command: "ls", cwd: undefined }],
  [
    "the server of an MCP tool",
    call({ hook_event_name: "beforeMCPExecution", tool_name: "q", tool_input: "{}", command: "npx x" }),
    { kind: "other" },
  ],
  ["a file being read", call({ hook_event_name: "beforeReadFile", file_path: "/work/shop/a" }), { kind: "other" }],
  ["a call without a command", call({}), { kind: "unreadable", why: "the call has no `command`" }],
  ["a number", "7", { kind: "unreadable", why: "what came is JSON, but not an object" }],
])("understands %s", (_, input, expected) => {
  expect(cursor.readCall(input)).toEqual(expected);
});

it("always answers in JSON, and denies what Auto-review would run unasked", () => {
  expect([cursor.answer("allow", ""), cursor.answer("ask", "look at it"), cursor.answer("deny", "no")]).toEqual([
    { stdout: '{"permission":"allow"}\n', stderr: "", exitCode: 0 },
    { stdout: '{"permission":"deny","user_message":"look at it","agent_message":"look at it"}\n', stderr: "", exitCode: 0 },
    { stdout: '{"permission":"deny","user_message":"no","agent_message":"no"}\n', stderr: "", exitCode: 0 },
  ]);
});

it("writes hooks.json, fails closed, and needs the version in a file that is there", () => {
  expect(cursor.install(undefined, "lw hook run cursor")).toEqual({
    kind: "changed",
    text: `{
  "hooks": {
    "beforeShellExecution": [
      {
        "command": "lw hook run cursor",
        "failClosed": true
      }
    ]
  },
  "version": 1
}
`,
  });
  expect(cursor.install("{}", "lw hook run cursor")).toEqual({
    kind: "refused",
    why: 'it does not say "version": 1. Add that, then try again',
  });
});
