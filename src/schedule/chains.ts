// Loops that wake one another: no circle, and no chain longer than the bound.

/** How many loops may wake one another in a row. */
export const LONGEST_CHAIN = 8;

export type ChainProblem = { readonly kind: "circle" | "too-long"; readonly path: readonly string[] };

/** What is wrong with a loop's `loop` triggers, given by which loops every known loop is woken; undefined where nothing is. */
export function chainProblem(loop: string, wokenBy: ReadonlyMap<string, readonly string[]>): ChainProblem | undefined {
  const before = longest(loop, (name) => wokenBy.get(name) ?? []);
  if (before.kind === "circle") return { kind: "circle", path: before.path.toReversed() };
  const wakes = new Map<string, string[]>();
  for (const [woken, wakers] of wokenBy) for (const waker of wakers) wakes.set(waker, [...(wakes.get(waker) ?? []), woken]);
  const after = longest(loop, (name) => wakes.get(name) ?? []);
  if (after.kind === "circle") return { kind: "circle", path: after.path };
  const path = [...before.path.toReversed(), ...after.path.slice(1)];
  return path.length > LONGEST_CHAIN ? { kind: "too-long", path } : undefined;
}

type Way = { readonly kind: "path" | "circle"; readonly path: readonly string[] };

/** The longest way from here, or a circle that goes through here. Circles elsewhere are refused where they were made. */
function longest(start: string, next: (loop: string) => readonly string[]): Way {
  const known = new Map<string, readonly string[]>();
  let circle: readonly string[] | undefined;
  const walk = (loop: string, way: readonly string[]): readonly string[] => {
    const before = known.get(loop);
    if (before) return before;
    let best: readonly string[] = [loop];
    for (const other of next(loop)) {
      if (other === start) circle = [...way, loop, start];
      if (other === start || other === loop || way.includes(other)) continue;
      const rest = walk(other, [...way, loop]);
      if (rest.length + 1 > best.length) best = [loop, ...rest];
    }
    known.set(loop, best);
    return best;
  };
  const path = walk(start, []);
  return circle ? { kind: "circle", path: circle } : { kind: "path", path };
}

export function tellChain({ kind, path }: ChainProblem): string {
  const way = path.join(" → ");
  return kind === "circle"
    ? `its loop triggers make a circle: ${way}; take one of them away`
    : `its loop triggers make a chain of ${path.length}, and ${LONGEST_CHAIN} is the most: ${way}`;
}
