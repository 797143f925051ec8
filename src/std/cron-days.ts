// The days that a cron schedule means: by their number, by the end of the month, by the working day nearest to one, by the week.
import { bit, type DaysOf, daysInMonth, everyDay, firstWeekday, onWeekdays } from "./labels.ts";

/** `*` is no part: it says nothing about days. All lists are of what was written. */
export interface MonthDays {
  readonly numbers: readonly number[];
  /** `L` is 0, `L-3` is 3. */
  readonly fromEnd: readonly number[];
  /** `15W`. */
  readonly nearest: readonly number[];
  /** `LW`. */
  readonly hasLastWorkday: boolean;
}

/** Sunday is 0. */
export interface WeekDays {
  readonly numbers: readonly number[];
  /** `5L`. */
  readonly lasts: readonly number[];
  /** `mon#2`. */
  readonly nths: readonly { readonly weekday: number; readonly nth: number }[];
}

/** Months are counted from 0. Where both parts are there, either is enough. */
export function cronDays(months: readonly number[], inMonth: MonthDays | undefined, inWeek: WeekDays | undefined): DaysOf {
  const parts = [...(inMonth ? [daysByNumber(inMonth)] : []), ...(inWeek ? [daysByWeek(inWeek)] : [])];
  const meant = months.reduce((bits, month) => bits | bit(month), 0);
  return (year, month) => {
    if (!(meant & bit(month))) return 0;
    if (parts.length === 0) return everyDay(year, month);
    return parts.reduce((days, part) => days | part(year, month), 0);
  };
}

/** Whether a day comes in every eight years: the longest that anybody waits for a 29 February. */
export function comesRegularly(days: DaysOf): boolean {
  // Nearly all schedules come in every year, which takes far less to see: 28 years in a row have every kind of year among them.
  if (years(28).every((year) => MONTHS.some((month) => days(year, month) !== 0))) return true;
  const isThere = years(CYCLE + 8).flatMap((year) => MONTHS.map((month) => days(year, month) !== 0));
  let waited = 0;
  return isThere.every((is) => {
    waited = is ? 0 : waited + 1;
    return waited < 8 * 12;
  });
}

/** The calendar repeats after so many years. */
const CYCLE = 400;
const MONTHS = Array.from({ length: 12 }, (_, month) => month);
const years = (count: number): readonly number[] => Array.from({ length: count }, (_, ahead) => 2000 + ahead);

const daysByNumber =
  ({ numbers, fromEnd, nearest, hasLastWorkday }: MonthDays): DaysOf =>
  (year, month) => {
    const length = daysInMonth(year, month);
    const days = [
      ...numbers,
      ...fromEnd.map((back) => length - back).filter((day) => day >= 1),
      ...nearest.filter((day) => day <= length).map((day) => nearestWorkday(year, month, day)),
      ...(hasLastWorkday ? [nearestWorkday(year, month, length)] : []),
    ];
    return days.reduce((bits, day) => bits | bit(day), 0) & everyDay(year, month);
  };

/** In the same month. */
function nearestWorkday(year: number, month: number, day: number): number {
  const weekday = (firstWeekday(year, month) + day - 1) % 7;
  if (weekday === 6) return day > 1 ? day - 1 : day + 2;
  if (weekday === 0) return day < daysInMonth(year, month) ? day + 1 : day - 2;
  return day;
}

function daysByWeek({ numbers, lasts, nths }: WeekDays): DaysOf {
  const plain = onWeekdays(numbers.reduce((bits, weekday) => bits | bit(weekday), 0));
  return (year, month) => {
    const [first, length] = [firstWeekday(year, month), daysInMonth(year, month)];
    const nth = (weekday: number, which: number): number => 1 + ((weekday - first + 7) % 7) + (which - 1) * 7;
    const days = [
      ...lasts.map((weekday) => (nth(weekday, 5) <= length ? nth(weekday, 5) : nth(weekday, 4))),
      ...nths.map(({ weekday, nth: which }) => nth(weekday, which)).filter((day) => day <= length),
    ];
    return days.reduce((bits, day) => bits | bit(day), plain(year, month));
  };
}
