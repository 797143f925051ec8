import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { walkSlots, walkYear } from "../../test/support/clock-walk.ts";
import { aCron } from "../../test/support/cron-arbitraries.ts";
import { someOf, tries } from "../../test/support/tries.ts";
import { readCron } from "./cron.ts";
import { slotsOf } from "./slots.ts";
import { zoneOf } from "./zone.ts";

const at = (text: string): number => Date.parse(text);

function slotsFor(text: string, zone: string) {
  const cron = readCron(text);
  if (cron.kind === "refused") throw new Error(cron.problem);
  return slotsOf(cron.labels, cron.reading, zoneOf(zone)!);
}

/** After one instant and up to another, as texts. */
const between = (text: string, zone: string, since: string, until: string): readonly string[] =>
  slotsFor(text, zone)
    .due(at(since), at(until), 10_000)
    .newest.map((slot) => new Date(slot).toISOString().replace(":00.000Z", "Z"));

describe("what schedules mean in gaps and in hours that come twice", () => {
  it("15: wakes once at 03:00 for 02:30 in a spring gap", () => {
    expect(between("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", "2026-03-30T12:00Z")).toEqual([
      "2026-03-29T01:00Z",
      "2026-03-30T00:30Z",
    ]);
    expect(between("0 2,14 * * *", "Europe/Berlin", "2026-03-28T20:00Z", "2026-03-29T20:00Z")).toEqual([
      "2026-03-29T01:00Z",
      "2026-03-29T12:00Z",
    ]);
    expect(between("0,30 2,3 * * *", "Europe/Berlin", "2026-03-28T20:00Z", "2026-03-29T20:00Z")).toEqual([
      "2026-03-29T01:00Z",
      "2026-03-29T01:30Z",
    ]);
  });

  it("16: wakes once for 01:30 that comes twice in autumn", () => {
    expect(between("30 1 * * *", "America/New_York", "2026-10-31T12:00Z", "2026-11-02T12:00Z")).toEqual([
      "2026-11-01T05:30Z",
      "2026-11-02T06:30Z",
    ]);
  });

  it("17: wakes every real quarter of an hour over both changes", () => {
    const quarters = (from: string, to: string): readonly string[] => {
      const count = (at(to) - at(from)) / 900_000;
      return Array.from({ length: count }, (_, index) => new Date(at(from) + (index + 1) * 900_000).toISOString().replace(":00.000Z", "Z"));
    };

    for (const [from, to] of [
      ["2026-03-28T12:00Z", "2026-03-29T12:00Z"],
      ["2026-10-24T12:00Z", "2026-10-25T12:00Z"],
    ] as const)
      expect(between("*/15 * * * *", "Europe/Berlin", from, to)).toEqual(quarters(from, to));
  });

  it("18: wakes once for a midnight that is in Santiago's gap, and goes on", () => {
    expect(between("0 0 * * *", "America/Santiago", "2026-09-05T12:00Z", "2026-09-07T12:00Z")).toEqual([
      "2026-09-06T04:00Z",
      "2026-09-07T03:00Z",
    ]);
  });

  it("19: finds Nuuk's Saturday 23:15 after a gap over midnight", () => {
    expect(between("15 23 * * sat", "America/Nuuk", "2027-03-22T00:00Z", "2027-04-04T12:00Z")).toEqual([
      "2027-03-28T01:00Z",
      "2027-04-04T00:15Z",
    ]);
  });

  it("20: goes on through an autumn hour at half past every hour", () => {
    expect(between("30 * * * *", "Europe/Berlin", "2026-10-24T23:00Z", "2026-10-25T03:00Z")).toEqual([
      "2026-10-24T23:30Z",
      "2026-10-25T00:30Z",
      "2026-10-25T01:30Z",
      "2026-10-25T02:30Z",
    ]);
  });

  it("21: has one slot a label over Lord Howe's half hour, Troll's two hours and Apia's lost day", () => {
    expect(between("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00Z", "2026-10-05T00:00Z")).toEqual([
      "2026-10-03T15:30Z",
      "2026-10-04T15:15Z",
    ]);
    expect(between("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T00:00Z", "2026-04-06T00:00Z")).toEqual([
      "2026-04-04T14:45Z",
      "2026-04-05T15:15Z",
    ]);
    expect(between("30 1 * * *", "Antarctica/Troll", "2026-03-28T12:00Z", "2026-03-30T12:00Z")).toEqual([
      "2026-03-29T01:00Z",
      "2026-03-29T23:30Z",
    ]);
    expect(between("30 1 * * *", "Antarctica/Troll", "2026-10-24T12:00Z", "2026-10-26T12:00Z")).toEqual([
      "2026-10-24T23:30Z",
      "2026-10-26T01:30Z",
    ]);
    expect(between("0 9 * * *", "Pacific/Apia", "2011-12-29T00:00Z", "2012-01-01T00:00Z")).toEqual([
      "2011-12-29T19:00Z",
      "2011-12-30T10:00Z",
      "2011-12-30T19:00Z",
      "2011-12-31T19:00Z",
    ]);
    expect(between("0 0 * * *", "Pacific/Apia", "2011-12-29T12:00Z", "2011-12-31T12:00Z")).toEqual([
      "2011-12-30T10:00Z",
      "2011-12-31T10:00Z",
    ]);
  });

  it("24: does not come early where it comes once a year", () => {
    const slots = slotsFor("@yearly", "Europe/Berlin");

    expect(slots.due(at("2026-02-01T00:00Z"), at("2026-02-01T00:00Z"), 1)).toEqual({ newest: [], next: at("2026-12-31T23:00Z") });
    expect(slots.due(at("2026-02-01T00:00Z"), at("2026-12-31T22:59Z"), 1)).toEqual({ newest: [], next: at("2026-12-31T23:00Z") });
  });

  it("25: comes at midnight only", () => {
    expect(between("0 0 * * *", "UTC", "2026-05-05T00:00Z", "2026-05-08T00:00Z")).toEqual([
      "2026-05-06T00:00Z",
      "2026-05-07T00:00Z",
      "2026-05-08T00:00Z",
    ]);
  });
});

describe("what schedules mean in calendars", () => {
  it.each([
    ["@hourly", "0 * * * *"],
    ["@daily", "0 0 * * *"],
    ["@midnight", "0 0 * * *"],
    ["@weekly", "0 0 * * sun"],
    ["@monthly", "0 0 1 * *"],
    ["@yearly", "0 0 1 jan *"],
    ["@annually", "0 0 1 1 *"],
    ["0 0 * * 7", "0 0 * * 0"],
    ["0 0 * * 5-7", "0 0 * * fri,sat,sun"],
    ["0 0 * * fri-sun", "0 0 * * fri,sat,0"],
    ["  0\t0 * JAN-mar  MON ", "0 0 * 1,2,3 1"],
    ["0 0 */1 * mon", "0 0 * * mon"],
  ])("reads %s as %s", (text, other) => {
    const [a, b] = [slotsFor(text, "UTC"), slotsFor(other, "UTC")];

    expect(a.due(at("2024-01-01T00:00Z"), at("2028-01-01T00:00Z"), 1000)).toEqual(
      b.due(at("2024-01-01T00:00Z"), at("2028-01-01T00:00Z"), 1000),
    );
  });

  it.each([
    ["0 0 L * *", ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]],
    ["0 0 L-3 * *", ["2026-01-28", "2026-02-25", "2026-03-28", "2026-04-27"]],
    ["0 0 LW * *", ["2026-01-30", "2026-02-27", "2026-03-31", "2026-04-30"]],
    ["0 0 1W * *", ["2026-01-01", "2026-02-02", "2026-03-02", "2026-04-01"]],
    ["0 0 15W * *", ["2026-01-15", "2026-02-16", "2026-03-16", "2026-04-15"]],
    ["0 0 31W * *", ["2026-01-30", "2026-03-31"]],
    ["0 0 * * 5L", ["2026-01-30", "2026-02-27", "2026-03-27", "2026-04-24"]],
    ["0 0 * * mon#2", ["2026-01-12", "2026-02-09", "2026-03-09", "2026-04-13"]],
    ["0 0 * * thu#5", ["2026-01-29", "2026-04-30"]],
    [
      "0 0 13 1-2 fri",
      [
        "2026-01-02",
        "2026-01-09",
        "2026-01-13",
        "2026-01-16",
        "2026-01-23",
        "2026-01-30",
        "2026-02-06",
        "2026-02-13",
        "2026-02-20",
        "2026-02-27",
      ],
    ],
  ])("means the days of %s", (text, days) => {
    expect(between(text, "UTC", "2025-12-31T12:00Z", "2026-04-30T12:00Z").map((slot) => slot.slice(0, 10))).toEqual(days);
  });

  it("waits eight years for a leap day over 2100's neighbours, and not longer", () => {
    expect(between("0 0 29 2 *", "UTC", "2026-01-01T00:00Z", "2033-01-01T00:00Z")).toEqual(["2028-02-29T00:00Z", "2032-02-29T00:00Z"]);
  });

  it("has nothing before 1970 and after 2099, and says so", () => {
    const slots = slotsFor("* * * * *", "Europe/Berlin");

    expect(slots.due(-1e15, at("1970-01-01T00:01:00Z"), 5)).toEqual({
      newest: [0, 60_000],
      next: 120_000,
    });
    expect(slots.due(at("2099-12-31T23:58:00Z"), 9e15, 5)).toEqual({ newest: [at("2099-12-31T23:59:00Z")] });
  });
});

describe("what is refused", () => {
  it.each([
    ["", "has 0 fields, and needs 5: minute, hour, day of the month, month, day of the week"],
    ["* * *", "has 3 fields, and needs 5: minute, hour, day of the month, month, day of the week"],
    ["0 0 9 * * *", "has 6 fields, and seconds and years are not among those that it may have: write e.g. `0 9 * * *`"],
    ["0 0 9 * * * 2026", "has 7 fields, and seconds and years are not among those that it may have: write e.g. `0 9 * * *`"],
    ["@reboot", "`@reboot` is not known: write one of @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually"],
    ["60 * * * *", "`60` is no minute: write 0 to 59"],
    ["0 24 * * *", "`24` is no hour: write 0 to 23"],
    ["0 0 0 * *", "`0` is no day of the month: write 1 to 31, L, L-3, 15W or LW"],
    ["0 0 * 13 *", "`13` is no month: write 1 to 12, or a name such as jan"],
    ["0 0 * juni *", "`juni` is no month: write 1 to 12, or a name such as jan"],
    ["0 0 * * 8", "`8` is no day of the week: write 0 to 7, a name such as mon, 5L or mon#2"],
    ["0 0 * * mon#6", "`6` is no week: write 1 to 5"],
    ["0 0 * * L", "`L` in the day of the week is read in several ways: write sat, or satL for the last one of the month"],
    ["0 0 ? * mon", "`?` is not used here: write `*` for any day of the month"],
    ["*/0 * * * *", "`0` is no step from 0 to 59: write 1 to 59"],
    ["*/60 * * * *", "`60` is no step from 0 to 59: write 1 to 59"],
    ["5/15 * * * *", "`5/15` has a step and no end: write `5-59/15`"],
    ["30-10 * * * *", "`30-10` ends before it begins: write `30-59,0-10`"],
    ["0 0 * * fri-mon", "`fri-mon` ends before it begins: write `fri-6,0-mon`"],
    ["1,,2 * * * *", "`1,,2` has a comma with nothing beside it: leave it out"],
    ["*,5 * * * *", "`*,5` has `*` in a list, which is every minute by itself: leave out one or the other"],
    ["1-2-3 * * * *", "`1-2-3` is no minute: write 0 to 59"],
    ["1/2/3 * * * *", "`1/2/3` is no minute: write 0 to 59"],
    ["constructor", "has 1 field, and needs 5: minute, hour, day of the month, month, day of the week"],
  ])("refuses %s", (text, problem) => {
    expect(readCron(text)).toEqual({ kind: "refused", problem });
  });

  it.each(["0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 31 2 MON", "0 0 L-30 2 *", "0 0 31W 4 *", "0 0 * 2 mon#5"])(
    "refuses %s, a day that does not come",
    (text) => {
      expect(readCron(text)).toMatchObject({ kind: "refused", problem: expect.stringContaining("does not come in every 8 years") });
    },
  );

  it("reads any text or says what is wrong with it, on one short line", () => {
    const near = fc
      .array(fc.constantFrom(..."0123456789*/,-#LW? @monjanfri\u0000é".split("")), { maxLength: 40 })
      .map((letters) => letters.join(""));
    const fields = fc
      .array(near, { minLength: 5, maxLength: 5 })
      .map((parts) => parts.map((part) => part.replaceAll(" ", "") || "*").join(" "));

    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" }), near, fields), (text) => {
        const cron = readCron(text);

        if (cron.kind === "refused") expect(cron.problem).toMatch(/^[\x20-\x7e…]{10,260}$/);
        else expect(slotsOf(cron.labels, cron.reading, zoneOf("UTC")!).due(0, 0, 0).next).toBeTypeOf("number");
      }),
      tries(500),
    );
  });
});

/** Years in which clocks were changed, by half hours, hours, two hours and a day; and some in which they were not. */
const YEARS: readonly (readonly [zone: string, year: number])[] = [
  ["Europe/Berlin", 2026],
  ["America/New_York", 2026],
  ["America/Santiago", 2026],
  ["America/Nuuk", 2027],
  ["Australia/Lord_Howe", 2026],
  ["Antarctica/Troll", 2026],
  ["Pacific/Apia", 2011],
  ["Asia/Kolkata", 2026],
  ["Africa/Casablanca", 2026],
  ["Asia/Gaza", 2026],
  ["Africa/Cairo", 2026],
  ["America/Caracas", 2007],
  ["UTC", 2026],
];

/** Those whose clocks are changed in ways of their own: by an hour, at midnight, by half of one, by two, by a day, for a month, and never. */
const UNLIKE = new Set([
  "Europe/Berlin",
  "America/Santiago",
  "Australia/Lord_Howe",
  "Antarctica/Troll",
  "Pacific/Apia",
  "Africa/Casablanca",
  "UTC",
]);

describe("laws", () => {
  it.each(someOf(YEARS, ([zone]) => UNLIKE.has(zone)))(
    "has in %s in %d the slots that a walk through all minutes finds, however it is asked",
    (zone, number) => {
      const year = walkYear(zone, number);
      const [begin, end] = [year.from + 2 * 86_400_000, year.to - 2 * 86_400_000];
      // Half of what is asked is about days on which clocks are changed.
      const changes = [...year.labels.keys()].filter((index) => index > 0 && year.labels[index]! - year.labels[index - 1]! !== 60_000);
      const anywhere = fc.integer({ min: begin, max: end });
      const near = fc
        .tuple(fc.constantFrom(...changes, 200_000), fc.integer({ min: -2000, max: 2000 }), fc.constantFrom(0, 0, 1, -1))
        .map(([index, minutes, ms]) => Math.min(Math.max(year.from + (index + minutes) * 60_000 + ms, begin), end));

      fc.assert(
        fc.property(
          aCron,
          fc.array(fc.oneof(anywhere, near, near), { minLength: 3, maxLength: 3 }),
          fc.integer({ min: 0, max: 40 }),
          (cron, instants, most) => {
            const read = readCron(cron.text);
            if (read.kind === "refused") return expect(read.problem).toContain("does not come");
            const slots = slotsOf(read.labels, read.reading, zoneOf(zone)!);
            const [a = 0, b = 0, c = 0] = instants.sort((one, other) => one - other);
            const walked = walkSlots(year, cron.meant, cron.reading, a, c);
            const newest = most === 0 ? [] : walked.slice(-most);
            const older = walked.slice(0, walked.length - newest.length);

            const { next, ...due } = slots.due(a, c, most);

            expect(due).toEqual({
              newest,
              ...(older.length > 0 ? { older: { first: older[0], last: older.at(-1), count: older.length } } : {}),
            });
            expect(next).toBeGreaterThan(c);
            const all = (since: number, until: number): readonly number[] => slots.due(since, until, 1_000_000).newest;
            if (walked.length < 20_000) expect([...all(a, b), ...all(b, c)]).toEqual(walked);
            expect(slots.due(a, a, 0).next).toBe(walked[0] ?? slots.due(c, c, 0).next);
          },
        ),
        tries(8),
      );
    },
  );
});
