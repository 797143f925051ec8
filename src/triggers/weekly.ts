// A loop that wakes every week, on the days and at the times that people write.
import * as z from "zod";
import { defineTrigger } from "../contract/trigger.ts";
import { bit, labelsOf, minutesAt, onWeekdays } from "../std/labels.ts";
import { slotsOf } from "../std/slots.ts";
import { WEEKDAYS } from "../std/week-time.ts";
import { knownZone, minutesOfTimes, TimesOfDay, ZoneName } from "./local-time.ts";

const Weekday = z.enum(WEEKDAYS);

const Options = z.strictObject({
  on: z
    .union([Weekday, z.array(Weekday).min(1).max(7)], { error: `is not a day of the week, nor a list of such: ${WEEKDAYS.join(", ")}` })
    .meta({ description: "On which day of the week, or on which.", examples: ["mon", ["mon", "thu"]] }),
  at: TimesOfDay,
  zone: ZoneName,
});

export const weekly = defineTrigger({
  name: "weekly",
  summary: "Wakes on days of the week, at a time or at several.",
  options: Options,
  wakes({ on, at, zone }) {
    const days = [on].flat().reduce((bits, day) => bits | bit(WEEKDAYS.indexOf(day)), 0);
    return { slots: slotsOf(labelsOf(onWeekdays(days), minutesAt(minutesOfTimes(at))), "once", knownZone(zone)), hears: [] };
  },
});
