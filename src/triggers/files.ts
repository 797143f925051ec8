// A loop that wakes when files below a folder changed, once they have come to rest.
import * as z from "zod";
import { Duration } from "../contract/spec.ts";
import { defineTrigger } from "../contract/trigger.ts";
import { parseDuration } from "../std/duration.ts";
import { globProblem } from "../std/glob.ts";

const Options = z.strictObject({
  paths: z
    .array(
      z
        .string()
        .min(1)
        .max(500)
        .refine((glob) => globProblem(glob) === undefined, { error: ({ input }) => `this glob ${globProblem(String(input))}` }),
    )
    .min(1)
    .max(100)
    .meta({ description: "Globs of the files, from the folder.", examples: [["inbox/**/*.md"]] }),
  folder: z
    .string()
    .min(1)
    .max(1000)
    .default(".")
    .meta({ description: "The folder, from the target's repository or, where it has none, from the spec's folder.", examples: ["docs"] }),
  rest: Duration.default("2s").meta({ description: "How long nothing must have changed before it wakes.", examples: ["2s"] }),
});

export const files = defineTrigger({
  name: "files",
  summary: "Wakes when files of a folder changed and came to rest.",
  options: Options,
  wakes: ({ paths, folder, rest }) => ({ hears: [{ kind: "files", folder, globs: paths, restMs: parseDuration(rest)! }] }),
});
