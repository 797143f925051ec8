import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../test/support/tries.ts";
import type { Window } from "../contract/spec.ts";
import { windowsOf } from "./windows.ts";

const at = (text: string): number => Date.parse(text);
const window = (given: Partial<Window>): Window => ({ from: "00:00", to: "24:00", zone: "UTC", ...given });

describe("windowsOf", () => {
  it("is always open where nothing is said", () => {
    const { isOpen, shuts, opens } = windowsOf({});

    expect([isOpen(0), shuts(0), opens(5)]).toEqual([true, undefined, 5]);
  });

  it("goes over midnight, and belongs to the day on which it begins", () => {
    const { isOpen, shuts, opens } = windowsOf({ within: [window({ days: ["fri"], from: "22:00", to: "06:00" })] });

    expect(isOpen(at("2026-01-02T21:59:59Z"))).toBe(false);
    expect(isOpen(at("2026-01-02T22:00:00Z"))).toBe(true);
    expect(isOpen(at("2026-01-03T05:59:59Z"))).toBe(true);
    expect(isOpen(at("2026-01-03T06:00:00Z"))).toBe(false);
    expect(isOpen(at("2026-01-03T23:00:00Z"))).toBe(false);
    expect(shuts(at("2026-01-03T01:00:00Z"))).toBe(at("2026-01-03T06:00:00Z"));
    expect(shuts(at("2026-01-03T07:00:00Z"))).toBeUndefined();
    expect(opens(at("2026-01-03T07:00:00Z"))).toBe(at("2026-01-09T22:00:00Z"));
  });

  it("is shut on named dates, and opens when they are over", () => {
    const { isOpen, shuts, opens } = windowsOf({ not: [window({ dates: ["2026-12-24", "2026-12-25"], zone: "Europe/Berlin" })] });

    expect(shuts(at("2026-01-01T00:00:00Z"))).toBe(at("2026-12-23T23:00:00Z"));
    expect(isOpen(at("2026-12-24T12:00:00Z"))).toBe(false);
    expect(opens(at("2026-12-24T12:00:00Z"))).toBe(at("2026-12-25T23:00:00Z"));
    expect(shuts(at("2026-12-26T12:00:00Z"))).toBeUndefined();
  });

  it("finds a date that is years ahead", () => {
    const { opens } = windowsOf({ within: [window({ dates: ["2034-05-05"], from: "10:00" })], not: [window({ to: "09:00" })] });

    expect(opens(at("2026-01-01T00:00:00Z"))).toBe(at("2034-05-05T10:00:00Z"));
  });

  it("does not walk through thousands of years for a date that is so far ahead", () => {
    const never = [window({ days: ["mon"] })];

    expect(
      windowsOf({ within: never, not: [...never, window({ dates: ["9999-12-31"] })] }).opens(at("2026-01-01T00:00:00Z")),
    ).toBeUndefined();
    expect(windowsOf({ within: [window({ dates: ["9999-12-31"] })], not: [window({ to: "09:00" })] }).opens(0)).toBeUndefined();
  });

  it("is open twice in an hour that comes twice, and not at all in one that is left out", () => {
    const { isOpen, shuts, opens } = windowsOf({ within: [window({ from: "02:00", to: "03:00", zone: "Europe/Berlin" })] });

    expect(opens(at("2026-03-28T12:00:00Z"))).toBe(at("2026-03-30T00:00:00Z"));
    expect(isOpen(at("2026-10-25T00:30:00Z"))).toBe(true);
    expect(shuts(at("2026-10-25T00:30:00Z"))).toBe(at("2026-10-25T02:00:00Z"));
  });

  it("says that it never opens where what is allowed is also forbidden, and where a date is not on its day", () => {
    const monday = window({ days: ["mon"] });

    expect(windowsOf({ within: [monday], not: [monday] }).opens(at("2026-01-01T00:00:00Z"))).toBeUndefined();
    expect(windowsOf({ not: [window({})] }).opens(at("2026-01-01T00:00:00Z"))).toBeUndefined();
    expect(windowsOf({ within: [window({ days: ["mon"], dates: ["2026-12-24"] })] }).opens(0)).toBeUndefined();
  });

  it("answers as somebody who looks at the clocks every minute", () => {
    fc.assert(
      fc.property(
        fc.record({ within: fc.option(fc.array(aWindow, { minLength: 1, maxLength: 3 }), { nil: undefined }) }),
        fc.option(fc.array(aWindow, { minLength: 1, maxLength: 2 }), { nil: undefined }),
        fc.constantFrom(...STARTS),
        fc.integer({ min: 0, max: 3 * 1440 }),
        ({ within }, not, start, ahead) => {
          const wake = { ...(within ? { within } : {}), ...(not ? { not } : {}) };
          const windows = windowsOf(wake);
          const begin = at(start) + ahead * 60_000;
          const looked = Array.from({ length: 1440 }, (_, minute) => begin + minute * 60_000);
          const isOpen = looked.map((instant) => looksOpen(wake, instant));

          expect(looked.map(windows.isOpen)).toEqual(isOpen);
          const ends = begin + 86_400_000;
          const opens = windows.opens(begin);
          const firstOpen = looked[isOpen.indexOf(true)];
          expect(opens !== undefined && opens < ends ? opens : undefined).toBe(firstOpen);
          const shuts = windows.shuts(begin);
          const firstShut = isOpen[0] ? looked[isOpen.indexOf(false)] : undefined;
          expect(shuts !== undefined && shuts < ends ? shuts : undefined).toBe(firstShut);
        },
      ),
      tries(30),
    );
  });
});

/** Around changes of clocks of these zones. */
const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Antarctica/Troll", "Pacific/Apia"];
const STARTS = [
  "2026-03-27T00:00:00Z",
  "2026-10-23T00:00:00Z",
  "2026-04-03T00:00:00Z",
  "2026-09-04T00:00:00Z",
  "2026-03-07T00:00:00Z",
  "2011-12-28T00:00:00Z",
];

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`);
const DATES = STARTS.flatMap((start) =>
  [0, 1, 2, 3, 4].map((ahead) => new Date(at(start) + ahead * 86_400_000).toISOString().slice(0, 10)),
);
const aWindow: fc.Arbitrary<Window> = fc
  .record({
    from: time,
    to: fc.oneof(time, fc.constant("24:00")),
    zone: fc.constantFrom(...ZONES),
    days: fc.option(fc.uniqueArray(fc.constantFrom(...(["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const)), { minLength: 1 }), {
      nil: undefined,
    }),
    dates: fc.option(fc.uniqueArray(fc.constantFrom(...DATES), { minLength: 1 }), { nil: undefined, freq: 6 }),
  })
  .map(({ days, dates, ...rest }) => ({ ...rest, ...(days ? { days } : {}), ...(dates ? { dates } : {}) }));

/** The slow way: what the calendar of the machine shows at that instant, and a look at yesterday's and today's window. */
function looksOpen({ within, not }: { readonly within?: readonly Window[]; readonly not?: readonly Window[] }, instant: number): boolean {
  const isIn = ({ days, dates, from, to, zone }: Window): boolean => {
    const { date, minute } = shownIn(zone, instant);
    const [begin, end] = [minuteOf(from), minuteOf(to)];
    const length = end > begin ? end - begin : end - begin + 1440;
    return [0, 1].some((ago) => {
      const day = new Date(at(date) - ago * 86_400_000);
      const isOn =
        (days === undefined || days.some((name) => name === day.toUTCString().slice(0, 3).toLowerCase())) &&
        (dates === undefined || dates.includes(day.toISOString().slice(0, 10)));
      const since = minute + ago * 1440 - begin;
      return isOn && since >= 0 && since < length;
    });
  };
  return (within === undefined || within.some(isIn)) && !(not ?? []).some(isIn);
}

const minuteOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

const formats = new Map<string, Intl.DateTimeFormat>();
function shownIn(zone: string, instant: number): { readonly date: string; readonly minute: number } {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short", calendar: "gregory", hourCycle: "h23" });
  formats.set(zone, format);
  const [date, minute] = format.format(instant).split(" ");
  return { date: date!, minute: minuteOf(minute!) };
}
