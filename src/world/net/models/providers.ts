// The providers' wire formats, each by the AI SDK's own implementation. Loaded only when a model is asked.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, type LanguageModelV3 } from "@ai-sdk/provider";
import type { ModelRef } from "../../../contract/models.ts";
import type { ModelPlace } from "./model-place.ts";

export function openModel({ provider, model }: ModelRef, { baseUrl, key }: ModelPlace, fetch: typeof globalThis.fetch): LanguageModelV3 {
  if (provider === "anthropic") return createAnthropic({ baseURL: baseUrl, apiKey: key ?? "", fetch })(model);
  return createOpenAICompatible({
    name: provider,
    baseURL: baseUrl,
    ...(key === undefined ? {} : { apiKey: key }),
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: true,
  })(model);
}

/** What the server answered, where it answered with a failure. */
export function readCallError(error: unknown):
  | {
      readonly status: number | undefined;
      readonly headers: { readonly [name: string]: string };
      readonly body: string;
      readonly isPassing: boolean;
    }
  | undefined {
  if (!APICallError.isInstance(error)) return undefined;
  return { status: error.statusCode, headers: error.responseHeaders ?? {}, body: error.responseBody ?? "", isPassing: error.isRetryable };
}
