// Reads a JSON object that somebody sent us, and its fields, without trusting their types.

export type Fields = ReadonlyMap<string, unknown>;

export type RecordReading = { readonly kind: "record"; readonly fields: Fields } | { readonly kind: "unreadable"; readonly why: string };

export function readRecord(text: string): RecordReading {
  try {
    const fields = fieldsOf(JSON.parse(text));
    return fields ? { kind: "record", fields } : { kind: "unreadable", why: "what came is JSON, but not an object" };
  } catch (error) {
    return { kind: "unreadable", why: `what came is not JSON (${error instanceof Error ? error.message : String(error)})` };
  }
}

export const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields of a value, when it is an object. */
export const fieldsOf = (value: unknown): Fields | undefined => (isObject(value) ? new Map(Object.entries(value)) : undefined);

/** A field that is a text with something in it. */
export function textIn(fields: Fields | undefined, name: string): string | undefined {
  const value = fields?.get(name);
  return typeof value === "string" && value !== "" ? value : undefined;
}
