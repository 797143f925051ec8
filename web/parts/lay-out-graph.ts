// Where the nodes of a loop's graph stand: columns by dagre, left to right, in the order in which a round goes through them.
import { graphlib, layout } from "@dagrejs/dagre";
import type { GraphEdge, GraphNode, LoopGraph } from "../../src/contract/api.ts";

export interface PlacedNode extends GraphNode {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface PlacedEdge extends GraphEdge {
  readonly path: string;
}

export interface PlacedGraph {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly columns: readonly { readonly x: number; readonly name: string }[];
  /** The way back, where a round is refused with a lesson. */
  readonly lesson: { readonly path: string; readonly x: number; readonly y: number; readonly count: number } | undefined;
}

const COLUMNS: { readonly [K in GraphNode["kind"]]: string } = {
  trigger: "Trigger",
  gather: "Gather",
  maker: "Maker",
  verifier: "Verifiers, a room each",
  gate: "Gate",
  action: "Actions",
};
const HEAD = 28;
const HEIGHT = 44;
const CHAR = 6.9;
/** Room for its name and its count in the first line, and for what it says and what it refused in the second. */
function widthOf({ part, says, counts }: GraphNode): number {
  const refused = counts.refused > 0 ? `${counts.refused} refused`.length + 2 : 0;
  const longest = Math.max(part.length + String(counts.done).length + 2, Math.min(24, says.length) + refused);
  return Math.max(112, Math.min(220, 24 + CHAR * longest));
}

export function layOutGraph({ nodes, edges }: LoopGraph): PlacedGraph {
  const graph = new graphlib.Graph({ multigraph: false });
  graph.setGraph({ rankdir: "LR", nodesep: 8, ranksep: 44, marginx: 1, marginy: 1 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(node.id, { width: widthOf(node), height: HEIGHT });
  const known = new Set(nodes.map(({ id }) => id));
  const flow = edges.filter(({ kind, from, to }) => kind === "flow" && known.has(from) && known.has(to));
  for (const { from, to } of flow) graph.setEdge(from, to);
  layout(graph);
  const placed = nodes.map((node): Mutable<PlacedNode> => {
    const { x = 0, y = 0, width = 0, height = 0 } = graph.node(node.id);
    return { ...node, x: x - width / 2, y: y - height / 2 + HEAD, width, height };
  });
  keepOrder(placed);
  const byId = new Map(placed.map((node) => [node.id, node]));
  const drawn = flow.flatMap((edge): readonly PlacedEdge[] => {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    return from && to ? [{ ...edge, path: curve(from, to) }] : [];
  });
  const bottom = Math.max(HEAD, ...placed.map(({ y, height }) => y + height));
  const lesson = wayBack(edges, byId, bottom);
  const kinds = [...new Set(placed.map(({ kind }) => kind))];
  return {
    width: Math.max(1, ...placed.map(({ x, width }) => x + width)) + 2,
    height: bottom + (lesson ? 40 : 4),
    nodes: placed,
    edges: drawn,
    columns: kinds.map((kind) => ({ x: Math.min(...placed.filter((node) => node.kind === kind).map(({ x }) => x)), name: COLUMNS[kind] })),
    lesson,
  };
}

const middleOf = ({ x, width }: { readonly x: number; readonly width: number }): number => Math.round(x + width / 2);

/** Parts of one column stand in the order of the spec. */
function keepOrder(placed: { x: number; y: number; width: number }[]): void {
  const middles = [...new Set(placed.map(middleOf))];
  for (const middle of middles) {
    const column = placed.filter((node) => middleOf(node) === middle);
    const ys = column.map(({ y }) => y).toSorted((one, other) => one - other);
    for (const [index, node] of column.entries()) node.y = ys[index] ?? node.y;
  }
}

function curve(from: PlacedNode, to: PlacedNode): string {
  const [x1, y1, x2, y2] = [from.x + from.width, from.y + from.height / 2, to.x, to.y + to.height / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}

/** One dashed line for all lessons, under everything, back to where the next round begins. */
function wayBack(edges: readonly GraphEdge[], byId: ReadonlyMap<string, PlacedNode>, bottom: number): PlacedGraph["lesson"] {
  const lessons = edges.filter(({ kind }) => kind === "lesson");
  const [first] = lessons;
  const [from, to] = [byId.get(first?.from ?? ""), byId.get(first?.to ?? "")];
  if (!first || !from || !to) return undefined;
  const lowest = [...byId.values()].filter(({ x }) => Math.abs(x - from.x) < 8).reduce((low, node) => (node.y > low.y ? node : low), from);
  const [x1, x2, y] = [lowest.x + lowest.width / 2, to.x + to.width / 2, bottom + 20];
  const path = `M${x1} ${lowest.y + lowest.height}V${y - 8}a8 8 0 0 1-8 8H${x2 + 8}a8 8 0 0 1-8-8V${to.y + to.height + 2}`;
  return { path, x: (x1 + x2) / 2, y, count: lessons.reduce((sum, { count }) => sum + count, 0) };
}
