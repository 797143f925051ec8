// What a document refers to: other documents, schemas, templates and price tables, by paths that lead nowhere but beside it.
import type { Path } from "../../spec/path.ts";
import { readSpecText } from "../../spec/text.ts";
import { shapeProblem } from "../../std/json-shape.ts";
import type { Reference } from "../translation.ts";
import { fieldsOf, listOf } from "../values.ts";

/** Of anything, sound or not. */
export function referencesIn(value: unknown): readonly { readonly path: Path; readonly ref: string }[] {
  const root = fieldsOf(value);
  const each = (list: unknown, at: Path, of: (fields: { readonly [key: string]: unknown }) => unknown, key: readonly string[]) =>
    listOf(list).map((entry, index) => ({ path: [...at, index, ...key], ref: of(fieldsOf(entry)) }));
  return [
    ...each(root.workers, ["workers"], ({ outputs }) => fieldsOf(outputs).schema_ref, ["outputs", "schema_ref"]),
    ...each(root.feedback_channels, ["feedback_channels"], ({ template_ref }) => template_ref, ["template_ref"]),
    ...each(root.safety_constraints, ["safety_constraints"], ({ config }) => fieldsOf(config).schema_ref, ["config", "schema_ref"]),
    ...each(fieldsOf(root.composition).children, ["composition", "children"], ({ ref }) => ref, ["ref"]),
    { path: ["cost_limits", "price_table_ref"], ref: fieldsOf(root.cost_limits).price_table_ref },
  ].flatMap(({ path, ref }) => (typeof ref === "string" ? [{ path, ref }] : []));
}

export const isAddress = (ref: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(ref) || ref.startsWith("//");

/** A path that could not lie beside a file: an address, a whole path, one with signs that paths here do not have. */
export const isElsewhere = (ref: string): boolean => isAddress(ref) || /^[/~\\]/.test(ref) || ref.includes("\0") || ref.includes("\\");

export type SchemaRead =
  | { readonly kind: "schema"; readonly file: string; readonly schema: object }
  | { readonly kind: "missing"; readonly why: string }
  | { readonly kind: "unusable"; readonly why: string };

/** A JSON Schema of which everything is checked; one that says more than that is not used as if it were. */
export function readSchema(reference: Reference): SchemaRead {
  if (reference.kind !== "found") return { kind: "missing", why: reference.why };
  const { value, problems } = readSpecText(reference.text);
  const problem = problems[0]?.problem ?? shapeProblem(value);
  return problem === undefined
    ? { kind: "schema", file: reference.file, schema: fieldsOf(value) }
    : { kind: "unusable", why: `${reference.file}: ${problem}` };
}
