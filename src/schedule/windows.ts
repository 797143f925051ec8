// When a loop may wake: windows of local time, as questions about instants.
import type { Wake, Window } from "../contract/spec.ts";
import { parseMinute, WEEKDAYS } from "../std/week-time.ts";
import { LAST_INSTANT, labelAt, type Zone, zoneOf } from "../std/zone.ts";

export interface Windows {
  isOpen(at: number): boolean;
  /** The end of the open time that this instant is in; undefined where it is shut, or does not end. */
  shuts(at: number): number | undefined;
  /** The next instant at which it is open, which may be this one; undefined where none comes. */
  opens(at: number): number | undefined;
}

/**
 * Open in any of `within` and in none of `not`. A window is open while the clocks of its zone show a time of it: longer where an hour
 * comes twice, shorter where one is left out.
 */
export function windowsOf({ within, not }: Pick<Wake, "within" | "not">): Windows {
  const allowed = within?.map(shapeOf);
  const forbidden = not?.map(shapeOf) ?? [];
  const allowing = (at: number): readonly Shape[] | undefined => allowed?.filter((shape) => isIn(shape, at));
  const forbidding = (at: number): readonly Shape[] => forbidden.filter((shape) => isIn(shape, at));
  const isOpen = (at: number): boolean => allowing(at)?.length !== 0 && forbidding(at).length === 0;
  const horizonFrom = (at: number): number =>
    Math.min(Math.max(at, ...[...(allowed ?? []), ...forbidden].map(lastDate)) + HORIZON, Math.max(at + HORIZON, LAST_INSTANT));

  /** Nothing that is shut opens before then. */
  const mayOpen = (at: number): number =>
    allowing(at)?.length === 0 ? first(allowed ?? [], at) : Math.max(...forbidding(at).map((shape) => edgeAfter(shape, at)));
  /** Nothing that is open shuts before then. */
  const mayShut = (at: number): number =>
    Math.min(first(forbidden, at), Math.max(...(allowing(at)?.map((shape) => edgeAfter(shape, at)) ?? [Number.POSITIVE_INFINITY])));
  return {
    isOpen,
    shuts(at) {
      if (!isOpen(at)) return undefined;
      const horizon = horizonFrom(at);
      for (let instant = mayShut(at); instant < horizon; instant = mayShut(instant)) if (!isOpen(instant)) return instant;
      return undefined;
    },
    opens(at) {
      const horizon = horizonFrom(at);
      for (let instant = at; instant < horizon; instant = mayOpen(instant)) if (isOpen(instant)) return instant;
      return undefined;
    },
  };
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Weeks repeat, and so do the changes of the clocks within a year: what did not come until then does not come. */
const HORIZON = 400 * DAY_MS;

/** A window ready to be asked. Days are counted from 1970. */
interface Shape {
  readonly zone: Zone;
  /** After the midnight that a day of it begins with. It ends at most a day after it begins. */
  readonly begin: number;
  readonly end: number;
  /** Whether it begins on this day. */
  readonly isOn: (day: number) => boolean;
  /** The next day, from this one on, on which it begins. */
  readonly nextOn: (day: number) => number;
  /** Undefined where it is not about dates. */
  readonly lastDay: number | undefined;
  readonly isAlways: boolean;
}

function shapeOf({ days, dates, from, to, zone: name }: Window): Shape {
  const zone = zoneOf(name);
  // Whoever reads a spec refuses it.
  if (!zone) throw new Error(`there is no time zone ${name} on this machine`);
  const [begin, ends] = [parseMinute(from)! * MINUTE_MS, parseMinute(to)! * MINUTE_MS];
  const end = ends > begin ? ends : ends + DAY_MS;
  const isOnWeekday = (day: number): boolean => days === undefined || days.includes(WEEKDAYS[(((day + 4) % 7) + 7) % 7]!);
  const common = { zone, begin, end };
  if (dates === undefined)
    return {
      ...common,
      isOn: isOnWeekday,
      nextOn: (day) => [0, 1, 2, 3, 4, 5, 6].map((ahead) => day + ahead).find(isOnWeekday) ?? Number.POSITIVE_INFINITY,
      lastDay: undefined,
      isAlways: end - begin === DAY_MS && new Set(days ?? WEEKDAYS).size === 7,
    };
  const listed = dates
    .map((date) => Date.parse(date) / DAY_MS)
    .filter(isOnWeekday)
    .sort((a, b) => a - b);
  const known = new Set(listed);
  return {
    ...common,
    isOn: (day) => known.has(day),
    nextOn: (day) => listed.find((other) => other >= day) ?? Number.POSITIVE_INFINITY,
    lastDay: listed.at(-1) ?? Number.NEGATIVE_INFINITY,
    isAlways: false,
  };
}

function isIn({ zone, begin, end, isOn, isAlways }: Shape, at: number): boolean {
  if (isAlways) return true;
  const label = labelAt(zone, at);
  const today = Math.floor(label / DAY_MS);
  return [today - 1, today].some((day) => isOn(day) && label >= day * DAY_MS + begin && label < day * DAY_MS + end);
}

const first = (shapes: readonly Shape[], at: number): number => Math.min(...shapes.map((shape) => edgeAfter(shape, at)));

/** The next instant at which it may open or shut: a beginning or an end of it, or a change of the clocks. */
function edgeAfter({ zone, begin, end, nextOn, isAlways }: Shape, at: number): number {
  if (isAlways) return Number.POSITIVE_INFINITY;
  const { offset, until } = zone.stretchAt(at);
  const label = at + offset;
  const edges = (day: number): readonly number[] => [day * DAY_MS + begin, day * DAY_MS + end].filter((edge) => edge > label);
  const yesterday = nextOn(Math.floor(label / DAY_MS) - 1);
  const today = nextOn(yesterday + 1);
  const later = nextOn(today + 1);
  return Math.min(until, ...[yesterday, today, later].flatMap(edges).map((edge) => edge - offset));
}

const lastDate = ({ lastDay }: Shape): number => (lastDay === undefined ? Number.NEGATIVE_INFINITY : (lastDay + 2) * DAY_MS);
