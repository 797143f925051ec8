// A loop drawn from its true spec, with counts from the records; the same facts as a list for readers and narrow screens.
import { useEffect, useState } from "preact/hooks";
import type { GraphNode, LoopGraph } from "../../src/contract/api.ts";
import { countOf, plural } from "../words/format.ts";
import { plainly } from "../words/shown.ts";
import type { PlacedGraph, PlacedNode } from "./lay-out-graph.ts";
import { Shown } from "./shown.tsx";

/** Text in a drawing cannot be clamped: it is cut by what fits. */
const cutTo = (text: string, width: number): string => {
  const most = Math.max(4, Math.floor((width - 24) / 6.4));
  const plain = plainly(text, 200);
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain;
};

export function Graph({ graph }: { readonly graph: LoopGraph }) {
  const [placed, setPlaced] = useState<PlacedGraph | undefined>(undefined);
  useEffect(() => {
    let isGone = false;
    void import("./lay-out-graph.ts").then(({ layOutGraph }) => {
      if (!isGone) setPlaced(layOutGraph(graph));
    });
    return () => {
      isGone = true;
    };
  }, [graph]);
  return (
    <>
      <div class="body scroller graphbox" tabIndex={0} role="group" aria-label="Loop graph, scrolls sideways">
        {placed ? <Drawing placed={placed} /> : null}
      </div>
      <ul class="partlist" aria-label="Parts of the loop">
        {graph.nodes.map((node) => (
          <li key={node.id}>
            <span class="dimmer">{node.kind}</span>
            <span class="name">
              <Shown text={node.part} /> <Shown text={node.says} />
            </span>
            <span class="dim">{countSays(node)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

const countSays = ({ counts }: GraphNode): string =>
  `${countOf(counts.done)} done${counts.refused > 0 ? `, ${countOf(counts.refused)} refused` : ""}`;

const Drawing = ({ placed }: { readonly placed: PlacedGraph }) => (
  <svg
    class="graph"
    viewBox={`0 0 ${placed.width} ${placed.height}`}
    role="img"
    aria-label={`Loop graph of ${plural(placed.nodes.length, "part")}. The same facts are in the list of parts.`}
    ref={(element) => {
      // Never larger than it is drawn: a small graph keeps its size.
      if (element) element.style.maxWidth = `${placed.width}px`;
    }}
  >
    {placed.columns.map(({ x, name }) => (
      <text class="col" key={name} x={x} y="14">
        {name}
      </text>
    ))}
    {placed.edges.map(({ from, to, path }) => (
      <path class="edge" key={`${from} ${to}`} d={path} />
    ))}
    {placed.lesson ? (
      <>
        <path class="edge back" d={placed.lesson.path} />
        <text class="sub" x={placed.lesson.x} y={placed.lesson.y + 14} text-anchor="middle">
          refused with a lesson: {countOf(placed.lesson.count)}
        </text>
      </>
    ) : null}
    {placed.nodes.map((node) => (
      <NodeBox key={node.id} node={node} />
    ))}
  </svg>
);

function NodeBox({ node }: { readonly node: PlacedNode }) {
  const { x, y, width, height, part, says, counts } = node;
  const refused = counts.refused > 0 ? `${countOf(counts.refused)} refused` : "";
  return (
    <g class="node">
      <title>{`${plainly(part, 60)} ${plainly(says, 160)}: ${countSays(node)}`}</title>
      <rect x={x} y={y} width={width} height={height} rx="6" />
      <text x={x + 12} y={y + 19}>
        {cutTo(part, width - 7 * String(counts.done).length)}
      </text>
      <text class="sub" x={x + width - 12} y={y + 19} text-anchor="end">
        {countOf(counts.done)}
      </text>
      <text class="sub" x={x + 12} y={y + 35}>
        {cutTo(says, width - 7 * refused.length)}
      </text>
      {refused ? (
        <text class="sub bad" x={x + width - 12} y={y + 35} text-anchor="end">
          {refused}
        </text>
      ) : null}
    </g>
  );
}
