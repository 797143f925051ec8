import { describe, expect, it } from "vitest";
import { someOf } from "../../../test/support/tries.ts";
import type { TaughtLoop } from "../../contract/agents.ts";
import type { KeptTree } from "../../contract/texts-of-others.ts";
import { type AdaptPlan, type AdaptWishes, carryOutAdapt, planAdapt } from "./plan-adapt.ts";

const FIX: TaughtLoop = {
  name: "fix",
  intent: "Make the tests pass",
  level: "L2",
  spec: ".loopwright/fix.loop.yaml",
  proofs: ["npm test"],
};
const WATCH: TaughtLoop = { name: "watch", intent: "Tell what landed", level: "L1", spec: "loops/watch.loop.yaml", proofs: [] };
const WISHES: AdaptWishes = { agents: ["all"], mode: "put", edits: "keep", hooks: true, server: true, referee: undefined };

type Texts = { readonly [path: string]: string };

interface Oddities {
  readonly links?: Texts;
  readonly readOnly?: readonly string[];
  readonly unusable?: readonly string[];
}

/** A tree in memory; `dies` before the write of that number. */
function treeOf(texts: Texts, { links = {}, readOnly = [], unusable = [] }: Oddities = {}, dies = Number.POSITIVE_INFINITY) {
  const files = new Map(Object.entries(texts));
  let writes = 0;
  const real = (path: string): string => links[path] ?? path;
  const step = (): void => {
    writes += 1;
    if (writes >= dies) throw new Error("died");
  };
  const tree: KeptTree = {
    async read(path) {
      if (unusable.includes(path)) return { kind: "unusable", why: "it is a link that leads out of the repository" };
      const text = files.get(real(path));
      return text === undefined ? { kind: "absent" } : { kind: "text", text, real: real(path), isReadOnly: readOnly.includes(real(path)) };
    },
    list: async (folder) => [
      ...new Set(
        [...files.keys()].filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1).split("/")[0]!),
      ),
    ],
    async write(path, text) {
      step();
      files.set(path, text);
    },
    async remove(path) {
      step();
      files.delete(path);
    },
  };
  return { tree, now: (): Texts => Object.fromEntries(files) };
}

const plan = (tree: KeptTree, wishes: Partial<AdaptWishes> = {}, loops: readonly TaughtLoop[] = [FIX]): Promise<AdaptPlan> =>
  planAdapt(loops, { ...WISHES, ...wishes }, { tree, findProgram: async () => undefined });

async function adapt(tree: KeptTree, wishes: Partial<AdaptWishes> = {}, loops: readonly TaughtLoop[] = [FIX]): Promise<AdaptPlan> {
  const planned = await plan(tree, wishes, loops);
  await carryOutAdapt(planned, tree);
  return planned;
}

const SETTINGS = `{
  // ours since 2024
  "permissions": { "allow": ["Bash(npm test)"] }, /* keep */
  "hooks": {
    "PreToolUse": [
      { "matcher": "Edit", "hooks": [{ "type": "command", "command": "./lint.sh" }] }
    ]
  }
}
`;

/** Fifteen repositories as people keep them. */
const REPOSITORIES: readonly { readonly name: string; readonly texts: Texts; readonly odd?: Oddities }[] = [
  { name: "an empty one", texts: {} },
  { name: "AGENTS.md by hand", texts: { "AGENTS.md": "# House rules\n\nRun `make test`.\n" } },
  { name: "AGENTS.md and CLAUDE.md by hand", texts: { "AGENTS.md": "# A\n", "CLAUDE.md": "# B\n\nBe terse.\n" } },
  { name: "CLAUDE.md that brings AGENTS.md in", texts: { "AGENTS.md": "# A\n", "CLAUDE.md": "@AGENTS.md\n" } },
  {
    name: "CLAUDE.md as a link to AGENTS.md",
    texts: { "AGENTS.md": "# A\n" },
    odd: { links: { "CLAUDE.md": "AGENTS.md", "GEMINI.md": "AGENTS.md" } },
  },
  { name: "settings with comments", texts: { ".claude/settings.json": SETTINGS, ".gemini/settings.json": '{\n\t"theme": "x" // mine\n}' } },
  {
    name: "line ends of Windows",
    texts: { "AGENTS.md": "# A\r\n\r\ntext\r\n", ".claude/settings.json": SETTINGS.replaceAll("\n", "\r\n") },
  },
  { name: "byte order marks", texts: { "AGENTS.md": "\ufeff# A\n", "GEMINI.md": "\ufeff", ".codex/hooks.json": '\ufeff{"hooks":{}}' } },
  { name: "no end of the last line", texts: { "AGENTS.md": "# A", ".aider.conf.yml": "model: x", ".cursor/hooks.json": '{"version":1}' } },
  { name: "empty files", texts: { "AGENTS.md": "", "CLAUDE.md": "", ".aider.conf.yml": "" } },
  { name: "a list of Aider's with comments", texts: { ".aider.conf.yml": "# mine\nread:\n  - A.md # first\nauto-commits: false\n" } },
  { name: "read-only files", texts: { "AGENTS.md": "# A\n", "CLAUDE.md": "# B\n" }, odd: { readOnly: ["AGENTS.md", "CLAUDE.md"] } },
  {
    name: "links that lead out",
    texts: { "AGENTS.md": "# A\n" },
    odd: { unusable: ["CLAUDE.md", ".claude/settings.json", ".cursor/hooks.json"] },
  },
  {
    name: "rules of many agents",
    texts: {
      ".rules": "be kind\n",
      ".clinerules/a.md": "x\n",
      ".cursor/rules/a.mdc": "---\nalwaysApply: true\n---\nx\n",
      ".github/copilot-instructions.md": "# C\n",
      ".roo/rules/x.md": "y",
    },
  },
  {
    name: "somebody's own things where ours would go",
    texts: {
      ".claude/skills/loop-fix/SKILL.md": "mine\n",
      ".claude/agents/loopwright-checker.md": "mine\n",
      ".opencode/plugins/loopwright.js": "mine\n",
    },
  },
];

describe.each(REPOSITORIES)("$name", ({ texts, odd }) => {
  it("is taught, keeps every byte of its own, is not changed a second time, and is as it was when all is taken out", async () => {
    const { tree, now } = treeOf(texts, odd);

    const first = await adapt(tree);
    const taught = now();
    const second = await plan(tree);

    expect(first.files.length).toBeGreaterThan(10);
    expect(second.files).toEqual([]);
    expect(second.left).toEqual(first.left);
    expect(Object.entries(texts).filter(([path, text]) => !hasAllOf(taught[path] ?? "", text))).toEqual([]);

    await adapt(tree, { mode: "take" });
    expect(now()).toEqual(texts);
  });
});

/** Those in which what is changed differs most. */
const DYING = ["AGENTS.md and CLAUDE.md by hand", "settings with comments", "CLAUDE.md as a link to AGENTS.md"];

describe.each(someOf(REPOSITORIES, ({ name }) => DYING.includes(name)))("$name", ({ texts, odd }) => {
  it("has only old and new files wherever it ends, and goes on from there", async () => {
    const whole = treeOf(texts, odd);
    const { files } = await adapt(whole.tree);

    for (const dies of [2, Math.ceil(files.length / 2), files.length]) {
      const { tree, now } = treeOf(texts, odd, dies);
      await expect(adapt(tree)).rejects.toThrow("died");
      const after = now();
      expect(Object.entries(after).filter(([path, text]) => text !== texts[path] && text !== whole.now()[path])).toEqual([]);

      const again = treeOf(after, odd);
      await adapt(again.tree);
      expect(again.now()).toEqual(whole.now());
      await adapt(again.tree, { mode: "take" });
      expect(again.now()).toEqual(texts);
    }
  });
});

/** Whether every character of theirs is there, in its order. */
function hasAllOf(taught: string, theirs: string): boolean {
  let at = 0;
  for (const char of taught) if (char === theirs[at]) at += 1;
  return at === theirs.length;
}

describe("what is taught", () => {
  it("goes where each agent reads it", async () => {
    const { tree, now } = treeOf({ ".clinerules/a.md": "x\n", ".github/copilot-instructions.md": "# C\n" });

    await adapt(tree);

    expect(Object.keys(now()).toSorted()).toMatchInlineSnapshot(`
      [
        ".agents/skills/loop-fix/SKILL.md",
        ".agents/skills/loopwright-inbox/SKILL.md",
        ".agents/skills/loopwright-refusal/SKILL.md",
        ".agents/skills/loopwright-setup/SKILL.md",
        ".agents/skills/loopwright-write-loop/SKILL.md",
        ".aider.conf.yml",
        ".claude/agents/loopwright-checker.md",
        ".claude/settings.json",
        ".claude/skills/loop-fix/SKILL.md",
        ".claude/skills/loopwright-inbox/SKILL.md",
        ".claude/skills/loopwright-refusal/SKILL.md",
        ".claude/skills/loopwright-setup/SKILL.md",
        ".claude/skills/loopwright-write-loop/SKILL.md",
        ".clinerules/a.md",
        ".clinerules/loopwright.md",
        ".codex/agents/loopwright-checker.toml",
        ".codex/config.toml",
        ".codex/hooks.json",
        ".cursor/hooks.json",
        ".cursor/mcp.json",
        ".cursor/rules/loop-fix.mdc",
        ".cursor/rules/loopwright.mdc",
        ".gemini/commands/lw/loop-fix.toml",
        ".gemini/commands/lw/loopwright-inbox.toml",
        ".gemini/commands/lw/loopwright-refusal.toml",
        ".gemini/commands/lw/loopwright-setup.toml",
        ".gemini/commands/lw/loopwright-write-loop.toml",
        ".gemini/settings.json",
        ".github/agents/loopwright-checker.agent.md",
        ".github/copilot-instructions.md",
        ".github/hooks/loopwright.json",
        ".loopwright/local-models.md",
        ".mcp.json",
        ".opencode/agents/loopwright-checker.md",
        ".opencode/commands/loop-fix.md",
        ".opencode/plugins/loopwright.js",
        ".roo/rules/loopwright.md",
        ".windsurf/rules/loop-fix.md",
        "AGENTS.md",
        "CLAUDE.md",
        "GEMINI.md",
        "opencode.json",
      ]
    `);
    expect(now()["AGENTS.md"]).toContain("- **fix** (L2, `.loopwright/fix.loop.yaml`): Make the tests pass. Proven by `npm test`.");
    expect(JSON.parse(now()[".claude/settings.json"]!)).toMatchObject({
      hooks: { Stop: [{ hooks: [{ command: "lw hook run claude-code --referee --loop fix" }] }] },
    });
  });

  it("is only for the agents that are here, and for AGENTS.md where none is", async () => {
    const cursor = await plan(treeOf({ ".cursor/rules/a.mdc": "x" }).tree, { agents: undefined });
    const none = await plan(treeOf({}).tree, { agents: undefined });

    expect(cursor.agents.map(({ name, because }) => `${name}: ${because}`)).toEqual([
      "agents-md: cursor reads it",
      "cursor: .cursor is here",
    ]);
    expect(none.agents.map(({ name }) => name)).toEqual(["agents-md"]);
  });

  it("follows the loops: what one that is gone wanted goes, and what somebody edited stays and is told", async () => {
    const { tree, now } = treeOf({});
    await adapt(tree, {}, [FIX, WATCH]);
    const path = ".claude/skills/loop-watch/SKILL.md";
    const edited = treeOf({ ...now(), [path]: now()[path]!.replace("Read the spec", "Read it") });

    await adapt(tree, {}, [FIX]);
    const left = await adapt(edited.tree, {}, [FIX]);

    expect(Object.keys(now()).filter((one) => one.includes("watch"))).toEqual([]);
    expect(left.left).toEqual([{ path, kind: "edited", why: expect.any(String) }]);
    expect(Object.keys(edited.now()).filter((one) => one.includes("watch"))).toEqual([path]);
  });

  it("tells where somebody edited our block, and writes over it only when told to", async () => {
    const { tree, now } = treeOf({ "AGENTS.md": "# A\n" });
    await adapt(tree);
    const spoilt = treeOf({ ...now(), "AGENTS.md": now()["AGENTS.md"]!.replace("Only people approve", "Anybody approves") });

    const kept = await adapt(spoilt.tree);
    const over = await adapt(spoilt.tree, { edits: "overwrite" });

    expect(kept).toMatchObject({ files: [], left: [{ path: "AGENTS.md", kind: "edited" }] });
    expect(over.left).toEqual([]);
    expect(spoilt.now()).toEqual(now());
  });

  it("has the referee as the stop rule by the loop that is named, or the only one that could judge, and else says so", async () => {
    const other: TaughtLoop = { ...FIX, name: "other" };
    const stop = async (loops: readonly TaughtLoop[], wishes: Partial<AdaptWishes> = {}) => {
      const { files, notes } = await plan(treeOf({}).tree, { agents: ["claude-code"], ...wishes }, loops);
      const text = files.find(({ path }) => path === ".claude/settings.json")?.after ?? "";
      return {
        loop: /--referee --loop (\w+)/.exec(text)?.[1],
        asksGuard: text.includes("lw hook run claude-code ||"),
        notes: notes.length,
      };
    };

    expect(await stop([FIX, WATCH])).toEqual({ loop: "fix", asksGuard: true, notes: 0 });
    expect(await stop([FIX, other])).toEqual({ loop: undefined, asksGuard: true, notes: 1 });
    expect(await stop([FIX, other], { referee: "other" })).toEqual({ loop: "other", asksGuard: true, notes: 0 });
    expect(await stop([FIX], { hooks: false, server: false })).toEqual({ loop: undefined, asksGuard: false, notes: 0 });
    await expect(plan(treeOf({}).tree, { referee: "fxi" })).rejects.toMatchObject({ hint: expect.stringContaining("Did you mean fix?") });
    await expect(plan(treeOf({}).tree, { agents: ["claude"] })).rejects.toMatchObject({ message: "there is no agent called claude" });
  });
});
