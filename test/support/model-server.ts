// A scripted model on loopback that speaks the providers' own wire formats, so that real clients talk to it.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request, as the script sees it. */
export interface Asked {
  readonly wire: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: a script reads the body as a provider would, by name
  readonly body: any;
  readonly isStreamed: boolean;
  /** Everything that was said to the model, as one text. */
  readonly words: string;
}

export interface ScriptedCall {
  readonly tool: string;
  /** A text is sent as it is, whether it is JSON or not. */
  readonly input: unknown;
}

export type ScriptedReply =
  | { readonly kind: "text"; readonly text: string; readonly finish?: Finish; readonly usage?: ScriptedUsage | "none" }
  | { readonly kind: "calls"; readonly calls: readonly ScriptedCall[]; readonly text?: string; readonly usage?: ScriptedUsage | "none" }
  /** A failure, or anything else that is no reply. */
  | { readonly kind: "status"; readonly status: number; readonly headers?: { readonly [name: string]: string }; readonly body?: string }
  /** The beginning of a reply, and then the line is dead. */
  | { readonly kind: "cut"; readonly text: string }
  /** Says nothing until the client goes away. */
  | { readonly kind: "hang" }
  /** A reply of so many characters. */
  | { readonly kind: "giant"; readonly chars: number };

type Finish = "done" | "cut" | "refused";
interface ScriptedUsage {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
}

/** In what a script says, this stands for the number of the question that was asked. */
export const QUESTION = "THE-QUESTION";

const answering = (reply: ScriptedReply, { words }: Asked): ScriptedReply =>
  JSON.parse(JSON.stringify(reply).replaceAll(QUESTION, /question is (\w+)/.exec(words)?.[1] ?? "none"));

/** What the model says to its n-th request, counted from 1. */
export type Script = (asked: Asked, n: number) => ScriptedReply;
/** The same of one that takes its time. */
export type SlowScript = (asked: Asked, n: number) => Promise<ScriptedReply>;

/** Says these one after the other, and the last of them for ever. */
export const inTurn =
  (...replies: readonly ScriptedReply[]): Script =>
  (_, n) =>
    replies[Math.min(n, replies.length) - 1]!;

export interface ModelServer {
  readonly url: string;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** A reply that is one, in the shape that every wire can write. */
export interface Message {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: string }[];
  readonly finish: Finish;
  readonly usage: ScriptedUsage | undefined;
}

/** One provider's interface. Another one is one more object in the list below, or one that a test hands over. */
export interface Wire {
  readonly name: string;
  readonly path: RegExp;
  /** Where the request's body does not say that the reply is to be streamed. */
  readonly streams?: RegExp;
  readonly whole: (message: Message, model: string) => unknown;
  /** The events of a stream: name and data. The last is not sent when the line is cut. */
  readonly events: (message: Message, model: string) => readonly (readonly [name: string | undefined, data: unknown])[];
}

const ANTHROPIC_STOP = { done: "end_turn", cut: "max_tokens", refused: "refusal" } as const;

const anthropicUsage = ({ usage }: Message) =>
  usage
    ? { input_tokens: usage.input, output_tokens: usage.output, ...(usage.cached ? { cache_read_input_tokens: usage.cached } : {}) }
    : { input_tokens: 0, output_tokens: 0 };

const anthropic: Wire = {
  name: "anthropic",
  path: /\/messages$/,
  whole: (message, model) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [
      ...(message.text === "" ? [] : [{ type: "text", text: message.text }]),
      ...message.calls.map(({ id, tool, input }) => ({ type: "tool_use", id, name: tool, input: parsed(input) })),
    ],
    stop_reason: message.calls.length > 0 ? "tool_use" : ANTHROPIC_STOP[message.finish],
    stop_sequence: null,
    usage: anthropicUsage(message),
  }),
  events: (message, model) => {
    const blocks = [
      ...(message.text === ""
        ? []
        : [{ start: { type: "text", text: "" }, deltas: halves(message.text).map((text) => ({ type: "text_delta", text })) }]),
      ...message.calls.map(({ id, tool, input }) => ({
        start: { type: "tool_use", id, name: tool, input: {} },
        deltas: halves(input).map((partial_json) => ({ type: "input_json_delta", partial_json })),
      })),
    ];
    const usage = anthropicUsage(message);
    return [
      [
        "message_start",
        {
          type: "message_start",
          message: {
            id: "msg_1",
            type: "message",
            role: "assistant",
            model,
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { ...usage, output_tokens: 0 },
          },
        },
      ],
      ...blocks.flatMap(({ start, deltas }, index): readonly (readonly [string, unknown])[] => [
        ["content_block_start", { type: "content_block_start", index, content_block: start }],
        ...deltas.map((delta) => ["content_block_delta", { type: "content_block_delta", index, delta }] as const),
        ["content_block_stop", { type: "content_block_stop", index }],
      ]),
      [
        "message_delta",
        {
          type: "message_delta",
          delta: { stop_reason: message.calls.length > 0 ? "tool_use" : ANTHROPIC_STOP[message.finish], stop_sequence: null },
          usage: { output_tokens: usage.output_tokens },
        },
      ],
      ["message_stop", { type: "message_stop" }],
    ];
  },
};

const OPENAI_STOP = { done: "stop", cut: "length", refused: "content_filter" } as const;

const openaiUsage = ({ usage }: Message) =>
  usage
    ? {
        usage: {
          prompt_tokens: usage.input,
          completion_tokens: usage.output,
          total_tokens: usage.input + usage.output,
          ...(usage.cached ? { prompt_tokens_details: { cached_tokens: usage.cached } } : {}),
        },
      }
    : {};

const openaiChat: Wire = {
  name: "openai-chat",
  path: /\/chat\/completions$/,
  whole: (message, model) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: message.text === "" ? null : message.text,
          ...(message.calls.length > 0
            ? {
                tool_calls: message.calls.map(({ id, tool, input }) => ({
                  id,
                  type: "function",
                  function: { name: tool, arguments: input },
                })),
              }
            : {}),
        },
        finish_reason: message.calls.length > 0 ? "tool_calls" : OPENAI_STOP[message.finish],
      },
    ],
    ...openaiUsage(message),
  }),
  events: (message, model) => {
    const chunk = (delta: unknown, finish_reason: string | null = null) => ({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model,
      choices: [{ index: 0, delta, finish_reason }],
    });
    return [
      [undefined, chunk({ role: "assistant", content: "" })],
      ...halves(message.text).map((content) => [undefined, chunk({ content })] as const),
      ...message.calls.flatMap(({ id, tool, input }, index) =>
        halves(input).map(
          (part, piece) =>
            [
              undefined,
              chunk({
                tool_calls: [
                  {
                    index,
                    ...(piece === 0 ? { id, type: "function" } : {}),
                    function: { ...(piece === 0 ? { name: tool } : {}), arguments: part },
                  },
                ],
              }),
            ] as const,
        ),
      ),
      [undefined, chunk({}, message.calls.length > 0 ? "tool_calls" : OPENAI_STOP[message.finish])],
      [undefined, { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model, choices: [], ...openaiUsage(message) }],
      [undefined, "[DONE]"],
    ];
  },
};

const WIRES: readonly Wire[] = [anthropic, openaiChat];

export async function startModelServer(script: Script | SlowScript, more: readonly Wire[] = []): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then(async (text) => {
      const path = new URL(request.url ?? "/", "http://loopback").pathname;
      const wire = [...WIRES, ...more].find((one) => one.path.test(path));
      if (!wire || request.method !== "POST") return send(response, 404, {}, '{"error": {"message": "no such address"}}');
      const body = parsed(text) as Asked["body"];
      const now: Asked = {
        wire: wire.name,
        path,
        headers: request.headers,
        body,
        isStreamed: body?.stream === true || wire.streams?.test(path) === true,
        words: wordsIn(body).join("\n"),
      };
      const number = asked.push(now);
      return answer(wire, answering(await script(now, number), now), now, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(wire: Wire, reply: ScriptedReply, { body, isStreamed }: Asked, response: ServerResponse): void {
  if (reply.kind === "hang") return;
  if (reply.kind === "status") send(response, reply.status, reply.headers ?? {}, reply.body ?? SCRIPTED_FAILURE);
  else if (isStreamed) stream(wire, reply, body.model, response);
  else whole(wire, reply, body.model, response);
}

const SCRIPTED_FAILURE = '{"error": {"type": "scripted", "message": "a scripted failure"}}';

type Telling = Extract<ScriptedReply, { kind: "text" | "calls" | "giant" | "cut" }>;

function whole(wire: Wire, reply: Telling, model: string, response: ServerResponse): void {
  const text = JSON.stringify(wire.whole(messageOf(reply), model));
  if (reply.kind !== "cut") {
    send(response, 200, {}, text);
    return;
  }
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

function stream(wire: Wire, reply: Telling, model: string, response: ServerResponse): void {
  const events = wire.events(messageOf(reply), model);
  const kept = reply.kind === "cut" ? events.slice(0, Math.floor(events.length / 2)) : events;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const text = kept
    .map(([name, data]) => `${name ? `event: ${name}\n` : ""}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`)
    .join("");
  if (reply.kind === "cut") response.write(text, () => response.destroy());
  else response.end(text);
}

function messageOf(reply: Telling): Message {
  const usage = "usage" in reply && reply.usage ? (reply.usage === "none" ? undefined : reply.usage) : { input: 100, output: 10 };
  const calls = reply.kind === "calls" ? reply.calls : [];
  return {
    text: reply.kind === "giant" ? "x".repeat(reply.chars) : (reply.text ?? ""),
    calls: calls.map(({ tool, input }, index) => ({
      id: `call_${index + 1}_${tool}`,
      tool,
      input: typeof input === "string" ? input : JSON.stringify(input),
    })),
    finish: reply.kind === "text" ? (reply.finish ?? "done") : "done",
    usage,
  };
}

function send(response: ServerResponse, status: number, headers: { readonly [name: string]: string }, body: string): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body);
}

/** Every text in a request, whatever the wire calls it. */
function wordsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(wordsIn) : [];
}

const halves = (text: string): readonly string[] => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== "");
};

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // what a script sends malformed goes out malformed
  }
}
