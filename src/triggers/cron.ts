// A loop that wakes when the clocks of a zone show what a cron schedule means.
import * as z from "zod";
import { defineTrigger } from "../contract/trigger.ts";
import { readCron } from "../std/cron.ts";
import { slotsOf } from "../std/slots.ts";
import { knownZone, ZoneName } from "./local-time.ts";

const Options = z.strictObject({
  schedule: z
    .string()
    .max(300)
    .refine((text) => readCron(text).kind === "read", { error: ({ input }) => problemOf(String(input)) })
    .meta({
      description:
        "Minute, hour, day of the month, month and day of the week, or @hourly, @daily, @weekly, @monthly, @yearly. Names, lists, ranges and steps; L, L-3, 15W, LW, 5L and mon#2. Where both days are other than `*`, either is enough. With `*` in neither minute nor hour, every time comes once whatever clocks do.",
      examples: ["0 9 * * mon-fri"],
    }),
  zone: ZoneName,
});

export const cron = defineTrigger({
  name: "cron",
  summary: "Wakes by a cron schedule, in a time zone.",
  options: Options,
  wakes({ schedule, zone }) {
    const read = readCron(schedule);
    if (read.kind === "refused") throw new Error(read.problem);
    return { slots: slotsOf(read.labels, read.reading, knownZone(zone)), hears: [] };
  },
});

function problemOf(text: string): string {
  const read = readCron(text);
  return read.kind === "refused" ? read.problem : "";
}
