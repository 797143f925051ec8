// What many places of a spec are written with: lengths of time, amounts, names, parts, and caps.
import * as z from "zod";

// A process reads few specs: to compile each schema takes longer than it ever saves. Said before the first one is made.
z.config({ jitless: true });

/** A length of time with its unit, kept as it was written; `parseDuration` reads it. */
export const Duration = z
  .string()
  .regex(/^(?=.*[1-9])(\d+(\.\d+)?(ms|s|m|h|d))+$/, { error: "is not a length of time" })
  .meta({ description: "A length of time with its unit: ms, s, m, h or d.", examples: ["20m", "90s", "1h30m"] });

/** Where a secret, or anything of the user's environment, is: its name and never its value. */
export const VariableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "must be the name of an environment variable" });

/** Nothing is sent in the clear, except to this machine itself. */
export const ServerUrl = z.string().regex(/^https:\/\/\S+$|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/\S*)?$/, {
  error: "must be an https address, or http on this machine",
});

/** An amount of money, kept as it was written; `parseUsd` reads it. */
export const Usd = z
  .string()
  .regex(/^\$(?=.*[1-9])\d+(\.\d{1,4})?$/, { error: "is not an amount of money" })
  .meta({ description: "An amount in US dollars, with the dollar sign.", examples: ["$2.50"] });

/** A number of things, with k or M if large, kept as it was written; `parseCount` reads it. */
export const Count = z
  .string()
  .regex(/^(?=.*[1-9])\d+(\.\d+)?[kM]?$/, { error: "is not a count" })
  .meta({ description: "A number above zero, with k or M if large.", examples: ["200k", "1.5M"] });

/** A part asked for by name, with its own options. The registries narrow this to the parts that exist. */
export const PartRef = z.strictObject({
  use: z.string().min(1).meta({ description: "Name of the part; `lw parts` lists them." }),
  with: z.record(z.string(), z.unknown()).optional().meta({ description: "Options of the part." }),
});
export type PartRef = Readonly<z.infer<typeof PartRef>>;

/** Nothing, zero and infinity could all be read as no limit; only a word can mean it. */
const NO_CAP = "is no cap: write an amount above zero, or the word unlimited, which lifts it below L3";
const LIFTED = "unlimited";

/** As `Duration`, `Usd` and `Count`, or `unlimited`. */
export const TimeCap = z
  .string({ error: NO_CAP })
  .regex(/^(unlimited|(?=.*[1-9])(\d+(\.\d+)?(ms|s|m|h|d))+)$/, { error: NO_CAP })
  .meta({ description: "A length of time with its unit, or `unlimited`.", examples: ["20m", LIFTED] });
export const UsdCap = z
  .string({ error: NO_CAP })
  .regex(/^(unlimited|\$(?=.*[1-9])\d+(\.\d{1,4})?)$/, { error: NO_CAP })
  .meta({ description: "An amount in US dollars, with the dollar sign, or `unlimited`.", examples: ["$2.50", LIFTED] });
export const TokenCap = z
  .string({ error: NO_CAP })
  .regex(/^(unlimited|(?=.*[1-9])\d+(\.\d+)?[kM]?)$/, { error: NO_CAP })
  .meta({ description: "A number above zero, with k or M if large, or `unlimited`.", examples: ["200k", LIFTED] });
export const SizeCap = z
  .string({ error: NO_CAP })
  .regex(/^(unlimited|(?=.*[1-9])\d+(\.\d+)?(kB|MB|GB))$/, { error: NO_CAP })
  .meta({ description: "A size in kB, MB or GB, or `unlimited`.", examples: ["2GB", LIFTED] });
export const CountCap = z
  .union([z.int().min(1).max(1_000_000_000), z.string().regex(/^(unlimited|(?=.*[1-9])\d+(\.\d+)?[kM]?)$/)], { error: NO_CAP })
  .meta({ description: "A number above zero, with k or M if large, or `unlimited`.", examples: [200, LIFTED] });

/** What may be capped anywhere: in a call, a round, a day, a month. What is left out is not capped there. */
export const Caps = z.strictObject({
  usd: UsdCap.optional().meta({ description: "What it may cost.", examples: ["$2.50"] }),
  tokens: TokenCap.optional().meta({ description: "How many tokens it may use, of all kinds together.", examples: ["200k"] }),
  time: TimeCap.optional().meta({ description: "How long makers may work.", examples: ["2h"] }),
  cpu: TimeCap.optional().meta({ description: "How much CPU time commands may use, where the system tells.", examples: ["1h"] }),
  rounds: CountCap.optional().meta({ description: "How many rounds.", examples: [50] }),
  launches: CountCap.optional().meta({ description: "How many times a maker may be started.", examples: [50] }),
  calls: CountCap.optional().meta({ description: "How many model calls.", examples: [500] }),
  tools: CountCap.optional().meta({ description: "How many tool calls.", examples: ["5k"] }),
  processes: CountCap.optional().meta({ description: "How many processes, as far as they are seen.", examples: ["10k"] }),
  disk: SizeCap.optional().meta({ description: "How much makers may write to disk, where the system tells.", examples: ["2GB"] }),
});
export type Caps = Readonly<z.infer<typeof Caps>>;
