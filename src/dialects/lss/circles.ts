// Finds who waits for themselves among things that wait for each other.

interface Waiting {
  readonly name: string;
  readonly after: readonly string[];
}

const MOST_CIRCLES = 20;

/**
 * A way around each circle that a walk meets, and so at least one if there are any. In time linear in what is given, and without
 * recursion: lists may be long. Names that are not among them are passed over.
 */
export function circlesOf(things: readonly Waiting[]): readonly (readonly string[])[] {
  const after = new Map(things.map((thing) => [thing.name, thing.after]));
  const done = new Set<string>();
  const circles: string[][] = [];
  for (const { name } of things) {
    if (circles.length >= MOST_CIRCLES) return circles;
    if (!done.has(name)) walk(name, after, done, circles);
  }
  return circles;
}

function walk(from: string, after: ReadonlyMap<string, readonly string[]>, done: Set<string>, circles: string[][]): void {
  const way = [{ name: from, next: 0 }];
  const places = new Map([[from, 0]]);
  for (let at = way.at(-1); at !== undefined; at = way.at(-1)) {
    const other = after.get(at.name)?.[at.next];
    at.next += 1;
    if (other === undefined) {
      way.pop();
      places.delete(at.name);
      done.add(at.name);
      continue;
    }
    const place = places.get(other);
    if (place !== undefined && circles.length < MOST_CIRCLES) circles.push(way.slice(place).map(({ name }) => name));
    if (place !== undefined || done.has(other) || !after.has(other)) continue;
    places.set(other, way.length);
    way.push({ name: other, next: 0 });
  }
}
