// Where models are asked: providers that are known, and those that somebody names.
import type { Bindings } from "./translation.ts";

/** What a maker and a judge have in common. */
export interface ModelPart {
  readonly provider: "anthropic" | "openai-compatible" | "ollama" | "nvidia";
  readonly model: string;
  readonly baseUrl?: string;
  readonly keyVariable?: string;
}

/** Providers whose interface and address are known; for all others, whoever imports the file says where they are. */
const KNOWN: { readonly [provider: string]: Omit<ModelPart, "model"> } = {
  anthropic: { provider: "anthropic" },
  openai: { provider: "openai-compatible", baseUrl: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY" },
  ollama: { provider: "ollama" },
  nvidia: { provider: "nvidia" },
};

const FORMS = { anthropic: "anthropic", openai: "openai-compatible" } as const;

/** Undefined where nobody knows where such models are asked. */
export function modelPartOf(
  { provider: written, name }: { readonly provider: string; readonly name: string },
  { providers }: Pick<Bindings, "providers">,
): ModelPart | undefined {
  const provider = written.toLowerCase();
  const known = Object.hasOwn(KNOWN, provider) ? KNOWN[provider] : undefined;
  const given = providers.get(provider);
  if (known === undefined && given === undefined) return undefined;
  return {
    provider: given?.form === undefined ? (known?.provider ?? "openai-compatible") : FORMS[given.form],
    model: name,
    ...(known?.baseUrl === undefined ? {} : { baseUrl: known.baseUrl }),
    ...(known?.keyVariable === undefined ? {} : { keyVariable: known.keyVariable }),
    ...(given === undefined ? {} : { baseUrl: given.baseUrl }),
    ...(given?.keyVariable === undefined ? {} : { keyVariable: given.keyVariable }),
  };
}

export const whereIs = (provider: string): string =>
  `where is ${provider.toLowerCase()}? Say it with --provider ${provider.toLowerCase()}=https://HOST/v1,KEY_VARIABLE`;
