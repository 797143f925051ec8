// A loop that wakes at fixed instants, one interval apart: nothing that happens in between moves them.
import * as z from "zod";
import { Duration } from "../contract/spec.ts";
import { defineTrigger, type Slots } from "../contract/trigger.ts";
import { parseDuration } from "../std/duration.ts";

const SHORTEST = "1s";
const LONGEST = "366d";

const Options = z.strictObject({
  interval: Duration.refine((text) => msOf(text) >= msOf(SHORTEST) && msOf(text) <= msOf(LONGEST), {
    error: `must be ${SHORTEST} at least and ${LONGEST} at most`,
  }).meta({ description: "How far its times are apart. They do not move, whenever it last ran.", examples: ["1h"] }),
  from: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: "The first of its times. Default: they are counted from 1970-01-01T00:00Z.", examples: ["2026-01-05T06:00:00Z"] }),
});

export const every = defineTrigger({
  name: "every",
  summary: "Wakes at fixed times, one interval apart.",
  options: Options,
  wakes: ({ interval, from }) => ({ slots: slotsEvery(msOf(interval), from === undefined ? 0 : Date.parse(from)), hears: [] }),
});

function slotsEvery(ms: number, from: number): Slots {
  /** The number of the first slot after an instant. */
  const after = (instant: number): number => Math.max(0, Math.floor((instant - from) / ms) + 1);
  return {
    zone: "UTC",
    due(since, until, most) {
      const [first, end] = [after(since), after(until)];
      const newest = Math.max(first, end - most);
      const at = (number: number): number => from + number * ms;
      return {
        newest: Array.from({ length: Math.max(0, end - newest) }, (_, index) => at(newest + index)),
        ...(newest > first ? { older: { first: at(first), last: at(newest - 1), count: newest - first } } : {}),
        next: at(end),
      };
    },
  };
}

const msOf = (text: string): number => parseDuration(text) ?? Number.POSITIVE_INFINITY;
