// Specs that another spec names as workers, as they were found before it is read: reading itself touches nothing.
import { readSpecText } from "./text.ts";

export type LibraryFile =
  /** `file` is where it really is: the same file is the same loop, whatever it is called. */
  { readonly kind: "file"; readonly file: string; readonly text: string } | { readonly kind: "missing"; readonly why: string };

/** What a file names, as it was found. */
export interface Library {
  /** Where the spec itself really is, so that one that calls itself is seen. */
  readonly root: string;
  readonly find: (from: string, name: string) => LibraryFile;
}

/** For a text that lies nowhere: it can name no other. */
export const NO_LIBRARY: Library = {
  root: "",
  find: () => ({ kind: "missing", why: "this text was read by itself, without the files beside it" }),
};

const isMap = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The workers of a spec as it is written, whatever else is wrong with it. */
export function membersIn(value: unknown): readonly (readonly [string, { readonly [key: string]: unknown }])[] {
  const workers = isMap(value) && isMap(value.team) ? value.team.workers : undefined;
  return isMap(workers) ? Object.entries(workers).flatMap(([id, worker]) => (isMap(worker) ? [[id, worker] as const] : [])) : [];
}

/** The files that a spec names as workers, each once. */
export const loopsNamed = (value: unknown): readonly string[] => [
  ...new Set(membersIn(value).flatMap(([, { loop }]) => (typeof loop === "string" ? [loop] : []))),
];

/** Whether a text may name others at all. Most do not, and need nothing but themselves. */
export const callsOthers = (text: string): boolean => /\bloop\b/.test(text) && loopsNamed(readSpecText(text).value).length > 0;
