// Which part of ours asks a model that a document names, and where.
import type { Path } from "../../spec/path.ts";
import { type ModelPart, modelPartOf, whereIs } from "../models.ts";
import { fieldsOf } from "../values.ts";
import type { Translating } from "./translating.ts";

/** Undefined where nobody knows where such models are asked. */
export function modelPart(model: { readonly provider: string; readonly name: string }, path: Path, at: Translating): ModelPart | undefined {
  const part = modelPartOf(model, at.bindings);
  if (part === undefined) at.notes.tell("asked", [...path, "provider"], "", whereIs(model.provider));
  return part;
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
