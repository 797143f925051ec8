// Labels: what a clock on a wall shows, wherever it hangs. Sets of them, of days times minutes of the day, that are counted and not walked.

/** Minutes of the day, ascending. */
export interface Minutes {
  readonly count: number;
  /** How many come before this one. */
  before(minute: number): number;
  nth(index: number): number;
}

/** The days of a month that are meant, as bits: bit 1 is the first. `month` is counted from 0. */
export type DaysOf = (year: number, month: number) => number;

/** In labels, which are milliseconds: see `zone.ts`. */
export interface Labels {
  /** How many there are from one label on and below another. */
  count(from: number, to: number): number;
  /** The first from one label on and below another. */
  first(from: number, to: number): number | undefined;
  last(from: number, to: number): number | undefined;
}

export function labelsOf(daysOf: DaysOf, minutes: Minutes): Labels {
  /** How many labels of its month come before one. */
  const inMonth = ({ year, month, day, minute }: Reading): number => {
    const days = daysOf(year, month);
    return bitsOf(days & below(day)) * minutes.count + (days & bit(day) ? minutes.before(minute) : 0);
  };
  return {
    count(from, to) {
      if (to <= from) return 0;
      const [begin, end] = [read(from), read(to)];
      let count = inMonth(end) - inMonth(begin);
      for (let at = monthNumber(begin); at < monthNumber(end); at += 1) count += bitsOf(daysIn(at, daysOf)) * minutes.count;
      return count;
    },
    first(from, to) {
      if (to <= from) return undefined;
      const begin = read(from);
      const today = daysIn(monthNumber(begin), daysOf);
      const index = minutes.before(begin.minute);
      if (today & bit(begin.day) && index < minutes.count) return within(labelOf(begin, begin.day, minutes.nth(index)), from, to);
      let days = today & ~below(begin.day + 1);
      for (let at = monthNumber(begin); ; at += 1, days = daysIn(at, daysOf)) {
        if (days !== 0) return within(labelOf(monthOf(at), lowestBit(days), minutes.nth(0)), from, to);
        if (startOf(at + 1) >= to) return undefined;
      }
    },
    last(from, to) {
      if (to <= from) return undefined;
      const end = read(to);
      const today = daysIn(monthNumber(end), daysOf);
      const index = minutes.before(end.minute) - 1;
      if (today & bit(end.day) && index >= 0) return within(labelOf(end, end.day, minutes.nth(index)), from, to);
      let days = today & below(end.day);
      for (let at = monthNumber(end); ; at -= 1, days = daysIn(at, daysOf)) {
        if (days !== 0) return within(labelOf(monthOf(at), highestBit(days), minutes.nth(minutes.count - 1)), from, to);
        if (startOf(at) <= from) return undefined;
      }
    },
  };
}

/** These minutes of the day. */
export function minutesAt(minutesOfDay: readonly number[]): Minutes {
  const sorted = [...new Set(minutesOfDay)].sort((a, b) => a - b);
  return { count: sorted.length, before: (minute) => rank(sorted, minute), nth: (index) => sorted[index]! };
}

/** Each of these minutes of each of these hours. */
export function minutesOf(hours: readonly number[], minutes: readonly number[]): Minutes {
  return {
    count: hours.length * minutes.length,
    before(minute) {
      const [hour, rest] = [Math.floor(minute / 60), minute % 60];
      const index = rank(hours, hour);
      return index * minutes.length + (hours[index] === hour ? rank(minutes, rest) : 0);
    },
    nth: (index) => hours[Math.floor(index / minutes.length)]! * 60 + minutes[index % minutes.length]!,
  };
}

/** All days of a month. */
export const everyDay: DaysOf = (year, month) => below(daysInMonth(year, month) + 1) & ~1;

/** The days of a month that are on these days of the week, as bits too: bit 0 is Sunday. */
export const onWeekdays =
  (weekdays: number): DaysOf =>
  (year, month) => {
    const first = firstWeekday(year, month);
    let week = 0;
    for (let day = 1; day <= 7; day += 1) if (weekdays & bit((first + day - 1) % 7)) week |= bit(day);
    return (week | (week << 7) | (week << 14) | (week << 21) | (week << 28)) & everyDay(year, month);
  };

export const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/** Of the first of a month; Sunday is 0. */
export const firstWeekday = (year: number, month: number): number => new Date(Date.UTC(year, month, 1)).getUTCDay();

export const bit = (day: number): number => 1 << day;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A label between two minutes is read as the later one: what is from it on, or below it, is the same. */
interface Reading {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly minute: number;
}

function read(label: number): Reading {
  const whole = Math.ceil(label / MINUTE_MS) * MINUTE_MS;
  const date = new Date(whole);
  const minute = (whole - Math.floor(whole / DAY_MS) * DAY_MS) / MINUTE_MS;
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate(), minute };
}

const labelOf = ({ year, month }: { readonly year: number; readonly month: number }, day: number, minute: number): number =>
  Date.UTC(year, month, day, 0, minute);

const within = (label: number, from: number, to: number): number | undefined => (label >= from && label < to ? label : undefined);

/** Months in a row, so that the one before January is the December of another year. */
const monthNumber = ({ year, month }: { readonly year: number; readonly month: number }): number => year * 12 + month;
const monthOf = (number: number): { readonly year: number; readonly month: number } => ({
  year: Math.floor(number / 12),
  month: number - Math.floor(number / 12) * 12,
});
const startOf = (number: number): number => labelOf(monthOf(number), 1, 0);

function daysIn(number: number, daysOf: DaysOf): number {
  const { year, month } = monthOf(number);
  return daysOf(year, month);
}

/** How many of an ascending list are below a value. */
function rank(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const below = (day: number): number => (day >= 32 ? -1 : bit(day) - 1);
const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);
const highestBit = (bits: number): number => 31 - Math.clz32(bits);

function bitsOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
