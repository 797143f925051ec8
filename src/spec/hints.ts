// What the schema itself says should stand at a place of a spec: its keys, choices and examples, in words.
import { stringify } from "yaml";
import type { z } from "zod";
import type { Path } from "./path.ts";
import type { JsonSchema } from "./schema.ts";

/** The schema of the value at a path. Where parts could be meant, the value's own `use` tells which. */
export function schemaAt(schema: JsonSchema, path: Path, value: unknown): JsonSchema | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return schema;
  const inner = anyOf(formsOf(schema, value).flatMap((form) => childOf(form, step)));
  return inner && schemaAt(inner, rest, valueAt(value, [step]));
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof at === "object" && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined),
    value,
  );
}

/** Every key that may stand in a map of this schema. */
export const keysOf = (schema: JsonSchema | undefined, value?: unknown): readonly string[] =>
  schema === undefined ? [] : [...new Set(formsOf(schema, value).flatMap((form) => Object.keys(form.properties ?? {})))];

/** The only texts that may stand here, if they are listed. */
export function choicesOf(schema: JsonSchema | undefined): readonly string[] {
  if (schema === undefined) return [];
  const lists = formsOf(schema, undefined).map((form) => (form.const === undefined ? (form.enum ?? []) : [form.const]).map(String));
  return lists.every((list) => list.length > 0) ? lists.flat() : [];
}

/** What to write here, as a sentence; the schema's own examples first. */
export function whatToWrite(schema: JsonSchema | undefined): string {
  const choices = choicesOf(schema);
  if (choices.length > 1) return `Write one of: ${choices.join(", ")}.`;
  const sample = schema && sampleOf(schema);
  if (sample !== undefined && !isEmptyMap(sample)) return `Write e.g. ${asExample(inline(sample))}.`;
  const keys = keysOf(schema);
  if (keys.length > 0) return `Write a map with any of the keys ${keys.join(", ")}.`;
  if (schema?.not !== undefined) return "Leave it out.";
  return meaningOf(schema) ?? `Write ${(typeof schema?.type === "string" && TYPES[schema.type]) || "something else"}.`;
}

/** How to add a key that is missing. */
export function whatToAdd(key: string, schema: JsonSchema | undefined): string {
  const sample = schema && sampleOf(schema);
  if (sample !== undefined) return `Add it, e.g. \`${key}: ${inline(sample)}\`.`;
  return ["Add it.", ...(meaningOf(schema) ? [meaningOf(schema)] : [])].join(" ");
}

/** The number as this schema wants it written, when all that it lacks is the unit that the schema's examples have. */
export function withUnit(schema: JsonSchema | undefined, value: unknown): string | undefined {
  if (
    schema?.type !== "string" ||
    schema.pattern === undefined ||
    !/^\d+(\.\d+)?$/.test(typeof value === "number" || typeof value === "string" ? String(value) : "")
  )
    return undefined;
  const pattern = new RegExp(schema.pattern);
  if (pattern.test(String(value))) return typeof value === "number" ? `"${value}"` : undefined;
  // So many minutes or hours nobody means: a large bare number is seconds, as most programs take them.
  const seconds = Number(value) >= MOST_MINUTES && pattern.test("1s") ? [`${value}s`] : [];
  return [...seconds, ...examplesOf(schema).map((example) => String(example).replace(/\d+(\.\d+)?/, String(value)))].find((written) =>
    pattern.test(written),
  );
}

const MOST_MINUTES = 300;

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/^(?:milliseconds?|millis)$/, "ms"],
  [/^(?:seconds?|secs?)$/, "s"],
  [/^(?:minutes?|mins?)$/, "m"],
  [/^(?:hours?|hrs?)$/, "h"],
  [/^days?$/, "d"],
];

/** What a text that does not fit must mean, if only one reading of it fits: `500K`, `2.50 USD`, `1 hour`, `200,000`. */
export function meantValue(schema: JsonSchema | undefined, value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 40 || schema === undefined) return undefined;
  const patterns = formsOf(schema, undefined).flatMap(({ pattern }) => (pattern === undefined ? [] : [new RegExp(pattern)]));
  const fits = (text: string): boolean => patterns.some((pattern) => pattern.test(text));
  if (patterns.length === 0 || fits(value)) return undefined;
  const plain = value.trim().replace(/(?<=\d)[_,](?=\d{3}(?:\D|$))/g, "");
  const amount = /^(?:\$|usd|us\$)?\s*(\d+(?:\.\d{1,4})?)\s*(?:\$|usd|dollars?)?$/i.exec(plain)?.[1];
  const words = plain
    .toLowerCase()
    .replace(/\s*\band\b\s*/g, "")
    .replace(/(\d)\s*([a-z]+)\s*/g, (_, digit: string, unit: string) => digit + (UNITS.find(([name]) => name.test(unit))?.[1] ?? unit));
  const sized = plain.replace(/\s*(?:tokens?)?$/i, "");
  const readings = [
    sized,
    words,
    sized.replace(/\s*K$/, "k"),
    sized.replace(/\s*m$/, "M"),
    sized.replace(/\s*([kmg])b$/i, (_, size: string) => (size.toLowerCase() === "k" ? "kB" : `${size.toUpperCase()}B`)),
    ...(amount === undefined ? [] : [`$${amount}`]),
  ];
  return readings.find(fits);
}

/** What people call the types of JSON Schema, and of the schema library. */
export const TYPES: { readonly [type: string]: string } = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "a map",
  record: "a map",
};

/** A value that fits, made of examples; undefined where the schema has none to offer. */
export function sampleOf(schema: JsonSchema): unknown {
  const known = examplesOf(schema)[0] ?? schema.const ?? schema.enum?.[0];
  if (known !== undefined) return known;
  const [form] = formsOf(schema, undefined);
  if (form !== undefined && form !== schema) return sampleOf(form);
  const entry = asSchema(schema.items);
  if (schema.type === "array" && entry) return wrapped(sampleOf(entry));
  if (schema.type !== "object") return undefined;
  const entries = (schema.required ?? []).map((key) => [key, sampleOf(asSchema(schema.properties?.[key]) ?? {})] as const);
  return entries.some(([, sample]) => sample === undefined) ? undefined : Object.fromEntries(entries);
}

/** As it would stand in a spec, on one line. */
const inline = (value: unknown): string => stringify(value, { collectionStyle: "flow", flowCollectionPadding: false, lineWidth: 0 }).trim();

/** Bare where it is one plain word; otherwise in backticks, so that it shows where it ends. */
const asExample = (text: string): string => (/^\$?[\w-]+(\.\d+)?$/.test(text) ? text : `\`${text}\``);

const wrapped = (sample: unknown): unknown => (sample === undefined ? undefined : [sample]);

const isEmptyMap = (sample: unknown): boolean => typeof sample === "object" && sample !== null && Object.keys(sample).length === 0;

const examplesOf = (schema: JsonSchema): readonly unknown[] => (Array.isArray(schema.examples) ? schema.examples : []);

const meaningOf = (schema: JsonSchema | undefined): string | undefined => schema?.description;

const asSchema = (schema: z.core.JSONSchema._JSONSchema | readonly z.core.JSONSchema._JSONSchema[] | undefined): JsonSchema | undefined =>
  typeof schema === "object" && !isList(schema) ? schema : undefined;

const isList = (schema: object): schema is readonly unknown[] => Array.isArray(schema);

const anyOf = (schemas: readonly JsonSchema[]): JsonSchema | undefined => (schemas.length > 1 ? { anyOf: [...schemas] } : schemas[0]);

/** The alternatives of a schema; only those whose constants the value shares, if there are such. */
function formsOf(schema: JsonSchema, value: unknown): readonly JsonSchema[] {
  const forms = (schema.oneOf ?? schema.anyOf)?.flatMap((form) => formsOf(form, value));
  if (forms === undefined) return [schema];
  const meant = forms.filter((form) => sharesConstants(form, value));
  return meant.length > 0 ? meant : forms;
}

function sharesConstants(form: JsonSchema, value: unknown): boolean {
  const constants = Object.entries(form.properties ?? {}).flatMap(([key, inner]) => {
    const constant = asSchema(inner)?.const;
    return constant === undefined ? [] : [{ key, constant }];
  });
  return constants.length > 0 && constants.every(({ key, constant }) => valueAt(value, [key]) === constant);
}

function childOf(form: JsonSchema, step: string | number): readonly JsonSchema[] {
  const child =
    typeof step === "number"
      ? form.items
      : Object.hasOwn(form.properties ?? {}, step)
        ? form.properties?.[step]
        : form.additionalProperties;
  const schema = asSchema(child);
  const examples = examplesOf(form)
    .map((example) => valueAt(example, [typeof step === "number" ? 0 : step]))
    .filter((example) => example !== undefined);
  return schema ? [{ ...(examples.length > 0 ? { examples } : {}), ...schema }] : [];
}
