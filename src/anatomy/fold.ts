// A loop of many parts as one that can be looked at: of each kind the first, and how many more there are.
import type { Anatomy, AnatomyEdge, AnatomyNode } from "../contract/anatomy.ts";

/** The same anatomy where no kind has more than so many; what is folded away is counted, and its edges go to where it stands. */
export function folded(anatomy: Anatomy, mostOfKind: number): Anatomy {
  const seen = new Map<string, number>();
  const into = new Map<string, string>();
  const nodes: AnatomyNode[] = [];
  for (const node of anatomy.nodes) {
    const number = (seen.get(node.kind) ?? 0) + 1;
    seen.set(node.kind, number);
    if (number <= mostOfKind) nodes.push(node);
    else into.set(node.id, `${node.kind}-more`);
  }
  if (into.size === 0) return anatomy;
  const rest = [...seen].filter(([, count]) => count > mostOfKind);
  const more = rest.map(([kind, count]): AnatomyNode => {
    const first = anatomy.nodes.find((node) => node.kind === kind)!;
    return { ...first, id: `${kind}-more`, name: `and ${count - mostOfKind} more`, says: "" };
  });
  const at = (id: string): string => into.get(id) ?? id;
  const edges = anatomy.edges.map((edge): AnatomyEdge => ({ ...edge, from: at(edge.from), to: at(edge.to) }));
  const once = new Map(edges.filter(({ from, to }) => from !== to).map((edge) => [`${edge.from} ${edge.to} ${edge.kind}`, edge]));
  return { ...anatomy, nodes: [...nodes, ...more], edges: [...once.values()] };
}
