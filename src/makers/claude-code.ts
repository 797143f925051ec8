// Claude Code in its headless mode, with the guard's hook in its settings. Tried with 2.1.197.
//
// Format: code.claude.com/docs/en/headless (`-p --output-format stream-json`) and what the program prints. Settings and MCP servers
// of the repository are not read: they could start anything.
import * as z from "zod";
import { defineMaker } from "../contract/maker.ts";
import type { MakerEvent } from "../contract/maker-events.ts";
import { untrustedText } from "../contract/text.ts";
import { fieldsOf, textIn } from "../std/json-record.ts";
import { amountIn, listIn, type ReadLine, textEvent, toolEvents, troubleEvents, typedLine, usageEvent } from "./agent-events.ts";
import { AGENT_OPTIONS, runAgent } from "./run-agent.ts";

export const claudeCode = defineMaker({
  name: "claude-code",
  summary: "Lets Claude Code work in the maker's copy; each of its shell commands asks the guard first.",
  program: {
    name: "claude",
    variables: [
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "CLAUDE_CODE_OAUTH_TOKEN",
      "CLAUDE_CODE_USE_BEDROCK",
      "CLAUDE_CODE_USE_VERTEX",
    ],
    files: [".claude/.credentials.json"],
    says: [{ file: ".claude.json", at: ["oauthAccount", "accountUuid"] }],
    keeps: ["~/.claude", "~/.claude.json"],
    hosts: ["api.anthropic.com", "console.anthropic.com", "platform.claude.com", "claude.ai"],
    login: "run `claude` and log in, or set ANTHROPIC_API_KEY",
  },
  options: z.strictObject({
    ...AGENT_OPTIONS,
    effort: z
      .enum(["low", "medium", "high", "max"])
      .optional()
      .meta({ description: "How hard it thinks. Default: its own.", examples: ["high"] }),
  }),
  async edit(order, options, world) {
    const settings = await world.agent.lay("claude-settings.json", world.agent.hookSettings("claude-code"));
    return runAgent(order, options, world, (brief, session) => ({
      words: [
        ...["claude", "-p", "--output-format", "stream-json", "--verbose"],
        ...["--permission-mode", "acceptEdits", "--allowedTools", "Bash"],
        ...["--setting-sources", "user", "--strict-mcp-config", "--settings", settings],
        ...(options.model ? ["--model", options.model] : []),
        ...(options.effort ? ["--effort", options.effort] : []),
        ...(session ? ["--resume", session] : []),
        ...options.args,
      ],
      env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
      input: brief,
      read: readClaudeCode,
    }));
  },
});

const KNOWN = new Set(["stream_event", "control_request", "control_response", "keep_alive"]);

export const readClaudeCode: ReadLine = (line, nowMs) => {
  const read = typedLine(line);
  if (!read) return undefined;
  const { type, fields } = read;
  switch (type) {
    case "system":
      return readSystem(fields, nowMs);
    case "assistant":
      return readAssistant(fields, nowMs);
    case "user":
      return listIn(fieldsOf(fields.get("message")), "content").flatMap(readToolResult);
    case "rate_limit_event": {
      const about = fieldsOf(fields.get("rate_limit_info"));
      const resets = amountIn(about, "resetsAt");
      if (textIn(about, "status") !== "rejected") return [];
      const says = untrustedText(`usage limit (${textIn(about, "rateLimitType") ?? "unknown"})`);
      return [
        { kind: "limit", says, ...(resets === undefined || resets > 1e11 ? {} : { resetsAt: new Date(resets * 1000).toISOString() }) },
      ];
    }
    case "result":
      return readResult(fields, nowMs);
    default:
      return KNOWN.has(type) ? [] : undefined;
  }
};

function readSystem(fields: ReadonlyMap<string, unknown>, nowMs: number): readonly MakerEvent[] {
  const subtype = textIn(fields, "subtype");
  const session = textIn(fields, "session_id");
  if (subtype === "init") return session === undefined ? [] : [{ kind: "session", session }];
  const delayMs = amountIn(fields, "retry_delay_ms");
  if (subtype !== "api_retry" || fields.get("error_status") !== 429 || delayMs === undefined || delayMs > 1e9) return [];
  return [{ kind: "limit", says: untrustedText("429, it tries again"), resetsAt: new Date(nowMs + delayMs).toISOString() }];
}

function readAssistant(fields: ReadonlyMap<string, unknown>, nowMs: number): readonly MakerEvent[] {
  const message = fieldsOf(fields.get("message"));
  const blocks = listIn(message, "content").map(fieldsOf);
  // What it says itself, in place of a model that could not be reached.
  if (textIn(message, "model") === "<synthetic>") return blocks.flatMap((block) => troubleEvents(textIn(block, "text") ?? "", nowMs));
  const usage = fieldsOf(message?.get("usage"));
  const tokens = amountIn(usage, "input_tokens", "cache_creation_input_tokens", "output_tokens");
  return [
    ...blocks.flatMap((block) => {
      const kind = textIn(block, "type");
      if (kind === "text") return textEvent(textIn(block, "text"));
      return kind === "tool_use" ? toolEvents(textIn(block, "name") ?? "?", block?.get("input")) : [];
    }),
    ...(tokens === undefined ? [] : [usageEvent("part", { tokens, part: textIn(message, "id") })]),
  ];
}

function readToolResult(block: unknown): readonly MakerEvent[] {
  const fields = fieldsOf(block);
  const content = fields?.get("content");
  const text = typeof content === "string" ? content : (JSON.stringify(content) ?? "");
  return fields?.get("is_error") === true && text.includes("Loopwright") ? [{ kind: "refused", what: untrustedText(text) }] : [];
}

function readResult(fields: ReadonlyMap<string, unknown>, nowMs: number): readonly MakerEvent[] {
  const usage = fieldsOf(fields.get("usage"));
  const tokens = amountIn(usage, "input_tokens", "cache_creation_input_tokens", "output_tokens");
  const subtype = textIn(fields, "subtype") ?? "";
  const failed = fields.get("is_error") === true || subtype.startsWith("error");
  return [
    usageEvent("all", { tokens, usd: amountIn(fields, "total_cost_usd") }),
    ...listIn(fields, "permission_denials").map((denial): MakerEvent => {
      const about = fieldsOf(denial);
      return {
        kind: "refused",
        what: untrustedText(`${textIn(about, "tool_name") ?? "?"}: ${JSON.stringify(about?.get("tool_input")) ?? ""}`),
      };
    }),
    ...(failed ? troubleEvents(textIn(fields, "result") ?? subtype, nowMs) : []),
  ];
}
