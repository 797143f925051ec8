// What agents print, as they were heard to print it, and what becomes of it. Lines of agents that could not be tried are from their documentation.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { barrenDesk, finishedAs, quietAgentWorld, quietNotebook } from "../../test/support/fake-world.ts";
import { createFakeMeter } from "../../test/support/purses.ts";
import type { EditOrder } from "../contract/maker.ts";
import type { MakerEvent } from "../contract/maker-events.ts";
import type { MakerWorld } from "../contract/part-worlds.ts";
import { LoopSpec } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import type { ReadLine } from "./agent-events.ts";
import { readAider } from "./aider.ts";
import { claudeCode, readClaudeCode } from "./claude-code.ts";
import { readCodex } from "./codex.ts";
import { readPlainText } from "./copilot-cli.ts";
import { readCursorAgent } from "./cursor-agent.ts";
import { readGeminiCli } from "./gemini-cli.ts";
import { readOpencode } from "./opencode.ts";
import { readPi } from "./pi.ts";

const NOW = Date.parse("2026-11-16T09:05:00Z");
const READERS: { readonly [name: string]: ReadLine } = {
  aider: readAider,
  "claude-code": readClaudeCode,
  codex: readCodex,
  "copilot-cli": readPlainText,
  "cursor-agent": readCursorAgent,
  "gemini-cli": readGeminiCli,
  opencode: readOpencode,
  pi: readPi,
};

const HEARD: readonly (readonly [agent: string, line: string | object, events: readonly unknown[]])[] = [
  ["claude-code", { type: "system", subtype: "init", session_id: "13267af6" }, [{ kind: "session", session: "13267af6" }]],
  [
    "claude-code",
    {
      type: "assistant",
      message: {
        id: "msg_1",
        model: "claude-sonnet-4-5",
        content: [{ type: "text", text: "I write." }],
        usage: { input_tokens: 100, output_tokens: 3 },
      },
    },
    [
      { kind: "text", text: "I write." },
      { kind: "usage", of: "part", part: "msg_1", tokens: 103 },
    ],
  ],
  [
    "claude-code",
    {
      type: "assistant",
      message: { id: "m", content: [{ type: "tool_use", name: "Write", input: { file_path: "/w/a.txt", content: "x" } }] },
    },
    [
      { kind: "tool-call", tool: "Write", about: "/w/a.txt" },
      { kind: "file-change", path: "/w/a.txt" },
    ],
  ],
  [
    "claude-code",
    {
      type: "assistant",
      message: { content: [{ type: "tool_use", name: "AskUserQuestion", input: { questions: [{ question: "Which one?" }] } }] },
    },
    [
      { kind: "tool-call", tool: "AskUserQuestion", about: '{"questions":[{"question":"Which one?"}]}' },
      { kind: "question", text: "Which one?" },
    ],
  ],
  [
    "claude-code",
    { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt: 1794819990, rateLimitType: "five_hour" } },
    [{ kind: "limit", says: "usage limit (five_hour)", resetsAt: "2026-11-16T09:06:30.000Z" }],
  ],
  ["claude-code", { type: "rate_limit_event", rate_limit_info: { status: "allowed_warning", resetsAt: 1794819990 } }, []],
  [
    "claude-code",
    {
      type: "assistant",
      message: { model: "<synthetic>", content: [{ type: "text", text: "You've hit your limit · resets 9:06am (UTC)" }] },
    },
    [{ kind: "limit", says: "You've hit your limit · resets 9:06am (UTC)", resetsAt: "2026-11-16T09:06:00.000Z" }],
  ],
  [
    "claude-code",
    {
      type: "result",
      subtype: "success",
      is_error: false,
      result: "Done.",
      total_cost_usd: 0.0009,
      usage: { input_tokens: 200, output_tokens: 20, cache_read_input_tokens: 9999 },
    },
    [{ kind: "usage", of: "all", tokens: 220, usd: 0.0009 }],
  ],
  // Nothing used is not known, and never zero.
  [
    "claude-code",
    {
      type: "result",
      subtype: "success",
      is_error: true,
      result: "API Error: Connection lost",
      total_cost_usd: 0,
      usage: { input_tokens: 0, output_tokens: 0 },
    },
    [
      { kind: "usage", of: "all" },
      { kind: "error", text: "API Error: Connection lost" },
    ],
  ],
  ["codex", { type: "thread.started", thread_id: "01a1e39c" }, [{ kind: "session", session: "01a1e39c" }]],
  [
    "codex",
    { type: "item.started", item: { id: "i", type: "command_execution", command: "/bin/bash -lc 'echo hi'", status: "in_progress" } },
    [{ kind: "tool-call", tool: "shell", about: "/bin/bash -lc 'echo hi'" }],
  ],
  ["codex", { type: "item.completed", item: { type: "agent_message", text: "All done." } }, [{ kind: "text", text: "All done." }]],
  [
    "codex",
    { type: "item.completed", item: { type: "file_change", changes: [{ path: "a.ts", kind: "update" }] } },
    [{ kind: "file-change", path: "a.ts" }],
  ],
  [
    "codex",
    { type: "turn.completed", usage: { input_tokens: 200, cached_input_tokens: 50, output_tokens: 20 } },
    [{ kind: "usage", of: "all", tokens: 170 }],
  ],
  [
    "codex",
    { type: "turn.failed", error: { message: "exceeded retry limit, last status: 429 Too Many Requests" } },
    [{ kind: "limit", says: "exceeded retry limit, last status: 429 Too Many Requests" }],
  ],
  ["gemini-cli", { type: "init", session_id: "e3fc51ae", model: "gemini-2.5-flash" }, [{ kind: "session", session: "e3fc51ae" }]],
  ["gemini-cli", { type: "message", role: "user", content: "do it" }, []],
  ["gemini-cli", { type: "message", role: "assistant", content: "I write.", delta: true }, [{ kind: "text", text: "I write." }]],
  [
    "gemini-cli",
    { type: "tool_use", tool_name: "write_file", parameters: { file_path: "/w/a.txt", content: "x" } },
    [
      { kind: "tool-call", tool: "write_file", about: "/w/a.txt" },
      { kind: "file-change", path: "/w/a.txt" },
    ],
  ],
  [
    "gemini-cli",
    { type: "result", status: "success", stats: { total_tokens: 220, input_tokens: 200, output_tokens: 20, cached: 0 } },
    [{ kind: "usage", of: "all", tokens: 220 }],
  ],
  ["pi", { type: "session", version: 3, id: "01a1e39b", cwd: "/w" }, [{ kind: "session", session: "01a1e39b" }]],
  [
    "pi",
    {
      type: "message_end",
      message: {
        role: "assistant",
        content: [
          { type: "text", text: "I write." },
          { type: "toolCall", name: "write", arguments: { path: "/w/a.txt" } },
        ],
        usage: { input: 100, output: 10, cost: { total: 0.00012 } },
      },
    },
    [
      { kind: "text", text: "I write." },
      { kind: "tool-call", tool: "write", about: "/w/a.txt" },
      { kind: "file-change", path: "/w/a.txt" },
      { kind: "usage", of: "part", tokens: 110, usd: 0.00012 },
    ],
  ],
  [
    "pi",
    { type: "message_end", message: { role: "assistant", content: [], stopReason: "error", errorMessage: "429 Please try again later." } },
    [{ kind: "limit", says: "429 Please try again later." }],
  ],
  ["opencode", { type: "step_start", sessionID: "ses_1", part: {} }, [{ kind: "session", session: "ses_1" }]],
  [
    "opencode",
    { type: "tool_use", part: { tool: "write", state: { status: "completed", input: { filePath: "/w/a.txt" } } } },
    [
      { kind: "tool-call", tool: "write", about: "/w/a.txt" },
      { kind: "file-change", path: "/w/a.txt" },
    ],
  ],
  [
    "opencode",
    { type: "step_finish", part: { id: "prt_1", tokens: { input: 100, output: 10, reasoning: 0 }, cost: 0 } },
    [{ kind: "usage", of: "part", part: "prt_1", tokens: 110 }],
  ],
  ["cursor-agent", { type: "system", subtype: "init", session_id: "c1" }, [{ kind: "session", session: "c1" }]],
  [
    "cursor-agent",
    { type: "tool_call", subtype: "started", tool_call: { shellToolCall: { args: { command: "npm test" } } } },
    [{ kind: "tool-call", tool: "shell", about: "npm test" }],
  ],
  ["cursor-agent", { type: "result", subtype: "success", is_error: true, result: "429" }, [{ kind: "limit", says: "429" }]],
  [
    "aider",
    "Tokens: 2.5k sent, 100 received. Cost: $0.01 message, $0.03 session.",
    [{ kind: "usage", of: "part", tokens: 2600, usd: 0.01 }],
  ],
  ["aider", "Applied edit to src/a.ts", [{ kind: "file-change", path: "src/a.ts" }]],
  [
    "aider",
    "litellm.RateLimitError: slow down, try again in 20s",
    [{ kind: "limit", says: "litellm.RateLimitError: slow down, try again in 20s", resetsAt: "2026-11-16T09:05:20.000Z" }],
  ],
  ["copilot-cli", "I mended it.", [{ kind: "text", text: "I mended it.\n" }]],
];

const read = (agent: string, line: string): readonly MakerEvent[] | undefined => READERS[agent]!(line, NOW);

describe("what an agent prints", () => {
  it.each(HEARD)("%s: %j", (agent, line, events) => {
    expect(read(agent, typeof line === "string" ? line : JSON.stringify(line))).toEqual(events);
  });

  it.each(Object.keys(READERS).filter((agent) => agent !== "aider" && agent !== "copilot-cli"))(
    "%s: says nothing where a line is of a kind that we do not know, half, or no JSON",
    (agent) => {
      for (const line of [
        '{"type":"of_tomorrow","deep":{}}',
        '{"type":"result","us',
        "null",
        "[1]",
        "YOLO mode is enabled.",
        "",
        "{}",
        '{"type":7}',
      ])
        expect(read(agent, line)).toBeUndefined();
    },
  );

  it.each(Object.keys(READERS))("%s: takes any line, and any shape of what it knows", (agent) => {
    const known = HEARD.filter(([name]) => name === agent).flatMap(([, line]) => (typeof line === "string" ? [] : [line]));
    const bent = fc
      .constantFrom(...(known.length > 0 ? known : [{}]))
      .chain((line) =>
        fc
          .dictionary(fc.constantFrom(...Object.keys(line), "message", "part", "item", "usage", "error", "stats"), fc.jsonValue())
          .map((other) => ({ ...line, ...other })),
      );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.json(),
          bent.map((line) => JSON.stringify(line)),
        ),
        (line) => void read(agent, line),
      ),
      {
        numRuns: 300,
      },
    );
  });
});

const order: EditOrder = {
  spec: LoopSpec.parse({ name: "fix", intent: "Fix.", level: "L2", maker: { use: "claude-code" }, verifiers: [{ use: "command" }] }),
  round: { id: "r.1", run: "r", loop: "fix", number: 1, base: "ba5e", openedAt: "2026-01-02T03:04:05.678Z", lessons: [] },
  workspace: { work: "/w", home: "/h", brief: "/brief.md", usage: "/usage.json" },
  brief: "Mend it.",
  timeLeftMs: 60_000,
};
const quietWorld: Omit<MakerWorld, "proc"> = {
  files: { read: async () => undefined, write: async () => {}, remove: async () => {} },
  env: { get: () => undefined },
  meter: createFakeMeter(),
  readUsage: async () => undefined,
  agent: quietAgentWorld,
  desk: barrenDesk,
  notebook: quietNotebook,
};

describe("bugs that others shipped", () => {
  it('a result with `"is_error": false` is no error (ralph#2)', () => {
    const line = { type: "result", subtype: "success", is_error: false, result: "error: none", usage: {} };

    expect(read("claude-code", JSON.stringify(line))?.map(({ kind }) => kind)).not.toContain("error");
  });

  it("a time-out is not taken for a rate limit, whatever was spoken of before (ralph PR 184)", async () => {
    const says = {
      type: "assistant",
      message: { content: [{ type: "text", text: "The rate limit test wants HTTP 429: retry in 60 s." }] },
    };
    const make = claudeCode.configure({});
    if (make.proposes !== "commit") throw new Error("it must make commits");
    const run: MakerWorld["proc"]["run"] = async (_, dialogue) => {
      await dialogue?.heard(untrustedText(JSON.stringify(says)));
      return finishedAs({ kind: "timed-out", afterMs: 1000 });
    };

    const talk = await make.edit(order, { ...quietWorld, proc: { run } });

    expect(talk).toMatchObject({ ended: "gave-up", summary: expect.stringContaining("it took longer than 1000 ms") });
  });
});
