// The files in loopwright's home that a person writes: `limits.yaml`, what all loops may use together; `prices.yaml`, what models
// cost; `receipts.yaml`, where checkpoints go and whose keys are trusted; `machine.yaml`, how much may go on at once. One that is not
// there stands for the defaults. One that cannot be read stops what goes by it: it might have said less.
import { join } from "node:path";
import * as z from "zod";
import { LoopError } from "../contract/errors.ts";
import type { Texts } from "../contract/files.ts";
import type { Price } from "../contract/ledger.ts";
import { Duration, Limits } from "../contract/spec.ts";
import type { PriceTable } from "../guard/price.ts";
import { showPath } from "../spec/path.ts";
import { readSpecText } from "../spec/text.ts";
import { isZone } from "../std/day.ts";
import { parseDuration } from "../std/duration.ts";
import type { Home } from "./home.ts";

/** Whose settings, and what they are read with. */
export interface Settled {
  readonly home: Pick<Home, "folder">;
  readonly texts: Pick<Texts, "readOptional">;
}

const rate = z.number().min(0).max(1_000_000);
const Prices = z.strictObject({
  models: z.record(z.string().min(1).max(100), z.strictObject({ input: rate, output: rate, cached: rate.optional() })).default({}),
});
const SPENDING = "Nothing is spent while it cannot be read.";

const ZonedLimits = Limits.refine(({ zone }) => isZone(zone), {
  path: ["zone"],
  error: "is no time zone that this system knows: write e.g. UTC or Europe/Berlin",
});

export const limitsPath = (home: string): string => join(home, "limits.yaml");
const pricesPath = (home: string): string => join(home, "prices.yaml");

/** The defaults where there is no file. */
export const loadLimits = ({ home, texts }: Settled): Promise<Limits> =>
  readHomeFile(ZonedLimits, texts, limitsPath(home.folder), SPENDING);

/** The table that is shipped, with the user's own prices over it. */
export async function loadPrices({ home, texts }: Settled): Promise<PriceTable> {
  const { PRICES } = await import("../guard/price-table.ts");
  const { models } = await readHomeFile(Prices, texts, pricesPath(home.folder), SPENDING);
  const own = Object.entries(models).map(([name, { input, output, cached }]): [string, Price] => [
    name.toLowerCase(),
    { input, output, ...(cached === undefined ? {} : { cached }) },
  ]);
  return { ...PRICES, models: { ...PRICES.models, ...Object.fromEntries(own) } };
}

const Anchors = z.strictObject({
  /** In the target repository of each run, under refs/loopwright/proofs/. */
  target: z.boolean().default(true),
  /** A file elsewhere, on another disk for example, that lines are added to. */
  file: z.string().min(1).optional(),
  /** An address that each line is sent to with POST. */
  url: z.url({ protocol: /^https?$/ }).optional(),
});

const Receipts = z.strictObject({
  anchors: Anchors.prefault({}),
  /** Files with public keys of other homes whose receipts count here. */
  trust: z.array(z.string().min(1)).default([]),
});

export type ReceiptSettings = z.infer<typeof Receipts>;

export const loadReceiptSettings = ({ home, texts }: Settled): Promise<ReceiptSettings> =>
  readHomeFile(Receipts, texts, join(home.folder, "receipts.yaml"), "Nothing is signed while it cannot be read.");

const share = z
  .string({ error: 'must be a share in percent, such as "10%"; "0%" holds nothing back' })
  .regex(/^(\d{1,2}(\.\d+)?|100)%$/, { error: "must be a share in percent, such as 10%" });

/** What this machine has for runs, and where the daemon listens: the file `machine.yaml` in the home. */
const Machine = z.strictObject({
  /** How many runs go on at once; default: as many as it has cores, and at least two. */
  runs: z.int().min(1).max(1_000).optional(),
  /** How many that write to one repository. */
  perTarget: z.int().min(1).max(100).default(1),
  /** How many of a maker, by its name; those that are not named have no limit of their own. */
  perMaker: z.record(z.string().min(1).max(100), z.int().min(1).max(1_000)).default({}),
  /** Below so much that is free, nothing new starts. */
  headroom: z
    .strictObject({
      cpu: share.default("5%"),
      memory: z
        .union([share, z.string().regex(/^(?=.*[1-9])\d+(\.\d+)?(kB|MB|GB)$/)], {
          error: 'must be a share or a size, such as "10%" or 512MB',
        })
        .default("5%"),
    })
    .prefault({}),
  listen: z
    .strictObject({ host: z.string().min(1).max(255).default("127.0.0.1"), port: z.int().min(0).max(65_535).default(7420) })
    .prefault({}),
  /** Told at every healthy tick that somebody is alive, so that its absence is seen elsewhere. */
  ping: z.url({ protocol: /^https?$/ }).optional(),
  /** How long a stop waits for what is under way. */
  drain: Duration.default("30s"),
});

export interface MachineSettings extends Readonly<Omit<z.infer<typeof Machine>, "runs" | "drain">> {
  readonly runs: number;
  readonly drainMs: number;
}

const LEAST_RUNS = 2;

export const machinePath = (folder: string): string => join(folder, "machine.yaml");

/** Why nothing is woken by itself on this machine, for whoever asks; undefined where its file can be read. */
export async function unreadableMachine(settled: Settled): Promise<string | undefined> {
  try {
    await loadMachine(settled, LEAST_RUNS);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `${why}. Nothing new is woken while it cannot be read: mend it or take it away`;
  }
}

/** `cores` is how many this machine has. */
export async function loadMachine({ home, texts }: Settled, cores: number): Promise<MachineSettings> {
  const path = machinePath(home.folder);
  const { runs, drain, ...settings } = await readHomeFile(Machine, texts, path, "Nothing new is woken while it cannot be read.");
  return { ...settings, runs: runs ?? Math.max(LEAST_RUNS, cores), drainMs: parseDuration(drain) ?? 0 };
}

/** `meanwhile` says what does not happen while it cannot be read. */
async function readHomeFile<Schema extends z.ZodType>(
  schema: Schema,
  texts: Settled["texts"],
  path: string,
  meanwhile: string,
): Promise<z.infer<Schema>> {
  const text = await texts.readOptional(path);
  if (text === undefined) return schema.parse({});
  const read = readSpecText(text);
  const [broken] = read.problems;
  if (broken) throw unreadable(path, `line ${read.lineCol(broken.at).line}: ${broken.problem}`, meanwhile);
  const parsed = schema.safeParse(read.value ?? {});
  if (parsed.success) return parsed.data;
  throw unreadable(path, parsed.error.issues.map((issue) => tellIssue(schema, issue)).join("; "), meanwhile);
}

/** Where it is, what is wrong, and, for a key that there is not, which there are. */
function tellIssue(schema: z.ZodType, issue: z.core.$ZodIssue): string {
  const steps = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
  const at = steps.length === 0 ? "" : `${showPath(steps)}: `;
  if (issue.code === "unrecognized_keys") {
    const keys = keysAt(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), steps);
    return `${at}there is no ${issue.keys.join(", ")}${keys.length === 0 ? "" : `; there are ${keys.join(", ")}`}`;
  }
  if (issue.code !== "invalid_type" || issue.expected !== "object") return `${at}${issue.message}`;
  const keys = keysAt(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), steps);
  return `${at}must have keys of its own${keys.length === 0 ? "" : `: ${keys.join(", ")}`}`;
}

function keysAt(schema: object, steps: readonly (string | number)[]): readonly string[] {
  let here: { readonly properties?: { readonly [key: string]: object } } | undefined = schema;
  for (const step of steps) here = here?.properties?.[step];
  return Object.keys(here?.properties ?? {});
}

const unreadable = (path: string, problem: string, meanwhile: string): LoopError =>
  new LoopError("bad-input", `${path} cannot be used: ${problem}`, {
    retry: "never",
    hint: `Mend it or take it away; without it the defaults hold. ${meanwhile}`,
  });
