import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fakeAcpAgent, type Turn } from "../../test/support/fake-acp-agent.ts";
import { barrenDesk, quietAgentWorld, quietNotebook } from "../../test/support/fake-world.ts";
import { createFakeMeter } from "../../test/support/purses.ts";
import type { EditOrder } from "../contract/maker.ts";
import type { MakerEvent } from "../contract/maker-events.ts";
import type { MakerWorld } from "../contract/part-worlds.ts";
import { LoopSpec } from "../contract/spec.ts";
import { acp, readUpdate } from "./acp.ts";
import { pathInside, permit } from "./acp-permission.ts";

const WORK = "/rounds/r.1/work";
const order: EditOrder = {
  spec: LoopSpec.parse({ name: "fix", intent: "Fix.", level: "L2", maker: { use: "acp" }, verifiers: [{ use: "command" }] }),
  round: { id: "r.1", run: "r", loop: "fix", number: 1, base: "ba5e", openedAt: "2026-01-02T03:04:05.678Z", lessons: [] },
  workspace: { work: WORK, home: "/rounds/r.1/home", brief: "/rounds/r.1/brief.md", usage: "/rounds/r.1/usage.json" },
  brief: "Mend it.",
  timeLeftMs: 60_000,
};

async function talk(turn: Turn, more: { readonly earlierSession?: string; readonly loadSession?: boolean } = {}) {
  const events: MakerEvent[] = [];
  const files = new Map([["a.txt", "one\ntwo\nthree\n"]]);
  const meter = createFakeMeter();
  const { run, heard } = fakeAcpAgent(turn, more.loadSession ? { loadSession: true } : {});
  const world: MakerWorld = {
    proc: { run },
    files: {
      read: async (path) => files.get(path),
      write: async (path, text) => void files.set(path, text),
      remove: async (path) => void files.delete(path),
    },
    env: { get: () => undefined },
    meter,
    readUsage: async () => undefined,
    desk: barrenDesk,
    notebook: quietNotebook,
    agent: {
      ...quietAgentWorld,
      earlierSession: more.earlierSession,
      tell: async (event) => void events.push(event),
      askGuard: (command) => (command.includes("rm -rf") ? { decision: "deny", why: "no" } : { decision: "allow", why: "" }),
    },
  };
  const make = acp.configure({ run: "agent --acp" });
  if (make.proposes !== "commit") throw new Error("acp must make commits");
  const said = await make.edit(order, world).catch((error: unknown) => error);
  return { said, events, files, meter, heard };
}

const OPTIONS = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

describe("an agent that speaks the protocol", () => {
  it("is given its copy and the brief, writes through us, and tells what it used", async () => {
    const { said, files, meter, heard, events } = await talk(async ({ ask, tell }) => {
      await tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Mended." } });
      await ask("fs/write_text_file", { path: `${WORK}/a.txt`, content: "new\n" });
      return { stopReason: "end_turn", usage: { inputTokens: 100, outputTokens: 10 } };
    });

    expect(said).toEqual({ ended: "finished", summary: "Mended." });
    expect(files.get("a.txt")).toBe("new\n");
    expect(meter.charged.at(-1)).toEqual({ tokens: 110, tools: 0, did: [] });
    expect(heard.find(({ method }) => method === "session/new")?.params).toEqual({ cwd: WORK, mcpServers: [] });
    expect(heard.find(({ method }) => method === "session/prompt")?.params.prompt).toEqual([{ type: "text", text: "Mend it." }]);
    expect(events.map(({ kind }) => kind)).toEqual(["session", "text", "file-change", "usage"]);
  });

  it("is answered by the guard, once for each thing it asks for", async () => {
    const answers: unknown[] = [];
    const { events } = await talk(async ({ ask }) => {
      for (const command of ["npm test", "rm -rf /"]) {
        const { result } = await ask("session/request_permission", {
          options: OPTIONS,
          toolCall: { toolCallId: "1", kind: "execute", rawInput: { command } },
        });
        answers.push(result.outcome);
      }
      return { stopReason: "end_turn" };
    });

    expect(answers).toEqual([
      { outcome: "selected", optionId: "yes" },
      { outcome: "selected", optionId: "no" },
    ]);
    expect(events.filter(({ kind }) => kind === "refused")).toHaveLength(1);
  });

  it("cannot write or read outside its copy through us", async () => {
    const { files } = await talk(async ({ ask }) => {
      await ask("fs/write_text_file", { path: "/etc/passwd", content: "x" });
      await ask("fs/write_text_file", { path: `${WORK}/../b.txt`, content: "x" });
      await ask("fs/write_text_file", { path: `${WORK}-other/b.txt`, content: "x" });
      return { stopReason: "end_turn" };
    });

    expect([...files.keys()]).toEqual(["a.txt"]);
  });

  it("reads the lines it asks for", async () => {
    let content: unknown;
    await talk(async ({ ask }) => {
      content = (await ask("fs/read_text_file", { path: `${WORK}/a.txt`, line: 2, limit: 1 })).result.content;
      return { stopReason: "end_turn" };
    });

    expect(content).toBe("two");
  });

  it("takes up its earlier conversation where it can, without telling it again", async () => {
    const { heard } = await talk(async () => ({ stopReason: "end_turn" }), { earlierSession: "s1", loadSession: true });

    expect(heard.map(({ method }) => method).filter((method) => method?.startsWith("session/"))).toEqual([
      "session/load",
      "session/prompt",
    ]);
  });

  it("that reports nothing is said to, and is not taken for one that costs nothing", async () => {
    const { meter, events } = await talk(async ({ tell }) => {
      await tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x".repeat(92) } });
      return { stopReason: "end_turn", usage: { inputTokens: 0, outputTokens: 0 } };
    });

    expect([meter.charged, meter.isFree()]).toEqual([[{ tools: 0, did: [] }], false]);
    expect(events.at(-1)).toEqual({ kind: "error", text: "it reported no usage: what it used is estimated" });
  });

  it.each(["refusal", "max_tokens", "max_turn_requests", "cancelled"])("that stops for %s did not finish", async (stopReason) => {
    const { said } = await talk(async () => ({ stopReason }));

    expect(said).toMatchObject({ ended: "gave-up", summary: `it stopped: ${stopReason}` });
  });
});

describe("permission", () => {
  const askGuard = quietAgentWorld.askGuard;
  it.each([
    [{ kind: "edit", locations: [{ path: `${WORK}/a` }] }, true],
    [{ kind: "edit", content: [{ type: "diff", path: "/etc/passwd" }] }, false],
    [{ kind: "edit", rawInput: { file_path: `${WORK}/../x` } }, false],
    [{ kind: "edit" }, false],
    [{ kind: "read", locations: [{ path: "/root/.ssh/id_rsa" }] }, false],
    [{ kind: "read" }, true],
    [{ kind: "execute" }, false],
    [{ kind: "execute", rawInput: { command: ["bash", "-lc", "npm test"] } }, true],
    [{ kind: "other" }, false],
    [{ kind: "switch_mode" }, false],
    [{}, false],
    [null, false],
  ])("%j: %s", (call, allowed) => {
    expect(permit(call, WORK, askGuard).allowed).toBe(allowed);
  });

  it("never takes a path outside for one inside", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("..", ".", "", "a", "b", "work", "work2")), (parts) => {
        const inner = pathInside(WORK, `${WORK}/${parts.join("/")}`);
        if (inner !== undefined) expect(inner.split("/").some((part) => part === ".." || part === "." || part === "")).toBe(false);
      }),
    );
  });
});

it("reads any update", () => {
  fc.assert(fc.property(fc.anything(), (update) => void readUpdate(update as Parameters<typeof readUpdate>[0])));
});

it.each([
  [{ run: "gemini --acp" }, ["~/.gemini"]],
  [{ run: "npx --yes @zed-industries/claude-code-acp" }, ["~/.claude", "~/.claude.json"]],
  [{ run: "/opt/bin/codex-acp" }, ["~/.codex"]],
  [{ run: "gemini --acp", keeps: ["~/.mine"] }, ["~/.mine"]],
  [{ run: "my-agent" }, undefined],
])("leaves open where a known agent keeps its login, or what the spec names: %j", (options, keeps) => {
  expect(acp.configure(options)).toMatchObject({ proposes: "commit", ...(keeps ? { keeps } : {}) });
  if (!keeps) expect(acp.configure(options)).not.toHaveProperty("keeps");
});
