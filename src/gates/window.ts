// Nothing moves outside these hours, whoever said yes.
import * as z from "zod";
import { defineGate } from "../contract/gate.ts";
import { parseMinute, WEEKDAYS, weekTimeIn } from "../std/week-time.ts";

const time = z.string().refine((text) => parseMinute(text) !== undefined, { error: "must be a time of the day such as 09:30" });

const Options = z.strictObject({
  days: z
    .array(z.enum(WEEKDAYS))
    .min(1)
    .max(7)
    .default(["mon", "tue", "wed", "thu"])
    .meta({ description: "On which days.", examples: [["mon", "tue"]] }),
  from: time.default("09:00").meta({ description: "From when on.", examples: ["09:00"] }),
  to: time.default("16:00").meta({ description: "Until when; earlier than `from` means over midnight.", examples: ["16:00"] }),
  zone: z
    .string()
    .min(1)
    .default("UTC")
    .meta({ description: "Time zone by its IANA name.", examples: ["Europe/Berlin"] }),
});

export const window = defineGate({
  name: "window",
  summary: "Open only on these days and between these times.",
  options: Options,
  async ask({ now }, { days, from, to, zone }) {
    const here = weekTimeIn(zone, now);
    if (!here) return { kind: "no", why: `there is no time zone ${zone} on this machine` };
    const [begins, ends] = [parseMinute(from)!, parseMinute(to)!];
    const isInside = begins <= ends ? here.minute >= begins && here.minute < ends : here.minute >= begins || here.minute < ends;
    return days.includes(here.day) && isInside
      ? { kind: "yes", why: `it is between ${from} and ${to} (${zone})` }
      : { kind: "no", why: `nothing moves but on ${days.join(", ")} from ${from} to ${to} (${zone})` };
  },
});
