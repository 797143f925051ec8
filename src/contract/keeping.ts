// What a loop keeps in its notebook, and under which names: as a spec says it.
import * as z from "zod";

const names = z.array(z.string().min(1).max(80)).max(50);

const NoteKey = z.strictObject({
  writes: names.min(1).meta({
    description: "The workers that may write under it. What one of them hands over is kept there, unless it wrote something there itself.",
    examples: [["finder"]],
  }),
  reads: names
    .optional()
    .meta({ description: "The workers that may read it, with `reads: [notes.NAME]`. Default: all.", examples: [["writer"]] }),
  most: z
    .int()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "How many entries are shown, the newest. Default: 50.", examples: [50] }),
  rounds: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: "Only those of so many rounds that wrote under it, the newest.", examples: [20] }),
  age: z
    .string()
    .regex(/^(?=.*[1-9])(\d+(\.\d+)?(ms|s|m|h|d))+$/, { error: "is not a length of time" })
    .optional()
    .meta({ description: "Only those that are not older than this.", examples: ["30d"] }),
  schema: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: "What an entry must look like, as JSON: the same words as in `gives.schema`.", examples: [{ type: "object" }] }),
});

export const NotebookWish = z
  .strictObject({
    keep: z
      .enum(["none", "run", "loop"])
      .optional()
      .meta({
        description: "How long notes are kept: not at all, for the run, or for all runs of the loop. Default: loop.",
        examples: ["run"],
      }),
    keys: z
      .record(
        z.string().regex(/^[a-z][a-z0-9_]{0,40}$/, { error: "must be small letters, digits and _, beginning with a letter" }),
        NoteKey,
      )
      .refine((keys) => Object.keys(keys).length >= 1 && Object.keys(keys).length <= 40, { error: "must have 1 to 40 entries" })
      .optional()
      .meta({
        description:
          "Of a team: names under which notes are kept, and who may write and read there. With it, nothing is kept under no name.",
        examples: [{ facts: { writes: ["finder"], most: 50 } }],
      }),
  })
  .meta({ description: "What is kept of what makers write down.", examples: [{ keep: "run" }] });
export type NotebookWish = Readonly<z.infer<typeof NotebookWish>>;
