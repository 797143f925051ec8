// What the triggers that name local times share: a zone, and times of the day.
import * as z from "zod";
import { parseMinute } from "../std/week-time.ts";
import { zoneOf, zoneProblem } from "../std/zone.ts";

/** Never the machine's own: a loop wakes at the same time wherever it runs. */
export const ZoneName = z
  .string()
  .refine((name) => zoneProblem(name) === undefined, { error: ({ input }) => zoneProblem(String(input)) ?? "" })
  .default("UTC")
  .meta({ description: "The time zone that it is read in, by its IANA name.", examples: ["Europe/Berlin"] });

/** Of options that were checked. */
export function knownZone(name: string) {
  const zone = zoneOf(name);
  if (!zone) throw new Error(`there is no time zone ${name} on this machine`);
  return zone;
}

const TimeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: "is not a time of the day, from 00:00 to 23:59" })
  .meta({ examples: ["09:30"] });

/** One time of the day, or several. */
export const TimesOfDay = z
  .union([TimeOfDay, z.array(TimeOfDay).min(1).max(96)], { error: "is not a time of the day, nor a list of such" })
  .meta({
    description:
      "When, as hours and minutes. One that is left out when clocks go forward comes right after; one that comes twice counts once.",
    examples: ["09:30", ["09:00", "17:30"]],
  });

export const minutesOfTimes = (times: z.infer<typeof TimesOfDay>): readonly number[] => [times].flat().map((time) => parseMinute(time)!);
