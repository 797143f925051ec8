// Blanks out what in a source text is comment or string, so that a scan of the rest finds only code. Every character keeps its place.

export type Language = "script" | "python" | "go" | "rust" | "c-like" | "ruby" | "php";

/** Undefined where the language is not known. */
export function languageOf(path: string): Language | undefined {
  const ending = /\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase();
  return ending !== undefined && Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined;
}

const ENDINGS: { readonly [ending: string]: Language } = {
  ...{ js: "script", jsx: "script", mjs: "script", cjs: "script", ts: "script", tsx: "script", mts: "script", cts: "script" },
  ...{ py: "python", go: "go", rs: "rust", rb: "ruby", php: "php" },
  ...{
    java: "c-like",
    kt: "c-like",
    scala: "c-like",
    cs: "c-like",
    swift: "c-like",
    c: "c-like",
    cc: "c-like",
    cpp: "c-like",
    h: "c-like",
  },
};

const SLASHES = [String.raw`\/\/[^\n]*`, String.raw`\/\*[^]*?(?:\*\/|$)`];
const HASH = String.raw`#[^\n]*`;
const DOUBLE = String.raw`"(?:\\[^]|[^"\\\n])*"?`;
const SINGLE = String.raw`'(?:\\[^]|[^'\\\n])*'?`;
const BACKTICK = "`(?:\\\\[^]|[^`\\\\])*`?";
const TRIPLE = [`"""[^]*?(?:"""|$)`, "'''[^]*?(?:'''|$)"];
/** In Rust a quote may also begin a lifetime. */
const RUST_CHAR = String.raw`'(?:\\[^\n]{1,8}|[^'\\\n])'`;

const SKIPPED: { readonly [language in Language]: RegExp } = {
  script: new RegExp([...SLASHES, DOUBLE, SINGLE, BACKTICK].join("|"), "g"),
  python: new RegExp([HASH, ...TRIPLE, DOUBLE, SINGLE].join("|"), "g"),
  go: new RegExp([...SLASHES, DOUBLE, SINGLE, "`[^`]*`?"].join("|"), "g"),
  rust: new RegExp([...SLASHES, DOUBLE, RUST_CHAR].join("|"), "g"),
  "c-like": new RegExp([...SLASHES, TRIPLE[0], DOUBLE, SINGLE].join("|"), "g"),
  ruby: new RegExp([HASH, DOUBLE, SINGLE].join("|"), "g"),
  php: new RegExp([...SLASHES, HASH, DOUBLE, SINGLE].join("|"), "g"),
};

/** What a blank stands in for; no code contains it. */
export const BLANK = "\u0000";

export const maskCode = (text: string, language: Language): string =>
  text.replace(SKIPPED[language], (skipped) => skipped.replace(/[^\n]/g, BLANK));
