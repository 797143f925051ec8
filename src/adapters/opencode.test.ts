import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { opencode } from "./opencode.ts";

it.each([
  [
    "a command",
    { tool: "bash", args: { command: "npm test", description: "Runs tests" }, cwd: "/work/shop" },
    { kind: "command", command: "npm test", cwd: "/work/shop" },
  ],
  [
    "a command in another folder",
    { tool: "bash", args: { command: "rm -rf x", workdir: "/some where" }, cwd: "/work/shop" },
    { kind: "command", command: "cd '/some where'\nrm -rf x", cwd: "/work/shop" },
  ],
  ["a command without a folder", { tool: "shell", args: { command: "ls" } }, { kind: "command", command: "ls", cwd: undefined }],
  ["a file being read", { tool: "read", args: { filePath: "a" }, cwd: "/work/shop" }, { kind: "other" }],
  ["a call without arguments", { tool: "bash", cwd: "/work/shop" }, { kind: "unreadable", why: "the bash call has no `args.command`" }],
  ["no tool", {}, { kind: "unreadable", why: "the call has no `tool`" }],
  ["a list", [], { kind: "unreadable", why: "what came is JSON, but not an object" }],
])("understands %s", (_, call, expected) => {
  expect(opencode.readCall(JSON.stringify(call))).toEqual(expected);
});

it("lets its plugin go on by exit 0, and stops it by exit 2", () => {
  expect([opencode.answer("allow", ""), opencode.answer("ask", "look at it"), opencode.answer("deny", "no")]).toEqual([
    { stdout: "", stderr: "", exitCode: 0 },
    { stdout: "", stderr: "look at it\n", exitCode: 2 },
    { stdout: "", stderr: "no\n", exitCode: 2 },
  ]);
});

const textFor = (command: string): string => {
  const edit = opencode.install(undefined, command);
  if (edit.kind !== "changed") throw new Error(edit.kind);
  return edit.text;
};

it("writes and removes its own file, brings an older one up to date, and leaves anybody else's alone", () => {
  const text = textFor("lw hook run opencode");
  const older = text.replace("30_000", "5_000");
  const refused = { kind: "refused", why: "it is not a file that Loopwright wrote. Move it away, then try again" };

  expect(opencode.install(text, "lw hook run opencode")).toEqual({ kind: "unchanged" });
  expect(opencode.install(older, "lw hook run opencode")).toEqual({ kind: "changed", text });
  expect(opencode.install("export const Mine = async () => ({});\n", "lw hook run opencode")).toEqual(refused);
  expect(opencode.uninstall(text, "lw hook run opencode")).toEqual({ kind: "removed" });
  expect(opencode.uninstall("export const Mine = async () => ({});\n", "lw hook run opencode")).toEqual(refused);
});

describe("the plugin", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "lw-opencode-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Loads the written plugin as opencode does and lets it see one tool call. */
  async function seen(guard: string, tool: string, args: object): Promise<string> {
    const file = join(folder, `${Math.random()}.mjs`);
    writeFileSync(file, textFor(guard));
    const exported: { readonly [name: string]: unknown } = await import(pathToFileURL(file).href);
    const [plugin, ...others] = Object.values(exported);
    if (typeof plugin !== "function" || others.length > 0) throw new Error("opencode takes every export for a plugin");
    const hooks = await plugin({ directory: "/work/shop" });
    return hooks["tool.execute.before"]({ tool, sessionID: "s", callID: "c" }, { args }).then(
      () => "went on",
      (error: Error) => error.message,
    );
  }

  it("tells the guard the call and goes on when it exits with 0", async () => {
    const heard = `grep -qxF '{"tool":"bash","args":{"command":"ls"},"cwd":"/work/shop"}'`;

    expect(await seen(heard, "bash", { command: "ls" })).toBe("went on");
  });

  it("stops the tool with the guard's reason", async () => {
    expect(await seen("cat >/dev/null; echo 'not this' >&2; exit 2", "bash", { command: "ls" })).toBe("not this");
  });

  it("stops the tool when the guard says nothing, cannot be found, or does not read", async () => {
    expect(await seen("exit 3", "bash", { command: "x".repeat(1_000_000) })).toBe(
      "The command guard ended without an answer, so the command was not run.",
    );
    expect(await seen("no-such-guard-anywhere", "bash", { command: "ls" })).toContain("not found");
  });

  it("does not ask about other tools", async () => {
    expect(await seen("exit 2", "read", { filePath: "a" })).toBe("went on");
  });
});
