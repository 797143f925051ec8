// What a process that works on a run tells of it on the way to who started it: one JSON a line, of which nothing is believed or decided.
import * as z from "zod";
import type { MakerEvent } from "./maker-events.ts";
import { untrustedText } from "./text.ts";
import type { Sighting } from "./watch.ts";

/** Where it is told, by who was started with `--telling`. */
export const TELLING_DESCRIPTOR = 4;

/** Records are not told: they are in the journal, for everybody. */
export type Told = Exclude<Sighting, { kind: "recorded" }>;

/** A line that is longer is cut, and then it is none. */
export const MOST_TOLD_CHARS = 64 * 1024;

const name = z.string().max(300);
/** A little more than is kept of one: what was redacted may be longer than it was. */
const text = z.string().max(8_000).transform(untrustedText);

const Said = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("session"), session: name }),
  z.object({ kind: z.literal("text"), text }),
  z.object({ kind: z.literal("tool-call"), tool: name, about: text }),
  z.object({ kind: z.literal("file-change"), path: text }),
  z.object({
    kind: z.literal("usage"),
    of: z.enum(["part", "all"]),
    part: name.exactOptional(),
    tokens: z.number().exactOptional(),
    usd: z.number().exactOptional(),
  }),
  z.object({ kind: z.literal("limit"), says: text, resetsAt: name.exactOptional() }),
  z.object({ kind: z.literal("question"), text }),
  z.object({ kind: z.literal("refused"), what: text }),
  z.object({
    kind: z.literal("compacted"),
    leftOut: z.number(),
    tokensBefore: z.number(),
    tokensAfter: z.number(),
    summary: text,
  }),
  z.object({ kind: z.literal("error"), text }),
]) satisfies z.ZodType<MakerEvent>;

const Line = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("step-began"), id: name, step: name }),
  z.object({ kind: z.literal("maker-said"), id: name, event: Said }),
]) satisfies z.ZodType<Told>;

export const tellingLine = (told: Told): string => JSON.stringify(told);

/** Undefined for whatever is no such line. */
export function readTold(line: string): Told | undefined {
  try {
    return Line.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Whether it is about this run, or about one of its rounds: one process may also carry out what was approved of another. */
export const isAbout = ({ id }: Told, run: string): boolean => id === run || id.startsWith(`${run}.`);
