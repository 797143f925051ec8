// Functions in any of the languages: which nodes they are, their names, parameters and statements.
import type { SyntaxNode } from "../../../contract/syntax.ts";
import { childByField, textOf } from "../syntax-walk.ts";
import type { ParsedPiece } from "../view.ts";

const FUNCTIONS = new Set([
  "function_definition",
  "function_declaration",
  "function_expression",
  "generator_function",
  "generator_function_declaration",
  "arrow_function",
  "method_definition",
  "method_declaration",
  "func_literal",
  "function_item",
  "closure_expression",
  "constructor_declaration",
  "local_function_statement",
  "lambda",
  "lambda_expression",
  "method",
  "singleton_method",
  "anonymous_function",
  "anonymous_function_creation_expression",
]);

export const isFunction = (node: SyntaxNode): boolean => node.isNamed && FUNCTIONS.has(node.type);

export function nameOf(piece: ParsedPiece, node: SyntaxNode): string {
  const own = childByField(node, "name") ?? childByField(node, "declarator");
  return own ? /^[^(\n]{0,200}/.exec(textOf(piece, own))![0].trim() : "";
}

/** The statements of a function's body, its docstring and comments aside. */
export function statementsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const body = childByField(node, "body");
  if (!body) return [];
  if (!/block|body|statement/.test(body.type)) return [body];
  const own = body.children.flatMap((child) => (child.type === "statement_list" ? child.children : [child]));
  return own.filter(
    ({ isNamed, type, children }) =>
      isNamed && !/comment/.test(type) && !(type === "expression_statement" && children[0]?.type === "string"),
  );
}

export function parametersOf(piece: ParsedPiece, node: SyntaxNode): readonly string[] {
  const list = childByField(node, "parameters") ?? childByField(node, "parameter");
  if (!list) return [];
  const names: string[] = [];
  for (const one of list.type === "identifier" ? [list] : list.children) {
    if (!one.isNamed) continue;
    const name = childByField(one, "name") ?? childByField(one, "pattern") ?? one;
    const word = /[\p{L}_$][\p{L}\p{N}_$]*/u.exec(textOf(piece, name).slice(0, 200))?.[0];
    if (word) names.push(word);
  }
  return names;
}
