// Codex in its headless mode, in its own sandbox. Tried with 0.166.0.
//
// Format: developers.openai.com/codex/noninteractive (`codex exec --json`) and what the program prints. Its hooks run only once a human
// has trusted them, so that the guard does not see its commands: its own sandbox keeps them to the copy and off the network.
import * as z from "zod";
import { defineMaker } from "../contract/maker.ts";
import type { MakerEvent } from "../contract/maker-events.ts";
import { untrustedText } from "../contract/text.ts";
import { type Fields, fieldsOf, textIn } from "../std/json-record.ts";
import { amountIn, listIn, type ReadLine, textEvent, toolEvents, troubleEvents, typedLine, usageEvent } from "./agent-events.ts";
import { AGENT_OPTIONS, runAgent } from "./run-agent.ts";

export const codex = defineMaker({
  name: "codex",
  summary: "Lets Codex work in the maker's copy, in Codex's own sandbox; the command guard does not see its commands.",
  program: {
    name: "codex",
    variables: ["OPENAI_API_KEY", "CODEX_API_KEY"],
    files: [".codex/auth.json"],
    says: [{ file: ".codex/auth.json", at: ["tokens", "account_id"] }],
    keeps: ["~/.codex"],
    hosts: ["api.openai.com", "auth.openai.com", "chatgpt.com"],
    login: "run `codex login`, or set CODEX_API_KEY",
  },
  options: z.strictObject({
    ...AGENT_OPTIONS,
    effort: z
      .enum(["minimal", "low", "medium", "high", "xhigh"])
      .optional()
      .meta({ description: "How hard it thinks. Default: its own.", examples: ["high"] }),
    sandbox: z
      .enum(["workspace-write", "danger-full-access"])
      .default("workspace-write")
      .meta({
        description: "Codex's own sandbox. Without it only the loop's box, if there is one, keeps its commands to the copy.",
        examples: ["workspace-write"],
      }),
  }),
  edit: (order, options, world) =>
    runAgent(order, options, world, (brief, session) => ({
      words: [
        ...["codex", "exec", "--json", "--skip-git-repo-check", "--sandbox", options.sandbox, "-c", 'approval_policy="never"'],
        ...(options.model ? ["--model", options.model] : []),
        ...(options.effort ? ["-c", `model_reasoning_effort="${options.effort}"`] : []),
        ...options.args,
        ...(session ? ["resume", session] : []),
        "-",
      ],
      input: brief,
      read: readCodex,
    })),
});

const KNOWN = new Set(["turn.started", "item.updated"]);

export const readCodex: ReadLine = (line, nowMs) => {
  const read = typedLine(line);
  if (!read) return undefined;
  const { type, fields } = read;
  switch (type) {
    case "thread.started": {
      const session = textIn(fields, "thread_id");
      return session === undefined ? [] : [{ kind: "session", session }];
    }
    case "item.started":
    case "item.completed":
      return readItem(type, fieldsOf(fields.get("item")), nowMs);
    case "turn.completed": {
      const usage = fieldsOf(fields.get("usage"));
      const tokens = Math.max(0, (amountIn(usage, "input_tokens", "output_tokens") ?? 0) - (amountIn(usage, "cached_input_tokens") ?? 0));
      return [usageEvent("all", { tokens: tokens > 0 ? tokens : undefined })];
    }
    case "turn.failed":
      return troubleEvents(textIn(fieldsOf(fields.get("error")), "message") ?? "it failed", nowMs);
    case "error":
      return troubleEvents(textIn(fields, "message") ?? "it failed", nowMs);
    default:
      return KNOWN.has(type) ? [] : undefined;
  }
};

function readItem(type: "item.started" | "item.completed", item: Fields | undefined, nowMs: number): readonly MakerEvent[] {
  const kind = textIn(item, "type");
  if (kind === "command_execution" || kind === "mcp_tool_call") {
    // Told when it begins; how it ended is for the checks to say.
    if (type === "item.completed") return [];
    return toolEvents(kind === "mcp_tool_call" ? (textIn(item, "tool") ?? kind) : "shell", { command: textIn(item, "command") ?? "" });
  }
  if (type === "item.started") return [];
  if (kind === "agent_message") return textEvent(textIn(item, "text"));
  if (kind === "file_change") {
    return listIn(item, "changes").flatMap((change): readonly MakerEvent[] => {
      const path = textIn(fieldsOf(change), "path");
      return path === undefined ? [] : [{ kind: "file-change", path: untrustedText(path) }];
    });
  }
  return kind === "error" ? troubleEvents(textIn(item, "message") ?? "it failed", nowMs) : [];
}
