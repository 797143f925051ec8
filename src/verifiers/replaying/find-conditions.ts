// Where changed code asks a question that has two answers: comparisons, and the parts of what `if` and its like go by. Pure.
import { type Span, type Turn, visit } from "../../std/twins/twin.ts";
import type { Played } from "./note-calls.ts";

/** A question in changed code. Its number is its place among those of one change. */
export interface Condition {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface ConditionOrder {
  readonly path: string;
  readonly text: string;
  readonly root: Span;
  /** Lines that only the proposal has, from 1. */
  readonly lines: ReadonlySet<number>;
  /** What base says in the same files, without blanks: a question that was moved is not new. */
  readonly before: string;
}

interface Grammar {
  readonly comparison: (node: Span) => boolean;
  readonly joint: RegExp;
  /** Nodes whose `condition` decides; of those with another name the place among their children. */
  readonly deciding: RegExp;
  /** What a loop goes by is left alone: with another answer it might not end. */
  readonly loop: RegExp;
  /** Nothing in there may be touched: constants, names in texts, types. */
  readonly shut: RegExp;
}

const COMPARING = new Set(["<", ">", "<=", ">=", "==", "!=", "===", "!==", "in", "instanceof"]);
const JOINING = new Set(["&&", "||", "and", "or"]);
const operatorOf = ({ children }: Span): Span | undefined => children.find(({ field, isNamed }) => field === "operator" || !isNamed);
const isOperation =
  (text: string, words: ReadonlySet<string>) =>
  (node: Span): boolean => {
    const operator = operatorOf(node);
    return operator !== undefined && words.has(text.slice(operator.start, operator.end));
  };

const GRAMMARS: { readonly [language in Played]: (text: string) => Grammar } = {
  javascript: (text) => ({
    comparison: (node) => node.type === "binary_expression" && isOperation(text, COMPARING)(node),
    joint: /^(?:parenthesized_expression|binary_expression|unary_expression)$/,
    deciding: /^(?:if_statement|ternary_expression)$/,
    loop: /^(?:while_statement|do_statement|for_statement)$/,
    shut: /^(?:comment|regex)$/,
  }),
  python: () => ({
    comparison: ({ type }) => type === "comparison_operator",
    joint: /^(?:parenthesized_expression|boolean_operator|not_operator)$/,
    deciding: /^(?:if_statement|elif_clause|conditional_expression|if_clause)$/,
    loop: /^while_statement$/,
    // Texts with expressions in them may not have quotes of their own kind inside.
    shut: /^(?:string|comment|type|decorator|default_parameter|typed_default_parameter)$/,
  }),
  go: (text) => ({
    comparison: (node) => node.type === "binary_expression" && isOperation(text, COMPARING)(node),
    joint: /^(?:parenthesized_expression|binary_expression|unary_expression)$/,
    deciding: /^if_statement$/,
    loop: /^for_(?:clause|statement)$/,
    shut: /^(?:const_declaration|comment|array_type)$/,
  }),
};

const MOST_CONDITIONS = 300;

export function conditionsIn(language: Played, { path, text, root, lines, before }: ConditionOrder): readonly Condition[] {
  const grammar = GRAMMARS[language](text);
  const found = new Map<number, Span>();
  const take = (node: Span): void => {
    found.set(node.start * text.length + node.end, node);
  };
  visit(root, (node, parents) => {
    if (grammar.shut.test(node.type)) return false;
    const around = parents.at(-1);
    if (around && grammar.loop.test(around.type) && isHead(node, around)) return false;
    if (grammar.comparison(node)) take(node);
    if (grammar.deciding.test(node.type)) for (const leaf of leavesOf(decidesIn(node), grammar, text)) take(leaf);
    return undefined;
  });
  const lineOf = lineCounter(text);
  return [...found.values()]
    .map((node) => ({ path, line: lineOf(node.start), text: text.slice(node.start, node.end), start: node.start, end: node.end }))
    .filter((one) => lines.has(one.line) && one.text.length <= MOST_LENGTH && !before.includes(bare(one.text)))
    .slice(0, MOST_CONDITIONS);
}

const MOST_LENGTH = 2_000;

const isHead = (node: Span, loop: Span): boolean =>
  node.field === "condition" || (loop.type === "for_statement" && node.type === "binary_expression");

export const bare = (text: string): string => text.replace(/\s+/g, "");

function decidesIn(node: Span): Span | undefined {
  const named = node.children.filter(({ isNamed, type }) => isNamed && !type.endsWith("comment"));
  if (node.type === "conditional_expression") return named[1];
  if (node.type === "if_clause") return named[0];
  return node.children.find(({ field, isNamed }) => field === "condition" && isNamed);
}

/** What is joined by and, or, not and brackets is asked one by one. */
function leavesOf(node: Span | undefined, grammar: Grammar, text: string): readonly Span[] {
  if (node === undefined || /^(?:expression_statement|empty_statement)$/.test(node.type)) return [];
  const named = node.children.filter(({ isNamed, type }) => isNamed && !type.endsWith("comment"));
  const isJoint =
    grammar.joint.test(node.type) &&
    (node.type === "parenthesized_expression" ||
      node.type === "boolean_operator" ||
      node.type === "not_operator" ||
      isOperation(text, JOINING)(node) ||
      (node.type === "unary_expression" && text[node.start] === "!"));
  return isJoint ? named.flatMap((one) => leavesOf(one, grammar, text)) : [node];
}

function lineCounter(text: string): (at: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (at) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/** Puts what notes the answers around each question; one inside another stays inside. `ask` is what is called with a number and the answer. */
export function turnsOfConditions(conditions: readonly Condition[], ask: (condition: Condition) => string): readonly Turn[] {
  const opening = [...conditions].sort((a, b) => a.start - b.start || b.end - a.end);
  const closing = [...conditions].sort((a, b) => a.end - b.end || b.start - a.start);
  return [
    ...closing.map(({ end }) => ({ start: end, end, text: "))" })),
    ...opening.map((condition) => ({ start: condition.start, end: condition.start, text: `${ask(condition)}(` })),
  ];
}
