// Values that strangers wrote, taken apart without trusting their types.
import type { Path } from "../spec/path.ts";

export interface Fields {
  readonly [field: string]: unknown;
}

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const numberOf = (value: unknown): number | undefined => (typeof value === "number" && Number.isFinite(value) ? value : undefined);

/** The texts of a list, each with where it stands. */
export const textsAt = (value: unknown, path: Path): readonly { readonly text: string; readonly path: Path }[] =>
  listOf(value).flatMap((text, index) => (typeof text === "string" ? [{ text, path: [...path, index] }] : []));
