// Colours for code, line by line: words that a language keeps for itself, texts, numbers and comments. Nothing more is claimed.

/** k: a word of the language, q: a text, d: a number, c: a comment. */
export interface Token {
  readonly from: number;
  readonly to: number;
  readonly as: "k" | "q" | "d" | "c";
}

interface Language {
  readonly words: ReadonlySet<string>;
  readonly lineComment: readonly string[];
  readonly blockComment: readonly [string, string] | undefined;
  readonly quotes: string;
  /** A name before a colon is a word of the language: YAML, JSON, CSS. */
  readonly hasNames: boolean;
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const C_LIKE = { lineComment: ["//"], blockComment: ["/*", "*/"], quotes: "\"'`", hasNames: false } as const;
const HASHED = { lineComment: ["#"], blockComment: undefined, quotes: "\"'", hasNames: false } as const;

const SCRIPT: Language = {
  ...C_LIKE,
  words: setOf(
    "abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in instanceof interface is let namespace new null of override private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while yield",
  ),
};
const SYSTEM: Language = {
  ...C_LIKE,
  quotes: '"',
  words: setOf(
    "abstract auto bool boolean break byte case catch char class const continue crate default defer do double else enum extends extern false final finally float fn for func go goto if impl implements import in inline int interface let long loop match mod mut namespace new nil null nullptr override package private protected pub public range return self short signed sizeof static string struct super switch this throw throws trait true try type typedef union unsafe unsigned use using var virtual void volatile where while",
  ),
};
const PYTHON: Language = {
  ...HASHED,
  words: setOf(
    "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield begin do end module puts require self then unless until when",
  ),
};
const SHELL: Language = {
  ...HASHED,
  words: setOf("case do done elif else esac export fi for function if in local return set then until while"),
};
const DATA: Language = { ...HASHED, words: setOf("true false null yes no on off"), hasNames: true };
const STYLE: Language = { ...C_LIKE, lineComment: [], quotes: "\"'", words: setOf("important"), hasNames: true };
const SQL: Language = {
  lineComment: ["--"],
  blockComment: ["/*", "*/"],
  quotes: "'\"",
  hasNames: false,
  words: setOf(
    "add all alter and as asc begin between by case commit create delete desc distinct drop else end exists foreign from group having if in index inner insert into is join key left like limit not null on or order outer primary references right rollback select set table then union unique update values view when where ALL ALTER AND AS ASC BEGIN BETWEEN BY CASE COMMIT CREATE DELETE DESC DISTINCT DROP ELSE END EXISTS FOREIGN FROM GROUP HAVING IF IN INDEX INNER INSERT INTO IS JOIN KEY LEFT LIKE LIMIT NOT NULL ON OR ORDER OUTER PRIMARY REFERENCES RIGHT ROLLBACK SELECT SET TABLE THEN UNION UNIQUE UPDATE VALUES VIEW WHEN WHERE",
  ),
};

const BY_ENDING: { readonly [ending: string]: Language } = {
  ...Object.fromEntries(["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte"].map((ending) => [ending, SCRIPT])),
  ...Object.fromEntries(
    ["c", "h", "cc", "cpp", "hpp", "cs", "go", "java", "kt", "kts", "rs", "swift", "scala", "php", "dart", "zig"].map((ending) => [
      ending,
      SYSTEM,
    ]),
  ),
  ...Object.fromEntries(["py", "rb", "pyi", "ex", "exs"].map((ending) => [ending, PYTHON])),
  ...Object.fromEntries(["sh", "bash", "zsh", "fish"].map((ending) => [ending, SHELL])),
  ...Object.fromEntries(["yaml", "yml", "json", "jsonc", "toml", "ini"].map((ending) => [ending, DATA])),
  ...Object.fromEntries(["css", "scss", "less"].map((ending) => [ending, STYLE])),
  sql: SQL,
};

const languageOf = (path: string): Language | undefined => BY_ENDING[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""];

export const isColoured = (path: string): boolean => languageOf(path) !== undefined;

/** Longer lines are not written by people, and stay plain. */
const LONGEST = 2000;

/** The tokens of lines that follow each other. A comment that goes over several lines is followed; where it began before them is not known. */
export function colourLines(path: string, lines: readonly string[]): readonly (readonly Token[])[] {
  const language = languageOf(path);
  if (!language) return lines.map(() => []);
  let isInComment = false;
  return lines.map((line) => {
    if (line.length > LONGEST) return [];
    const { tokens, isOpen } = colourLine(line, language, isInComment);
    isInComment = isOpen;
    return tokens;
  });
}

const WORD = /[\p{L}_$@][\p{L}\p{N}_$-]*/uy;
const NUMBER = /\d[\d_.]*(?:[eExXoObB][\da-fA-F_+-]*)?[a-zA-Z%]*/y;

function colourLine(
  line: string,
  language: Language,
  startsOpen: boolean,
): { readonly tokens: readonly Token[]; readonly isOpen: boolean } {
  const tokens: Token[] = [];
  const [open, close] = language.blockComment ?? ["", ""];
  let at = 0;
  if (startsOpen) {
    const end = line.indexOf(close);
    if (end === -1) return { tokens: [{ from: 0, to: line.length, as: "c" }], isOpen: true };
    at = end + close.length;
    tokens.push({ from: 0, to: at, as: "c" });
  }
  while (at < line.length) {
    if (language.lineComment.some((sign) => line.startsWith(sign, at))) {
      tokens.push({ from: at, to: line.length, as: "c" });
      return { tokens, isOpen: false };
    }
    if (open && line.startsWith(open, at)) {
      const end = line.indexOf(close, at + open.length);
      tokens.push({ from: at, to: end === -1 ? line.length : end + close.length, as: "c" });
      if (end === -1) return { tokens, isOpen: true };
      at = end + close.length;
      continue;
    }
    const char = line.charAt(at);
    if (language.quotes.includes(char)) {
      const end = endOfText(line, at);
      tokens.push({ from: at, to: end, as: language.hasNames && /^\s*:/.test(line.slice(end)) ? "k" : "q" });
      at = end;
      continue;
    }
    WORD.lastIndex = at;
    const word = WORD.exec(line)?.[0];
    if (word) {
      const end = at + word.length;
      const isName = language.hasNames && /^\s*[:=](?!\/)/.test(line.slice(end));
      if (isName || language.words.has(word)) tokens.push({ from: at, to: end, as: "k" });
      at = end;
      continue;
    }
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(line)?.[0];
    if (number) tokens.push({ from: at, to: at + number.length, as: "d" });
    at += number?.length ?? 1;
  }
  return { tokens, isOpen: false };
}

function endOfText(line: string, from: number): number {
  const quote = line.charAt(from);
  for (let at = from + 1; at < line.length; at++) {
    if (line.charAt(at) === "\\") at += 1;
    else if (line.charAt(at) === quote) return at + 1;
  }
  return line.length;
}
