// Inputs: what a loop is told anew for each run, as its spec declares it and as it is on record.
import * as z from "zod";
import type { Trust } from "./text.ts";

// As in spec.ts, which is read after this.
z.config({ jitless: true });

const INPUT_TYPES = ["text", "number", "boolean", "choice", "list", "map"] as const;

/** Where a stranger's words may be taken from, when a trigger wakes the loop. */
const CAUSE_FIELDS = ["event", "ref", "subject"] as const;

const plain = z.union([z.string().max(2000), z.number(), z.boolean()]);

export const InputWish = z.strictObject({
  type: z.enum(INPUT_TYPES).meta({
    description: "What it is: a text, a number, true or false, one of `values`, a list of texts or numbers, or a map of such.",
    examples: ["text"],
  }),
  about: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .meta({ description: "What it means, for whoever gives it and for the maker.", examples: ["What the brief is about"] }),
  required: z
    .boolean()
    .optional()
    .meta({ description: "Whether a run is refused without it. Default: no.", examples: [true] }),
  shortest: z
    .int()
    .min(0)
    .max(200_000)
    .optional()
    .meta({ description: "Of a text: how many characters at least.", examples: [1] }),
  longest: z
    .int()
    .min(1)
    .max(200_000)
    .optional()
    .meta({ description: "Of a text: how many characters at most. Default: 20000.", examples: [5000] }),
  pattern: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({
      description:
        "Of a text: a regular expression that the whole of it must match. It is a simple one: no group that repeats something repeated, no look around, no back reference.",
      examples: ["[A-Z]+-\\d+"],
    }),
  least: z
    .number()
    .optional()
    .meta({ description: "Of a number: at least this. Of a list or map: at least so many entries.", examples: [1] }),
  most: z
    .number()
    .optional()
    .meta({ description: "Of a number: at most this. Of a list or map: at most so many entries.", examples: [10] }),
  values: z
    .array(plain)
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "Of a choice: what it may be.", examples: [["short", "long"]] }),
  default: z
    .unknown()
    .optional()
    .meta({ description: "What it is where nobody says.", examples: ["short"] }),
  from: z
    .enum(CAUSE_FIELDS)
    .optional()
    .meta({
      description:
        "What of a delivery that woke the loop it is taken from. Strangers wrote that: it is fenced, and the run counts as one that read outsiders' text.",
      examples: ["subject"],
    }),
});
export type InputWish = Readonly<z.infer<typeof InputWish>>;

export const InputName = z
  .string()
  .regex(/^[a-z][A-Za-z0-9_-]{0,48}$/, { error: "must be letters, digits, - and _, beginning with a small letter" });

/** What an input may be; a map or list holds plain values only. */
export type InputValue =
  | string
  | number
  | boolean
  | readonly (string | number | boolean)[]
  | { readonly [key: string]: string | number | boolean };

/** One input as it is on record. */
export interface RunInput {
  readonly value: InputValue;
  /** Who says so: the spec's default or whoever runs it, a file that they name, or a stranger that a trigger heard. */
  readonly trust: Trust;
  /** `worker`: the loop was called by another, and this is what one of its workers made. */
  readonly by: "default" | "hand" | "file" | "trigger" | "worker";
}

export type RunInputs = { readonly [name: string]: RunInput };

/** What somebody gives, before it is checked: as text, since that is what a shell and a webhook have. */
export interface GivenInput {
  readonly text: string;
  readonly by: "hand" | "file" | "trigger" | "worker";
}
export type GivenInputs = { readonly [name: string]: GivenInput };
