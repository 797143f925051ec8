// How much there is to a loop: what stands in it, how it hangs together, and how often models are called at most.
import { type Anatomy, callsARound, callsARun, nodesOf } from "../contract/anatomy.ts";
import { rowsOf } from "./shape.ts";

export interface Complexity {
  readonly band: "simple" | "moderate" | "high" | "very high";
  /** Ways through it that do not follow from each other: edges − nodes + 2 × pieces. */
  readonly ways: number;
  readonly nodes: number;
  readonly edges: number;
  /** Parts of it that nothing connects. */
  readonly pieces: number;
  readonly makers: number;
  readonly checks: number;
  readonly waysBack: number;
  readonly ends: number;
  readonly children: number;
  /** How many makers wait for each other, one after the other, and how many work at once. */
  readonly depth: number;
  readonly width: number;
  /** How often somebody is called in a round at most, in loops inside too; null where nobody knows what one of these does. */
  readonly callsARound: number | null;
  /** In a run; null where nothing bounds its rounds, or those of a loop inside. */
  readonly callsARun: number | null;
}

const BANDS = [
  { most: 10, band: "simple" },
  { most: 30, band: "moderate" },
  { most: 100, band: "high" },
] as const;

export function complexityOf(anatomy: Anatomy): Complexity {
  const rows = rowsOf(anatomy);
  const makers = rows.flat();
  const checks = nodesOf(anatomy, "verifier");
  const pieces = piecesOf(anatomy);
  const ways = Math.max(1, anatomy.edges.length - anatomy.nodes.length + 2 * pieces);
  return {
    band: BANDS.find(({ most }) => ways <= most)?.band ?? "very high",
    ways,
    nodes: anatomy.nodes.length,
    edges: anatomy.edges.length,
    pieces,
    makers: makers.length,
    checks: checks.length,
    waysBack: anatomy.edges.filter(({ kind }) => kind === "feedback").length,
    ends: nodesOf(anatomy, "end").length,
    children: nodesOf(anatomy, "child").length + makers.filter(({ inside }) => inside !== undefined).length,
    depth: rows.length,
    width: Math.max(0, ...rows.map((row) => row.length)),
    callsARound: callsARound(anatomy),
    callsARun: callsARun(anatomy),
  };
}

function piecesOf({ nodes, edges }: Anatomy): number {
  const parent = new Map(nodes.map(({ id }) => [id, id]));
  const rootOf = (id: string): string => {
    let at = id;
    for (let up = parent.get(at); up !== undefined && up !== at; up = parent.get(at)) {
      parent.set(at, parent.get(up) ?? up);
      at = up;
    }
    return at;
  };
  for (const { from, to } of edges) parent.set(rootOf(from), rootOf(to));
  return nodes.filter(({ id }) => rootOf(id) === id).length;
}
