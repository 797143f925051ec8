// Where code maps written-out inputs to written-out outputs: the branches, cases and tables of each function.
import type { SyntaxNode } from "../../../contract/syntax.ts";
import { childByField, textOf } from "../syntax-walk.ts";
import type { ParsedPiece } from "../view.ts";
import { isFunction, nameOf, parametersOf } from "./special-casing-functions.ts";
import { type Literal, literalOf } from "./special-casing-literals.ts";
import { allAnswers, isSetting } from "./special-casing-outputs.ts";

/** A subject held against a written-out value. */
interface Comparison {
  readonly subject: string;
  readonly literal: Literal;
}

export interface Branch {
  readonly node: SyntaxNode;
  readonly inputs: readonly Comparison[];
  readonly outputs: readonly Literal[];
  readonly kind: "if" | "case" | "table";
  /** Whether the values are only set aside, as a state is, and not given out. */
  readonly isSet: boolean;
  /** Whether the condition also asks for something that is no comparison with a value. */
  readonly isMixed: boolean;
}

/** One function, or what stands outside of all of them. */
export interface Scope {
  readonly node: SyntaxNode;
  readonly name: string;
  readonly parameters: readonly string[];
  readonly branches: readonly Branch[];
}

const known = new WeakMap<ParsedPiece, readonly Scope[]>();

export function scopesOf(piece: ParsedPiece): readonly Scope[] {
  const before = known.get(piece);
  if (before) return before;
  const scopes: Scope[] = [];
  collect(piece, piece.tree.root, "", scopes);
  known.set(piece, scopes);
  return scopes;
}

function collect(piece: ParsedPiece, node: SyntaxNode, name: string, scopes: Scope[]): void {
  const branches: Branch[] = [];
  const nested: [SyntaxNode, string][] = [];
  const look = (at: SyntaxNode, given: readonly Comparison[], parent: SyntaxNode): void => {
    if (at.children.length === 0) return;
    if (at !== node && isFunction(at)) {
      const named = nameOf(piece, at) || (/declarator|pair|assignment|field_definition/.test(parent.type) ? nameOf(piece, parent) : "");
      nested.push([at, named]);
      return;
    }
    const choice = choiceOf(piece, at);
    if (!choice) {
      const table = tableOf(piece, at, parent);
      if (table.length > 0) branches.push(...table);
      for (const child of at.children) look(child, given, at);
      return;
    }
    for (const { condition, isMixed, body: then, kind } of choice.ways) {
      const inputs = [...given, ...condition];
      const outputs = condition.length > 0 ? allAnswers(piece, then) : undefined;
      if (outputs && outputs.length > 0)
        branches.push({ node: at, inputs, outputs, kind, isMixed, isSet: then.every((part) => isSetting(piece, part)) });
      else for (const part of then) look(part, isMixed ? given : inputs, at);
    }
    for (const other of choice.others) look(other, given, at);
  };
  for (const child of node.children) look(child, [], node);
  scopes.push({ node, name, parameters: parametersOf(piece, node), branches });
  for (const [inner, innerName] of nested) collect(piece, inner, innerName, scopes);
}

interface Way {
  readonly condition: readonly Comparison[];
  readonly isMixed: boolean;
  readonly body: readonly SyntaxNode[];
  readonly kind: Branch["kind"];
}

const IFS = new Set([
  "if_statement",
  "if_expression",
  "elif_clause",
  "else_if_clause",
  "if",
  "elsif",
  "if_modifier",
  "conditional_expression",
  "ternary_expression",
  "conditional",
]);
const SWITCHES = new Set([
  "match_statement",
  "switch_statement",
  "expression_switch_statement",
  "switch_expression",
  "match_expression",
  "case",
]);
const LISTS = new Set(["list", "array", "tuple"]);
const TABLES = new Set(["dictionary", "object", "literal_value", "hash", "map_expression"]);

function choiceOf(
  piece: ParsedPiece,
  node: SyntaxNode,
): { readonly ways: readonly Way[]; readonly others: readonly SyntaxNode[] } | undefined {
  if (IFS.has(node.type)) {
    if (!node.isNamed) return undefined;
    const named = node.children.filter(({ isNamed, type }) => isNamed && !/comment/.test(type));
    const isPythonTernary = node.type === "conditional_expression" && named.every(({ field }) => field === undefined);
    const condition = isPythonTernary ? named[1] : childByField(node, "condition");
    const then = isPythonTernary ? named[0] : (childByField(node, "consequence") ?? childByField(node, "body"));
    if (!condition || !then) return undefined;
    return {
      ways: [{ ...comparisonsIn(piece, condition), body: [then], kind: "if" }],
      others: named.filter((child) => child !== then),
    };
  }
  if (SWITCHES.has(node.type)) return casesOf(piece, node);
  return undefined;
}

function casesOf(piece: ParsedPiece, node: SyntaxNode): ReturnType<typeof choiceOf> {
  const value = childByField(node, "subject") ?? childByField(node, "value") ?? childByField(node, "condition");
  if (!value) return undefined;
  const subject = inner(value);
  const ways: Way[] = [];
  const others: SyntaxNode[] = [];
  const look = (at: SyntaxNode): void => {
    for (const child of at.children) {
      if (!child.isNamed || child === value) continue;
      if (!/case|arm|when|group|section/.test(child.type) || /default/.test(child.type)) {
        if (/body|block/.test(child.type)) look(child);
        else others.push(child);
        continue;
      }
      const label = child.children.find(
        ({ isNamed, type, field }) => isNamed && (field === "value" || field === "pattern" || /pattern|label/.test(type)),
      );
      const pattern = label && (/label/.test(label.type) ? label.children.find(({ isNamed }) => isNamed) : label);
      const then = child.children.filter((part) => part.isNamed && part !== label && !/comment/.test(part.type));
      const pairs = pattern ? pairsOf(piece, subject, pattern) : [];
      ways.push({ condition: pairs, isMixed: false, body: then, kind: "case" });
    }
  };
  look(node);
  return { ways, others };
}

/** A tuple held against a tuple compares its members. */
function pairsOf(piece: ParsedPiece, subject: SyntaxNode, value: SyntaxNode): readonly Comparison[] {
  const literal = literalOf(piece, value);
  const members = subject.children.filter(({ isNamed }) => isNamed);
  if (/tuple|^array|^list/.test(subject.type) && members.length > 1) {
    if (literal?.kind === "list" && literal.items.length === members.length) {
      return members.map((member, index) => ({ subject: textOf(piece, member), literal: literal.items[index]! }));
    }
    return [];
  }
  return literal && isPlain(piece, subject) ? [{ subject: textOf(piece, subject).slice(0, 80), literal }] : [];
}

/** A thing itself, and not something worked out from it. */
function isPlain(piece: ParsedPiece, node: SyntaxNode): boolean {
  if (
    /^(identifier|attribute|member_expression|selector_expression|field_expression|field_access|subscript|subscript_expression|index_expression|element_access_expression|member_access_expression|variable_name|instance_variable|self|this|property_identifier|array_access|element_reference|scoped_identifier|await|await_expression|reference_expression|pointer_expression)$/.test(
      node.type,
    )
  )
    return true;
  if (!/^(call|call_expression|method_invocation|invocation_expression|method_call)$/.test(node.type)) return false;
  return /^(len|size|count|JSON\.stringify|str|repr|tuple|list|sorted|set|input|String|Arrays\.toString|fmt\.Sprint|string)\s*\(|\.(strip|trim|join|toString|as_str|as_slice|to_string|lower|toLowerCase|rstrip|split|read|to_s|inspect)\(\)?[^()]{0,60}\)?$/.test(
    textOf(piece, node).slice(0, 120),
  );
}

const inner = (node: SyntaxNode): SyntaxNode => {
  const named = node.children.filter(({ isNamed }) => isNamed);
  return /^(parenthesized_expression|condition_clause|expression_list|parenthesized_statements)$/.test(node.type) && named.length === 1
    ? inner(named[0]!)
    : node;
};

function comparisonsIn(
  piece: ParsedPiece,
  condition: SyntaxNode,
): { readonly condition: readonly Comparison[]; readonly isMixed: boolean } {
  const found: Comparison[] = [];
  let isMixed = false;
  const look = (at: SyntaxNode): void => {
    const node = inner(at);
    const named = node.children.filter(({ isNamed }) => isNamed);
    const operator = node.children.find(({ isNamed }) => !isNamed)?.type;
    if (named.length === 2 && operator !== undefined && /^(and|&&)$/.test(operator)) {
      for (const side of named) look(side);
      return;
    }
    const pairs =
      named.length === 2 && operator !== undefined && /^(==|===|is)$/.test(operator)
        ? comparePair(piece, named[0]!, named[1]!)
        : /^(call|call_expression|method_invocation|invocation_expression|method_call|member_call_expression|function_call_expression)$/.test(
              node.type,
            )
          ? equalsCall(piece, node)
          : [];
    if (pairs.length === 0) isMixed = true;
    found.push(...pairs);
  };
  look(condition);
  return { condition: found, isMixed };
}

function comparePair(piece: ParsedPiece, left: SyntaxNode, right: SyntaxNode): readonly Comparison[] {
  if (literalOf(piece, right)) return literalOf(piece, left) ? [] : pairsOf(piece, inner(left), right);
  return literalOf(piece, left) ? pairsOf(piece, inner(right), left) : [];
}

const EQUALS =
  /(^|[.:])(equals|Equals|DeepEqual|Equal|isEqual|eql\?|is_equal|isDeepStrictEqual|sequenceEqual|SequenceEqual|array_equal|equal)$/;

function equalsCall(piece: ParsedPiece, node: SyntaxNode): readonly Comparison[] {
  const args = childByField(node, "arguments") ?? node.children.find(({ type }) => /^argument(s|_list)$/.test(type));
  if (!args) return [];
  const called = piece.text.slice(node.start, args.start).trim();
  if (called.length > 200 || !EQUALS.test(called)) return [];
  const given = args.children.filter(({ isNamed }) => isNamed);
  if (given.length === 2) return comparePair(piece, inner(given[0]!), inner(given[1]!));
  const target = childByField(node, "object") ?? node.children[0]?.children[0];
  return given.length === 1 && target ? comparePair(piece, target, inner(given[0]!)) : [];
}

const MOST_ROWS = 40;

/** A table from inputs to answers is a row of branches. */
function tableOf(piece: ParsedPiece, node: SyntaxNode, parent: SyntaxNode): readonly Branch[] {
  if (!LISTS.has(node.type) && !TABLES.has(node.type)) return [];
  const holder = parent.children.length > 10 ? undefined : (childByField(parent, "left") ?? childByField(parent, "name"));
  const name = holder ? textOf(piece, holder).slice(0, 60) : "";
  if (LISTS.has(node.type)) {
    const literal = name === "" ? undefined : literalOf(piece, node);
    return literal ? [{ node, inputs: [{ subject: name, literal }], outputs: [literal], kind: "table", isMixed: false, isSet: false }] : [];
  }
  const rows: Branch[] = [];
  for (const pair of node.children) {
    if (!/^(pair|keyed_element)$/.test(pair.type)) return [];
    const key = childByField(pair, "key");
    const value = childByField(pair, "value");
    const input = key && literalOf(piece, key);
    const output = value && literalOf(piece, value);
    if (!input || !output) return [];
    const inputs =
      input.kind === "list"
        ? input.items.map((literal, index) => ({ subject: `${name} ${index}`, literal }))
        : [{ subject: name, literal: input }];
    rows.push({ node: pair, inputs, outputs: [output], kind: "table", isMixed: false, isSet: false });
  }
  // What is longer is data.
  return rows.length > MOST_ROWS ? [] : rows;
}
