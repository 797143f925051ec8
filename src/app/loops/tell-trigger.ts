// A trigger in a few words, as its spec has it: whatever part it is, and those of parts that are made of others.

interface Ref {
  readonly use: string;
  readonly with?: { readonly [option: string]: unknown } | undefined;
}

export function tellTrigger({ use, with: options = {} }: Ref): string {
  const parts = Object.values(options).flatMap((value) => (Array.isArray(value) && value.length > 0 && value.every(isRef) ? [value] : []));
  if (parts.length > 0) return parts.flat().map(tellTrigger).join(" or ");
  return [use, ...Object.entries(options).flatMap(([name, value]) => tellOption(name, value))].join(" ");
}

/** Its name says nothing that the part's own name does not, but where there is more than a word to tell. */
function tellOption(name: string, value: unknown): readonly string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (Array.isArray(value) && value.length === 0) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return [value.join(",")];
  return value === undefined || value === null ? [] : [`${name}=${JSON.stringify(value)}`];
}

const isRef = (value: unknown): value is Ref =>
  typeof value === "object" && value !== null && "use" in value && typeof value.use === "string";
