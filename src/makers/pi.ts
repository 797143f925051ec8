// pi in its headless mode. Tried with 0.74.2.
//
// Format: the program's own docs (`pi -p --mode json`) and what it prints. It has no hooks that are a setting, so the guard does not see its commands.
import * as z from "zod";
import { defineMaker } from "../contract/maker.ts";
import type { MakerEvent } from "../contract/maker-events.ts";
import { type Fields, fieldsOf, textIn } from "../std/json-record.ts";
import { amountIn, listIn, type ReadLine, textEvent, toolEvents, troubleEvents, typedLine, usageEvent } from "./agent-events.ts";
import { AGENT_OPTIONS, PROVIDER_HOSTS, runAgent } from "./run-agent.ts";

export const pi = defineMaker({
  name: "pi",
  summary: "Lets pi work in the maker's copy; the command guard does not see its commands, so give it a box.",
  program: {
    name: "pi",
    variables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
    files: [".pi/agent/auth.json", ".pi/agent/models.json"],
    keeps: ["~/.pi"],
    hosts: PROVIDER_HOSTS,
    login: "run `pi` and type /login, or set the key of a provider",
  },
  options: z.strictObject({
    ...AGENT_OPTIONS,
    provider: z
      .string()
      .regex(/^[\w.-]{1,50}$/, { error: "must be the name of a provider" })
      .optional()
      .meta({ description: "The provider, as pi calls it. Default: its own.", examples: ["anthropic"] }),
  }),
  edit: (order, options, world) =>
    runAgent(order, options, world, (brief, session) => ({
      words: [
        ...["pi", "-p", "--mode", "json"],
        ...(options.provider ? ["--provider", options.provider] : []),
        ...(options.model ? ["--model", options.model] : []),
        ...(session ? ["--session", session] : []),
        ...options.args,
      ],
      input: brief,
      read: readPi,
    })),
});

const KNOWN = new Set([
  ...["agent_start", "agent_end", "turn_start", "turn_end", "message_start", "message_update"],
  ...["tool_execution_start", "tool_execution_update", "tool_execution_end", "auto_retry_start", "auto_retry_end", "queue_update"],
]);

export const readPi: ReadLine = (line, nowMs) => {
  const read = typedLine(line);
  if (!read) return undefined;
  const { type, fields } = read;
  const id = textIn(fields, "id");
  if (type === "session") return id === undefined ? [] : [{ kind: "session", session: id }];
  if (type === "message_end") return readMessage(fieldsOf(fields.get("message")), nowMs);
  return KNOWN.has(type) ? [] : undefined;
};

function readMessage(message: Fields | undefined, nowMs: number): readonly MakerEvent[] {
  if (textIn(message, "role") !== "assistant") return [];
  const usage = fieldsOf(message?.get("usage"));
  const tokens = amountIn(usage, "input", "output", "cacheWrite");
  const usd = amountIn(fieldsOf(usage?.get("cost")), "total");
  const trouble = textIn(message, "errorMessage");
  return [
    ...listIn(message, "content").flatMap((part) => {
      const fields = fieldsOf(part);
      if (textIn(fields, "type") === "text") return textEvent(textIn(fields, "text"));
      return textIn(fields, "type") === "toolCall" ? toolEvents(textIn(fields, "name") ?? "?", fields?.get("arguments")) : [];
    }),
    ...(tokens === undefined && usd === undefined ? [] : [usageEvent("part", { tokens, usd })]),
    ...(trouble === undefined ? [] : troubleEvents(trouble, nowMs)),
  ];
}
