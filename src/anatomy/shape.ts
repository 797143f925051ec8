// Questions about the shape of a loop: what hangs on what, how deep and how wide its makers stand. Pure.
import { type Anatomy, type MakerNode, nodesOf } from "../contract/anatomy.ts";

/** Makers in the order in which they can work: those of one row wait for the rows before, and for nobody in it. Circles count once. */
export function rowsOf(anatomy: Anatomy): readonly (readonly MakerNode[])[] {
  const makers = nodesOf(anatomy, "maker").filter(({ isSpare }) => !isSpare);
  const known = new Map(makers.map((maker) => [maker.id, maker]));
  const waits = new Map<string, string[]>(makers.map(({ id }) => [id, []]));
  for (const { from, to, kind } of anatomy.edges) {
    if (kind === "reads" && known.has(from) && from !== to) waits.get(to)?.push(from);
  }
  const rows: MakerNode[][] = [];
  const placed = new Set<string>();
  let left: readonly MakerNode[] = makers;
  while (left.length > 0) {
    const free = left.filter(({ id }) => (waits.get(id) ?? []).every((before) => placed.has(before)));
    // A circle has no beginning: it is taken as it is written.
    const row = free.length > 0 ? free : left.slice(0, 1);
    rows.push([...row]);
    for (const { id } of row) placed.add(id);
    left = left.filter(({ id }) => !placed.has(id));
  }
  return rows;
}
