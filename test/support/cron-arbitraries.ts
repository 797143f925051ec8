// Cron schedules with what they mean, said a second time in the plainest way.
import * as fc from "fast-check";

interface Field<Asked> {
  readonly text: string;
  readonly has: (asked: Asked) => boolean;
}

export interface MeantCron {
  readonly text: string;
  readonly reading: "once" | "each";
  /** Of a label, in milliseconds. */
  readonly meant: (label: number) => boolean;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Numbers, ranges and steps of them. */
const numbers = (min: number, max: number): fc.Arbitrary<Field<number>> => {
  const one = fc.integer({ min, max });
  const value = one.map((number) => ({ text: String(number), has: (asked: number) => asked === number }));
  const range = fc
    .tuple(one, one, fc.integer({ min: 1, max: Math.max(1, Math.floor((max - min) / 2)) }), fc.boolean())
    .map(([a, b, by, isStepped]) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      const step = isStepped && high - low >= by ? by : 1;
      return {
        text: `${low}-${high}${step > 1 ? `/${step}` : ""}`,
        has: (asked: number) => asked >= low && asked <= high && (asked - low) % step === 0,
      };
    });
  const every = fc
    .integer({ min: 2, max: Math.max(2, Math.floor((max - min) / 2)) })
    .map((by) => ({ text: `*/${by}`, has: (asked: number) => (asked - min) % by === 0 }));
  return fc.oneof({ weight: 3, arbitrary: value }, range, every);
};

const star = fc.constant({ text: "*", has: () => true });

const listed = <Asked>(piece: fc.Arbitrary<Field<Asked>>): fc.Arbitrary<Field<Asked>> =>
  fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => ({
    text: pieces.map(({ text }) => text).join(","),
    has: (asked) => pieces.some(({ has }) => has(asked)),
  }));

const workdayNear = (date: Date, day: number): number => {
  const length = lengthOf(date);
  if (day > length) return 0;
  const isWorkday = (other: number): boolean => {
    const weekday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), other)).getUTCDay();
    return weekday >= 1 && weekday <= 5;
  };
  return [day, day - 1, day + 1, day - 2, day + 2].find((other) => other >= 1 && other <= length && isWorkday(other)) ?? 0;
};
const lengthOf = (date: Date): number => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();

const monthDay: fc.Arbitrary<Field<Date>> = fc.oneof(
  { weight: 3, arbitrary: numbers(1, 31).map(({ text, has }) => ({ text, has: (date: Date) => has(date.getUTCDate()) })) },
  fc.constant({ text: "L", has: (date: Date) => date.getUTCDate() === lengthOf(date) }),
  fc.integer({ min: 1, max: 27 }).map((back) => ({ text: `L-${back}`, has: (date: Date) => date.getUTCDate() === lengthOf(date) - back })),
  fc.integer({ min: 1, max: 28 }).map((day) => ({ text: `${day}W`, has: (date: Date) => date.getUTCDate() === workdayNear(date, day) })),
  fc.constant({ text: "LW", has: (date: Date) => date.getUTCDate() === workdayNear(date, lengthOf(date)) }),
);

const weekday: fc.Arbitrary<Field<Date>> = fc.oneof(
  fc.integer({ min: 0, max: 7 }).map((day) => ({ text: String(day), has: (date: Date) => date.getUTCDay() === day % 7 })),
  fc.constantFrom(...WEEKDAYS).map((name) => ({ text: name.toUpperCase(), has: (date: Date) => WEEKDAYS[date.getUTCDay()] === name })),
  fc.constant({ text: "fri-sun", has: (date: Date) => [5, 6, 0].includes(date.getUTCDay()) }),
  fc.constantFrom(...WEEKDAYS).map((name) => ({
    text: `${name}L`,
    has: (date: Date) => WEEKDAYS[date.getUTCDay()] === name && date.getUTCDate() + 7 > lengthOf(date),
  })),
  fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 4 })).map(([day, nth]) => ({
    text: `${day}#${nth}`,
    has: (date: Date) => date.getUTCDay() === day && Math.ceil(date.getUTCDate() / 7) === nth,
  })),
);

const month = fc.oneof(
  { weight: 4, arbitrary: star },
  listed(numbers(1, 12)),
  fc.constantFrom(...MONTHS).map((name) => ({ text: name, has: (asked: number) => MONTHS[asked - 1] === name })),
);

export const aCron: fc.Arbitrary<MeantCron> = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: listed(numbers(0, 59)) }, star),
    fc.oneof({ weight: 4, arbitrary: listed(numbers(0, 23)) }, star),
    fc.oneof({ weight: 2, arbitrary: star }, listed(monthDay)),
    month,
    fc.oneof({ weight: 2, arbitrary: star }, listed(weekday)),
  )
  .map(([minute, hour, inMonth, inYear, inWeek]) => {
    const isDay = (date: Date): boolean => {
      if (inMonth.text === "*") return inWeek.has(date);
      return inMonth.has(date) || (inWeek.text !== "*" && inWeek.has(date));
    };
    return {
      text: [minute, hour, inMonth, inYear, inWeek].map(({ text }) => text).join(" "),
      reading: `${minute.text}${hour.text}`.includes("*") ? "each" : "once",
      meant: (label) => {
        const minutes = Math.floor(label / 60_000);
        if (!minute.has(minutes % 60) || !hour.has(Math.floor(minutes / 60) % 24)) return false;
        const date = new Date(label);
        return inYear.has(date.getUTCMonth() + 1) && isDay(date);
      },
    };
  });
