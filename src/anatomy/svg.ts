// A loop as an SVG that stands alone: columns by kind, makers by who waits for whom. Strangers' words are text and nothing else.
import { type Anatomy, type AnatomyEdge, type AnatomyNode, nodesOf } from "../contract/anatomy.ts";
import { displayLine } from "../std/display-text.ts";
import { rowsOf } from "./shape.ts";

const BOX = { width: 190, height: 44, across: 70, down: 16, edge: 24, title: 30 };
const MOST_CHARS = 26;

interface Placed {
  readonly node: AnatomyNode;
  readonly x: number;
  readonly y: number;
}

export function toSvg(anatomy: Anatomy): string {
  const columns = columnsOf(anatomy).filter(({ nodes }) => nodes.length > 0);
  const placed = new Map(columns.flatMap(({ nodes }, column) => nodes.map((node, row) => [node.id, placeOf(node, column, row)] as const)));
  const tallest = Math.max(1, ...columns.map(({ nodes }) => nodes.length));
  const width = 2 * BOX.edge + columns.length * (BOX.width + BOX.across) - BOX.across;
  const height = 2 * BOX.edge + BOX.title + tallest * (BOX.height + BOX.down) + BOX.title;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${plain(anatomy.name, 80)}">`,
    `<title>${plain(anatomy.name, 80)}</title>`,
    "<style>text{font:13px sans-serif;fill:#1a1a1a}.k{font-size:11px;fill:#555}.n{fill:#fff;stroke:#444}.maker{fill:#e8f0fe}.verifier{fill:#e6f4ea}.gate{fill:#fef7e0}.guard{fill:#f3e8fd}.end{fill:#f1f3f4}.e{fill:none;stroke:#777}.feedback{stroke:#c5221f;stroke-dasharray:5 4}.guards,.ends{stroke:#bbb;stroke-dasharray:2 3}</style>",
    '<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="#777"/></marker></defs>',
    ...columns.map(({ title }, column) => `<text class="k" x="${xOf(column)}" y="${BOX.edge + 12}">${title}</text>`),
    ...anatomy.edges.flatMap((edge) => drawnEdge(edge, placed)),
    ...[...placed.values()].map(drawnNode),
    "</svg>",
    "",
  ].join("\n");
}

interface Column {
  readonly title: string;
  readonly nodes: readonly AnatomyNode[];
}

function columnsOf(anatomy: Anatomy): readonly Column[] {
  const of = (title: string, ...kinds: readonly AnatomyNode["kind"][]): Column => ({
    title,
    nodes: kinds.flatMap((kind) => nodesOf(anatomy, kind)),
  });
  const rows = rowsOf(anatomy);
  // A thousand makers in a row would be a picture that nobody can scroll: they then stand in as many columns as fit.
  const spare = nodesOf(anatomy, "maker").filter(({ isSpare }) => isSpare);
  const makers = rows.length <= MOST_MAKER_COLUMNS ? rows : chunks(rows.flat(), Math.ceil(rows.flat().length / MOST_MAKER_COLUMNS));
  return [
    of("trigger", "trigger"),
    of("inputs, memory, guards", "input", "gather", "memory", "guard"),
    ...makers.map((nodes, index): Column => ({ title: "makers", nodes: index === makers.length - 1 ? [...nodes, ...spare] : nodes })),
    of("loops inside", "child"),
    of("verifiers", "verifier"),
    of("gate", "gate"),
    of("actions", "action"),
    of("ends", "end"),
  ];
}

const MOST_MAKER_COLUMNS = 12;

const chunks = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));

const xOf = (column: number): number => BOX.edge + column * (BOX.width + BOX.across);

const placeOf = (node: AnatomyNode, column: number, row: number): Placed => ({
  node,
  x: xOf(column),
  y: BOX.edge + BOX.title + row * (BOX.height + BOX.down),
});

function drawnNode({ node, x, y }: Placed): string {
  const says = node.says === "" || node.says === node.name ? "" : plain(node.says, MOST_CHARS + 4);
  return `<g><title>${plain(`${node.name} ${node.says}`, 200)}</title><rect class="n ${node.kind}" x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="6"/><text x="${x + 8}" y="${y + (says === "" ? 27 : 18)}">${plain(node.name, MOST_CHARS)}</text>${says === "" ? "" : `<text class="k" x="${x + 8}" y="${y + 35}">${says}</text>`}</g>`;
}

function drawnEdge({ from, to, kind, says }: AnatomyEdge, placed: ReadonlyMap<string, Placed>): readonly string[] {
  const [start, end] = [placed.get(from), placed.get(to)];
  if (!start || !end) return [];
  const isForward = end.x > start.x;
  const [x1, y1] = [isForward ? start.x + BOX.width : start.x, start.y + BOX.height / 2];
  const [x2, y2] = [isForward ? end.x : end.x + BOX.width, end.y + BOX.height / 2];
  const bend = isForward ? BOX.across / 2 : -BOX.across / 2;
  const title = plain(says === "" ? kind : `${kind}: ${says}`, 80);
  return [
    `<path class="e ${kind}" marker-end="url(#a)" d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"><title>${title}</title></path>`,
  ];
}

const ENTITIES: { readonly [char: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const plain = (text: string, most: number): string => displayLine(text, most).replace(/[&<>"']/g, (char) => ENTITIES[char]!);
