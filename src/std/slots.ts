// The instants at which the clocks of a zone show certain labels, through gaps and through hours that come twice.
import type { Labels } from "./labels.ts";
import { FIRST_INSTANT, LAST_INSTANT, type Stretch, type Zone } from "./zone.ts";

/**
 * `once`: each label has one instant, which is its first, or the first after the gap that it is lost in. `each`: every real minute whose
 * label is meant, so none in a gap and two in an hour that comes twice.
 */
export type Reading = "once" | "each";

interface Due {
  readonly newest: readonly number[];
  readonly older?: { readonly first: number; readonly last: number; readonly count: number };
  readonly next?: number;
}

interface Slots {
  readonly zone: string;
  due(since: number, until: number, most: number): Due;
}

export function slotsOf(labels: Labels, reading: Reading, zone: Zone): Slots {
  /** From one instant on and below another, in one stretch. */
  const range = ({ from, until, offset, reached }: Stretch, low: number, high: number): readonly [from: number, to: number] => {
    const begin = Math.max(low, from) + offset;
    return [reading === "once" ? Math.max(begin, reached) : begin, Math.min(high, until) + offset];
  };
  /** Whether the first instant of a stretch stands for labels that were lost before it, and for none of its own. */
  const standsIn = ({ from, offset, reached }: Stretch): boolean =>
    reading === "once" &&
    reached < from + offset &&
    labels.count(reached, from + offset) > 0 &&
    labels.count(from + offset, from + offset + 1) === 0;

  const countIn = (stretch: Stretch, low: number, high: number): number =>
    labels.count(...range(stretch, low, high)) + (low <= stretch.from && stretch.from < high && standsIn(stretch) ? 1 : 0);
  const firstIn = (stretch: Stretch, low: number, high: number): number | undefined => {
    if (low <= stretch.from && stretch.from < high && standsIn(stretch)) return stretch.from;
    const label = labels.first(...range(stretch, low, high));
    return label === undefined ? undefined : label - stretch.offset;
  };
  const lastIn = (stretch: Stretch, low: number, high: number): number | undefined => {
    const label = labels.last(...range(stretch, low, high));
    if (label !== undefined) return label - stretch.offset;
    return low <= stretch.from && stretch.from < high && standsIn(stretch) ? stretch.from : undefined;
  };

  /** The same over all stretches, from one instant on and below another. */
  const count = (low: number, high: number): number => {
    let sum = 0;
    for (let at = low; at < high; ) {
      const stretch = zone.stretchAt(at);
      sum += countIn(stretch, low, high);
      at = stretch.until;
    }
    return sum;
  };
  const first = (low: number, high: number): number | undefined => {
    for (let at = low; at < high; ) {
      const stretch = zone.stretchAt(at);
      const found = firstIn(stretch, low, high);
      if (found !== undefined) return found;
      at = stretch.until;
    }
    return undefined;
  };
  const last = (low: number, high: number): number | undefined => {
    for (let at = high; at > low; ) {
      const stretch = zone.stretchAt(at - 1);
      const found = lastIn(stretch, low, high);
      if (found !== undefined) return found;
      at = stretch.from;
    }
    return undefined;
  };

  return {
    zone: zone.name,
    due(since, until, most) {
      const [low, high] = [bounded(Math.floor(since) + 1), bounded(Math.floor(until) + 1)];
      const newest: number[] = [];
      for (let end = high; newest.length < most; ) {
        const found = last(low, end);
        if (found === undefined) break;
        newest.push(found);
        end = found;
      }
      newest.reverse();
      const rest = newest[0] ?? high;
      const oldest = newest.length < most ? undefined : first(low, rest);
      const next = first(high, LAST_INSTANT);
      return {
        newest,
        ...(oldest === undefined ? {} : { older: { first: oldest, last: last(low, rest)!, count: count(low, rest) } }),
        ...(next === undefined ? {} : { next }),
      };
    },
  };
}

/** There are no slots but in the years of which the clocks are known. */
const bounded = (instant: number): number => Math.min(Math.max(instant, FIRST_INSTANT), LAST_INSTANT);
