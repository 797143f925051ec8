// Which part of ours asks a model that a document names, and where.
import type { Path } from "../../spec/path.ts";
import { fieldsOf } from "./sketch.ts";
import type { Translating } from "./translating.ts";

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

/** Undefined where nobody knows where such models are asked. */
export function modelPart(model: { readonly provider: string; readonly name: string }, path: Path, at: Translating): ModelPart | undefined {
  const provider = model.provider.toLowerCase();
  const known = Object.hasOwn(KNOWN, provider) ? KNOWN[provider] : undefined;
  const given = at.bindings.providers.get(provider);
  if (known === undefined && given === undefined) {
    at.notes.tell(
      "asked",
      [...path, "provider"],
      "",
      `where is ${provider}? Say it with --provider ${provider}=https://HOST/v1,KEY_VARIABLE`,
    );
    return undefined;
  }
  return {
    provider: known?.provider ?? "openai-compatible",
    model: model.name,
    ...(known?.baseUrl === undefined ? {} : { baseUrl: known.baseUrl }),
    ...(known?.keyVariable === undefined ? {} : { keyVariable: known.keyVariable }),
    ...(given === undefined ? {} : { baseUrl: given.baseUrl }),
    ...(given?.keyVariable === undefined ? {} : { keyVariable: given.keyVariable }),
  };
}

/** What a document says about how a model answers, as far as the part that asks it can be told. */
export function answering(part: string, model: object, path: Path, at: Translating): { readonly [option: string]: unknown } {
  const { temperature, top_p, max_tokens } = fieldsOf(model);
  const wishes = [
    { key: "temperature", option: "temperature", value: temperature },
    { key: "top_p", option: "topP", value: top_p },
    { key: "max_tokens", option: "output", value: max_tokens === undefined ? undefined : String(max_tokens) },
  ].filter(({ value }) => value !== undefined);
  return Object.fromEntries(
    wishes.flatMap(({ key, option, value }) => {
      if (at.native.part(part, option)) {
        at.notes.tell("translated", [...path, key], `with.${option}`);
        return [[option, value] as const];
      }
      at.notes.tell("inert", [...path, key], "", "how a model draws its words is left to it: nothing is judged by it");
      return [];
    }),
  );
}
