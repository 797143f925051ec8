// Inputs of a document as ours: types, bounds and defaults.
import type { LssDocument } from "./document.ts";
import type { Translating } from "./translating.ts";

const TYPES = { string: "text", number: "number", boolean: "boolean", enum: "choice", array: "list", object: "map" } as const;

/** As in our schema of names. */
const OUR_NAME = /^[a-z][A-Za-z0-9_-]{0,48}$/;
const LONGEST_TEXT = 200_000;
const LONGEST_ABOUT = 500;

/** Whether an input that a document names is one of our spec. */
export const isOurInput = (name: string, { inputs }: Pick<LssDocument, "inputs">): boolean =>
  OUR_NAME.test(name) && Object.hasOwn(inputs.schema, name);

export function translateInputs({ document, native, notes }: Translating): { readonly inputs?: object } {
  if (!native.has("inputs")) {
    notes.tell("lost", ["inputs"], "", "no counterpart yet: runs are told nothing anew");
    return {};
  }
  const inputs = Object.entries(document.inputs.schema).flatMap(([name, field]) => {
    if (!OUR_NAME.test(name)) {
      notes.tell("lost", ["inputs", "schema", name], "", "a name of ours begins with a small letter, and has letters, digits, - and _");
      return [];
    }
    notes.tell("translated", ["inputs", "schema", name], `inputs.${name}`);
    return [[name, inputOf(name, field, notes)] as const];
  });
  return inputs.length === 0 ? {} : { inputs: Object.fromEntries(inputs) };
}

function inputOf(name: string, field: LssDocument["inputs"]["schema"][string], notes: Translating["notes"]): object {
  const path = ["inputs", "schema", name];
  const isText = field.type === "string";
  const isNumber = field.type === "number";
  const pattern = isText && field.pattern !== undefined ? wholePattern(field.pattern) : undefined;
  if (pattern !== undefined) notes.tell("tightened", [...path, "pattern"], `inputs.${name}.pattern`, "the whole text must match it");
  if (field.type === "object" || field.type === "array")
    notes.tell("tightened", [...path, "type"], `inputs.${name}.type`, "of plain values only: texts, numbers, true and false");
  if (isText && (field.max_length ?? 0) > LONGEST_TEXT)
    notes.tell("tightened", [...path, "max_length"], `inputs.${name}.longest`, `at most ${LONGEST_TEXT}`);
  return {
    type: TYPES[field.type],
    about: field.description.trim().slice(0, LONGEST_ABOUT).toWellFormed() || name,
    ...(field.required === undefined ? {} : { required: field.required }),
    ...(isText && field.min_length !== undefined ? { shortest: Math.min(field.min_length, LONGEST_TEXT) } : {}),
    ...(isText && field.max_length !== undefined ? { longest: Math.min(field.max_length, LONGEST_TEXT) } : {}),
    ...(pattern === undefined ? {} : { pattern }),
    ...(isNumber && field.minimum !== undefined ? { least: field.minimum } : {}),
    ...(isNumber && field.maximum !== undefined ? { most: field.maximum } : {}),
    ...(field.type === "enum" && field.values !== undefined ? { values: field.values } : {}),
    ...(field.default === undefined ? {} : { default: field.default }),
  };
}

/** Ours is of the whole text, and needs no anchors for it. */
const wholePattern = (pattern: string): string => pattern.replace(/^\^/, "").replace(/(?<!\\)\$$/, "") || ".*";
