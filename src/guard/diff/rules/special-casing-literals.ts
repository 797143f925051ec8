// Which expressions are plain values written out, in any of the languages, and how telling such a value is.
import type { SyntaxNode } from "../../../contract/syntax.ts";
import { childByField, textOf } from "../syntax-walk.ts";
import type { ParsedPiece } from "../view.ts";

export type Literal =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "word"; readonly value: string }
  | { readonly kind: "list"; readonly items: readonly Literal[] };

const NUMBER = /^[-+]?(\d|\.\d)[\w.]*$/;
const WORDS = /^(true|false|null|nil|none|undefined|nullptr)$/i;
const TEXT =
  /^(concatenated_|interpreted_|raw_|verbatim_|template_|encapsed_)?string(_literal|_expression|_value)?$|^(char|character|rune)_literal$|^(character|heredoc_body)$/;
const INTERPOLATED = /interpolation|substitution|variable_name/;
const WRAPPERS = new Set([
  "parenthesized_expression",
  "expression_list",
  "literal_element",
  "case_pattern",
  "match_pattern",
  "pattern",
  "constant_pattern",
  "array_element_initializer",
  "argument",
  "argument_list",
]);
const LISTS = new Set([
  "list",
  "tuple",
  "set",
  "array",
  "array_expression",
  "tuple_expression",
  "composite_literal",
  "literal_value",
  "array_initializer",
  "array_creation_expression",
  "implicit_array_creation_expression",
  "initializer_expression",
  "initializer_list",
  "collection_expression",
  "expression_list",
  "token_tree",
  "tuple_pattern",
  "list_pattern",
  "pattern_list",
  "slice_pattern",
]);
/** Calls that only wrap the value they are given. */
const WRAPPING =
  /^(Some|Ok|Box::new|String::from|List\.of|Set\.of|Arrays\.asList|Integer\.valueOf|Long\.valueOf|BigInt|Decimal|BigDecimal\.valueOf|new Set|set|tuple|list|frozenset|str|int|float|std::(string|vector<\w+>)|vec|string|int64|float64|errors\.New)$/;
const UNCHANGED = /^(to_string|to_owned|into|clone|to_vec|freeze|dup)$/;
/** A value nested deeper, or longer, than this is data and not an answer. */
const MOST_ITEMS = 2_000;

export function literalOf(piece: ParsedPiece, node: SyntaxNode, depth = 0): Literal | undefined {
  if (depth > 20 || node.children.length > MOST_ITEMS) return undefined;
  const inner = (child: SyntaxNode): Literal | undefined => literalOf(piece, child, depth + 1);
  const named = node.children.filter(({ isNamed, type }) => isNamed && type !== "comment");
  if (TEXT.test(node.type)) {
    if (node.children.some(({ type }) => INTERPOLATED.test(type))) return undefined;
    return { kind: "text", value: unquote(textOf(piece, node)) };
  }
  if (node.children.length === 0) {
    if (node.end - node.start > 400) return undefined;
    const text = textOf(piece, node);
    if (NUMBER.test(text)) return { kind: "number", value: Number(text.replace(/_/g, "").replace(/(?<=\d)[a-zA-Z]+\d*$/, "")) };
    if (WORDS.test(text)) return { kind: "word", value: text.toLowerCase() };
    return LISTS.has(node.type) && /^[[({]\s*[\])}]$/.test(text) ? { kind: "list", items: [] } : undefined;
  }
  if (/^(unary|prefix_unary|unary_op)/.test(node.type) && named.length === 1) {
    const value = inner(named[0]!);
    return value?.kind === "number" && textOf(piece, node).startsWith("-") ? { kind: "number", value: -value.value } : undefined;
  }
  if (WRAPPERS.has(node.type) && named.length === 1) return inner(named[0]!);
  if (/^(boolean|null|true|false|nil|none)(_literal)?$/.test(node.type)) return { kind: "word", value: textOf(piece, node).toLowerCase() };
  if (LISTS.has(node.type))
    return listOf(
      named.filter(({ field, type }) => field !== "type" && type !== "dimensions"),
      inner,
    );
  if (/macro_invocation$/.test(node.type)) {
    const tokens = node.children.find(({ type }) => type === "token_tree");
    return tokens && childText(piece, node, "macro") === "vec" ? inner(tokens) : undefined;
  }
  if (/^(call|call_expression|method_invocation|invocation_expression|new_expression|object_creation_expression)$/.test(node.type)) {
    return wrapped(piece, node, inner);
  }
  return undefined;
}

function wrapped(piece: ParsedPiece, node: SyntaxNode, inner: (child: SyntaxNode) => Literal | undefined): Literal | undefined {
  const args = childByField(node, "arguments") ?? node.children.find(({ type }) => /^argument(s|_list)$/.test(type));
  if (!args) return undefined;
  const called = piece.text.slice(node.start, args.start).trim();
  const given = args.children.filter(({ isNamed }) => isNamed);
  const method = /\.\s*(\w+)$/.exec(called.slice(-40))?.[1];
  if (method && UNCHANGED.test(method) && given.length === 0) {
    const target = node.children[0]?.children.find(({ field }) => field === "value" || field === "object");
    return target && inner(target);
  }
  if (called.length > 40 || !WRAPPING.test(called)) return undefined;
  return given.length === 1 ? inner(given[0]!) : listOf(given, inner);
}

function listOf(nodes: readonly SyntaxNode[], inner: (child: SyntaxNode) => Literal | undefined): Literal | undefined {
  const items: Literal[] = [];
  for (const node of nodes) {
    const item = inner(node);
    if (!item) return undefined;
    // A type with its one list of values is that list.
    if (nodes.length === 1 && item.kind === "list" && node.type !== "tuple" && node.type !== "list" && node.type !== "array") return item;
    items.push(item);
  }
  return { kind: "list", items };
}

const childText = (piece: ParsedPiece, node: SyntaxNode, field: string): string => {
  const child = childByField(node, field);
  return child ? textOf(piece, child) : "";
};

const unquote = (text: string): string => text.replace(/^[a-zA-Z@$#]{0,3}("""|'''|["'`])?/, "").replace(/("""|'''|["'`])#*$/, "");

/** Every single value in a literal. */
export const leavesOf = (literal: Literal): readonly Literal[] => (literal.kind === "list" ? literal.items.flatMap(leavesOf) : [literal]);

/** The same value has the same key. */
export const keyOf = (literal: Literal): string =>
  literal.kind === "list" ? `[${literal.items.map(keyOf).join()}]` : `${literal.kind}:${literal.value}`;
