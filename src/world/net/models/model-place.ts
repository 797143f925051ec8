// Where a model is asked and with which key: what the spec says, else what its provider is known for.

import type { Environment } from "../../../contract/clock.ts";
import { LoopError } from "../../../contract/errors.ts";
import { baseUrlProblem, KEY_VARIABLES, type ModelRef } from "../../../contract/models.ts";

export interface ModelPlace {
  readonly baseUrl: string;
  readonly key: string | undefined;
}

const ADDRESSES: { readonly [provider in ModelRef["provider"]]?: string } = {
  anthropic: "https://api.anthropic.com/v1",
  ollama: "http://127.0.0.1:11434/v1",
  nvidia: "https://integrate.api.nvidia.com/v1",
};

/** What a provider is known for, for whoever looks whether it can be used at all. */
export const knownPlace = (provider: ModelRef["provider"]): { readonly baseUrl?: string; readonly keyVariable?: string } => {
  const [baseUrl, keyVariable] = [ADDRESSES[provider], KEY_VARIABLES[provider]];
  return { ...(baseUrl === undefined ? {} : { baseUrl }), ...(keyVariable === undefined ? {} : { keyVariable }) };
};

export function modelPlace({ provider, model, baseUrl = ADDRESSES[provider], ...ref }: ModelRef, env: Environment): ModelPlace {
  if (baseUrl === undefined) throw unusable(`the provider ${provider} has no address of its own`, "Set `baseUrl`.");
  const problem = baseUrlProblem(baseUrl);
  if (problem) throw unusable(`the address of ${model} ${problem}`, "Mend `baseUrl`.");
  const variable = ref.keyVariable ?? KEY_VARIABLES[provider];
  if (variable === undefined) return { baseUrl: bare(baseUrl), key: undefined };
  const key = env.get(variable)?.trim();
  if (!key)
    throw unusable(
      `there is no key for ${model}: the variable ${variable} is not set`,
      `Set ${variable}, or name another one in \`keyVariable\`.`,
    );
  return { baseUrl: bare(baseUrl), key };
}

const bare = (url: string): string => url.replace(/\/+$/, "");

const unusable = (message: string, hint: string): LoopError => new LoopError("model-failed", message, { retry: "never", hint });
