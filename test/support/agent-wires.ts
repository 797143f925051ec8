// What further agents speak with their models: OpenAI's Responses and Gemini's generateContent.
import type { Message, Wire } from "./model-server.ts";

const parsedInput = (input: string): unknown => {
  try {
    return JSON.parse(input);
  } catch {
    return {};
  }
};

const responsesItems = ({ text, calls }: Message) => [
  ...(text === ""
    ? []
    : [
        {
          type: "message",
          id: "item_text",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ]),
  ...calls.map(({ id, tool, input }) => ({
    type: "function_call",
    id: `item_${id}`,
    call_id: id,
    name: tool,
    arguments: input,
    status: "completed",
  })),
];

const responsesWhole = (message: Message, model: string) => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  status: "completed",
  model,
  output: responsesItems(message),
  usage: message.usage
    ? {
        input_tokens: message.usage.input,
        input_tokens_details: { cached_tokens: message.usage.cached ?? 0 },
        output_tokens: message.usage.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: message.usage.input + message.usage.output,
      }
    : null,
});

export const responses: Wire = {
  name: "openai-responses",
  path: /\/responses$/,
  whole: responsesWhole,
  events: (message, model) => {
    const whole = responsesWhole(message, model);
    return [
      ["response.created", { type: "response.created", response: { ...whole, status: "in_progress", output: [] } }],
      ...whole.output.flatMap((item, output_index): readonly (readonly [string, unknown])[] => [
        ["response.output_item.added", { type: "response.output_item.added", output_index, item }],
        ["response.output_item.done", { type: "response.output_item.done", output_index, item }],
      ]),
      ["response.completed", { type: "response.completed", response: whole }],
    ];
  },
};

const geminiWhole = ({ text, calls, usage }: Message, model: string) => ({
  candidates: [
    {
      index: 0,
      content: {
        role: "model",
        parts: [
          ...(text === "" ? [] : [{ text }]),
          ...calls.map(({ tool, input }) => ({ functionCall: { name: tool, args: parsedInput(input) } })),
        ],
      },
      finishReason: "STOP",
    },
  ],
  ...(usage
    ? {
        usageMetadata: {
          promptTokenCount: usage.input,
          candidatesTokenCount: usage.output,
          totalTokenCount: usage.input + usage.output,
        },
      }
    : {}),
  modelVersion: model,
});

export const gemini: Wire = {
  name: "gemini",
  path: /:(generateContent|streamGenerateContent)$/,
  streams: /:streamGenerateContent$/,
  whole: geminiWhole,
  events: (message, model) => [[undefined, geminiWhole(message, model)]],
};
