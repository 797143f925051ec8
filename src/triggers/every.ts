// A loop that wakes again a fixed time after it last woke.
import * as z from "zod";
import { Duration } from "../contract/spec.ts";
import { defineTrigger } from "../contract/trigger.ts";
import { parseDuration } from "../std/duration.ts";

const LONGEST = "366d";

const Options = z.strictObject({
  interval: Duration.refine((text) => msOf(text) <= msOf(LONGEST), { error: `must be ${LONGEST} at most` }).meta({
    description: "How long after one waking the next is due; the first is due at once.",
    examples: ["1h"],
  }),
});

export const every = defineTrigger({
  name: "every",
  summary: "Wakes again a fixed time after it last woke.",
  options: Options,
  nextDue(lastOpened, { interval }) {
    if (lastOpened === undefined) return { kind: "at-once" };
    return { kind: "at", time: new Date(lastOpened.getTime() + msOf(interval)) };
  },
});

const msOf = (text: string): number => parseDuration(text) ?? Number.POSITIVE_INFINITY;
