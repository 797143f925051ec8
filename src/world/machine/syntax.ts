// The grammars: WebAssembly builds of tree-sitter, loaded when first asked for, their trees handed on as plain data.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Language as Grammar, Parser, TreeCursor } from "@vscode/tree-sitter-wasm";
import type { Language, Syntax, SyntaxNode, SyntaxTree } from "../../contract/syntax.ts";

/** Beyond this a text is not parsed at all: what is so large was not written by hand. */
const MOST_CHARS = 2_000_000;
const MOST_NODES = 600_000;
/** Code nested deeper is cut there, so that whoever walks the tree may recurse. */
const MOST_DEPTH = 300;

type Runtime = { readonly parser: Parser; readonly grammars: Map<Language, Grammar> };
let runtime: Promise<Runtime> | undefined;

/** Loads what is missing; grammars stay loaded for the life of the process. */
export async function loadSyntax(languages: Iterable<Language>): Promise<Syntax> {
  const wanted = new Set(languages);
  if (wanted.size === 0) return { parse: () => undefined };
  const require = createRequire(import.meta.url);
  const entry = require.resolve("@vscode/tree-sitter-wasm");
  const folder = dirname(entry);
  const tree = require(entry) as typeof import("@vscode/tree-sitter-wasm"); // a CommonJS build, typed by its own package
  runtime ??= tree.Parser.init({ locateFile: (file: string) => join(folder, file) }).then(() => ({
    parser: new tree.Parser(),
    grammars: new Map(),
  }));
  const { parser, grammars } = await runtime;
  for (const language of wanted) {
    if (!grammars.has(language)) grammars.set(language, await tree.Language.load(join(folder, `tree-sitter-${language}.wasm`)));
  }
  return {
    parse: (language, text) => {
      const grammar = grammars.get(language);
      return grammar && text.length <= MOST_CHARS ? parse(parser, grammar, text) : undefined;
    },
  };
}

function parse(parser: Parser, grammar: Grammar, text: string): SyntaxTree | undefined {
  parser.setLanguage(grammar);
  const parsed = parser.parse(text);
  if (!parsed) return undefined;
  const cursor = parsed.walk();
  try {
    return copyTree(cursor, kindsOf(grammar), text);
  } finally {
    cursor.delete();
    parsed.delete();
  }
}

type Growing = { -readonly [field in keyof SyntaxNode]: SyntaxNode[field] } & { children: Growing[] };

interface Kind {
  readonly type: string;
  readonly isNamed: boolean;
  readonly isSilent: boolean;
  /** Its parts say nothing that its text does not say. */
  readonly isOpaque: boolean;
}

const known = new WeakMap<Grammar, readonly Kind[]>();

/** What a grammar calls its nodes, by number: asked once, and not at every node. */
function kindsOf(grammar: Grammar): readonly Kind[] {
  const kinds =
    known.get(grammar) ??
    Array.from({ length: grammar.nodeTypeCount }, (_, id) => {
      const type = grammar.nodeTypeForId(id) ?? "ERROR";
      const isNamed = grammar.nodeTypeIsNamed(id);
      return { type, isNamed, isSilent: !isNamed && SILENT.has(type), isOpaque: !isNamed || OPAQUE.has(type) };
    });
  known.set(grammar, kinds);
  return kinds;
}

/** Errors have a number beyond the grammar's own. */
const ERROR: Kind = { type: "ERROR", isNamed: true, isSilent: false, isOpaque: false };
const NONE: Growing[] = [];

/** Punctuation says nothing that the shape of the tree does not say. */
const SILENT = new Set(["(", ")", "[", "]", "{", "}", ",", ";", ":", ".", '"', "'", "`"]);
/** Strings without anything to work out in them, and comments. */
const OPAQUE = new Set([
  "string_literal",
  "interpreted_string_literal",
  "raw_string_literal",
  "char_literal",
  "character_literal",
  "comment",
  "line_comment",
  "block_comment",
]);

function copyTree(cursor: TreeCursor, kinds: readonly Kind[], text: string): SyntaxTree {
  const lineAt = lineCounter(text);
  const root = copyNode(cursor, kinds[cursor.nodeTypeId] ?? ERROR, lineAt);
  const path: Growing[] = [root];
  let nodes = 1;
  let errors = root.type === "ERROR" ? 1 : 0;
  let isComplete = true;
  let canDescend = true;
  for (;;) {
    const isFull = path.length >= MOST_DEPTH || nodes >= MOST_NODES;
    if (canDescend && !isFull && cursor.gotoFirstChild()) {
      path.push(root); // its place is taken below
    } else {
      if (canDescend && isFull) isComplete = false;
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return { root, errors, nodes, isComplete };
        path.pop();
      }
    }
    nodes += 1;
    // Every question to the cursor is a call into WebAssembly: punctuation is asked for nothing but its number.
    const kind = kinds[cursor.nodeTypeId] ?? ERROR;
    canDescend = !kind.isOpaque;
    if (kind.isSilent) continue;
    const node = copyNode(cursor, kind, lineAt);
    path[path.length - 1] = node;
    if (kind.type === "ERROR") errors += 1;
    const parent = path.at(-2)!;
    if (parent.children === NONE) parent.children = [node];
    else parent.children.push(node);
  }
}

function copyNode(cursor: TreeCursor, { type, isNamed }: Kind, lineAt: (at: number) => number): Growing {
  const start = cursor.startIndex;
  return {
    type,
    field: isNamed ? (cursor.currentFieldName ?? undefined) : undefined,
    isNamed,
    start,
    end: cursor.endIndex,
    line: lineAt(start),
    children: NONE,
  };
}

/** Asked for places that never go back, it walks the text once. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (at) => {
    while (next !== -1 && next < at) {
      line += 1;
      next = text.indexOf("\n", next + 1);
    }
    return line;
  };
}
