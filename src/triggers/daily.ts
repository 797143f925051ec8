// A loop that wakes every day, at the times that people write.
import * as z from "zod";
import { defineTrigger } from "../contract/trigger.ts";
import { everyDay, labelsOf, minutesAt } from "../std/labels.ts";
import { slotsOf } from "../std/slots.ts";
import { knownZone, minutesOfTimes, TimesOfDay, ZoneName } from "./local-time.ts";

export const daily = defineTrigger({
  name: "daily",
  summary: "Wakes every day at a time, or at several.",
  options: z.strictObject({ at: TimesOfDay, zone: ZoneName }),
  wakes: ({ at, zone }) => ({ slots: slotsOf(labelsOf(everyDay, minutesAt(minutesOfTimes(at))), "once", knownZone(zone)), hears: [] }),
});
