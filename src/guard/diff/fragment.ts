// A hunk is a torn-out piece of a file: it starts and ends in the middle of things. Brackets are mended before it is parsed.

import type { Piece } from "../../contract/change-set.ts";
import type { Language, Syntax, SyntaxTree } from "../../contract/syntax.ts";

export interface ParsedFragment {
  readonly line: number;
  /** The text that was parsed: openers stand before its first line, closers after its last, so that lines keep their numbers. */
  readonly text: string;
  readonly tree: SyntaxTree;
}

/** Longer pieces are read one way only. */
const MOST_TRIED = 50_000;

/** Of the ways to read the fragment, the one the grammar understands best. */
export function parseFragment(piece: Piece, language: Language, syntax: Syntax): ParsedFragment | undefined {
  let best: ParsedFragment | undefined;
  for (const text of readings(piece.text, language)) {
    const tree = syntax.parse(language, text);
    if (tree && (!best || isClearer(tree, best.tree))) best = { line: piece.line, text, tree };
  }
  return best;
}

/** Fewer errors; or as few, and more that was made out: a string that swallowed code has no errors either. */
const isClearer = (one: SyntaxTree, other: SyntaxTree): boolean =>
  one.errors < other.errors || (one.errors === other.errors && one.nodes > other.nodes * 1.2);

function readings(text: string, language: Language): readonly string[] {
  const header = language === "php" ? "<?php " : "";
  const whole = mended(text, language);
  const torn = text.length > MOST_TRIED ? [] : insideOf(text, language).map((opener) => header + mended(opener + text, language));
  return [...new Set([header + whole, ...torn])];
}

/** The string or comment that the fragment may begin in the middle of. */
function insideOf(text: string, language: Language): readonly string[] {
  if (language === "python") return [`"""`, `'''`].filter((quote) => text.includes(quote));
  if (language === "ruby") return [];
  const openers: string[] = [];
  const end = text.indexOf("*/");
  const start = text.indexOf("/*");
  if (end !== -1 && (start === -1 || end < start)) openers.push("/*");
  if ((language === "javascript" || language === "typescript" || language === "tsx" || language === "go") && text.includes("`"))
    openers.push("`");
  if (language === "rust" || language === "cpp") openers.push('"');
  return openers;
}

const CLOSER: { readonly [opener: string]: string } = { "(": ")", "[": "]", "{": "}" };
const OPENER: { readonly [closer: string]: string } = { ")": "(", "]": "[", "}": "{" };

/** With an opener for every closer that has none, and the other way round. */
function mended(text: string, language: Language): string {
  const { open, unopened, quote } = brackets(text, language);
  const prefix = unopened
    .reverse()
    .map((closer, index, all) => openerFor(OPENER[closer]!, index > 0 ? OPENER[all[index - 1]!] : undefined, language));
  const suffix = open.reverse().map((opener) => CLOSER[opener]!);
  const end = `${quote}${suffix.join("")}`;
  const closed = `${prefix.join("")}${text}${end === "" ? "" : `\n${end}`}`;
  return language === "python" ? withPythonEnd(closed) : closed;
}

/** Stands for a function of which only the decorators are in sight. */
export const CUT = "_cut_off_here";

/** A docstring that is cut off is closed, and what waits for a body gets one. */
function withPythonEnd(text: string): string {
  const quote = [...text.matchAll(/"""|'''/g)].reduce<string | undefined>(
    (open, [mark]) => (open === undefined ? mark : open === mark ? undefined : open),
    undefined,
  );
  const closed = quote ? `${text}\n${quote}` : text;
  const last = closed.trimEnd().split("\n").at(-1)!;
  const indent = /^\s*/.exec(last)![0];
  if (/:\s*(?:#.*)?$/.test(last)) return `${closed}\n${indent}    pass`;
  return /^\s*(?:@|\)$)/.test(last) ? `${closed}\n${/^\s*@/.test(last) || last.trim() === ")" ? indent : ""}def ${CUT}(): pass` : closed;
}

/** A brace inside a call's brackets is most often a function's body. */
function openerFor(opener: string, outer: string | undefined, language: Language): string {
  if (opener === "(") return language === "python" ? "(" : "_(";
  if (opener !== "{" || outer !== "(") return opener;
  switch (language) {
    case "javascript":
    case "typescript":
    case "tsx":
    case "c-sharp":
      return "()=>{";
    case "java":
      return "()->{";
    case "go":
      return "func(){";
    case "rust":
      return "||{";
    case "php":
      return "function(){";
    case "cpp":
      return "[]{";
    case "python":
    case "ruby":
      return "{";
  }
}

interface Torn {
  readonly open: string[];
  readonly unopened: string[];
  /** What ends the string that the text stops in. */
  readonly quote: string;
}

/** Brackets outside of strings and comments that have no partner in the text. */
function brackets(text: string, language: Language): Torn {
  const open: string[] = [];
  const unopened: string[] = [];
  let quote = "";
  for (const [token] of text.matchAll(TOKENS[commentsOf(language)])) {
    quote = token.startsWith("`") && (token.length === 1 || !token.endsWith("`")) ? "`" : "";
    if (token in CLOSER) open.push(token);
    else if (token in OPENER) {
      if (open.at(-1) === OPENER[token]) open.pop();
      else if (!open.includes(OPENER[token]!)) unopened.push(token);
    }
  }
  return { open, unopened, quote };
}

type Comments = "hash" | "slashes" | "slashes-lifetimes";
const commentsOf = (language: Language): Comments =>
  language === "python" || language === "ruby" ? "hash" : language === "rust" ? "slashes-lifetimes" : "slashes";

/** A bracket, or something that may hide one and is skipped whole. Strings end with their line unless they may run on. */
const TOKENS: { readonly [comments in Comments]: RegExp } = {
  hash: /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|#[^\n]*|[()[\]{}]/g,
  slashes: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|`(?:[^`\\]|\\[\s\S])*`?|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|[()[\]{}]/g,
  "slashes-lifetimes":
    /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|r#+"[\s\S]*?(?:"#+|$)|"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[^\n]{1,8})'|[()[\]{}]/g,
};
