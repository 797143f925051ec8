// A loop that wakes when a person answered it, or decided about what it proposed.
import * as z from "zod";
import { defineTrigger } from "../contract/trigger.ts";

const WHAT = ["answered", "decided"] as const;

export const inbox = defineTrigger({
  name: "inbox",
  summary: "Wakes when a person answered a question of the loop, or decided about what it proposed.",
  options: z.strictObject({
    of: z
      .array(z.enum(WHAT))
      .min(1)
      .max(WHAT.length)
      .default([...WHAT])
      .meta({ description: "What a person must have done. Default: either.", examples: [["decided"]] }),
  }),
  wakes: ({ of }) => ({ hears: [{ kind: "inbox", of }] }),
});
