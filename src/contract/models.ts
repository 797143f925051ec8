// Asking a language model: what is asked, what comes back, and what it cost. One call is one reply; loops are their callers' own.
import * as z from "zod";

/** What a million tokens cost; a model of one's own may cost nothing. */
const Rate = z.string().regex(/^\$\d+(\.\d{1,4})?$/, { error: "is not an amount of money" });

const PROVIDERS = ["anthropic", "openai-compatible", "ollama", "nvidia"] as const;

/** Which model, and where, as a spec names it. Parts that ask models spread this into their options. */
export const MODEL_OPTIONS = {
  provider: z.enum(PROVIDERS).meta({
    description:
      "Whose interface the model speaks: anthropic, openai-compatible (OpenAI, OpenRouter, Groq, LM Studio, llama.cpp, vLLM and others), ollama, or nvidia (NIM).",
    examples: ["anthropic"],
  }),
  model: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: "The model's name, as its provider writes it.", examples: ["claude-sonnet-4-5"] }),
  baseUrl: z
    .string()
    .max(500)
    .refine((url) => baseUrlProblem(url) === undefined, { error: ({ input }) => `this URL ${baseUrlProblem(String(input))}` })
    .optional()
    .meta({
      description: "Where its interface begins, up to and with /v1: https, or http on this machine. Default: the provider's own.",
      examples: ["https://openrouter.ai/api/v1"],
    }),
  keyVariable: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "is not the name of a variable" })
    .optional()
    .meta({
      description:
        "The name of the environment variable that holds the key, never the key. Default: ANTHROPIC_API_KEY for anthropic, NVIDIA_API_KEY for nvidia, none for the others.",
      examples: ["OPENROUTER_API_KEY"],
    }),
  price: z
    .strictObject({
      input: Rate.meta({ description: "For a million tokens that it reads.", examples: ["$3.00"] }),
      output: Rate.meta({ description: "For a million tokens that it writes.", examples: ["$15.00"] }),
    })
    .optional()
    .meta({
      description:
        "What it costs, so that `budget.usd` holds for it. Without it the price table is asked; a model that is not there costs the dearest known rate, and one of Ollama on this machine nothing.",
      examples: [{ input: "$3.00", output: "$15.00" }],
    }),
};

/** The variable that a provider's key is in, where the spec names none. */
export const KEY_VARIABLES: { readonly [provider in ModelRef["provider"]]?: string } = {
  anthropic: "ANTHROPIC_API_KEY",
  nvidia: "NVIDIA_API_KEY",
};

export interface ModelRef {
  readonly provider: (typeof PROVIDERS)[number];
  readonly model: string;
  readonly baseUrl?: string | undefined;
  readonly keyVariable?: string | undefined;
  readonly price?: { readonly input: string; readonly output: string } | undefined;
}

/** What is wrong with a base URL, if anything. A key must not travel in the clear, nor lie in a spec. */
export function baseUrlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return "cannot be read; write it whole, such as https://example.com/v1";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "is neither https nor http";
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    return "sends everything in the clear; write https, which only this machine can do without";
  if (url.username !== "" || url.password !== "") return "holds a name or a password; name the key's variable in `keyVariable`";
  return url.search !== "" || url.hash !== "" ? "ends in ? or #, and paths are added to it" : undefined;
}

export const isLoopback = (host: string): boolean => host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);

export type JsonSchema = { readonly [keyword: string]: unknown };

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
}

export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  /** What it was called with; undefined when that was no JSON. */
  readonly input: unknown;
}

export interface ToolResult {
  readonly id: string;
  readonly tool: string;
  readonly text: string;
}

export type ModelMessage =
  | { readonly from: "user"; readonly text: string }
  | { readonly from: "model"; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly from: "tools"; readonly results: readonly ToolResult[] };

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** The reply must be one JSON value of this shape. For requests without tools: few servers can do both at once. */
  readonly answer?: { readonly name: string; readonly schema: JsonSchema };
  readonly mostOutputTokens: number;
  /** How long to wait for the reply, with all tries and the waiting between them. */
  readonly timeoutMs: number;
  /** Hears the reply as it comes. Where nobody listens it is not streamed. */
  readonly hear?: (piece: HeardPiece) => void;
}

/** A piece of a streamed reply. A try that failed and was made again is heard again from its start. */
export type HeardPiece =
  | { readonly kind: "began" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly tool: string };

/** Tokens as the provider counted them. Undefined is unknown; it is never written as zero. */
export interface ModelUsage {
  readonly input: number | undefined;
  readonly output: number | undefined;
  /** Of the input. */
  readonly cached: number | undefined;
  /** Of the output. */
  readonly reasoning: number | undefined;
}

export interface ModelReply {
  readonly said:
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "calls"; readonly text: string; readonly calls: readonly ToolCall[] }
    /** Only where an answer was asked for. Whether it has the shape is for the caller to see. */
    | { readonly kind: "answer"; readonly text: string; readonly value: unknown };
  /** `cut`: it was longer than it might be. `refused`: the model or its provider would not. */
  readonly finish: "done" | "calls" | "cut" | "refused" | "other";
  readonly usage: ModelUsage;
  /** Everything that was sent and came back, roughly: what to go by where usage is unknown. */
  readonly bytes: { readonly sent: number; readonly received: number };
}

/** Whether a provider says that a prompt does not fit into its model; each has words of its own, and most no code. */
export const saysTooLong = (message: string): boolean =>
  /context.{0,20}(length|window|size)|exceeds?.{0,40}context|context.{0,20}(exceeded|overflow)|prompt is too long|too many (input )?tokens|(maximum|max)\b.{0,30}tokens|(input|request) (is )?too (long|large)|request_too_large/i.test(
    message,
  );

/**
 * The way to language models. What fails for now is tried again within the request's time; what is too long is not. A LoopError says what is left:
 * `model-limited` with the time when it may be tried again, `model-failed`, or `interrupted` when the run is to stop.
 */
export interface Models {
  ask(model: ModelRef, request: ModelRequest): Promise<ModelReply>;
}
