// The allowlist: what a loop may change alone, and what is said of a change by it.
import * as z from "zod";

/** Entries of the list that is always in force. What each of them names is in the guard. */
export const DENIED_NAMES = [
  "auth",
  "payments",
  "secrets",
  "migrations",
  "ci",
  "infrastructure",
  "licences",
  "lock-files",
  "dependencies",
  "loop",
  "agents",
  "git",
  "links",
  "submodules",
  "binaries",
  "modes",
] as const;
export type DeniedName = (typeof DENIED_NAMES)[number];

/** Those of them that can be told by a path and a mode alone. */
export const PROTECTED_NAMES = DENIED_NAMES.filter((name) => name !== "binaries");

const globs = z.array(z.string().min(1).max(500)).max(200);

/** What a person wrote down that a loop may change alone. */
export const Allowlist = z.strictObject({
  allow: globs.min(1).meta({
    description: "Globs of what may be changed, in the case they are written in. Every name that is touched must match one, old and new.",
    examples: [["docs/**", "*.md"]],
  }),
  deny: globs
    .default([])
    .meta({ description: "Globs of what may not be changed all the same, in either case.", examples: [["docs/legal/**"]] }),
  loosen: z
    .array(z.enum(DENIED_NAMES))
    .max(DENIED_NAMES.length)
    .default([])
    .meta({
      description:
        "Entries of the list that is always in force that shall not count here, by name; `lw check-allowlist entries` says what each of them names.",
      examples: [["lock-files"]],
    }),
  files: z
    .int()
    .min(1)
    .max(5_000)
    .default(10)
    .meta({ description: "How many files may be changed at most.", examples: [10] }),
  lines: z
    .int()
    .min(1)
    .max(100_000)
    .default(200)
    .meta({ description: "How many lines may be added and removed at most, together.", examples: [200] }),
});
export type Allowlist = Readonly<z.infer<typeof Allowlist>>;

export interface Objection {
  /** The entry or bound that closes it: `allow`, `deny`, `auth`, `links`, `lines`, … */
  readonly rule: string;
  readonly path: string | undefined;
  readonly why: string;
}

/** Whether a change is inside an allowlist, with everything that speaks against it. */
export interface Ruling {
  readonly verdict: "inside" | "outside";
  readonly files: number;
  readonly lines: number;
  readonly objections: readonly Objection[];
}
