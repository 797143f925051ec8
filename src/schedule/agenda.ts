// When each loop is to be looked at next: a heap, so that a tick costs what is due and not what exists.

export interface Agenda {
  /** In place of what stood there for this loop. */
  set(loop: string, moment: number): void;
  /** Unless it is to be looked at earlier already. */
  hasten(loop: string, moment: number): void;
  drop(loop: string): void;
  /** Takes out every loop whose moment has come, the earliest first, and by name within a moment. */
  popDue(now: number): readonly string[];
  /** The earliest moment; undefined where none comes. */
  next(): number | undefined;
  loops(): readonly string[];
}

interface Item {
  readonly moment: number;
  readonly loop: string;
}

export function newAgenda(): Agenda {
  const heap: Item[] = [];
  /** What counts: items of the heap that say something else are left over. */
  const moments = new Map<string, number>();

  const set = (loop: string, moment: number): void => {
    if (moments.get(loop) === moment) return;
    moments.set(loop, moment);
    push(heap, { moment, loop });
    // Left-over items may not outgrow what counts.
    if (heap.length > 64 + 4 * moments.size) rebuild(heap, moments);
  };
  const isLeftOver = ({ loop, moment }: Item): boolean => moments.get(loop) !== moment;
  const top = (): Item | undefined => {
    while (heap[0] && isLeftOver(heap[0])) pop(heap);
    return heap[0];
  };
  return {
    set,
    hasten(loop, moment) {
      const before = moments.get(loop);
      if (before === undefined || moment < before) set(loop, moment);
    },
    drop: (loop) => void moments.delete(loop),
    popDue(now) {
      const due: string[] = [];
      for (let first = top(); first && first.moment <= now; first = top()) {
        pop(heap);
        moments.delete(first.loop);
        due.push(first.loop);
      }
      return due;
    },
    next: () => top()?.moment,
    loops: () => [...moments.keys()],
  };
}

const isBefore = (a: Item, b: Item): boolean => a.moment < b.moment || (a.moment === b.moment && a.loop < b.loop);

function push(heap: Item[], item: Item): void {
  heap.push(item);
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(heap[at]!, heap[parent]!)) return;
    [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
    at = parent;
  }
}

function pop(heap: Item[]): void {
  const last = heap.pop();
  if (heap.length === 0 || last === undefined) return;
  heap[0] = last;
  let at = 0;
  for (;;) {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    let first = at;
    if (left < heap.length && isBefore(heap[left]!, heap[first]!)) first = left;
    if (right < heap.length && isBefore(heap[right]!, heap[first]!)) first = right;
    if (first === at) return;
    [heap[at], heap[first]] = [heap[first]!, heap[at]!];
    at = first;
  }
}

function rebuild(heap: Item[], moments: ReadonlyMap<string, number>): void {
  heap.length = 0;
  for (const [loop, moment] of moments) push(heap, { moment, loop });
}
