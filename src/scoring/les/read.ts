// Reads plain values of strangers' files by name: what is missing or of another type is nothing, and never an error.
import { isObject } from "../../std/json-record.ts";

export type Named = { readonly [name: string]: unknown };

export const mapOf = (value: unknown): Named => (isObject(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const mapsOf = (value: unknown): readonly Named[] => listOf(value).map(mapOf);
export const numberOf = (value: unknown): number | undefined => (typeof value === "number" && Number.isFinite(value) ? value : undefined);
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
