// What `lw score --json` says, as a schema that others can hold it to.
import * as z from "zod";

z.config({ jitless: true });

const Share = z.number().min(0).max(1);
const Weight = Share.meta({ description: "What it counts among the eight; the weights of what is missing are shared out." });

const DimensionScore = z.discriminatedUnion("basis", [
  z.strictObject({
    basis: z.literal("measured"),
    value: Share.meta({ description: "Between what is nothing and what is all." }),
    raw: z.number().meta({ description: "What the formula gave, before it was put between its bounds." }),
    runs: z.int().min(1),
    weight: Weight,
    how: z.string().meta({ description: "The formula with its numbers." }),
  }),
  z.strictObject({ basis: z.literal("estimated"), value: Share, weight: Weight, how: z.string() }),
  z.strictObject({ basis: z.literal("missing"), weight: Weight, why: z.string() }),
]);
export type DimensionScore = Readonly<z.infer<typeof DimensionScore>>;

const eight = <T extends z.ZodType>(one: T) =>
  z.strictObject({
    effectiveness: one,
    speed: one,
    cost: one,
    robustness: one,
    scalability: one,
    safety: one,
    adaptability: one,
    autonomy: one,
  });

const common = {
  score: Share.nullable().meta({ description: "Null where there is nothing to go by." }),
  display: z.number().min(0).max(100).nullable().meta({ description: "The same of 0 to 100, to one digit." }),
  band: z.string().nullable().meta({ description: "The score in a word." }),
  label: z.string(),
  dimensions: eight(DimensionScore),
  notes: z.array(z.string()).meta({ description: "What a reader should know before believing it." }),
};

export const ScoreAnswer = z.discriminatedUnion("kind", [
  z
    .strictObject({
      kind: z.literal("lint"),
      loop: z.string(),
      file: z.string(),
      refused: z
        .array(z.strictObject({ at: z.string(), says: z.string() }))
        .meta({ description: "What the file says of its own worth. It is told, and counts for nothing." }),
      ...common,
    })
    .meta({ description: "Estimated from a spec alone." }),
  z
    .strictObject({
      kind: z.literal("measured"),
      loop: z.string(),
      run: z.string().nullable().meta({ description: "Null where it is about all runs of the loop." }),
      runs: z.int().min(0).meta({ description: "How many runs were measured." }),
      unmeasured: z.int().min(0).meta({ description: "How many show nothing: open, refereed, or base needed nothing." }),
      interval: Share.nullable().meta({ description: "How far the score may be off with 95 in 100; null with fewer than three runs." }),
      over: z
        .array(
          z.strictObject({ run: z.string(), at: z.string(), specHash: z.string(), score: Share, display: z.number(), ending: z.string() }),
        )
        .meta({ description: "Each run by itself, oldest first." }),
      versions: z
        .array(
          z.strictObject({
            specHash: z.string(),
            since: z.string(),
            runs: z.int().min(1),
            score: Share,
            display: z.number(),
            interval: Share.nullable(),
          }),
        )
        .meta({ description: "The runs of each spec that the loop had, oldest first." }),
      ...common,
    })
    .meta({ description: "Measured on runs." }),
  z
    .strictObject({
      kind: z.literal("compat"),
      tool: z.enum(["core", "loopctl", "loopnet", "loopbench", "loopgym"]),
      file: z.string(),
      results: z.array(
        z.strictObject({
          of: z.string(),
          score: z.number(),
          published: z.number().nullable().meta({ description: "What the file itself has, where it has a score." }),
          dimensions: eight(z.number()),
        }),
      ),
      skipped: z.array(z.strictObject({ of: z.string(), why: z.string() })),
      notes: z.array(z.string()),
    })
    .meta({ description: "What one of the standard's own tools would say: its number, not ours." }),
]);
export type ScoreAnswer = Readonly<z.infer<typeof ScoreAnswer>>;
export type LintAnswer = Extract<ScoreAnswer, { readonly kind: "lint" }>;
export type MeasuredAnswer = Extract<ScoreAnswer, { readonly kind: "measured" }>;
export type CompatAnswer = Extract<ScoreAnswer, { readonly kind: "compat" }>;
