import { expect, it } from "vitest";
import { plain } from "./plain.ts";

it.each([
  ["a call", '{"command": "npm test", "cwd": "/work/shop"}', { kind: "command", command: "npm test", cwd: "/work/shop" }],
  ["a call without a folder", ' {"command": "ls"}\n', { kind: "command", command: "ls", cwd: undefined }],
  ["a bare command line", "git status --short\n", { kind: "command", command: "git status --short", cwd: undefined }],
  ["a bare command of several lines", "cd a\nls\r\n", { kind: "command", command: "cd a\nls", cwd: undefined }],
  ["a bare command in braces", "{ rm -rf /; }", { kind: "command", command: "{ rm -rf /; }", cwd: undefined }],
  ["a call without a command", '{"cmd": "ls"}', { kind: "unreadable", why: "the call has no `command`" }],
  ["an empty call", "{}", { kind: "unreadable", why: "the call has no `command`" }],
  ["nothing", "\n", { kind: "unreadable", why: "nothing came on stdin" }],
])("understands %s", (_, input, expected) => {
  expect(plain.readCall(input)).toEqual(expected);
});

it("does not take half a call for a command line", () => {
  expect(plain.readCall('{"command": "ls"').kind).toBe("unreadable");
});

it("answers by exit code, with the reason on stderr", () => {
  expect([plain.answer("allow", ""), plain.answer("ask", "look at it"), plain.answer("deny", "no")]).toEqual([
    { stdout: "", stderr: "", exitCode: 0 },
    { stdout: "", stderr: "look at it\n", exitCode: 9 },
    { stdout: "", stderr: "no\n", exitCode: 2 },
  ]);
});

it("says what to do instead of installing it", () => {
  const refused = { kind: "refused", why: "there is nothing to install. Let your program run `lw hook run plain` before each command" };

  expect([plain.install(undefined, "lw hook run plain"), plain.uninstall("", "lw hook run plain")]).toEqual([refused, refused]);
});
