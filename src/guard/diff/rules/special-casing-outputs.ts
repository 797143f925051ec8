// What a block gives out: the written-out values that it returns, prints or sets, if it does nothing else.
import type { SyntaxNode } from "../../../contract/syntax.ts";
import { childByField, textOf } from "../syntax-walk.ts";
import type { ParsedPiece } from "../view.ts";
import { type Literal, literalOf } from "./special-casing-literals.ts";

const SAYS =
  /^(print|println|echo|puts|console\.log|process\.stdout\.write|sys\.stdout\.write|stdout\.write|fmt\.Print\w*|fmt\.Fprint\w*|System\.out\.print\w*|Console\.Write\w*|printf|[\w.\]["']*\.(append|push|add|extend|push_back|write|Add|Append))$/;

const TAKES = /^(input|sys\.stdin\.readline|readline|readLine|gets|\w+\.(next|nextInt|nextLine|readLine|readline|Scan))\(\s*\)$/;

/** The values that a block gives and nothing else; undefined where it does more. Input that is taken and thrown away is nothing. */
export function answersOf(piece: ParsedPiece, block: SyntaxNode): readonly Literal[] | undefined {
  const own = literalOf(piece, block);
  if (own) return [own];
  const named = block.children.filter(({ isNamed, type }) => isNamed && !/comment/.test(type));
  switch (true) {
    case /^(block|statement_block|statement_list|compound_statement|then|body_statement|expression_statement|switch_section)$/.test(
      block.type,
    ): {
      const all: Literal[] = [];
      for (const child of named) {
        const some = answersOf(piece, child);
        if (!some) return undefined;
        all.push(...some);
      }
      return all;
    }
    case /^(for_statement|for_in_statement|enhanced_for_statement|while_statement)$/.test(block.type): {
      const body = childByField(block, "body");
      return body && answersOf(piece, body)?.length === 0 ? [] : undefined;
    }
    case /^(return_statement|return_expression|return)$/.test(block.type):
      return named.length === 0 ? [] : everyLiteral(piece, named);
    case /^(break_statement|continue_statement|pass_statement|break|continue|next|break_expression|continue_expression)$/.test(block.type):
      return [];
    case /^(call|call_expression|method_invocation|invocation_expression|echo_statement|macro_invocation|method_call)$/.test(block.type): {
      const args = childByField(block, "arguments") ?? named.find(({ type }) => /^(argument(s|_list)|token_tree)$/.test(type));
      if (TAKES.test(textOf(piece, block).slice(0, 60))) return [];
      if (!args) return block.type === "echo_statement" ? everyLiteral(piece, named) : undefined;
      const called = piece.text
        .slice(block.start, Math.min(args.start, block.start + 80))
        .trim()
        .replace(/!$/, "");
      if (!SAYS.test(called)) return undefined;
      const given = args.children.filter(({ isNamed, type }) => isNamed && type !== "keyword_argument");
      return given.length === 0 ? undefined : everyLiteral(piece, given);
    }
    case /^(assignment|assignment_expression|assignment_statement|short_var_declaration|variable_declaration|lexical_declaration|variable_declarator|local_variable_declaration|let_declaration)$/.test(
      block.type,
    ): {
      if (/declaration$/.test(block.type) && named.length === 1) return answersOf(piece, named[0]!);
      const value = childByField(block, "right") ?? childByField(block, "value");
      const literal = value && literalOf(piece, value);
      return literal ? [literal] : undefined;
    }
    default:
      return undefined;
  }
}

export const isSetting = (piece: ParsedPiece, part: SyntaxNode): boolean =>
  !/\breturn\b|[\w\])]\s*!?\(|\becho\b/.test(textOf(piece, part).slice(0, 2_000)) &&
  /[^=!<>]=[^=]/.test(textOf(piece, part).slice(0, 2_000));

export function allAnswers(piece: ParsedPiece, parts: readonly SyntaxNode[]): readonly Literal[] | undefined {
  const all = parts.map((part) => answersOf(piece, part));
  return all.every((some) => some !== undefined) ? all.flat() : undefined;
}

function everyLiteral(piece: ParsedPiece, nodes: readonly SyntaxNode[]): readonly Literal[] | undefined {
  const all = nodes.map((node) => literalOf(piece, node));
  return all.every((literal) => literal !== undefined) ? all : undefined;
}
