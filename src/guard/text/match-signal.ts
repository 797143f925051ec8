// Where a signal's concepts stand close enough together to mean it.
import { type Sighting, type Sightings, worse } from "./read-concepts.ts";
import type { Signal } from "./signal.ts";
import { type How, indexOf } from "./vocabulary.ts";

export interface Match {
  readonly place: number;
  readonly start: number;
  readonly end: number;
  readonly how: How;
}

/** Matches that begin closer together are one. */
const SAME_PLACE = 6;

export function matchSignal({ seek }: Signal, text: string, sightings: Sightings, placeOf: (offset: number) => number): readonly Match[] {
  if (seek.kind === "mark")
    return [...text.matchAll(seek.pattern)].map((found) => ({
      place: placeOf(found.index),
      start: found.index,
      end: found.index + found[0].length,
      how: "plain",
    }));
  const groups = seek.all.map((group) => group.map((concept) => sightings[indexOf(concept)]!).filter((list) => list.length > 0));
  if (groups.some((group) => group.length === 0)) return [];
  const matches: Match[] = [];
  const [first, ...others] = groups;
  for (const anchor of first!.flat().sort((a, b) => a.start - b.start)) {
    if (anchor.place < (matches.at(-1)?.place ?? -Infinity) + SAME_PLACE) continue;
    const match = matchFrom(anchor, others, seek);
    if (match) matches.push(match);
  }
  return matches;
}

type Group = readonly (readonly Sighting[])[];
type Distance = { readonly kind: "near" | "sequence"; readonly within: number };

function matchFrom(anchor: Sighting, others: readonly Group[], { kind, within }: Distance): Match | undefined {
  const taken = [anchor];
  for (const group of others) {
    const from = kind === "sequence" ? taken.at(-1)!.place : anchor.place - within;
    const next = group.map((list) => nearest(list, anchor.place, from, anchor.place + within, taken)).filter((one) => one !== undefined);
    if (next.length === 0) return undefined;
    taken.push(next.reduce((best, one) => (Math.abs(one.place - anchor.place) < Math.abs(best.place - anchor.place) ? one : best)));
  }
  return {
    place: anchor.place,
    start: Math.min(...taken.map(({ start }) => start)),
    end: Math.max(...taken.map(({ end }) => end)),
    how: taken.reduce<How>((how, one) => worse(how, one.how), "plain"),
  };
}

/** The closest sighting in the range that shares no letter with those already taken. */
function nearest(list: readonly Sighting[], to: number, from: number, until: number, taken: readonly Sighting[]): Sighting | undefined {
  let best: Sighting | undefined;
  for (let index = firstFrom(list, from); index < list.length && list[index]!.place <= until; index++) {
    const one = list[index]!;
    if (best && Math.abs(one.place - to) >= Math.abs(best.place - to)) continue;
    if (taken.every((other) => one.end <= other.start || one.start >= other.end)) best = one;
  }
  return best;
}

/** The index of the first sighting at or behind a place. */
export function firstFrom(list: readonly Sighting[], place: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.place < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
