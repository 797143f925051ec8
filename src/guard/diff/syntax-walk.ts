// Ways through a syntax tree: every node in order, the text of one, the child with a role.
import type { SyntaxNode } from "../../contract/syntax.ts";

/** Calls for every node from the top; a visit that returns false is not followed by its children. */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode, parents: readonly SyntaxNode[]) => boolean | undefined): void {
  const parents: SyntaxNode[] = [];
  const step = (at: SyntaxNode): void => {
    if (visit(at, parents) === false) return;
    parents.push(at);
    for (const child of at.children) step(child);
    parents.pop();
  };
  step(node);
}

export const textOf = (piece: { readonly text: string }, node: SyntaxNode): string => piece.text.slice(node.start, node.end);

export const childByField = (node: SyntaxNode, name: string): SyntaxNode | undefined => node.children.find(({ field }) => field === name);
