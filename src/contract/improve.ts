// How a loop may become better by itself: as a spec asks for it, and as its changes are on record. A change is nothing but words to
// heed, options out of a declared space, and notes: there is no field in which anything else could be said.
import * as z from "zod";
import type { Untrusted } from "./text.ts";

/** What the instructions are called that the spec itself gives. */
export const AS_WRITTEN = "spec";

/** Who is meant where one maker works alone. */
export const THE_MAKER = "maker";

export const MOST_STEPS = 5;

const OptionValue = z.union([z.string().min(1).max(2000), z.number(), z.boolean()]);
export type OptionValue = z.infer<typeof OptionValue>;

const Space = z
  .record(
    z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,80}(\.[A-Za-z][A-Za-z0-9_-]{0,80})?$/, {
      error: "must be the name of an option, or WORKER.OPTION",
    }),
    z.array(OptionValue).min(2).max(50),
  )
  .refine((space) => Object.keys(space).length >= 1 && Object.keys(space).length <= 20, { error: "must have 1 to 20 options" });
export type Space = Readonly<z.infer<typeof Space>>;

/** What every strategy is told besides its own options. */
export const IMPROVE_TERMS = {
  of: z
    .array(z.string().min(1).max(80))
    .min(1)
    .max(50)
    .optional()
    .meta({
      description: "Whose instructions or options may change: workers by their names, or `maker`. Default: all.",
      examples: [["writer"]],
    }),
  steps: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: `How many changes one run may make. Default: ${MOST_STEPS}.`, examples: [5] }),
  keep: z
    .array(z.string().trim().min(1).max(80))
    .min(1)
    .max(20)
    .optional()
    .meta({
      description: "Things that no change may speak of. What the spec itself says stays word for word in any case.",
      examples: [["output_format"]],
    }),
  space: Space.optional().meta({
    description: "Of `search` and `propose`: the values that options of a maker may take, each under OPTION or WORKER.OPTION.",
    examples: [{ output: ["4k", "8k"] }],
  }),
  gain: z
    .number()
    .gt(0)
    .max(1e12)
    .optional()
    .meta({
      description: "What a change must gain by the primary metric in its first round to stay. Default: it must not drop.",
      examples: [0.02],
    }),
  undo: z
    .strictObject({
      drop: z
        .number()
        .min(0)
        .max(1e12)
        .optional()
        .meta({ description: "How far the primary metric may drop. Default: its `mayDrop`, else not at all.", examples: [0.05] }),
      safety: z
        .literal(true)
        .optional()
        .meta({ description: "A change is undone after anything unsafe; that cannot be switched off.", examples: [true] }),
    })
    .optional()
    .meta({ description: "When a change is undone.", examples: [{ drop: 0.05 }] }),
  lasts: z
    .enum(["run", "loop"])
    .optional()
    .meta({
      description: "Whether what was gained is for this run, or the next runs begin with it too. Default: run.",
      examples: ["loop"],
    }),
};

export const Improve = z
  .strictObject({
    use: z
      .string()
      .min(1)
      .meta({ description: "The strategy; `lw parts` lists them.", examples: ["refine"] }),
    with: z.record(z.string(), z.unknown()).optional().meta({ description: "Options of the strategy." }),
    ...IMPROVE_TERMS,
  })
  .meta({
    description:
      "How instructions or options of the maker or of workers may change between rounds. Each change is on record with the metric before and after it, and is undone when that drops. Verifiers, gates, budgets, seals and the level never change.",
    examples: [{ use: "refine", of: ["writer"], steps: 5, undo: { drop: 0.05 } }],
  });
export type Improve = Readonly<z.infer<typeof Improve>>;

/** What one of them is told besides what the spec says, and the options that it has instead. */
export interface Change {
  readonly heed?: readonly Untrusted[];
  readonly with?: { readonly [option: string]: OptionValue };
}

/** Everything that differs from the spec. */
export interface Instructions {
  readonly of: { readonly [target: string]: Change };
  readonly notes?: readonly Untrusted[];
}

export const NO_CHANGE: Instructions = { of: {} };

/** Instructions by a name that is made of them: the same instructions have the same. */
export interface Version {
  readonly version: string;
  readonly instructions: Instructions;
}

/** Where the primary metric stood. */
export interface Mark {
  readonly metric: string;
  /** Null is not known. */
  readonly value: number | null;
}

/** What was changed, in which round, and what it was changed from. From the next round on it counts. */
export interface Improved extends Version {
  readonly kind: "improved";
  readonly roundId: string;
  readonly parent: string;
  readonly use: string;
  /** In our own words. */
  readonly why: string;
  readonly before: Mark;
  /** Whether the round had read outsiders' text: then no other run begins with it. */
  readonly isTainted: boolean;
}

/** The same, which counts only once a person says so. */
export interface ImprovementProposed extends Omit<Improved, "kind"> {
  readonly kind: "improvement-proposed";
}

/** Other instructions count again, with every byte of them on record. */
export interface Undone {
  readonly kind: "undone";
  readonly roundId: string;
  readonly version: string;
  readonly to: Version;
  readonly why: string;
  readonly before?: Mark;
  readonly after?: Mark;
  /** The person who said so; not there where the loop did by itself. */
  readonly by?: string;
}
