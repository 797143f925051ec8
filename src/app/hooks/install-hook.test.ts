import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSettingsFiles } from "../../world/files/settings-files.ts";
import { type HookPlace, installHook as install, uninstallHook as uninstall } from "./install-hook.ts";
import { type Ask, runHook } from "./run-hook.ts";

const files = createSettingsFiles();
const installHook = (place: HookPlace, mode: "write" | "show") => install(place, mode, files);
const uninstallHook = (place: HookPlace, mode: "write" | "show") => uninstall(place, mode, files);

describe("answering an agent", () => {
  const finding = { rule: "some-rule", where: "the \u001b[31mplace", why: "It hurts.", instead: "Do not." };
  const decide: Ask = (command) => {
    if (command === "hurts") return { decision: "deny", findings: [{ ...finding, severity: "high" }] };
    if (command === "may hurt") return { decision: "ask", findings: [{ ...finding, severity: "medium" }] };
    return { decision: "allow", findings: [] };
  };
  const told = "- some-rule: It hurts. Here: `the place`. Instead: Do not.";
  const denied = `Loopwright denied this command.\n${told}`;
  const asked = `Loopwright wants a human to decide about this command.\n${told}`;
  const byExit = (exitCode: number, stderr: string) => ({ stdout: "", stderr, exitCode });
  const byJson = (answer: object) => ({ stdout: `${JSON.stringify(answer)}\n`, stderr: "", exitCode: 0 });

  it.each([
    {
      name: "claude-code",
      call: (command: string) => ({ tool_name: "Bash", tool_input: { command }, cwd: "/work/shop" }),
      deny: byExit(2, `${denied}\n`),
      ask: byJson({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: asked } }),
      allow: byExit(0, ""),
    },
    {
      name: "codex",
      call: (command: string) => ({ tool_name: "Bash", tool_input: { command }, cwd: "/work/shop" }),
      deny: byExit(2, `${denied}\n`),
      ask: byExit(2, `${asked}\n`),
      allow: byExit(0, ""),
    },
    {
      name: "gemini-cli",
      call: (command: string) => ({ tool_name: "run_shell_command", tool_input: { command }, cwd: "/work/shop" }),
      deny: byExit(2, `${denied}\n`),
      ask: byExit(2, `${asked}\n`),
      allow: byExit(0, ""),
    },
    {
      name: "cursor",
      call: (command: string) => ({ hook_event_name: "beforeShellExecution", command, cwd: "/work/shop" }),
      deny: byJson({ permission: "deny", user_message: denied, agent_message: denied }),
      ask: byJson({ permission: "deny", user_message: asked, agent_message: asked }),
      allow: byJson({ permission: "allow" }),
    },
    {
      name: "opencode",
      call: (command: string) => ({ tool: "bash", args: { command }, cwd: "/work/shop" }),
      deny: byExit(2, `${denied}\n`),
      ask: byExit(2, `${asked}\n`),
      allow: byExit(0, ""),
    },
    {
      name: "copilot-cli",
      call: (command: string) => ({ toolName: "bash", toolArgs: { command }, cwd: "/work/shop" }),
      deny: byJson({ permissionDecision: "deny", permissionDecisionReason: denied }),
      ask: byJson({ permissionDecision: "ask", permissionDecisionReason: asked }),
      allow: byExit(0, ""),
    },
    {
      name: "plain",
      call: (command: string) => ({ command, cwd: "/work/shop" }),
      deny: byExit(2, `${denied}\n`),
      ask: byExit(9, `${asked}\n`),
      allow: byExit(0, ""),
    },
  ])("tells $name what the guard decided", async ({ name, call, deny, ask, allow }) => {
    const answers = await Promise.all(
      ["hurts", "may hurt", "is fine"].map((command) => runHook(name, JSON.stringify(call(command)), decide)),
    );

    expect(answers).toEqual([deny, ask, allow]);
  });

  it.each(["auto", "dontAsk", "bypassPermissions"])(
    "denies what it would ask when Claude Code asks nobody, as in its mode %s",
    async (mode) => {
      const call = { tool_name: "Bash", tool_input: { command: "may hurt" }, permission_mode: mode };

      expect(await runHook("claude-code", JSON.stringify(call), decide)).toEqual(byExit(2, `${asked}\n`));
    },
  );

  const command = (text: string, cwd?: string): string => JSON.stringify({ command: text, cwd });

  it("asks the guard itself when nobody else is named", async () => {
    const answers = await Promise.all(["rm -rf /", "rm -rf $DIR", "ls -la"].map((text) => runHook("plain", command(text, "/work/shop"))));

    expect(answers.map(({ exitCode }) => exitCode)).toEqual([2, 9, 0]);
  });

  it("tells the guard the folder that the command runs in, when the agent names it", async () => {
    const heard: unknown[] = [];
    const listen: Ask = (text, at) => {
      heard.push([text, at]);
      return { decision: "allow", findings: [] };
    };

    for (const cwd of ["/work/shop", "/work/shop/", "/", undefined]) await runHook("plain", command("ls", cwd), listen);

    expect(heard).toEqual([
      ["ls", { workspace: "/work/shop" }],
      ["ls", { workspace: "/work/shop" }],
      ["ls", { workspace: "/" }],
      ["ls", {}],
    ]);
  });

  it("judges a command by the folder that a tool goes to first", async () => {
    const call = (folder: string): string =>
      JSON.stringify({ tool_name: "run_shell_command", tool_input: { command: "rm -rf cache", dir_path: folder }, cwd: "/work/shop" });

    const answers = await Promise.all(["sub", "/work/shop/sub", "/var"].map((folder) => runHook("gemini-cli", call(folder))));

    expect(answers.map(({ exitCode }) => exitCode)).toEqual([0, 0, 2]);
  });

  it("tells five findings and counts the rest", async () => {
    const many: Ask = () => ({
      decision: "deny",
      findings: Array.from({ length: 7 }, () => ({ ...finding, severity: "high" as const })),
    });

    expect((await runHook("plain", "x", many)).stderr).toBe(`Loopwright denied this command.\n${`${told}\n`.repeat(5)}- and 2 more\n`);
  });

  it("denies what it cannot read, and says why", async () => {
    const said = (input: string): Promise<unknown> => runHook("plain", input, decide);
    const because = (why: string): unknown => byExit(2, `Loopwright denied this: ${why}. Nothing was run.\n`);

    expect(
      await Promise.all([
        said(""),
        said('{"cmd": "ls"}'),
        said("x".repeat(1024 * 1024 + 1)),
        said("ls \ufffd"),
        said("ls \0"),
        said('{"command": "\\ud800"}'),
      ]),
    ).toEqual([
      because("nothing came on stdin"),
      because("the call has no `command`"),
      because("the call is longer than 1048576 characters"),
      because("the command is not valid text, so what would run is not what was read"),
      because("the command is not valid text, so what would run is not what was read"),
      because("the command is not valid text, so what would run is not what was read"),
    ]);
  });

  it.each<[string, Ask]>([
    [
      "throws",
      () => {
        throw new Error("out of order");
      },
    ],
    ["fails later", () => Promise.reject(new Error("out of order"))],
  ])("denies when the guard %s", async (_, broken) => {
    expect(await runHook("copilot-cli", JSON.stringify({ toolName: "bash", toolArgs: { command: "ls" } }), broken)).toEqual(
      byJson({
        permissionDecision: "deny",
        permissionDecisionReason: "Loopwright denied this: the guard failed (out of order). Nothing was run.",
      }),
    );
  });

  it("denies to an agent that it does not know", async () => {
    expect(await runHook("clippy", "ls")).toEqual(
      byExit(
        2,
        'Loopwright denied this: no hook is called "clippy"; there are claude-code, codex, gemini-cli, cursor, opencode, copilot-cli, plain. Nothing was run.\n',
      ),
    );
  });
});

describe("installing", () => {
  let top = "";
  let place: HookPlace;
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), "lw-hooks-"));
    place = { adapter: "codex", scope: "project", project: join(top, "project"), home: join(top, "home") };
  });
  afterEach(() => rmSync(top, { recursive: true }));

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };

  it("shows a change without making it", async () => {
    const path = join(top, "project/.codex/hooks.json");
    write(path, '{"hooks": {}}\n');

    const change = await installHook(place, "show");

    expect(change).toEqual({
      kind: "changed",
      path,
      diff: [
        `--- ${path}`,
        `+++ ${path}`,
        "@@ -1,1 +1,1 @@",
        '-{"hooks": {}}',
        '+{"hooks": {"PreToolUse": [ { "matcher": "Bash", "hooks": [ { "type": "command", "command": "lw hook run codex || exit 2" } ] } ]}}',
      ],
    });
    expect(readFileSync(path, "utf8")).toBe('{"hooks": {}}\n');
  });

  it("installs once, and uninstalls to the same bytes", async () => {
    const path = join(top, "project/.codex/hooks.json");
    const before = '{\n    "hooks": {\n        "Stop": []\n    }\n}';
    write(path, before);

    const kinds = [
      await installHook(place, "write"),
      await installHook(place, "write"),
      await uninstallHook(place, "write"),
      await uninstallHook(place, "write"),
    ].map(({ kind }) => kind);

    expect(kinds).toEqual(["changed", "unchanged", "changed", "unchanged"]);
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("makes the file of the user's scope, and takes it away again", async () => {
    const path = join(top, "home/.config/opencode/plugins/loopwright.js");
    const user: HookPlace = { ...place, adapter: "opencode", scope: "user" };

    const installed = await installHook(user, "write");
    const wasThere = existsSync(path);
    const shown = await uninstallHook(user, "show");
    const uninstalled = await uninstallHook(user, "write");

    expect([installed, shown, uninstalled].map((change) => (change.kind === "changed" ? change.diff.slice(0, 2) : change))).toEqual([
      ["--- /dev/null", `+++ ${path}`],
      [`--- ${path}`, "+++ /dev/null"],
      [`--- ${path}`, "+++ /dev/null"],
    ]);
    expect([wasThere, existsSync(path)]).toEqual([true, false]);
  });

  it("has nothing to uninstall where nothing is", async () => {
    expect(await uninstallHook(place, "write")).toEqual({ kind: "unchanged", path: join(top, "project/.codex/hooks.json") });
  });

  it("leaves alone what it cannot read, and says what to do", async () => {
    const path = join(top, "project/.codex/hooks.json");
    write(path, '{\n  "hooks": {,\n}');
    mkdirSync(join(top, "home/.codex/hooks.json"), { recursive: true });

    const changes = [
      await installHook(place, "write"),
      await installHook({ ...place, scope: "user" }, "write"),
      await installHook({ ...place, adapter: "plain" }, "write"),
      await uninstallHook({ ...place, adapter: "clippy" }, "write"),
    ];

    expect(changes).toEqual([
      {
        kind: "refused",
        why: `${path} was left as it is: it is not valid JSON: line 2, column 13: a name in double quotes is missing here. Mend it, then try again.`,
      },
      { kind: "refused", why: `${join(top, "home/.codex/hooks.json")} was left as it is: it is not a plain file.` },
      {
        kind: "refused",
        why: "plain was left as it is: there is nothing to install. Let your program run `lw hook run plain` before each command.",
      },
      {
        kind: "refused",
        why: 'no hook is called "clippy"; there are claude-code, codex, gemini-cli, cursor, opencode, copilot-cli, plain.',
      },
    ]);
    expect(readFileSync(path, "utf8")).toBe('{\n  "hooks": {,\n}');
  });
});
