import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mcpSettings } from "../../adapters/mcp-settings.ts";
import type { SettingsFiles } from "../../contract/adapters.ts";
import { installMcp, uninstallMcp } from "./install-mcp.ts";

const WISHES = { loop: "fix", base: undefined, lookOnly: false };

/** Settings in memory. */
function filesWith(before: { readonly [path: string]: string } = {}): SettingsFiles & { readonly texts: Map<string, string> } {
  const texts = new Map(Object.entries(before));
  return {
    texts,
    read: async (path) => {
      const text = texts.get(path);
      return text === undefined ? { kind: "absent" } : { kind: "text", text };
    },
    write: async (path, text) => void texts.set(path, text),
    remove: async (path) => void texts.delete(path),
  };
}

const placeOf = (agent: string, scope: "project" | "user") => ({ agent, scope, project: "/shop", home: "/ada" });
const scopes = mcpSettings.flatMap(({ name, settings }) =>
  (["project", "user"] as const).flatMap((scope) => (settings[scope] === undefined ? [] : [{ name, scope, file: settings[scope] }])),
);

describe.each(scopes)("$name ($scope)", ({ name, scope, file }) => {
  const place = placeOf(name, scope);
  const path = `${scope === "project" ? "/shop" : "/ada"}/${file}`;

  it("writes its entry where there is nothing, twice without a change, shows before it writes, and leaves nothing", async () => {
    const files = filesWith();

    const shown = await installMcp(place, WISHES, "show", files);
    const before = [...files.texts];
    const installed = await installMcp(place, WISHES, "write", files);
    const text = files.texts.get(path) ?? "";
    const again = await installMcp(place, WISHES, "write", files);
    const gone = await uninstallMcp(place, "write", files);

    expect(before).toEqual([]);
    expect(shown).toEqual(installed);
    expect(text).toMatch(/"?mcp"?,\s*"serve"/);
    expect(text).toContain('"--loop"');
    expect(again).toEqual({ kind: "unchanged", path });
    expect(gone.kind).toBe("changed");
    expect([...files.texts]).toEqual([]);
  });
});

const others = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });

it.each(mcpSettings.filter(({ settings }) => (settings.project ?? settings.user ?? "").endsWith(".json")))(
  "leaves every other byte of $name's file as it was",
  ({ install, uninstall }) => {
    const outer = Object.keys(JSON.parse((install(undefined, ["lw", "mcp", "serve"]) as { text: string }).text))[0] ?? "";
    fc.assert(
      fc.property(others, others, fc.constantFrom(undefined, 2, "\t"), fc.boolean(), (root, servers, space, isThere) => {
        const { [outer]: _, ...rest } = root;
        const { loopwright: __, ...mine } = servers;
        const text = JSON.stringify(isThere ? { ...rest, [outer]: mine } : rest, null, space);

        const put = install(text, ["lw", "mcp", "serve", "--loop", "fix"]);
        const changed = put.kind === "changed" ? install(put.text, ["lw", "mcp", "serve", "--loop", "other"]) : put;
        const after = changed.kind === "changed" ? uninstall(changed.text) : changed;

        expect(after).toEqual({ kind: "changed", text });
      }),
      { numRuns: 40 },
    );
  },
);

it("leaves every other byte of a TOML file as it was, whatever is written behind ours", async () => {
  const codex = placeOf("codex", "user");
  const path = "/ada/.codex/config.toml";
  for (const before of ['model = "x"', '# mine\n[profiles.a]\nmodel = "y"\n', "\n\n", "a = 1\r\n"]) {
    const files = filesWith({ [path]: before });

    await installMcp(codex, WISHES, "write", files);
    files.texts.set(path, `${files.texts.get(path)}[later]\nb = 2\n`);
    await installMcp(codex, { ...WISHES, loop: "other" }, "write", files);
    expect(files.texts.get(path)).toContain('args = ["mcp", "serve", "--loop", "other"]');
    await uninstallMcp(codex, "write", files);

    expect(files.texts.get(path)).toBe(`${before}[later]\nb = 2\n`);
  }
});

it.each([
  ["claude-code", "/shop/.mcp.json", '{"mcpServers": {"loopwright": {"command": "other"}}}'],
  ["claude-code", "/shop/.mcp.json", '{"mcpServers": []}'],
  ["claude-code", "/shop/.mcp.json", "{"],
  ["codex", "/shop/.codex/config.toml", '[mcp_servers.loopwright]\ncommand = "other"\n'],
  ["codex", "/shop/.codex/config.toml", '[mcp_servers . "loopwright"]\n'],
  ["codex", "/shop/.codex/config.toml", "mcp_servers = {}\n"],
  ["codex", "/shop/.codex/config.toml", 'a = """\n'],
])("leaves what %s has in %s alone where it is none of ours, and says why", async (agent, path, text) => {
  const files = filesWith({ [path]: text });

  const answers = [
    await installMcp(placeOf(agent, "project"), WISHES, "write", files),
    await uninstallMcp(placeOf(agent, "project"), "write", files),
  ];

  expect(answers).toEqual(answers.map(() => ({ kind: "refused", why: expect.stringContaining("then try again") })));
  expect(files.texts.get(path)).toBe(text);
});

it("tells which agents there are, and which have no settings of a project", async () => {
  const files = filesWith();

  expect(await installMcp(placeOf("claude", "project"), WISHES, "write", files)).toMatchObject({
    why: expect.stringContaining("copilot-cli"),
  });
  expect(await installMcp(placeOf("copilot-cli", "project"), WISHES, "write", files)).toMatchObject({
    why: expect.stringContaining("--user"),
  });
});
