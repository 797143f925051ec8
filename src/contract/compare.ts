// What `lw compare --json` says, as a schema that others can hold it to.
import * as z from "zod";

z.config({ jitless: true });

const figure = z.number();
const Side = <T extends z.ZodType>(one: T) => z.strictObject({ a: one, b: one });

const Verdict = z
  .enum(["a-higher", "b-higher", "cannot-tell", "same"])
  .meta({ description: "Which of them has more of it, as far as so few runs allow it to be said. `same`: all figures are equal." });

const Spread = z.strictObject({
  runs: z.int().min(0).meta({ description: "How many runs have this figure." }),
  median: figure.nullable(),
  least: figure.nullable(),
  most: figure.nullable(),
});

const FigureRow = z.strictObject({
  name: z.enum(["score", "cost", "time", "rounds"]),
  unit: z.enum(["points", "usd", "seconds", "rounds"]),
  better: z.enum(["higher", "lower"]),
  ...Side(Spread).shape,
  difference: figure
    .nullable()
    .meta({ description: "By how much B lies above A: the middle of all differences of a run of B and one of A." }),
  interval: z
    .tuple([figure, figure])
    .nullable()
    .meta({ description: "Where the difference lies; null where so few runs allow no interval." }),
  p: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: "Of the exact rank sum test, both ways; null where one of them has no figure." }),
  verdict: Verdict,
  why: z.string(),
});

const Share = z.strictObject({ runs: z.int().min(0), hits: z.int().min(0), interval: z.tuple([figure, figure]) });

const ShareRow = z.strictObject({
  name: z.literal("proven"),
  ...Side(Share).shape,
  p: z.number().min(0).max(1).nullable().meta({ description: "Of Fisher's exact test." }),
  verdict: Verdict,
  why: z.string(),
});

const Runs = z.strictObject({
  asked: z.string(),
  loop: z.string(),
  runs: z.array(z.string()).meta({ description: "Those that were measured, oldest first." }),
  unmeasured: z.int().min(0).meta({ description: "How many show nothing: open, refereed, or base needed nothing." }),
  endings: z.record(z.string(), z.int()).meta({ description: "How its runs ended, and how often." }),
});

const Spec = z.strictObject({
  asked: z.string(),
  loop: z.string(),
  dialect: z.string(),
  lint: z.number().min(0).max(100).nullable().meta({ description: "The lint score, of 0 to 100." }),
  band: z.string().nullable(),
  dimensions: z.record(z.string(), z.number().min(0).max(1).nullable()),
  level: z.int().min(1).max(6),
  ways: z.int(),
  makers: z.int(),
  checks: z.int(),
  refusing: z.int().meta({ description: "How many of its checks could ever say no." }),
  guards: z.int(),
  rounds: z.int().nullable(),
  usd: z.number().nullable(),
  calls: z.number().nullable().meta({ description: "How often models are asked in a run at most." }),
});

export const CompareAnswer = z.discriminatedUnion("kind", [
  z
    .strictObject({
      kind: z.literal("runs"),
      ...Side(Runs).shape,
      confidence: z.number().meta({ description: "How sure all rows together are." }),
      level: z.number().meta({ description: "What p of one row must not be above: the share of one row among all that are told." }),
      proven: ShareRow,
      figures: z.array(FigureRow),
      verdict: z.string(),
      notes: z.array(z.string()),
    })
    .meta({ description: "Two loops, versions of one, or runs, by what happened." }),
  z
    .strictObject({
      kind: z.literal("specs"),
      ...Side(Spec).shape,
      only: Side(z.array(z.string())).meta({ description: "Parts that only one of them has, as `kind name`." }),
      verdict: z.string(),
      notes: z.array(z.string()),
    })
    .meta({ description: "Two specs, by what they say." }),
]);
export type CompareAnswer = Readonly<z.infer<typeof CompareAnswer>>;
export type ComparedRuns = Extract<CompareAnswer, { readonly kind: "runs" }>;
export type ComparedSpecs = Extract<CompareAnswer, { readonly kind: "specs" }>;
export type FigureRow = ComparedRuns["figures"][number];
export type ShareRow = ComparedRuns["proven"];
