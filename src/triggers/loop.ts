// A loop that wakes when another one came to rest.
import * as z from "zod";
import { LoopSpec } from "../contract/spec.ts";
import { defineTrigger } from "../contract/trigger.ts";
import { ENDINGS } from "../contract/waking.ts";

const Options = z.strictObject({
  name: LoopSpec.shape.name.meta({ description: "The other loop.", examples: ["keep-green"] }),
  endings: z
    .array(z.enum(ENDINGS))
    .min(1)
    .max(ENDINGS.length)
    .default(["proven"])
    .meta({ description: "How it must have come to rest.", examples: [["proven", "nothing-to-do"]] }),
});

export const loop = defineTrigger({
  name: "loop",
  summary: "Wakes when another loop came to rest.",
  options: Options,
  wakes: ({ name, endings }) => ({ hears: [{ kind: "loop", loop: name, endings }] }),
});
