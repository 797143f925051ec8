// A loop as a Mermaid flowchart. Labels are strangers' words: whatever could act in Mermaid, HTML or a directive is written as its number.
import type { Anatomy, AnatomyEdge, AnatomyNode } from "../contract/anatomy.ts";
import { displayLine } from "../std/display-text.ts";
import { folded } from "./fold.ts";

/** Mermaid draws five hundred edges and no more; people see far fewer. */
const MOST_EDGES = 450;
const MOST_LABEL = 80;

export function toMermaid(anatomy: Anatomy): string {
  const { nodes, edges } = fitting(anatomy);
  const groups = KINDS.flatMap(({ kind, title }) => {
    const its = nodes.filter((node) => node.kind === kind);
    return its.length === 0 ? [] : [`  subgraph all_${kind}["${title}"]`, ...its.map((node) => `    ${drawn(node)}`), "  end"];
  });
  return `${["flowchart LR", ...groups, ...edges.map((edge) => `  ${line(edge)}`)].join("\n")}\n`;
}

function fitting(anatomy: Anatomy): Anatomy {
  for (const most of [40, 20, 10, 5]) {
    const less = folded(anatomy, most);
    if (less.edges.length <= MOST_EDGES) return less;
  }
  const least = folded(anatomy, 5);
  return { ...least, edges: least.edges.slice(0, MOST_EDGES) };
}

/** In the order in which they are drawn. */
const KINDS: readonly { readonly kind: AnatomyNode["kind"]; readonly title: string }[] = [
  { kind: "trigger", title: "trigger" },
  { kind: "input", title: "inputs" },
  { kind: "gather", title: "gathered" },
  { kind: "memory", title: "memory" },
  { kind: "guard", title: "guards" },
  { kind: "maker", title: "makers" },
  { kind: "verifier", title: "verifiers" },
  { kind: "gate", title: "gate" },
  { kind: "action", title: "actions" },
  { kind: "child", title: "loops inside" },
  { kind: "end", title: "ends" },
];

const SHAPES: { readonly [K in AnatomyNode["kind"]]: readonly [open: string, close: string] } = {
  trigger: ["([", "])"],
  input: ["[/", "/]"],
  gather: ["[/", "/]"],
  memory: ["[(", ")]"],
  guard: ["[[", "]]"],
  maker: ["[", "]"],
  verifier: ["{{", "}}"],
  gate: ["{", "}"],
  action: [">", "]"],
  child: ["[[", "]]"],
  end: ["((", "))"],
};

function drawn(node: AnatomyNode): string {
  const [open, close] = SHAPES[node.kind];
  const says = node.says === "" || node.says === node.name ? "" : `: ${node.says}`;
  return `${idOf(node.id)}${open}"${label(`${node.name}${says}`)}"${close}`;
}

function line({ from, to, kind, says }: AnatomyEdge): string {
  const text = says === "" ? kind : `${kind}: ${says}`;
  const arrow = kind === "feedback" ? "-.->" : kind === "ends" || kind === "guards" ? "-.-" : "-->";
  return `${idOf(from)} ${arrow}|"${label(text)}"| ${idOf(to)}`;
}

/** `end` at the beginning of a name would end a group. */
const idOf = (id: string): string => `n_${id}`;

const label = (text: string): string =>
  displayLine(text, MOST_LABEL).replace(/[^\p{L}\p{N} .,:_/+()=…-]/gu, (char) => `#${char.codePointAt(0)};`) || "-";
