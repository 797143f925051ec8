// Which grammar reads a file, by its name.
import type { Language } from "../../contract/syntax.ts";

const BY_ENDING: { readonly [ending: string]: Language } = {
  js: "javascript",
  cjs: "javascript",
  mjs: "javascript",
  jsx: "javascript",
  ts: "typescript",
  cts: "typescript",
  mts: "typescript",
  tsx: "tsx",
  py: "python",
  pyi: "python",
  go: "go",
  rs: "rust",
  java: "java",
  cs: "c-sharp",
  rb: "ruby",
  rake: "ruby",
  php: "php",
  c: "cpp",
  h: "cpp",
  cc: "cpp",
  cpp: "cpp",
  cxx: "cpp",
  hh: "cpp",
  hpp: "cpp",
};

export const languageOf = (path: string): Language | undefined => BY_ENDING[endingOf(path)];

/** What follows the last dot, in lower case. */
export const endingOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
