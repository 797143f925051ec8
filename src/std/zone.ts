// Time zones by their IANA names: when their clocks were changed, as one table for each zone that whoever asks shares.
import { closest } from "./closest.ts";

/**
 * A time during which a zone's clocks went on evenly. A label is what they show, as the milliseconds of UTC at which UTC's clocks show
 * the same, so that it can be reckoned with.
 */
export interface Stretch {
  /** Instants: the first, and the first that is not in it any more. */
  readonly from: number;
  readonly until: number;
  /** A label less its instant. */
  readonly offset: number;
  /** Every label below this was shown or skipped before. More than the first one's label after clocks were set back, less after a gap. */
  readonly reached: number;
}

export interface Zone {
  readonly name: string;
  /** Stretches also end with every year of UTC, so that no more of the table is made than is asked for. */
  stretchAt(instant: number): Stretch;
}

/** The years that tables are made for. Nothing is said of other years but that their clocks go on as on the edge. */
const [FIRST_YEAR, LAST_YEAR] = [1970, 2099];
export const FIRST_INSTANT = Date.UTC(FIRST_YEAR, 0, 1);
export const LAST_INSTANT = Date.UTC(LAST_YEAR + 1, 0, 1);

/** Undefined for a zone that this machine does not know. */
export function zoneOf(name: string): Zone | undefined {
  const known = zones.get(name) ?? makeZone(name);
  if (known) zones.set(name, known);
  return known;
}

/** What is wrong with the name of a zone, and which was meant; undefined where it is one. */
export function zoneProblem(name: string): string | undefined {
  if (zoneOf(name)) return undefined;
  if (name.trim() === "") return "is empty, and no zone is taken from the machine: write UTC to mean that";
  const guess = closest(name, Intl.supportedValuesOf("timeZone"));
  return `is no time zone that is known here${guess === undefined ? "" : `; ${guess} is one, and sounds like it`}`;
}

export const labelAt = (zone: Zone, instant: number): number => instant + zone.stretchAt(instant).offset;

/** The instants at which a label is shown: none in a gap, two after clocks were set back. */
export function instantsOf(zone: Zone, label: number): readonly number[] {
  const found = new Set<number>();
  let stretch = zone.stretchAt(label - FARTHEST);
  for (;;) {
    const instant = label - stretch.offset;
    if (instant >= stretch.from && instant < stretch.until) found.add(instant);
    if (stretch.until > label + FARTHEST) return [...found].sort((a, b) => a - b);
    stretch = zone.stretchAt(stretch.until);
  }
}

/** `2026-03-29T02:30 Europe/Berlin`. */
export const showLabel = (zone: Zone, instant: number): string =>
  `${new Date(labelAt(zone, instant)).toISOString().slice(0, 16)} ${zone.name}`;

const DAY_MS = 86_400_000;
const SECOND_MS = 1000;
/** No zone is farther than this from UTC. */
const FARTHEST = DAY_MS * 1.25;
/** Between two such instants one change is looked for: no zone's clocks were changed and changed back in less than 7 days since 1970. */
const APART = 3 * DAY_MS;

/** One of each zone. Names that are none are not kept, so that it cannot grow without end. */
const zones = new Map<string, Zone>();

function makeZone(name: string): Zone | undefined {
  const offsetAt = offsetsOf(name);
  if (!offsetAt) return undefined;
  const years = new Map<number, readonly Stretch[]>();
  const stretchesOf = (year: number): readonly Stretch[] => {
    const made = years.get(year) ?? stretchesIn(year, offsetAt);
    years.set(year, made);
    return made;
  };
  const edge = (from: number, until: number, offset: number): Stretch => ({ from, until, offset, reached: from + offset });
  return {
    name,
    stretchAt(instant) {
      if (instant < FIRST_INSTANT) return edge(Number.NEGATIVE_INFINITY, FIRST_INSTANT, stretchesOf(FIRST_YEAR)[0]!.offset);
      if (instant >= LAST_INSTANT) return edge(LAST_INSTANT, Number.POSITIVE_INFINITY, stretchesOf(LAST_YEAR).at(-1)!.offset);
      return stretchesOf(yearOf(instant)).find(({ until }) => instant < until)!;
    },
  };
}

const yearOf = (instant: number): number => new Date(instant).getUTCFullYear();

function stretchesIn(year: number, offsetAt: (instant: number) => number): readonly Stretch[] {
  const [begin, end] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)];
  // A change in the last days of the year before may have been one to labels that are shown again in this one.
  const changes = changesBetween(begin - 2 * DAY_MS, end - SECOND_MS, offsetAt);
  const cuts = [begin - 2 * DAY_MS, ...[...new Set([...changes, begin])].sort((a, b) => a - b), end];
  let reached = Number.NEGATIVE_INFINITY;
  const stretches: Stretch[] = [];
  for (const [index, from] of cuts.slice(0, -1).entries()) {
    const [until, offset] = [cuts[index + 1]!, offsetAt(from)];
    if (from >= begin) stretches.push({ from, until, offset, reached });
    reached = Math.max(reached, until + offset);
  }
  return stretches;
}

/** The instants after `from` and up to `to` from which on another offset holds. */
function changesBetween(from: number, to: number, offsetAt: (instant: number) => number): readonly number[] {
  const changes: number[] = [];
  for (let low = from; low < to; low += APART) {
    const high = Math.min(low + APART, to);
    if (offsetAt(low) !== offsetAt(high)) changes.push(firstChange(low, high, offsetAt));
  }
  return changes;
}

/** The first whole second after `low` with the offset of `high`. */
function firstChange(low: number, high: number, offsetAt: (instant: number) => number): number {
  let [before, after] = [low, high];
  const offset = offsetAt(low);
  while (after - before > SECOND_MS) {
    const middle = before + Math.floor((after - before) / 2 / SECOND_MS) * SECOND_MS;
    if (offsetAt(middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** What the calendar of this machine says of a zone; it knows zones by name, and never the one that the machine itself is in. */
export function offsetsOf(name: string): ((instant: number) => number) | undefined {
  // An offset such as +01:00 is read by some calendars and not by others, and is no zone.
  if (!/^[A-Za-z]/.test(name)) return undefined;
  if (name === "UTC") return () => 0;
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    return (instant) => {
      const [month, day, year, hour, minute, second] = (format.format(instant).match(/\d+/g) ?? []).map(Number);
      return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) - instant;
    };
  } catch {
    // What it throws says no more than that there is no such zone.
    return undefined;
  }
}
