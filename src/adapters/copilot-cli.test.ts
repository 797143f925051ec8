import { expect, it } from "vitest";
import { copilotCli } from "./copilot-cli.ts";

const call = (fields: object): string => JSON.stringify({ sessionId: "85a696df", timestamp: 1788992290306, cwd: "/work/shop", ...fields });

it.each([
  [
    "a command in an object",
    call({ toolName: "bash", toolArgs: { command: "npm test", description: "Run the tests", mode: "sync", initial_wait: 10 } }),
    { kind: "command", command: "npm test", cwd: "/work/shop" },
  ],
  [
    "a command in a text",
    call({ toolName: "bash", toolArgs: '{"command":"rm -rf dist","description":"Clean build directory"}' }),
    { kind: "command", command: "rm -rf dist", cwd: "/work/shop" },
  ],
  [
    "a command on Windows",
    call({ toolName: "powershell", toolArgs: { command: "echo hi" }, cwd: "C:\\shop" }),
    { kind: "command", command: "echo hi", cwd: "C:\\shop" },
  ],
  [
    "a command without a folder",
    call({ toolName: "bash", toolArgs: { command: "ls" }, cwd: undefined }),
    { kind: "command", command: "ls", cwd: undefined },
  ],
  ["a file being edited", call({ toolName: "edit", toolArgs: { path: "a", command: "x" } }), { kind: "other" }],
  [
    "a text that holds no arguments",
    call({ toolName: "bash", toolArgs: "{" }),
    { kind: "unreadable", why: "the bash call has no `toolArgs.command`" },
  ],
  ["a call without arguments", call({ toolName: "bash" }), { kind: "unreadable", why: "the bash call has no `toolArgs.command`" }],
  ["no tool", call({}), { kind: "unreadable", why: "the call has no `toolName`" }],
  ["a list", "[1]", { kind: "unreadable", why: "what came is JSON, but not an object" }],
])("understands %s", (_, input, expected) => {
  expect(copilotCli.readCall(input)).toEqual(expected);
});

it("says nothing to allow, and asks and denies in JSON with exit 0", () => {
  expect([copilotCli.answer("allow", ""), copilotCli.answer("ask", "look at it"), copilotCli.answer("deny", "no")]).toEqual([
    { stdout: "", stderr: "", exitCode: 0 },
    { stdout: '{"permissionDecision":"ask","permissionDecisionReason":"look at it"}\n', stderr: "", exitCode: 0 },
    { stdout: '{"permissionDecision":"deny","permissionDecisionReason":"no"}\n', stderr: "", exitCode: 0 },
  ]);
});

it("writes a hook file of its own", () => {
  expect(copilotCli.install(undefined, "lw hook run copilot-cli")).toEqual({
    kind: "changed",
    text: `{
  "hooks": {
    "preToolUse": [
      {
        "type": "command",
        "bash": "lw hook run copilot-cli",
        "powershell": "lw hook run copilot-cli"
      }
    ]
  },
  "version": 1
}
`,
  });
});
