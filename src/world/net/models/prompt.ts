// A request in the form that the providers take, and their replies in ours. Pure.
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3Message,
  LanguageModelV3Usage,
} from "@ai-sdk/provider";
import type { ModelMessage, ModelReply, ModelRequest, ModelUsage, ToolCall } from "../../../contract/models.ts";
import { soleJson, unambiguousJson } from "../../../std/json-in-text.ts";

/** Marks how far a prompt stays the same from call to call; other providers do without, or find out by themselves. */
const CACHED = { anthropic: { cacheControl: { type: "ephemeral" } } };

export function callOptions({ system, messages, tools, answer, mostOutputTokens }: ModelRequest): LanguageModelV3CallOptions {
  return {
    prompt: [
      { role: "system", content: system, providerOptions: CACHED },
      ...messages.map((message, index) => ({
        ...promptMessage(message),
        // The task stays when what was said after it is made shorter.
        ...(index === 0 || index === messages.length - 1 ? { providerOptions: CACHED } : {}),
      })),
    ],
    maxOutputTokens: mostOutputTokens,
    ...(tools.length === 0
      ? {}
      : { tools: tools.map(({ name, description, input }) => ({ type: "function" as const, name, description, inputSchema: input })) }),
    ...(answer ? { responseFormat: { type: "json" as const, name: answer.name, schema: answer.schema } } : {}),
  };
}

function promptMessage(message: ModelMessage): LanguageModelV3Message {
  switch (message.from) {
    case "user":
      return { role: "user", content: [{ type: "text", text: message.text }] };
    case "model":
      return {
        role: "assistant",
        content: [
          ...(message.text === "" ? [] : [{ type: "text" as const, text: message.text }]),
          ...message.calls.map(({ id, tool, input }) => ({
            type: "tool-call" as const,
            toolCallId: id,
            toolName: tool,
            input: input ?? {},
          })),
        ],
      };
    case "tools":
      return {
        role: "tool",
        content: message.results.map(({ id, tool, text }) => ({
          type: "tool-result" as const,
          toolCallId: id,
          toolName: tool,
          output: { type: "text" as const, value: text },
        })),
      };
  }
}

/** What a model said, put together from its pieces. */
export interface Said {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly finishReason: LanguageModelV3FinishReason;
  readonly usage: LanguageModelV3Usage;
}

/** `hideKey` takes out what must not be told again. */
export const saidIn = (content: readonly LanguageModelV3Content[], hideKey: (text: string) => string): Pick<Said, "text" | "calls"> => ({
  text: hideKey(content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")),
  calls: content.flatMap((part) =>
    part.type === "tool-call" ? [{ id: part.toolCallId, tool: part.toolName, input: inputOf(hideKey(part.input)) }] : [],
  ),
});

export function replyOf({ text, calls, finishReason, usage }: Said, { answer }: Pick<ModelRequest, "answer">): Omit<ModelReply, "bytes"> {
  // One answer and nothing beside it: what quotes another answer, or gives two, is only text.
  const value = answer ? soleJson(text) : undefined;
  return {
    said:
      value !== undefined ? { kind: "answer", text, value } : calls.length > 0 ? { kind: "calls", text, calls } : { kind: "text", text },
    finish: finishOf(finishReason),
    usage: usageOf(usage),
  };
}

function inputOf(text: string): unknown {
  if (text.trim() === "") return {};
  return unambiguousJson(text); // undefined is how the contract says that it was no JSON
}

function finishOf({ unified }: LanguageModelV3FinishReason): ModelReply["finish"] {
  switch (unified) {
    case "stop":
      return "done";
    case "tool-calls":
      return "calls";
    case "length":
      return "cut";
    case "content-filter":
      return "refused";
    case "error":
    case "other":
      return "other";
  }
}

const usageOf = ({ inputTokens, outputTokens }: LanguageModelV3Usage): ModelUsage => ({
  input: known(inputTokens.total),
  output: known(outputTokens.total),
  cached: known(inputTokens.cacheRead),
  reasoning: known(outputTokens.reasoning),
});

/** No call costs nothing: a zero is a count that nobody made. */
const known = (count: number | undefined): number | undefined =>
  count !== undefined && Number.isFinite(count) && count > 0 ? count : undefined;
